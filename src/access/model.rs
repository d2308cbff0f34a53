//! Principals, grants, and what a connection looks like to the owner.

use std::time::Duration;

use super::Scopes;
use crate::clock::UnixMs;
use crate::id::GrantId;

/// How recent a call makes a connection "live".
pub(super) const LIVE: Duration = Duration::from_secs(60);

/// Who acts. Every operation takes one, and the audit records it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Principal {
    /// An assistant with a token.
    Connection(Caller),
    /// The owner on one of the pages, proved by the passkey with this id.
    Passkey {
        /// The passkey's id.
        id: String,
    },
    /// A client at an OAuth endpoint, before it has a token: nothing about it is proved but what the operation itself checks.
    Client {
        /// Its `client_id`.
        client_id: String,
    },
    /// The owner at a terminal.
    Terminal {
        /// The terminal's name, as `pts/3`.
        tty: String,
        /// The ssh client's address, when the terminal came in over ssh.
        ssh: Option<String>,
    },
    /// A one-shot command of this unix user.
    Command {
        /// The user's number.
        uid: u32,
    },
    /// The host itself.
    System,
}

impl Principal {
    /// The audit's `actor`.
    pub(crate) fn actor(&self) -> String {
        match self {
            Principal::Connection(caller) => format!("connection:{}", caller.name),
            Principal::Passkey { id } => format!("passkey:{id}"),
            Principal::Client { client_id } => {
                format!("client:{}", crate::text::shorten(&crate::text::safe(client_id), 120))
            }
            Principal::Terminal { tty, ssh: None } => format!("terminal:{tty}"),
            Principal::Terminal { tty, ssh: Some(from) } => format!("terminal:{tty} from {from}"),
            Principal::Command { uid } => format!("command:{uid}"),
            Principal::System => "system".to_owned(),
        }
    }

    /// The grant a connection acts under.
    pub(crate) fn grant(&self) -> Option<&GrantId> {
        match self {
            Principal::Connection(caller) => Some(&caller.grant),
            _ => None,
        }
    }
}

/// An authenticated assistant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) grant: GrantId,
    /// The connection's name.
    pub(crate) name: String,
    pub(crate) client_id: String,
    pub(crate) scopes: Scopes,
}

/// What the owner allowed a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    pub(crate) id: GrantId,
    /// The connection's name: unique among live grants.
    pub(crate) name: String,
    pub(crate) client_id: String,
    /// What the client calls itself: its own claim.
    pub(crate) client_name: Option<String>,
    pub(crate) scopes: Scopes,
    /// The exact resource form it was asked for (RFC 8707).
    pub(crate) resource: String,
    /// The public URL it was made under; under another one it is refused.
    pub(crate) public_url: String,
    pub(crate) created_at: UnixMs,
}

/// How a connection is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// A call within the last minute.
    Live,
    /// Used before, not just now.
    Idle,
    /// No call yet.
    NeverUsed,
    /// Made under another public URL: every call is refused.
    WrongUrl,
}

/// A grant with how it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    pub(crate) grant: Grant,
    pub(crate) last_used_at: Option<UnixMs>,
    pub(crate) calls_24h: i64,
    /// In each of the last 24 hours, the present one last.
    pub(crate) calls_by_hour: Vec<i64>,
    pub(crate) state: State,
}
