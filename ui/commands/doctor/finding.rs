//! What was found about one thing.

use quarterdeck::text;
use serde::Serialize;

/// How it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    /// As it should be.
    Ok,
    /// Worth knowing.
    Note,
    /// In the way.
    Fail,
}

/// A line of the report. Also an item of `quarterdeck doctor --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    pub(super) level: Level,
    pub(super) subject: &'static str,
    pub(super) says: String,
    /// What to do next, when there is anything to do.
    pub(super) next: Option<String>,
}

impl Finding {
    pub(super) fn ok(subject: &'static str, says: &str) -> Finding {
        Finding { level: Level::Ok, subject, says: text::safe(says), next: None }
    }

    /// An empty `next`: there is nothing to do.
    pub(super) fn note(subject: &'static str, says: &str, next: &str) -> Finding {
        let next = (!next.is_empty()).then(|| text::safe(next));
        Finding { level: Level::Note, next, ..Finding::ok(subject, says) }
    }

    pub(super) fn fail(subject: &'static str, says: &str, next: &str) -> Finding {
        Finding { level: Level::Fail, next: Some(text::safe(next)), ..Finding::ok(subject, says) }
    }
}
