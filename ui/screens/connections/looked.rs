//! What is known about the selected connection besides its row.

use std::time::Duration;

use quarterdeck::control::{AuditRow, ConnectionDetail, JournalEntry, ToolUse};

use super::Fetched;

/// How long the cursor rests on a row before its detail is asked for.
pub(super) const REST: Duration = Duration::from_millis(80);

/// How many records of a connection are held.
const KEPT: usize = 200;

/// The selected connection.
#[derive(Clone, Debug)]
pub(crate) struct Looked {
    pub(super) grant: String,
    /// From when on its detail may be asked for.
    pub(super) from: Duration,
    pub(super) detail: Fetched<ConnectionDetail>,
    pub(super) journal: Fetched<Vec<JournalEntry>>,
    /// Its records that came since the detail was asked for, oldest first.
    heard: Vec<AuditRow>,
}

impl Looked {
    /// The cursor came to this connection.
    pub(super) fn at(grant: &str, now: Duration) -> Looked {
        let (detail, journal) = (Fetched::default(), Fetched::default());
        Looked { grant: grant.to_owned(), from: now + REST, detail, journal, heard: Vec::new() }
    }

    /// The detail came: records that were heard on the way and are not in it are put on top.
    pub(super) fn fill(&mut self, detail: ConnectionDetail) {
        let newest = detail.recent.first().map_or(0, |row| row.seq);
        self.detail.fill(detail);
        for row in std::mem::take(&mut self.heard) {
            if row.seq > newest {
                self.add(row);
            }
        }
    }

    /// A record was made under this grant.
    pub(super) fn hear(&mut self, row: &AuditRow) {
        if row.kind == "tool.called" && row.object.as_deref().is_some_and(|object| object.starts_with("RecordExperience")) {
            self.journal.outdate();
        }
        if self.detail.is_asked() {
            self.heard.push(row.clone());
            self.heard.drain(..self.heard.len().saturating_sub(KEPT));
        }
        self.add(row.clone());
    }

    fn add(&mut self, row: AuditRow) {
        let Some(detail) = self.detail.value_mut() else { return };
        if row.kind == "tool.called" {
            count(&mut detail.tools, &row);
        }
        detail.recent.insert(0, row);
        detail.recent.truncate(KEPT);
    }
}

/// Counts a call; the most used tool stays first.
fn count(tools: &mut Vec<ToolUse>, row: &AuditRow) {
    let Some(name) = row.object.as_deref().and_then(|object| object.split(' ').next()) else { return };
    let failed = i64::from(row.outcome != "ok");
    match tools.iter_mut().find(|tool| tool.name == name) {
        Some(tool) => (tool.calls, tool.failed) = (tool.calls + 1, tool.failed + failed),
        None => tools.push(ToolUse { name: name.to_owned(), calls: 1, failed }),
    }
    tools.sort_by_key(|tool| std::cmp::Reverse(tool.calls));
}
