//! Journal entries, and what an assistant tells when it records one.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::clock::UnixMs;
use crate::digest::Digest;

/// The type of an entry an assistant recorded.
pub(super) const RECORD: &str = "external.record";
/// Characters of an id that tell entries apart on a screen.
const SHORT: usize = 12;

/// An entry of the journal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Event {
    /// Its place: entries of one millisecond are still in order.
    pub(crate) n: i64,
    /// `evt_` and 32 hexadecimal characters.
    pub(crate) id: String,
    pub(crate) at: UnixMs,
    /// The wire name of its type: `external.record`.
    pub(crate) kind: String,
    /// `<source>:<conversation>`.
    pub(crate) session_key: String,
    /// Where it came from: the connection's name.
    pub(crate) source: String,
    pub(crate) payload: Map<String, Value>,
}

impl Event {
    /// `evt_` and eight characters: what a row shows.
    pub(crate) fn short_id(&self) -> String {
        self.id.chars().take(SHORT).collect()
    }

    /// A text of the payload.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.payload.get(key).and_then(Value::as_str)
    }
}

/// What an assistant tells about one turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Experience {
    pub(crate) conversation: String,
    /// The revision of the board it had read.
    pub(crate) board_rev: String,
    /// The message it was given.
    pub(crate) said: String,
    /// Who gave it, when not the owner.
    pub(crate) from: Option<String>,
    pub(crate) did: String,
    pub(crate) outcome: String,
    pub(crate) artifact: Option<String>,
    pub(crate) model: Option<String>,
}

impl Experience {
    /// What makes a record the same record when it is sent again: 16 hexadecimal characters over who said what, what was done and how
    /// it ended. Two turns of one conversation that agree in all of these are one turn sent twice.
    pub(super) fn dedup_key(&self) -> String {
        let parts = [self.from.as_deref(), Some(&self.said), Some(&self.did), Some(&self.outcome)];
        // A list of texts and nulls always has a JSON form.
        let json = serde_json::to_string(&parts).unwrap_or_default();
        Digest::of(json.as_bytes()).short()
    }
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Receipt {
    pub(crate) event_id: String,
    pub(crate) at: UnixMs,
    /// It was there already; nothing was added.
    pub(crate) duplicate: bool,
}
