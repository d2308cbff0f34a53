//! Commands that look.

use std::cmp::Reverse;

use quarterdeck::control::{AuditFilter, Connection, JournalQuery, Request, since};

use super::events::waits;
use super::model::{Asked, Do, Job, Plain, Sort, say};
use super::run::STRETCH;
use super::words::{count, ungrouped};
use super::{facts, find, settle};
use crate::app::Mode;

/// Pages of the journal that are looked through for one entry, and how long they are.
const PAGES: u8 = 10;
const PAGE: u32 = 500;
const NOTHING_WAITS: &str = "Nothing waits for you.";
/// How the id of an entry begins.
const ENTRY: &str = "evt_";

/// How everything is, in sentences.
pub(super) fn orientation(plain: &Plain) -> String {
    let model = &plain.model;
    let mut lines = vec![match model.setup.mode {
        Mode::InProcess => "Quarterdeck. The host runs in this process.".to_owned(),
        Mode::Attached => "Quarterdeck. The host runs in another process; leaving leaves it as it is.".to_owned(),
    }];
    lines.push(match model.facts.address() {
        Some(address) => format!("Assistants connect to {address}."),
        None => "The door is closed: set assistants.public_url to open it.".to_owned(),
    });
    lines.extend(model.facts.status.failing.as_ref().map(|why| format!("The store fails: {why}")));
    lines.push(match model.facts.passkeys.len() {
        0 => "No passkey is enrolled: nobody new can be let in. Type enroll for a link.".to_owned(),
        1 => "1 passkey is enrolled.".to_owned(),
        number => format!("{number} passkeys are enrolled."),
    });
    lines.push(connected(&model.facts.connections));
    let waiting = model.facts.waits();
    lines.push(match waiting {
        0 => NOTHING_WAITS.to_owned(),
        waiting => format!("{}:", count(waiting, "authorization waits", "authorizations wait")),
    });
    lines.extend(model.facts.waiting.iter().map(|waiting| waits(model, waiting)));
    if model.facts.more_waiting > 0 {
        lines.push(format!("and {} more", model.facts.more_waiting));
    }
    lines.push("Type help for the commands.".to_owned());
    lines.join("\n")
}

fn connected(connections: &[Connection]) -> String {
    let names: Vec<&str> = connections.iter().map(|connection| connection.name.as_str()).collect();
    let counted = count(names.len(), "connection", "connections");
    if names.is_empty() { "No assistant is connected.".to_owned() } else { format!("{counted}: {}.", names.join(", ")) }
}

/// `overview`.
pub(super) fn overview(plain: &mut Plain, _rest: &str) -> Vec<Do> {
    say(orientation(plain))
}

/// `connections [WORD]`.
pub(super) fn connections(plain: &mut Plain, word: &str) -> Vec<Do> {
    let mut todo = say(listed(plain, word));
    todo.push(plain.ask(Asked::Passkeys, Request::PasskeyList));
    todo.push(plain.ask(Asked::Clients, Request::ClientList));
    let hour = since("1h", plain.model.now.wall, &plain.model.setup.zone).ok();
    let filter = AuditFilter { outcome: vec!["refused".to_owned()], since: hour, ..AuditFilter::default() };
    todo.push(plain.job(Asked::Refused, Job::Read { filter, before: None }));
    todo
}

fn listed(plain: &Plain, word: &str) -> String {
    let fits = |connection: &&Connection| [&connection.name, &connection.client_id].iter().any(|text| text.contains(word));
    let mut shown: Vec<_> = plain.model.facts.connections.iter().filter(fits).collect();
    match plain.sort {
        Sort::Name => shown.sort_by(|a, b| a.name.cmp(&b.name)),
        Sort::Used => shown.sort_by(|a, b| b.last_used_at.cmp(&a.last_used_at)),
        Sort::Calls => shown.sort_by_key(|connection| Reverse(connection.calls_24h)),
    }
    let head = format!("{}:", count(shown.len(), "connection", "connections"));
    let rows = shown.into_iter().map(|connection| facts::connection_line(&plain.model, connection));
    std::iter::once(head).chain(rows).collect::<Vec<_>>().join("\n")
}

/// `audit [FILTER]`.
pub(super) fn audit(plain: &mut Plain, words: &str) -> Vec<Do> {
    match settle::parse(plain, words) {
        Ok(filter) => vec![read(plain, filter, None)],
        Err(why) => say(why),
    }
}

/// `more`.
pub(super) fn more(plain: &mut Plain, _rest: &str) -> Vec<Do> {
    match plain.page.take() {
        Some((filter, before)) => vec![read(plain, filter, Some(before))],
        None => say("There is nothing before: audit begins with the newest records."),
    }
}

fn read(plain: &mut Plain, filter: AuditFilter, before: Option<i64>) -> Do {
    plain.job(Asked::Audit { filter: filter.clone() }, Job::Read { filter, before })
}

/// `oldest`.
pub(super) fn oldest(plain: &mut Plain, _rest: &str) -> Vec<Do> {
    match plain.model.facts.waiting.first() {
        Some(waiting) => say(facts::waiting(&plain.model, waiting)),
        None => say(NOTHING_WAITS),
    }
}

/// `show WHAT`: a name, an id or a number; a word before it says which of them.
pub(super) fn show(plain: &mut Plain, typed: &str) -> Vec<Do> {
    if typed.is_empty() {
        return say("show needs a name, an id or the number of a record.");
    }
    let number = typed.strip_prefix("record ").unwrap_or(typed);
    let model = &plain.model;
    if let Ok(waiting) = find::waiting(model, typed) {
        return say(facts::waiting(model, waiting));
    }
    if let Ok(connection) = find::connection(model, typed) {
        let (said, grant) = (facts::connection(model, connection), connection.grant.clone());
        return asking(plain, said, (Asked::Connection, Request::Connection { grant }));
    }
    if let Ok(passkey) = find::passkey(&model.facts.passkeys, typed) {
        return say(facts::passkey(model, passkey));
    }
    if typed.starts_with(ENTRY) {
        return vec![entry(plain, (ungrouped(typed), None), (PAGES, None))];
    }
    match number.parse() {
        Ok(seq) => asking(plain, String::new(), (Asked::Record, Request::Record { seq })),
        Err(_) => say(format!("Nothing here is named {typed}: connections, overview, audit and journal name what there is.")),
    }
}

/// Says what is known and asks the host for the rest.
fn asking(plain: &mut Plain, said: String, (asked, request): (Asked, Request)) -> Vec<Do> {
    let mut todo = if said.is_empty() { Vec::new() } else { say(said) };
    match plain.model.connected() {
        true => todo.push(plain.ask(asked, request)),
        false => todo.extend(say(super::command::NEEDS_HOST)),
    }
    todo
}

/// Looks for an entry of the journal on the next page.
pub(super) fn entry(plain: &mut Plain, (id, source): (String, Option<String>), (pages, before): (u8, Option<i64>)) -> Do {
    let query = JournalQuery { source: source.clone(), before, most: PAGE, ..JournalQuery::default() };
    plain.ask(Asked::Entry { id, source, pages }, Request::Journal(query))
}

/// `journal [NAME]`.
pub(super) fn journal(plain: &mut Plain, name: &str) -> Vec<Do> {
    let source = (!name.is_empty()).then(|| name.to_owned());
    let query = JournalQuery { source, most: STRETCH, ..JournalQuery::default() };
    vec![plain.ask(Asked::Journal, Request::Journal(query))]
}
