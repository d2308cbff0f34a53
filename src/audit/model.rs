//! What a record says, and the arithmetic of the chain.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::clock::UnixMs;
use crate::digest::{Canonical, Digest, canonical_json};
use crate::id::GrantId;
use crate::text;

/// The number of an audit record: 1, 2, 3, … without gaps.
pub(crate) type Seq = i64;

/// Most characters of a text in a record.
const LONGEST: usize = 120;

/// What happened. The names are what the owner filters by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Kind {
    #[serde(rename = "host.started")]
    HostStarted,
    /// Somebody asked it to stop through the control door.
    #[serde(rename = "host.stop_requested")]
    HostStopRequested,
    #[serde(rename = "host.stopped")]
    HostStopped,
    #[serde(rename = "passkey.link_issued")]
    PasskeyLinkIssued,
    /// A browser of this machine was led to the link.
    #[serde(rename = "passkey.link_opened")]
    PasskeyLinkOpened,
    #[serde(rename = "passkey.added")]
    PasskeyAdded,
    #[serde(rename = "passkey.removed")]
    PasskeyRemoved,
    /// A passkey or an enrollment link was presented and refused.
    #[serde(rename = "passkey.refused")]
    PasskeyRefused,
    #[serde(rename = "authorization.approved")]
    AuthorizationApproved,
    #[serde(rename = "authorization.denied")]
    AuthorizationDenied,
    /// The owner's passkey was good and the authorization was refused all the same: name, client document, return address.
    #[serde(rename = "authorization.refused")]
    AuthorizationRefused,
    #[serde(rename = "grant.issued")]
    GrantIssued,
    #[serde(rename = "grant.replaced")]
    GrantReplaced,
    #[serde(rename = "grant.revoked")]
    GrantRevoked,
    /// What a connection may do is something else now.
    #[serde(rename = "grant.scopes_changed")]
    GrantScopesChanged,
    /// The owner's passkey was good and the scopes stayed as they were all the same: the grant ended, or they had changed.
    #[serde(rename = "grant.scopes_refused")]
    GrantScopesRefused,
    /// A code was presented at the token endpoint and refused.
    #[serde(rename = "token.refused")]
    TokenRefused,
    #[serde(rename = "client.added")]
    ClientAdded,
    #[serde(rename = "client.removed")]
    ClientRemoved,
    #[serde(rename = "tool.called")]
    ToolCalled,
    /// A request of the protocol itself: `initialize`, `tools/list`, a notification.
    #[serde(rename = "mcp.request")]
    McpRequest,
    /// Requests without a valid token, counted: one record per reason and minute.
    #[serde(rename = "request.refused")]
    RequestRefused,
    /// The key that signs the audit is not the one that signed it before.
    #[serde(rename = "audit.key_changed")]
    AuditKeyChanged,
    /// The key that signs the audit could be read by other users, until now.
    #[serde(rename = "audit.key_open")]
    AuditKeyOpen,
    #[serde(rename = "backup.written")]
    BackupWritten,
}

impl Kind {
    /// The wire name.
    pub(crate) fn name(self) -> String {
        match serde_json::to_value(self) {
            Ok(Value::String(name)) => name,
            _ => String::new(),
        }
    }
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    /// It was done.
    Ok,
    /// It was refused, and nothing changed beyond what the refusal itself uses up.
    Refused,
    /// It was attempted and went wrong.
    Failed,
}

/// What an operation tells about itself; the audit adds time, actor and sequence.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) kind: Kind,
    pub(crate) outcome: Outcome,
    pub(crate) object: Option<String>,
    pub(crate) reason: Option<String>,
    /// The grant it is about, when the actor is not that grant's own connection.
    pub(crate) grant: Option<GrantId>,
    pub(crate) took_ms: Option<u64>,
    pub(crate) detail: Map<String, Value>,
}

impl Draft {
    /// Something that was done.
    pub(crate) fn ok(kind: Kind) -> Draft {
        Draft { kind, outcome: Outcome::Ok, object: None, reason: None, grant: None, took_ms: None, detail: Map::new() }
    }

    /// Something that was refused, and the short machine-readable reason.
    pub(crate) fn refused(kind: Kind, reason: &str) -> Draft {
        Draft { outcome: Outcome::Refused, reason: Some(short(reason)), ..Draft::ok(kind) }
    }

    /// The one thing it was about: a path, an address, a name. Made safe and cut to 120 characters.
    pub(crate) fn object(mut self, object: &str) -> Draft {
        self.object = Some(short(object));
        self
    }

    /// The grant it was about.
    pub(crate) fn grant(mut self, grant: &GrantId) -> Draft {
        self.grant = Some(grant.clone());
        self
    }

    /// How long it took, in milliseconds.
    pub(crate) fn took(mut self, ms: u64) -> Draft {
        self.took_ms = Some(ms);
        self
    }

    /// A further fact, a text or a number. Hashes and counts; never contents, never a secret. A text is made safe and cut to 120
    /// characters.
    pub(crate) fn with(mut self, key: &str, value: impl Into<Value>) -> Draft {
        let value = match value.into() {
            Value::String(text) => Value::String(short(&text)),
            other => other,
        };
        self.detail.insert(key.to_owned(), value);
        self
    }
}

/// What a record holds of a text that may be somebody else's.
fn short(text: &str) -> String {
    text::shorten(&text::safe(text), LONGEST)
}

/// A record as it is stored: what the hash covers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    // In the order of their names: see `Canonical`.
    /// Who did it: `connection:dots`, `terminal:pts/3`, `command:1000`, `passkey:…`, `client:…`, `system`.
    pub(crate) actor: String,
    pub(crate) at: UnixMs,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) detail: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) grant: Option<GrantId>,
    pub(crate) kind: Kind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) object: Option<String>,
    pub(crate) outcome: Outcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) took_ms: Option<u64>,
}

impl Canonical for Record {
    fn is_in_order(&self) -> bool {
        // 2^53 milliseconds are three hundred thousand years.
        const EXACT: u64 = 1 << 53;
        self.detail.is_in_order() && self.at.0.unsigned_abs() < EXACT && self.took_ms.is_none_or(|ms| ms < EXACT)
    }
}

impl Record {
    /// The bytes the chain covers (RFC 8785).
    pub(crate) fn canonical(&self) -> Result<String, serde_json::Error> {
        canonical_json(self)
    }
}

/// A record with its place in the sequence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) seq: Seq,
    pub(crate) record: Record,
}

/// A record and its place in the chain.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Link {
    pub(crate) entry: Entry,
    /// The hash after it.
    pub(crate) hash: Digest,
    /// The hash it builds on.
    pub(crate) previous: Digest,
}

/// How often a grant called a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToolCalls {
    pub(crate) tool: String,
    pub(crate) calls: i64,
    /// Of these, calls that were refused or went wrong.
    pub(crate) failed: i64,
}

/// The end of the chain: the last sequence number and its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) seq: Seq,
    pub(crate) hash: Digest,
}

impl Head {
    /// Before the first record.
    pub(crate) const EMPTY: Head = Head { seq: 0, hash: Digest([0; 32]) };

    /// The head after a record with this canonical JSON: `SHA-256(0x01 ‖ seq ‖ previous hash ‖ SHA-256(record))`, the sequence as
    /// eight big-endian bytes. The leading byte keeps a leaf of this chain from being mistaken for anything else that is hashed.
    pub(crate) fn after(&self, canonical: &str) -> Head {
        let seq = self.seq.saturating_add(1);
        let content = Digest::of(canonical.as_bytes());
        Head { seq, hash: Digest::of_parts(&[&[1], &seq.to_be_bytes(), &self.hash.0, &content.0]) }
    }
}
