//! The rows of the list, and the facts of one record.

use quarterdeck::control::AuditRow;

use crate::app::Model;
use crate::screens::detail::{ARGUMENTS, RESULT};
use crate::screens::fetched::Shown;
use crate::screens::words::{deed, in_one, veiled};
use crate::screens::{Detail, Fact};
use crate::theme::Role;
use crate::widgets::{Column, Row};

/// From this width on, what was done and on what have columns of their own.
const WIDE: u16 = 110;

pub(super) fn columns(width: u16) -> &'static [Column] {
    const SMALL: &[Column] =
        &[Column::left("time", 12), Column::who("who", 14), Column::rest("what, on"), Column::right("result", 10)];
    const LARGE: &[Column] = &[
        Column::left("time", 12),
        Column::who("who", 20),
        Column::left("what", 22),
        Column::rest("on"),
        Column::right("result", 24),
    ];
    if width < WIDE { SMALL } else { LARGE }
}

pub(super) fn row(model: &Model, record: &AuditRow, width: u16) -> Row {
    let mut row = vec![(model.moment(&record.at), Role::Muted)];
    row.extend(deed(model, record, width >= WIDE));
    row
}

/// The title and the facts of the current record, its place in the chain included.
pub(super) fn facts(model: &Model) -> Option<(String, Vec<Fact>)> {
    let row = model.audit.current()?.clone();
    let (title, mut facts) = Detail::of_record(row).facts(model);
    for (_, hash, _) in facts.iter_mut().filter(|(label, ..)| [ARGUMENTS, RESULT].contains(label)) {
        *hash = beginning(hash);
    }
    facts.extend(place(model));
    facts.extend(related(model));
    Some((title, facts))
}

/// The hashes, their beginnings in groups of four.
fn place(model: &Model) -> Vec<Fact> {
    let Some((seq, _, place)) = &model.audit.looked else { return Vec::new() };
    match place.shown(model.now.tick) {
        Shown::There(record) => {
            let mut facts = vec![("this", format!("{seq}  {}", beginning(&record.hash)), Role::Muted)];
            if *seq > 1 {
                facts.insert(0, ("previous", format!("{}  {}", seq - 1, beginning(&record.previous)), Role::Muted));
            }
            facts
        }
        Shown::Failed(why) => vec![("chain", why.to_owned(), Role::Warn)],
        Shown::Loading => vec![("chain", "…".to_owned(), Role::Muted)],
        Shown::Nothing => Vec::new(),
    }
}

/// The hashes whole, for the clipboard and the pager.
pub(super) fn whole_hashes(model: &Model) -> Vec<Fact> {
    let place = model.audit.looked.as_ref().and_then(|(.., place)| place.value());
    let facts =
        place.map(|record| vec![("previous", record.previous.clone(), Role::Muted), ("this", record.hash.clone(), Role::Muted)]);
    facts.unwrap_or_default()
}

/// Groups of four: twelve characters tell two records apart.
fn beginning(hash: &str) -> String {
    let start: Vec<char> = hash.chars().take(12).collect();
    start.chunks(4).map(|four| four.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

/// How many related records are named.
const RELATED: usize = 4;

/// Other records under the same grant, of those that were read.
fn related(model: &Model) -> Vec<Fact> {
    let Some(current) = model.audit.current() else { return Vec::new() };
    let Some(grant) = &current.grant else { return Vec::new() };
    let same = model.audit.rows.iter().filter(|row| row.grant.as_ref() == Some(grant) && row.seq != current.seq);
    let mut label = Some("same grant");
    let line = |row: &AuditRow| format!("{}  {}", row.seq, in_one(&veiled(model, row)));
    same.take(RELATED).map(|row| (label.take().unwrap_or_default(), line(row), Role::Muted)).collect()
}
