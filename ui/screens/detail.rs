//! All facts of one row, as the detail overlay and the context column show them.

use quarterdeck::control::{AuditRow, Connection, ConnectionState, Waiting};

use super::words::{grouped, outcome_role, state_role, state_sentence, veiled};
use ratatui::layout::Rect;

use crate::app::{Facts, Model};
use crate::overlays::Overlay;
use crate::theme::Role;
use crate::widgets::{Canvas, Diff, has_marks, wrap};

/// Which row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// A waiting authorization's id.
    Waiting(String),
    /// A grant.
    Connection(String),
    /// A record's number.
    Record(i64),
    /// A passkey's id.
    Passkey(String),
    /// A client document's client id.
    Client(String),
    /// A journal entry's id.
    Entry(String),
}

/// An open detail.
#[derive(Clone, Debug)]
pub(crate) struct Detail {
    pub(crate) of: Of,
    pub(crate) scroll: usize,
    /// The record itself: it may leave the list while it is read.
    record: Option<AuditRow>,
}

/// A label, what is said of it, and how.
pub(crate) type Fact = (&'static str, String, Role);

impl Detail {
    /// The detail of a row.
    pub(crate) fn new(of: Of, facts: &Facts) -> Detail {
        let record = match of {
            Of::Record(seq) => facts.activity.iter().find(|row| row.seq == seq).cloned(),
            _ => None,
        };
        Detail { of, scroll: 0, record }
    }

    /// The detail of a record that is not among the newest.
    pub(crate) fn of_record(row: AuditRow) -> Detail {
        Detail { of: Of::Record(row.seq), scroll: 0, record: Some(row) }
    }

    /// Its title and facts as they are now.
    pub(crate) fn facts(&self, model: &Model) -> (String, Vec<Fact>) {
        match &self.record {
            Some(record) => (format!("Record {}", record.seq), of_record(model, &veiled(model, record))),
            None => facts(model, &self.of),
        }
    }
}

/// The title and the facts of the record that is open, as text.
pub(super) fn open_record(model: &Model) -> Option<(String, String)> {
    match model.overlays.last() {
        Some(Overlay::Detail(open)) if matches!(open.of, Of::Record(_)) => {
            let (title, facts) = open.facts(model);
            Some((title, as_text(&facts)))
        }
        _ => None,
    }
}

/// Facts as text: for the clipboard and the pager.
pub(crate) fn as_text(facts: &[Fact]) -> String {
    facts.iter().map(|(label, value, _)| format!("{label:15}{}\n", quarterdeck::text::safe(value))).collect()
}

/// The title and the facts of a row.
pub(crate) fn facts(model: &Model, of: &Of) -> (String, Vec<Fact>) {
    let gone = |what: &str| (what.to_owned(), vec![("", "It is gone.".to_owned(), Role::Muted)]);
    match of {
        Of::Waiting(id) => match model.facts.waiting(id) {
            Some(waiting) => ("Asks to connect".to_owned(), of_waiting(model, waiting)),
            None => gone("Asks to connect"),
        },
        Of::Connection(grant) => match model.facts.connection(grant) {
            Some(connection) => (format!("Connection {}", connection.name), of_connection(model, connection)),
            None => gone("Connection"),
        },
        Of::Record(seq) => match model.facts.activity.iter().find(|row| row.seq == *seq) {
            Some(record) => (format!("Record {seq}"), of_record(model, &veiled(model, record))),
            None => gone("Record"),
        },
        Of::Passkey(_) | Of::Client(_) | Of::Entry(_) => {
            let (title, facts) = crate::screens::connections::facts(model, of);
            (title, marked(facts))
        }
    }
}

fn of_waiting(model: &Model, waiting: &Waiting) -> Vec<Fact> {
    let facts = vec![
        ("client", waiting.client_id.clone(), Role::Text),
        ("answer goes to", waiting.redirect_uri.clone(), Role::Text),
        ("asks for", waiting.scopes.join(", "), Role::Text),
        ("since", model.full_time(&waiting.since), Role::Text),
        ("expires", model.full_time(&waiting.expires_at), Role::Text),
        ("id", waiting.id.clone(), Role::Muted),
        (
            "",
            model.setup.keymap.say(
                "Who asks is a claim. Approve it with your passkey, on the page that opened in the browser; {deny} denies it here.",
            ),
            Role::Muted,
        ),
    ];
    marked(facts)
}

fn of_connection(model: &Model, connection: &Connection) -> Vec<Fact> {
    let never = || "never".to_owned();
    let mut facts = vec![
        ("state", state_sentence(connection.state).to_owned(), state_role(connection.state)),
        ("client", connection.client_id.clone(), Role::Text),
        ("calls itself", connection.client_name.clone().unwrap_or_else(|| "(no name)".to_owned()), Role::Text),
        ("may", connection.scopes.join(", "), Role::Text),
        ("approved", model.full_time(&connection.created_at), Role::Text),
        ("last call", connection.last_used_at.as_ref().map_or_else(never, |at| model.full_time(at)), Role::Text),
        ("tool calls", format!("{} in 24 h", grouped(connection.calls_24h)), Role::Text),
    ];
    facts.extend(crate::screens::connections::further(model, &connection.grant));
    facts.push(("grant", connection.grant.clone(), Role::Muted));
    if connection.state == ConnectionState::WrongUrl {
        let text = "Revoke it here with {revoke}, and connect the assistant again under the present address.";
        facts.push(("", model.setup.keymap.say(text), Role::Muted));
    }
    marked(facts)
}

fn of_record(model: &Model, record: &AuditRow) -> Vec<Fact> {
    let mut facts = vec![
        ("at", model.full_time(&record.at), Role::Text),
        ("who", record.actor.clone(), Role::Text),
        ("what", record.kind.clone(), Role::Text),
    ];
    let some = |label, value: &Option<String>| value.clone().map(|value| (label, value, Role::Text));
    facts.extend(some("on", &record.object));
    facts.push(("outcome", record.outcome.clone(), outcome_role(&record.outcome)));
    facts.extend(some("reason", &record.reason));
    facts.extend(record.took_ms.map(|ms| ("took", format!("{ms} ms"), Role::Text)));
    facts.extend(rescoped(record));
    facts.extend(further(model, record).into_iter().map(|(label, value)| (label, value, Role::Text)));
    facts.extend(some("grant", &record.grant).map(|(label, value, _)| (label, value, Role::Muted)));
    marked(facts)
}

/// What a record says beyond what every record does, hashes last.
pub(crate) fn further(model: &Model, record: &AuditRow) -> Vec<(&'static str, String)> {
    let told = |key: &str| record.kind == "grant.scopes_changed" && matches!(key, "before" | "after");
    let mut further: Vec<_> = record.detail.iter().filter(|(key, _)| !told(key)).collect();
    further.sort_by_key(|(key, _)| key.ends_with("_hash"));
    let named = further.into_iter().map(|(key, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match (further_name(key), key.as_str()) {
            (Some(name), "expires_at") => (name, model.full_time(&value)),
            (Some(name), _) => (name, value),
            (None, key) => ("further", format!("{}: {value}", key.replace('_', " "))),
        }
    });
    named.collect()
}

/// What a fact of this key is called; nothing for one that this program does not know, of a record that a newer one wrote.
fn further_name(key: &str) -> Option<&'static str> {
    Some(match key {
        "args_hash" => ARGUMENTS,
        "result_hash" => RESULT,
        "before" => "before",
        "after" => "after",
        "bytes" => "bytes",
        "ceremony" => "page",
        "challenge" => "PKCE challenge",
        "client_id" => "client",
        "count" => "times",
        "expires_at" => "expires",
        "label" => "label",
        "protocol" => "MCP version",
        "redirect_uri" => "answer goes to",
        "scopes" => "scopes",
        "tool" => "tool",
        "untold" => "not recorded",
        "version" => "version",
        "voided_approvals" => "approvals void",
        _ => return None,
    })
}

/// SHA-256 of what a tool was given, and of what it answered.
pub(crate) const ARGUMENTS: &str = "args SHA-256";
pub(crate) const RESULT: &str = "result SHA-256";

/// What a change of scopes took and gave, scope by scope.
fn rescoped(record: &AuditRow) -> Vec<Fact> {
    let scopes = |key: &str| record.detail.get(key).and_then(|value| value.as_str()).map(|value| value.replace(' ', "\n"));
    let (Some(before), Some(after)) = (scopes("before"), scopes("after")) else { return Vec::new() };
    if record.kind != "grant.scopes_changed" {
        return Vec::new();
    }
    let mut label = Some("scopes");
    let line = |(sign, scope): (crate::widgets::Sign, &str)| {
        (label.take().unwrap_or_default(), format!("{} {scope}", sign.symbol()), sign.role())
    };
    Diff::of(&before, &after).lines().into_iter().map(line).collect()
}

/// Adds a line when a value holds a mark in place of a hidden character.
fn marked(mut facts: Vec<Fact>) -> Vec<Fact> {
    let mut any = false;
    for (_, value, role) in &mut facts {
        if has_marks(value) {
            (*role, any) = (Role::Warn, true);
        }
    }
    if any {
        facts.push(("", "contains hidden characters, shown as marks".to_owned(), Role::Warn));
    }
    facts
}

/// Facts as lines of at most `cells`: label, then the value, wrapped.
pub(crate) fn fact_lines(canvas: &Canvas<'_>, facts: &[Fact], cells: u16) -> Vec<(String, String, Role)> {
    let room = usize::from(cells.saturating_sub(LABEL));
    let mut lines = Vec::new();
    for (label, value, role) in facts {
        for (number, part) in wrap(canvas.theme, value, room).into_iter().enumerate() {
            let label = if number == 0 { (*label).to_owned() } else { String::new() };
            lines.push((label, part, *role));
        }
    }
    lines
}

/// Cells of a label.
const LABEL: u16 = 15;

/// Draws lines of facts, as many as there is room for.
pub(crate) fn draw_lines(canvas: &mut Canvas<'_>, inside: Rect, lines: &[(String, String, Role)]) {
    for (y, (label, value, role)) in (inside.y..inside.bottom()).zip(lines) {
        canvas.put((inside.x + 1, y), LABEL - 1, label, canvas.theme.style(Role::Muted));
        canvas.put((inside.x + 1 + LABEL, y), inside.width.saturating_sub(LABEL + 1), value, canvas.theme.style(*role));
    }
}
