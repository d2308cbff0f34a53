//! What the screen does with an intent.

use super::{Reading, chain, read};
use crate::app::{Effect, Export, Model};
use crate::input::Intent;
use crate::overlays::{Overlay, Prompt, Purpose};
use crate::screens::words::grouped;
use crate::screens::{self, Detail, as_text};

/// Carries out an intent that is enabled.
pub(crate) fn update(model: &mut Model, intent: Intent) -> Vec<Effect> {
    match intent {
        Intent::Open => open(model),
        Intent::Follow => follow(model),
        Intent::Verify => return chain::verify(model),
        Intent::Export => {
            let day = model.now.wall.to_zoned_datetime(model.setup.zone.clone()).strftime("audit-%Y-%m-%d.jsonl").to_string();
            let purpose = Purpose::ExportTo(Export::Audit(model.audit.filter.clone()));
            model.overlays.push(Overlay::Prompt(Prompt::new(purpose, &day)));
        }
        Intent::Copy => return text(model).map(|(_, text)| Effect::Copy(text)).into_iter().collect(),
        Intent::Pager => return text(model).map(|(title, text)| Effect::Page { title, text }).into_iter().collect(),
        movement => {
            screens::step(model, movement);
            read::attend(model);
            return near_the_end(model);
        }
    }
    read::attend(model);
    Vec::new()
}

fn open(model: &mut Model) {
    if let Some(row) = model.audit.current().cloned() {
        model.overlays.push(Overlay::Detail(Detail::of_record(row)));
    }
}

/// The current record and its place in the chain, as text.
fn text(model: &Model) -> Option<(String, String)> {
    let row = model.audit.current()?.clone();
    let (title, mut facts) = Detail::of_record(row).facts(model);
    facts.extend(super::rows::whole_hashes(model));
    Some((title, as_text(&facts)))
}

/// Stops or goes on following.
fn follow(model: &mut Model) {
    if model.audit.paused.is_some() {
        return resume(model);
    }
    let audit = &mut model.audit;
    audit.paused = Some(audit.rows.first().map_or(0, |row| row.seq));
    let ids = audit.ids();
    audit.records.clear();
    audit.records.begin(&ids);
}

/// The newest records are followed again.
pub(crate) fn resume(model: &mut Model) {
    model.audit.paused = None;
    model.audit.records.clear();
    read::attend(model);
}

/// Moves by `by` rows. Moving stops following: what is selected stays where it is.
pub(crate) fn step(model: &mut Model, by: isize, height: usize) {
    if model.audit.paused.is_none() {
        return follow(model);
    }
    let ids = model.audit.ids();
    model.audit.records.step(&ids, by, height);
}

/// Asks for older records when the cursor comes near the end of those that were read.
fn near_the_end(model: &mut Model) -> Vec<Effect> {
    let height = model.drawn.rows(screens::Pane::Records);
    let ids = model.audit.ids();
    let here = model.audit.records.chosen().and_then(|seq| ids.iter().position(|id| id == seq));
    if here.is_some_and(|here| here + 2 * height >= ids.len()) { read::more(model) } else { Vec::new() }
}

/// Selects the row at this place of the list; looks at it when it is selected already.
pub(crate) fn select(model: &mut Model, row: usize) -> Vec<Effect> {
    let before = model.audit.records.chosen().copied();
    if model.audit.paused.is_none() {
        follow(model);
    }
    let ids = model.audit.ids();
    model.audit.records.choose(ids.get(row));
    if before.is_some() && before == model.audit.records.chosen().copied() {
        open(model);
    }
    read::attend(model);
    near_the_end(model)
}

/// How many rows fit.
pub(crate) fn counted(model: &Model) -> String {
    let audit = &model.audit;
    if audit.wrong().is_some() {
        return "not a filter yet".to_owned();
    }
    if audit.total == 0 && audit.reading != Reading::Rests {
        return String::new();
    }
    let total = grouped(audit.total);
    let found = grouped(i64::try_from(audit.rows.len()).unwrap_or(i64::MAX));
    match (audit.typed.is_empty(), audit.next, &audit.reading) {
        (true, ..) => format!("{total} in all"),
        (false, None, Reading::Rests) => format!("{found} of {total}"),
        (false, Some(next), _) => format!("{found} so far of {total}, searched back to {}", grouped(next)),
        (false, None, _) => String::new(),
    }
}
