//! What is read from the host: when it is asked for, what becomes of the answers, and what a record that is made changes.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use quarterdeck::control::{AuditFilter, AuditRow, JournalQuery, Reply, Request};

use super::looked::Looked;
use super::told;
use crate::app::{About, Asked, Effect, Model, Now, SecretLink, UNFITTING};
use crate::overlays::{LinkPage, Linked, Overlay, Prompt, Purpose};
use crate::screens::Screen;

/// How many journal entries and how many refusals are read.
const MOST: u32 = 50;
/// How many refusals are held.
const KEPT: usize = 200;
/// For how long a refusal is shown.
const SHOWN: SignedDuration = SignedDuration::from_hours(1);

fn asked(about: About, request: Request) -> Effect {
    Effect::Ask(Asked::Of(Screen::Connections, about), request)
}

/// What the screen lacks: what belongs to a connection waits until the cursor rests.
pub(crate) fn wants(model: &mut Model) -> Vec<Effect> {
    attend(model);
    if !model.connected() {
        return Vec::new();
    }
    let now = model.now;
    let mut effects = Vec::new();
    if model.connections.documents.ask(now.tick) {
        effects.push(asked(About::Clients, Request::ClientList));
    }
    if model.connections.refusals.ask(now.tick) {
        let since = now.wall.checked_sub(SHOWN).unwrap_or(now.wall).to_string();
        let filter = AuditFilter { outcome: vec!["refused".to_owned()], since: Some(since), ..AuditFilter::default() };
        effects.push(asked(About::Refused, Request::Audit { filter, before: None, most: MOST }));
    }
    effects.extend(rest(model));
    plan(model);
    effects
}

/// Follows the cursor: the selected connection is another one, or none.
pub(super) fn attend(model: &mut Model) {
    let connections = &mut model.connections;
    let grant = connections.grants.chosen();
    if connections.looked.as_ref().map(|looked| &looked.grant) == grant {
        return plan(model);
    }
    connections.looked = grant.map(|grant| Looked::at(grant, model.now.tick));
    connections.calls.clear();
    connections.journal.clear();
    plan(model);
}

/// Time passed: what the cursor rests on is asked for, what takes long is announced, what is old is not shown any more.
pub(crate) fn rested(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    if model.connections.due.is_none_or(|due| due > now.tick) {
        return Vec::new();
    }
    model.changed |= model.screen == Screen::Connections;
    let effects = if model.screen == Screen::Connections { rest(model) } else { Vec::new() };
    if let Some(rows) = model.connections.refusals.value_mut() {
        rows.retain(|row| ends(row).is_none_or(|end| end > now.wall));
    }
    model.connections.keep_fetched();
    plan(model);
    effects
}

/// Asks for what belongs to the selected connection, when the cursor has rested.
fn rest(model: &mut Model) -> Vec<Effect> {
    let now = model.now.tick;
    let connected = model.connected();
    let Some(looked) = model.connections.looked.as_mut().filter(|looked| connected && looked.from <= now) else {
        return Vec::new();
    };
    let Some(connection) = model.facts.connection(&looked.grant) else { return Vec::new() };
    let grant = looked.grant.clone();
    let mut effects = Vec::new();
    if looked.detail.ask(now) {
        effects.push(asked(About::Connection { grant: grant.clone() }, Request::Connection { grant: grant.clone() }));
    }
    if looked.journal.ask(now) {
        let query = JournalQuery { source: Some(connection.name.clone()), most: MOST, ..JournalQuery::default() };
        effects.push(asked(About::Journal { grant }, Request::Journal(query)));
    }
    effects
}

/// When a refusal is not shown any more.
fn ends(row: &AuditRow) -> Option<Timestamp> {
    row.at.parse::<Timestamp>().ok()?.checked_add(SHOWN).ok()
}

/// Sets when time changes something next.
fn plan(model: &mut Model) {
    let Now { tick, wall } = model.now;
    let connected = model.connected() && model.screen == Screen::Connections;
    let connections = &mut model.connections;
    let looked = connections.looked.as_ref();
    let wanted = looked.filter(|looked| connected && (looked.detail.is_wanted() || looked.journal.is_wanted()));
    let announced = looked.map(|looked| [looked.detail.announced(), looked.journal.announced()]).unwrap_or_default();
    let announced = announced.into_iter().chain([connections.documents.announced(), connections.refusals.announced()]);
    let announced = announced.flatten().filter(|at| *at > tick);
    let oldest = connections.refusals.value().and_then(|rows| rows.last()).and_then(ends);
    let oldest =
        oldest.map(|end| tick + Duration::try_from(end.duration_since(wall)).unwrap_or_default() + Duration::from_millis(1));
    connections.due = announced.chain(wanted.map(|looked| looked.from)).chain(oldest).min();
}

/// Notices were lost, or the host was: what was read may be old.
pub(crate) fn forget(model: &mut Model) {
    let connections = &mut model.connections;
    connections.documents.forget();
    connections.refusals.forget();
    if let Some(looked) = &mut connections.looked {
        looked.detail.forget();
        looked.journal.forget();
    }
}

/// What could not be read is asked for again.
pub(crate) fn again(model: &mut Model) -> Vec<Effect> {
    let connections = &mut model.connections;
    if connections.documents.is_failed() {
        connections.documents.forget();
    }
    if connections.refusals.is_failed() {
        connections.refusals.forget();
    }
    if let Some(looked) = &mut connections.looked {
        if looked.detail.is_failed() {
            looked.detail.forget();
        }
        if looked.journal.is_failed() {
            looked.journal.forget();
        }
    }
    wants(model)
}

/// Whether there is something on the screen that could not be read.
pub(crate) fn failed(model: &Model) -> bool {
    let connections = &model.connections;
    let looked = connections.looked.as_ref();
    looked.is_some_and(|looked| looked.detail.is_failed() || looked.journal.is_failed())
        || connections.documents.is_failed()
        || connections.refusals.is_failed()
}

/// A record was made.
pub(crate) fn heard(model: &mut Model, row: &AuditRow) {
    let connections = &mut model.connections;
    if let Some(looked) = connections.looked.as_mut().filter(|looked| row.grant.as_ref() == Some(&looked.grant)) {
        looked.hear(row);
    }
    if row.outcome == "refused" {
        match connections.refusals.value_mut() {
            Some(rows) => {
                rows.insert(0, row.clone());
                rows.truncate(KEPT);
            }
            None => connections.refusals.outdate(),
        }
    }
    match row.kind.as_str() {
        "client.added" | "client.removed" => connections.documents.outdate(),
        "grant.scopes_changed" => rescoped(model, row),
        _ => {}
    }
}

/// The scopes of a connection are others now: the page for it has done its work.
fn rescoped(model: &mut Model, row: &AuditRow) {
    let Some(name) = &row.object else { return };
    let about = |overlay: &Overlay| matches!(overlay, Overlay::Link(page) if page.changes(name));
    model.overlays.retain(|overlay| !about(overlay));
    model.toasts.say(model.now.tick, &told::rescoped(name, row));
}

/// The host answered.
pub(crate) fn answered(model: &mut Model, about: About, answer: Result<Reply, String>) -> Vec<Effect> {
    let empty = model.connections.fetched_rows() == 0;
    match (about, answer) {
        (About::Connection { grant }, answer) => detail(model, &grant, answer),
        (About::Journal { grant }, answer) => journal(model, &grant, answer),
        (About::Clients, Ok(Reply::Clients(list))) => model.connections.documents.fill(list),
        (About::Clients, answer) => model.connections.documents.fail(&why(answer)),
        (About::Refused, Ok(Reply::Audit(page))) => refusals(model, page.rows),
        (About::Refused, answer) => model.connections.refusals.fail(&why(answer)),
        (About::Scopes { name }, Ok(Reply::ScopesPage(page))) => {
            let linked = Linked::Scopes { name, expires_at: page.expires_at };
            open(model, Overlay::Link(LinkPage::new(linked, SecretLink(page.url.0))));
        }
        (About::ClientAdded { name, .. }, Ok(Reply::Client(document))) => {
            open(model, Overlay::Link(LinkPage::new(Linked::Client { name }, SecretLink(document.client_id))));
        }
        (About::ClientAdded { name, redirect }, Err(why)) => {
            let mut prompt = Prompt::new(Purpose::ClientName { redirect: Some(redirect) }, &name);
            prompt.refuse(&why);
            open(model, Overlay::Prompt(prompt));
        }
        (About::ClientRemoved { name }, Ok(Reply::Done)) => {
            model.toasts.say(model.now.tick, &format!("the client document {name} is removed"));
        }
        (About::PasskeyRemoved { label }, Ok(Reply::Done)) => {
            model.toasts.say(model.now.tick, &format!("the passkey {label} is removed: it cannot approve any more"));
        }
        (_, answer) => model.toasts.fail(&why(answer)),
    }
    model.connections.keep_fetched();
    if empty {
        model.connections.begin(&model.facts);
    }
    if model.screen == Screen::Connections { wants(model) } else { Vec::new() }
}

/// Why there is no fitting answer.
fn why(answer: Result<Reply, String>) -> String {
    answer.err().unwrap_or_else(|| UNFITTING.to_owned())
}

fn detail(model: &mut Model, grant: &str, answer: Result<Reply, String>) {
    let Some(looked) = model.connections.looked.as_mut().filter(|looked| looked.grant == grant) else { return };
    match answer {
        Ok(Reply::Connection(detail)) if detail.grant == grant => looked.fill(*detail),
        answer => looked.detail.fail(&why(answer)),
    }
}

fn journal(model: &mut Model, grant: &str, answer: Result<Reply, String>) {
    let Some(looked) = model.connections.looked.as_mut().filter(|looked| looked.grant == grant) else { return };
    match answer {
        Ok(Reply::Journal(page)) => looked.journal.fill(page.entries),
        answer => looked.journal.fail(&why(answer)),
    }
}

/// Refusals that were heard on the way are kept.
fn refusals(model: &mut Model, rows: Vec<AuditRow>) {
    let newest = rows.first().map_or(0, |row| row.seq);
    let heard = model.connections.refusals.value().into_iter().flatten().filter(|row| row.seq > newest);
    let rows = heard.cloned().chain(rows).collect();
    model.connections.refusals.fill(rows);
}

/// Opens what was asked for; below a question or a field that the owner opened meanwhile, so that it gets none of their keys.
fn open(model: &mut Model, overlay: Overlay) {
    let busy = matches!(model.overlays.last(), Some(Overlay::Confirm(_))) || model.takes_text();
    let place = model.overlays.len() - usize::from(busy);
    model.overlays.insert(place, overlay);
}
