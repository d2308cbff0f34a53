//! The words for what is asked about one thing at a time: pages of the audit, one record, one connection, the journal.

use serde::{Deserialize, Serialize};

use super::model::{AuditRow, SecretUrl};

/// Which audit records are meant. Every field that is given must fit; of several values in one field, one must. Letters are compared
/// without their case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditFilter {
    /// Part of the actor.
    pub who: Vec<String>,
    /// The kind, or its beginning when it ends with `*`.
    pub what: Vec<String>,
    /// Part of the object.
    pub object: Vec<String>,
    /// The outcome, or its beginning.
    pub outcome: Vec<String>,
    /// Words that each occur in the actor, the kind, the object or the reason.
    pub text: Vec<String>,
    /// The grant's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grant: Option<String>,
    /// Not before this moment: RFC 3339, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// A stretch of the audit, read backwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditPage {
    /// The records that fit, newest first.
    pub rows: Vec<AuditRow>,
    /// Ask for what is before this record to go on; `None` at the end. There may be a next one although no record of this stretch fits.
    pub next: Option<i64>,
    /// How many records the audit has.
    pub total: i64,
}

/// One record and its place in the chain. Hashes are 64 hexadecimal characters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// What it says.
    pub row: AuditRow,
    /// The hash after it.
    pub hash: String,
    /// The hash it builds on: that of the record before.
    pub previous: String,
}

/// More about one connection than a list shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConnectionDetail {
    /// The grant's id.
    pub grant: String,
    /// The exact resource it was asked for (RFC 8707).
    pub resource: String,
    /// The public URL it was made under.
    pub public_url: String,
    /// The address the client is sent back to, as it was approved (its first 120 characters); `None` when the audit does not tell.
    pub redirect_uri: Option<String>,
    /// What the owner calls the passkey that approved it, or its id; `None` when the audit does not tell.
    pub approved_by: Option<String>,
    /// The tools it called in the last seven days, the most used first: at most fifty, counted over its newest 20,000 calls.
    pub tools: Vec<ToolUse>,
    /// Its newest records, newest first: at most a hundred.
    pub recent: Vec<AuditRow>,
}

/// How often a tool was called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolUse {
    /// The tool.
    pub name: String,
    /// Calls.
    pub calls: i64,
    /// Of these, calls that were refused or went wrong.
    pub failed: i64,
}

/// Which journal entries are meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct JournalQuery {
    /// Only of this connection (its name).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Only of this type: `external.record`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Not before this moment: RFC 3339, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Only what is before this place: the [`JournalPage::next`] of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<i64>,
    /// At most so many; 500 are the most there are at once.
    pub most: u32,
}

/// A stretch of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalPage {
    /// Newest first.
    pub entries: Vec<JournalEntry>,
    /// Ask for what is before this place to go on; `None` at the end. There may be a next one although no entry of this stretch fits.
    pub next: Option<i64>,
}

/// An entry of the journal: what an assistant recorded. Every text is its own claim, and
/// cut to 4,000 characters, the last one `…`. Also an item of `quarterdeck journal --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// `evt_` and 32 hexadecimal characters.
    pub id: String,
    /// RFC 3339, UTC.
    pub at: String,
    /// Its type: `external.record`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The connection it came over, by name.
    pub source: String,
    /// `<source>:<conversation>`.
    pub session_key: String,
    /// The message it was given.
    pub said: String,
    /// Who gave it, when not the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// What it did.
    pub did: String,
    /// What came of it.
    pub outcome: String,
    /// What it made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact: Option<String>,
    /// The model that worked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// A page on which the owner's passkey changes the scopes of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScopesPage {
    /// Its address. Who has it sees the connection's scopes; changing them takes the passkey.
    pub url: SecretUrl,
    /// RFC 3339, UTC.
    pub expires_at: String,
}
