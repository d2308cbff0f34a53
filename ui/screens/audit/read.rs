//! Reading records from the host: the newest, older ones as the cursor goes down, the place of one in the chain; and those that are made.

use std::time::Duration;

use quarterdeck::control::{AuditFilter, AuditPage, AuditRow, Reply, Request};

use super::{KEPT, Reading, chain};
use crate::app::{About, Asked, Effect, Model, UNFITTING};
use crate::screens::Screen;
use crate::screens::fetched::Fetched;

/// Records asked for at a time.
const PAGE: u32 = 500;
/// A filter is read on until so many fit: a screen full.
const ENOUGH: usize = 100;
/// How long the cursor or typing rests before the host is asked.
const REST: Duration = Duration::from_millis(80);
/// A reading that takes no longer than this is not announced.
const QUIET: Duration = Duration::from_millis(200);

/// What the screen lacks.
pub(crate) fn wants(model: &mut Model) -> Vec<Effect> {
    let mut effects = chain::begin(model);
    if model.connected() && model.audit.reading == Reading::Wanted {
        effects.push(ask(model, true));
    }
    attend(model);
    effects
}

fn ask(model: &mut Model, newest: bool) -> Effect {
    let audit = &mut model.audit;
    audit.generation += 1;
    audit.reading = Reading::Asked { since: model.now.tick, newest };
    let before = if newest { None } else { audit.next };
    let about = Asked::Of(Screen::Audit, About::Page { generation: audit.generation });
    Effect::Ask(about, Request::Audit { filter: audit.filter.clone(), before, most: PAGE })
}

/// Asks for older records when there may be some and nothing is being asked.
pub(super) fn more(model: &mut Model) -> Vec<Effect> {
    let audit = &model.audit;
    let ready = audit.reading == Reading::Rests && audit.next.is_some() && audit.rows.len() < KEPT;
    if ready && model.connected() { vec![ask(model, false)] } else { Vec::new() }
}

/// The filter was typed: what cannot be read leaves the records as they are; the host is asked when typing rests.
pub(crate) fn filtered(model: &mut Model, text: &str) {
    let audit = &mut model.audit;
    text.clone_into(&mut audit.typed);
    match AuditFilter::parse(text, model.now.wall, &model.setup.zone) {
        Ok(filter) => {
            audit.wrong = None;
            audit.pending = (filter != audit.filter).then(|| (model.now.tick + REST, filter));
        }
        Err(error) => (audit.wrong, audit.pending) = (Some(error.to_string()), None),
    }
    plan(model);
}

/// Follows the cursor: the record in the detail is another one.
pub(super) fn attend(model: &mut Model) {
    let current = model.audit.current().map(|row| row.seq);
    if model.audit.looked.as_ref().map(|(seq, ..)| *seq) != current {
        model.audit.looked = current.map(|seq| (seq, model.now.tick + REST, Fetched::default()));
    }
    plan(model);
}

/// Time passed.
pub(crate) fn rested(model: &mut Model) -> Vec<Effect> {
    let now = model.now.tick;
    if model.audit.due.is_none_or(|due| due > now) {
        return Vec::new();
    }
    let mut effects = Vec::new();
    if let Some((_, filter)) = model.audit.pending.take_if(|(at, _)| *at <= now) {
        restart(model, filter);
    }
    if model.screen == Screen::Audit {
        model.changed |=
            matches!(model.audit.reading, Reading::Asked { since, .. } if model.audit.rows.is_empty() && now >= since + QUIET);
        effects.extend(wants(model));
        effects.extend(place(model));
    }
    plan(model);
    effects
}

/// Reads from the beginning by another filter.
fn restart(model: &mut Model, filter: AuditFilter) {
    let audit = &mut model.audit;
    audit.filter = filter;
    audit.rows.clear();
    audit.records.clear();
    (audit.next, audit.paused, audit.reading, audit.whole_to) = (None, None, Reading::Wanted, 0);
    audit.generation += 1;
    model.changed = true;
}

/// Asks for the place in the chain of the record the cursor rests on.
fn place(model: &mut Model) -> Vec<Effect> {
    let now = model.now.tick;
    let connected = model.connected();
    let Some((seq, from, place)) = &mut model.audit.looked else { return Vec::new() };
    if !connected || *from > now || !place.ask(now) {
        return Vec::new();
    }
    vec![Effect::Ask(Asked::Of(Screen::Audit, About::Record { seq: *seq }), Request::Record { seq: *seq })]
}

/// Sets when time changes something next.
fn plan(model: &mut Model) {
    let here = model.screen == Screen::Audit;
    let connected = model.connected();
    let audit = &mut model.audit;
    let typed = audit.pending.as_ref().map(|(at, _)| *at);
    let rests = audit.looked.as_ref().filter(|(.., place)| here && connected && place.is_wanted()).map(|(_, from, _)| *from);
    let announced = match audit.reading {
        Reading::Asked { since, .. } if here && audit.rows.is_empty() => Some(since + QUIET).filter(|at| *at > model.now.tick),
        _ => None,
    };
    audit.due = [typed, rests, announced].into_iter().flatten().min();
}

/// A record was made.
pub(crate) fn heard(model: &mut Model, row: &AuditRow) {
    let audit = &mut model.audit;
    if audit.reading == Reading::Wanted {
        return;
    }
    audit.total = audit.total.max(row.seq);
    if matches!(audit.reading, Reading::Rests | Reading::Asked { newest: false, .. }) {
        audit.whole_to = audit.whole_to.max(row.seq);
    }
    let newest = audit.rows.first().map_or(0, |newest| newest.seq);
    if row.seq > newest && audit.filter.matches(row) {
        audit.rows.insert(0, row.clone());
        trim(model);
    }
    attend(model);
}

/// Holds no more than is held: the oldest go, and can be read again.
fn trim(model: &mut Model) {
    let audit = &mut model.audit;
    if audit.rows.len() > KEPT {
        audit.rows.truncate(KEPT);
        audit.next = audit.rows.last().map(|row| row.seq);
    }
}

/// Notices were lost, or the host was: the newest records are asked for again, and those that are there stay.
pub(crate) fn forget(model: &mut Model) {
    model.audit.reading = Reading::Wanted;
    model.audit.generation += 1;
    if let Some((.., place)) = &mut model.audit.looked {
        place.forget();
    }
}

/// Whether something could not be read.
pub(crate) fn failed(model: &Model) -> bool {
    let place = model.audit.looked.as_ref().is_some_and(|(.., place)| place.is_failed());
    matches!(model.audit.reading, Reading::Failed(_)) || place
}

/// What could not be read is asked for again.
pub(crate) fn again(model: &mut Model) -> Vec<Effect> {
    if matches!(model.audit.reading, Reading::Failed(_)) {
        model.audit.reading = Reading::Wanted;
    }
    if let Some((.., place)) = model.audit.looked.as_mut().filter(|(.., place)| place.is_failed()) {
        place.forget();
    }
    let mut effects = wants(model);
    effects.extend(place(model));
    effects
}

/// The host answered. What was asked before the filter changed is dropped.
pub(crate) fn answered(model: &mut Model, about: About, answer: Result<Reply, String>) -> Vec<Effect> {
    match (about, answer) {
        (About::Page { generation }, answer) if generation == model.audit.generation => return page(model, answer),
        (About::Record { seq }, answer) => record(model, seq, answer),
        _ => {}
    }
    Vec::new()
}

fn page(model: &mut Model, answer: Result<Reply, String>) -> Vec<Effect> {
    let Reading::Asked { newest, .. } = model.audit.reading else { return Vec::new() };
    match answer {
        Ok(Reply::Audit(page)) => {
            take(model, page, newest);
            attend(model);
            // Nothing to look at yet: reading goes on until there is, or until the end.
            if model.audit.rows.len() < ENOUGH { more(model) } else { Vec::new() }
        }
        Ok(_) => fail(model, UNFITTING),
        Err(why) => fail(model, &why),
    }
}

fn fail(model: &mut Model, why: &str) -> Vec<Effect> {
    model.audit.reading = Reading::Failed(why.to_owned());
    plan(model);
    Vec::new()
}

fn take(model: &mut Model, page: AuditPage, newest: bool) {
    let audit = &mut model.audit;
    (audit.reading, audit.total) = (Reading::Rests, audit.total.max(page.total));
    if newest {
        return join(model, page);
    }
    audit.rows.extend(page.rows);
    audit.next = page.next;
    trim(model);
}

/// Puts the newest records above those that are there, when nothing can lie between them, and else in their place. What was heard
/// while they were on their way is newer than they are, or among them.
fn join(model: &mut Model, page: AuditPage) {
    let audit = &mut model.audit;
    let read = page.rows.first().map_or(0, |row| row.seq);
    let meets = page.next.is_some_and(|next| audit.whole_to > 0 && next <= audit.whole_to + 1);
    let before = std::mem::take(&mut audit.rows);
    let (heard, old): (Vec<AuditRow>, Vec<AuditRow>) = before.into_iter().partition(|row| row.seq > audit.whole_to);
    let oldest = page.next.unwrap_or(0);
    audit.rows = heard.into_iter().filter(|row| row.seq > read).collect();
    audit.rows.extend(page.rows);
    if meets {
        audit.rows.extend(old.into_iter().filter(|row| row.seq < oldest));
    } else {
        audit.next = page.next;
    }
    audit.whole_to = audit.total;
    let ids = audit.ids();
    audit.records.keep(&ids);
    if ids.is_empty() {
        // What was shown while it was not followed is not there any more.
        audit.paused = None;
        audit.records.clear();
    }
    trim(model);
}

fn record(model: &mut Model, seq: i64, answer: Result<Reply, String>) {
    let Some((_, _, place)) = model.audit.looked.as_mut().filter(|(looked, ..)| *looked == seq) else { return };
    match answer {
        Ok(Reply::Record(record)) => place.fill(record),
        Ok(_) => place.fail(UNFITTING),
        Err(why) => place.fail(&why),
    }
}
