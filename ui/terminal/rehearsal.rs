//! Faults on demand, for the tests in a real terminal. Builds without debug assertions do not know them.

use std::io::{self, Write};

use anyhow::bail;

/// The environment variable that asks for one.
pub(super) const VARIABLE: &str = "DECK_REHEARSE";

/// What is to go wrong once the first frame is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rehearsal {
    Panic,
    Error,
    /// Something prints to standard error, and something is logged.
    Noise,
}

impl Rehearsal {
    /// The one with this name.
    pub(super) fn named(name: &str) -> Option<Rehearsal> {
        match name {
            "panic" if cfg!(debug_assertions) => Some(Rehearsal::Panic),
            "error" if cfg!(debug_assertions) => Some(Rehearsal::Error),
            "noise" if cfg!(debug_assertions) => Some(Rehearsal::Noise),
            _ => None,
        }
    }

    /// Lets it go wrong.
    #[allow(clippy::panic, reason = "this is the panic that is rehearsed")]
    pub(crate) fn perform(self) -> anyhow::Result<()> {
        match self {
            Rehearsal::Panic => panic!("a rehearsed panic"),
            Rehearsal::Error => bail!("a rehearsed error"),
            Rehearsal::Noise => {
                tracing::error!("a rehearsed log line");
                Ok(writeln!(io::stderr(), "a rehearsed noise")?)
            }
        }
    }
}
