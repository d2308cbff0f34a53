//! What is to be done about it, as plain data: tests compare it, `run.rs` carries it out.

use std::fmt;
use std::path::PathBuf;

use quarterdeck::control::{AuditFilter, Request};

use crate::screens::Screen;
use crate::terminal::Signals;

/// One thing to do in the world outside the model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// Ask the host; the answer comes back with what it was asked for.
    Ask(Asked, Request),
    /// Get a fresh snapshot, and notices from then on.
    Subscribe,
    /// Open an enrollment link in this machine's browser.
    Browse(SecretLink),
    /// Open a page of the host in this machine's browser.
    Visit(SecretLink),
    /// Give the terminal back and stop this process.
    Suspend,
    /// Take the terminal again after this process stood still: a shell may have changed it meanwhile.
    Retake,
    /// Draw every cell again.
    Redraw,
    /// Something began to wait: ring.
    Ring(Signals),
    /// Bytes for the terminal itself, between two frames.
    Write(Vec<u8>),
    /// What the terminal's title says now.
    Title(String),
    /// Put a text on the clipboard. Never a secret.
    Copy(String),
    /// Hand the terminal to the pager.
    Page {
        title: String,
        text: String,
    },
    /// Hand the terminal to the editor.
    Edit(PathBuf),
    /// Write a list to a new file.
    Export {
        what: Export,
        path: PathBuf,
    },
    /// Check the whole audit.
    Verify,
    /// Take the mouse, or leave it to the terminal.
    Mouse(bool),
    Leave(Exit),
}

/// Which list is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Export {
    /// All audit records that fit, read from the store.
    Audit(AuditFilter),
    /// The connections.
    Connections,
}

/// What an answer is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    EnrollLink,
    Revoke {
        name: String,
    },
    Deny {
        client: String,
    },
    /// A screen's own.
    Of(Screen, About),
}

/// What a screen asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum About {
    Connection {
        grant: String,
    },
    Journal {
        grant: String,
    },
    Clients,
    Refused,
    Scopes {
        name: String,
    },
    /// With what was typed, so that a refusal loses nothing.
    ClientAdded {
        name: String,
        redirect: String,
    },
    ClientRemoved {
        name: String,
    },
    PasskeyRemoved {
        label: String,
    },
    /// A page of records; an answer to an older question is not shown.
    Page {
        generation: u64,
    },
    Record {
        seq: i64,
    },
}

/// Why the control center ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The person left.
    Quit,
    /// The person left, and the host is to go on without this terminal.
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
