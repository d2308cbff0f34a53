//! What happened, one line each.

use std::collections::BTreeSet;

use jiff::Timestamp;
use quarterdeck::control::{AuditRow, Notice, Waiting};

use super::model::{Do, Plain};
use super::words::{count, short, stamp, took};
use crate::app::{Link, Model, Msg};
use crate::screens::words;

/// What was known before a message, to tell what it changed.
pub(super) struct Before {
    seq: i64,
    waiting: Vec<Waiting>,
    lost: bool,
    failing: Option<String>,
    row: Option<AuditRow>,
    missed: Option<u64>,
    stopping: bool,
}

impl Before {
    pub(super) fn of(plain: &Plain, msg: &Msg) -> Before {
        let facts = &plain.model.facts;
        let notice = match msg {
            Msg::Notice(notice) => Some(&**notice),
            _ => None,
        };
        Before {
            seq: facts.seq,
            waiting: facts.waiting.clone(),
            lost: is_lost(&plain.model),
            failing: facts.status.failing.clone(),
            row: notice.and_then(|notice| if let Notice::Recorded(row) = notice { Some(row.clone()) } else { None }),
            missed: notice.and_then(|notice| if let Notice::Lagged(many) = notice { Some(*many) } else { None }),
            stopping: matches!(notice, Some(Notice::Stopping)),
        }
    }

    /// Says what is different now.
    pub(super) fn tell(self, plain: &mut Plain) -> Vec<Do> {
        let mut lines = Vec::new();
        if self.stopping {
            lines.push("the host stops".to_owned());
        }
        lines.extend(self.of_link(plain));
        lines.extend(self.of_waiting(&plain.model));
        lines.extend(self.of_store(&plain.model));
        let now = plain.model.now.wall;
        let mut todo: Vec<Do> = lines.iter().map(|line| Do::Say(format!("{} {line}", stamp(&plain.model, now)))).collect();
        todo.extend(self.record(plain).map(Do::Say));
        todo
    }

    fn of_link(&self, plain: &Plain) -> Vec<String> {
        let missed = plain.model.facts.seq - self.seq;
        match (self.lost, is_lost(&plain.model)) {
            (false, true) => vec![
                "not connected to the host any more: what was said is old now, and nothing can be changed. It is tried \
                again by itself; retry tries now"
                    .to_owned(),
            ],
            (true, false) => vec![format!("connected to the host again; {missed} records were added meanwhile")],
            _ => self
                .missed
                .map(|many| format!("{many} events came too fast and are not printed: audit shows them"))
                .into_iter()
                .collect(),
        }
    }

    fn of_waiting(&self, model: &Model) -> Vec<String> {
        let ids = |list: &[Waiting]| list.iter().map(|waiting| waiting.id.clone()).collect::<BTreeSet<_>>();
        let (before, now) = (ids(&self.waiting), ids(&model.facts.waiting));
        let new = model.facts.waiting.iter().filter(|waiting| !before.contains(&waiting.id));
        let gone = self.waiting.iter().filter(|waiting| !now.contains(&waiting.id));
        let gone = gone
            .map(|waiting| format!("authorization {} does not wait any more: {}", short(&waiting.id, &[]), waiting.client_id));
        new.map(|waiting| waits(model, waiting)).chain(gone).collect()
    }

    fn of_store(&self, model: &Model) -> Option<String> {
        match (&self.failing, &model.facts.status.failing) {
            (before, now) if before == now => None,
            (_, Some(why)) => Some(format!("the store fails: {why}")),
            (_, None) => Some("the store works again".to_owned()),
        }
    }

    /// The record, when it is new and wanted.
    fn record(self, plain: &mut Plain) -> Option<String> {
        let row = self.row.filter(|row| row.seq > self.seq && plain.filter.matches(row))?;
        if !plain.following {
            plain.held += 1;
            return None;
        }
        Some(record(&plain.model, &row))
    }
}

fn is_lost(model: &Model) -> bool {
    matches!(model.link, Link::Lost { .. })
}

/// An authorization that waits, and what refuses it.
pub(super) fn waits(model: &Model, waiting: &Waiting) -> String {
    let ids: Vec<&str> = model.facts.waiting.iter().map(|waiting| waiting.id.as_str()).collect();
    format!(
        "authorization waits: {} asks for {}; answer goes to {}; deny {}",
        waiting.client_id,
        waiting.scopes.join(", "),
        waiting.redirect_uri,
        short(&waiting.id, &ids)
    )
}

/// A record as an event.
pub(super) fn record(model: &Model, row: &AuditRow) -> String {
    let stamp = row.at.parse::<Timestamp>().map_or_else(|_| row.at.clone(), |at| stamp(model, at));
    let who = words::who(model, &row.actor);
    let object = row.object.as_ref().map(|object| format!(" {object}")).unwrap_or_default();
    let what = match row.kind.as_str() {
        "tool.called" => format!("{who} called{object}"),
        kind => format!("{who}: {kind}{object}"),
    };
    format!("{stamp} {what}: {}", ending(row))
}

/// How it ended, why, and how long it took.
pub(super) fn ending(row: &AuditRow) -> String {
    let parts = [Some(row.outcome.clone()), row.reason.clone(), row.took_ms.map(took)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// How many events were held back.
pub(super) fn held(number: usize) -> String {
    count(number, "new record", "new records")
}
