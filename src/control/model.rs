//! The words of the control protocol.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::detail::{AuditFilter, AuditPage, AuditRecord, ConnectionDetail, JournalPage, JournalQuery, ScopesPage};

/// The protocol's version: both sides must speak the same one.
pub const PROTOCOL: u32 = 1;

/// The first frame of each side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`PROTOCOL`] of the sender.
    pub protocol: u32,
    /// The sender's program version, for the sentence that refuses a skew.
    pub version: String,
    /// From a client: the terminal's name and ssh client, when it is a terminal and not a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<TerminalName>,
}

/// Who is at an attached terminal, for the audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalName {
    /// As `pts/3`.
    pub tty: String,
    /// The address the ssh connection came from.
    pub ssh: Option<String>,
}

/// What can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum Request {
    /// [`Reply::Snapshot`], and notices from then on.
    Subscribe,
    /// [`Reply::Status`].
    Status,
    /// [`Reply::Connections`].
    Connections,
    /// End a connection: [`Reply::Revoked`].
    Revoke {
        /// Its name.
        name: String,
        /// Only if it is still this grant.
        #[serde(default)]
        grant: Option<String>,
    },
    /// Refuse an authorization that waits: [`Reply::Done`].
    Deny {
        /// The waiting authorization's id.
        id: String,
    },
    /// A link to enroll a passkey, in place of the one before: [`Reply::EnrollLink`].
    PasskeyAdd,
    /// An address that leads this machine's browser to an enrollment link once, so that the link need not be an argument of a program:
    /// [`Reply::Ticket`].
    EnrollTicket {
        /// The link.
        url: SecretUrl,
    },
    /// [`Reply::Passkeys`].
    PasskeyList,
    /// [`Reply::Done`].
    PasskeyRemove {
        /// The passkey's id.
        id: String,
    },
    /// Keep a client document here: [`Reply::Client`].
    ClientAdd {
        /// Its name, the last part of its client id.
        name: String,
        /// Where it may be sent back to: loopback addresses.
        redirect_uris: Vec<String>,
    },
    /// [`Reply::Clients`].
    ClientList,
    /// [`Reply::Done`].
    ClientRemove {
        /// Its name.
        name: String,
    },
    /// A stretch of the audit, backwards: [`Reply::Audit`].
    Audit {
        /// Which records.
        filter: AuditFilter,
        /// Only those before this one; the newest first of all.
        #[serde(default)]
        before: Option<i64>,
        /// At most so many; 500 are the most there are at once.
        most: u32,
    },
    /// One audit record and its place in the chain: [`Reply::Record`].
    Record {
        /// Its number.
        seq: i64,
    },
    /// More about one connection: [`Reply::Connection`].
    Connection {
        /// Its grant.
        grant: String,
    },
    /// A stretch of the journal, backwards: [`Reply::Journal`].
    Journal(JournalQuery),
    /// A page on which the passkey changes what a connection may do: [`Reply::ScopesPage`].
    ScopesPage {
        /// Its grant.
        grant: String,
    },
    /// Stop the host: [`Reply::Done`], and then it does.
    Stop,
    /// Copy the store: [`Reply::BackedUp`].
    Backup {
        /// A file that does not exist yet; absolute.
        path: PathBuf,
    },
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", content = "value", rename_all = "snake_case")]
pub enum Reply {
    /// Everything a control center shows at first.
    Snapshot(Box<Snapshot>),
    /// How the host is.
    Status(Status),
    /// All connections by name.
    Connections(Vec<Connection>),
    /// What ended.
    Revoked(Revoked),
    /// A fresh enrollment link.
    EnrollLink(EnrollLink),
    /// The address that leads to the enrollment link, once.
    Ticket {
        /// The address.
        url: SecretUrl,
    },
    /// All passkeys, oldest first; those of another public URL too.
    Passkeys(Vec<Passkey>),
    /// The document that was added.
    Client(ClientDocument),
    /// All client documents kept here, by name.
    Clients(Vec<ClientDocument>),
    /// A stretch of the audit.
    Audit(AuditPage),
    /// A record.
    Record(Box<AuditRecord>),
    /// A connection.
    Connection(Box<ConnectionDetail>),
    /// A stretch of the journal.
    Journal(JournalPage),
    /// Where the scopes of a connection can be changed.
    ScopesPage(ScopesPage),
    /// The copy.
    BackedUp {
        /// Where it is.
        path: PathBuf,
        /// Its size in bytes.
        bytes: u64,
    },
    /// It was done, and there is nothing to tell.
    Done,
    /// It was not done.
    Refused(Refusal),
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Short and machine-readable: `not_found`, `last_passkey`, `unavailable`, …
    pub reason: String,
    /// A sentence: what happened and what to do next.
    pub message: String,
}

/// What a subscriber is told, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "notice", content = "value", rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "nearly every notice is the large one: a record")]
pub enum Notice {
    /// An audit record was committed.
    Recorded(AuditRow),
    /// What waits for the owner is now this.
    Waiting {
        /// The newest, oldest first.
        list: Vec<Waiting>,
        /// How many wait besides.
        more: usize,
    },
    /// The connections are now these: one was issued, replaced or revoked, or its scopes were changed.
    Connections(Vec<Connection>),
    /// The passkeys of the present public URL are now these.
    Passkeys(Vec<Passkey>),
    /// The store began to fail, for this reason, or (`None`) works again.
    Health(Option<String>),
    /// This many notices were lost on the way: subscribe again.
    Lagged(u64),
    /// The host stops now.
    Stopping,
}

/// Everything a control center shows at first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The newest audit record this includes; notices go on from here.
    pub seq: i64,
    /// The host's time: RFC 3339, UTC.
    pub now: String,
    /// How the host is.
    pub status: Status,
    /// All connections by name.
    pub connections: Vec<Connection>,
    /// The passkeys of the present public URL, oldest first.
    pub passkeys: Vec<Passkey>,
    /// The newest authorizations that wait for the owner, oldest first.
    pub waiting: Vec<Waiting>,
    /// How many wait besides.
    pub more_waiting: usize,
    /// The newest audit records, oldest first.
    pub activity: Vec<AuditRow>,
}

/// How the host is. Also the documented output of `quarterdeck status --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The program's version.
    pub version: String,
    /// The address assistants use; `null` when the door is closed.
    pub public_url: Option<String>,
    /// The addresses it listens on.
    pub listen: Vec<String>,
    /// Where its files are.
    pub state_dir: PathBuf,
    /// The kind of host: `embedded`.
    pub host: String,
    /// How many passkeys are enrolled under the present public URL.
    pub passkeys: usize,
    /// How many connections there are.
    pub connections: usize,
    /// How many authorizations wait.
    pub waiting: usize,
    /// Seconds since the start.
    pub uptime_s: u64,
    /// Why the store fails. Not there while it works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<String>,
}

/// A connection. Also the documented item of `quarterdeck connections --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connection {
    /// Its name.
    pub name: String,
    /// The grant's id.
    pub grant: String,
    /// The client's id.
    pub client_id: String,
    /// What the client calls itself.
    pub client_name: Option<String>,
    /// What it may do.
    pub scopes: Vec<String>,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// RFC 3339, UTC.
    pub last_used_at: Option<String>,
    /// Tool calls in the last 24 hours.
    pub calls_24h: i64,
    /// Tool calls in each of the last 24 hours, the present hour last. Hours begin when the clock's do (UTC).
    pub calls_by_hour: Vec<i64>,
    /// How it is doing.
    pub state: ConnectionState,
}

/// How a connection is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConnectionState {
    /// A call within the last minute.
    Live,
    /// Used before, not just now.
    Idle,
    /// No call yet.
    NeverUsed,
    /// Made under another public URL: every call is refused.
    WrongUrl,
}

/// What ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revoked {
    /// The name.
    pub name: String,
    /// The client it belonged to; `null` when only approvals that were not used yet existed.
    pub client_id: Option<String>,
    /// How many of those are void now.
    pub voided_approvals: usize,
}

/// A link to enroll a passkey. Also the documented output of `quarterdeck passkey add --json`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnrollLink {
    /// The address; the secret is in its fragment, which no server sees.
    pub url: String,
    /// RFC 3339, UTC.
    pub expires_at: String,
}

impl fmt::Debug for EnrollLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EnrollLink").field("expires_at", &self.expires_at).finish_non_exhaustive()
    }
}

/// An address that is a secret until it is used.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SecretUrl(pub String);

impl fmt::Debug for SecretUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretUrl(…)")
    }
}

/// A passkey. Also the documented item of `quarterdeck passkey list --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passkey {
    /// The first 16 hexadecimal characters of the SHA-256 of its credential id.
    pub id: String,
    /// What the owner calls it.
    pub label: Option<String>,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// RFC 3339, UTC.
    pub last_used_at: Option<String>,
    /// The public URL it was made under, when that is not the present one: it counts for nothing now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<String>,
}

/// A client document kept here. Also the documented item of `quarterdeck client list --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientDocument {
    /// The client's id: nothing is served there.
    pub client_id: String,
    /// Where it may be sent back to, on any loopback port.
    pub redirect_uris: Vec<String>,
}

/// An authorization page that is open and not answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Names it in [`Request::Deny`].
    pub id: String,
    /// Who asks: a claim until the owner's passkey.
    pub client_id: String,
    /// Where the answer would go.
    pub redirect_uri: String,
    /// What it asks for.
    pub scopes: Vec<String>,
    /// RFC 3339, UTC.
    pub since: String,
    /// RFC 3339, UTC.
    pub expires_at: String,
}

/// An audit record, as shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditRow {
    /// Its number.
    pub seq: i64,
    /// RFC 3339, UTC.
    pub at: String,
    /// Who did it.
    pub actor: String,
    /// What: `tool.called`, `grant.revoked`, …
    pub kind: String,
    /// On what.
    pub object: Option<String>,
    /// `ok`, `refused` or `failed`.
    pub outcome: String,
    /// Why not.
    pub reason: Option<String>,
    /// The grant it was under or about.
    pub grant: Option<String>,
    /// How long it took.
    pub took_ms: Option<u64>,
    /// Further facts.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub detail: serde_json::Map<String, serde_json::Value>,
}
