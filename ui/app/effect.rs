//! What is to be done about it, as plain data: tests compare it, `run.rs` carries it out.

use std::fmt;

use quarterdeck::control::Request;

/// One thing to do in the world outside the model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// Ask the host; the answer comes back with what it was asked for.
    Ask(Asked, Request),
    /// Get a fresh snapshot, and notices from then on.
    Subscribe,
    /// Open a link in this machine's browser.
    Browse(SecretLink),
    /// Give the terminal back and stop this process.
    Suspend,
    /// Take the terminal again after this process stood still: a shell may have changed it meanwhile.
    Retake,
    /// Draw every cell again.
    Redraw,
    /// Ring the terminal's bell: something began to wait and nobody is looking.
    Ring,
    /// What the terminal's title says now.
    Title(String),
    Leave(Exit),
}

/// What an answer is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    EnrollLink,
    Revoke { name: String },
    Deny { client: String },
}

/// Why the control center ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The person left.
    Quit,
    /// The person left, and the host in this process is to serve on in one of its own.
    KeepServing,
    /// The host in this process stopped.
    HostGone,
    /// TERM, HUP or INT.
    Signal,
}

/// A link that lets in whoever has it: it has no readable `Debug`, so that it cannot reach a log.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SecretLink(pub(crate) String);

impl fmt::Debug for SecretLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretLink")
    }
}
