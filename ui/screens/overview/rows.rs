//! The rows of the three lists, and their columns at each width.

use quarterdeck::control::{AuditRow, Connection, Waiting};

use super::detail::{state_role, state_word};
use super::layout::Size;
use crate::app::Model;
use crate::theme::Role;
use crate::widgets::{Column, Row};

/// A letter for each scope, always in the same place: a missing one is a gap.
pub(crate) const SCOPES: [(&str, char); 6] = [
    ("context:read", 'C'),
    ("memory:read", 'M'),
    ("events:read", 'E'),
    ("sessions:read", 'S'),
    ("sessions:notify", 'N'),
    ("experience:write", 'W'),
];

/// The letters of `scopes`; `+` says that there is one more, without a letter.
pub(super) fn letters(scopes: &[String]) -> String {
    let has = |name: &str| scopes.iter().any(|scope| scope == name);
    let mut letters: String = SCOPES.iter().map(|(name, letter)| if has(name) { *letter } else { ' ' }).collect();
    if scopes.iter().any(|scope| SCOPES.iter().all(|(name, _)| name != scope)) {
        letters.push('+');
    }
    letters
}

pub(super) fn needs_columns(size: Size) -> &'static [Column] {
    const SMALL: &[Column] =
        &[Column::rest("who asks"), Column::rest("answer goes to"), Column::left("scopes", 7), Column::left("since", 8)];
    const LARGE: &[Column] = &[
        Column::rest("who asks"),
        Column::rest("answer goes to"),
        Column::left("scopes", 7),
        Column::left("since", 8),
        Column::left("expires", 8),
    ];
    if size == Size::Small { SMALL } else { LARGE }
}

pub(super) fn needs_row(model: &Model, waiting: &Waiting, size: Size) -> Row {
    let mut row = vec![
        (client(model, &waiting.client_id), Role::Text),
        (bare(&waiting.redirect_uri), Role::Text),
        (letters(&waiting.scopes), Role::Text),
        (model.clock(&waiting.since), Role::Text),
    ];
    if size != Size::Small {
        row.push((model.clock(&waiting.expires_at), Role::Text));
    }
    row
}

/// Below this width there is no room for the client, which the details tell.
const CLIENT_SHOWN: u16 = 70;

pub(super) fn connection_columns(width: u16) -> &'static [Column] {
    const NARROW: &[Column] = &[
        Column::rest("name"),
        Column::left("scopes", 7),
        Column::left("state", 10),
        Column::left("seen", 8),
        Column::right("24h", 5),
    ];
    const SMALL: &[Column] = &[
        Column::left("name", 18),
        Column::rest("client"),
        Column::left("scopes", 7),
        Column::left("state", 10),
        Column::left("seen", 8),
        Column::right("24h", 5),
    ];
    const LARGE: &[Column] = &[
        Column::left("name", 24),
        Column::rest("client"),
        Column::left("scopes", 7),
        Column::left("state", 10),
        Column::left("approved", 8),
        Column::left("seen", 8),
        Column::right("24h", 6),
    ];
    match Size::of(width) {
        _ if width < CLIENT_SHOWN => NARROW,
        Size::Small => SMALL,
        _ => LARGE,
    }
}

pub(super) fn connection_row(model: &Model, connection: &Connection, width: u16) -> Row {
    let seen = connection.last_used_at.as_ref().map_or_else(|| "—".to_owned(), |at| model.clock(at));
    let mut row = vec![(connection.name.clone(), Role::Text)];
    if width >= CLIENT_SHOWN {
        row.push((client(model, &connection.client_id), Role::Text));
    }
    row.extend([
        (letters(&connection.scopes), Role::Text),
        (state_word(connection.state).to_owned(), state_role(connection.state)),
    ]);
    if Size::of(width) != Size::Small {
        row.push((model.clock(&connection.created_at), Role::Text));
    }
    row.extend([(seen, Role::Text), (connection.calls_24h.to_string(), Role::Text)]);
    row
}

/// From this width on, what was done and on what have columns of their own.
pub(super) const WIDE_ACTIVITY: u16 = 125;

pub(super) fn activity_columns(wide: bool) -> &'static [Column] {
    const SMALL: &[Column] =
        &[Column::left("time", 8), Column::left("who", 16), Column::rest("what, on"), Column::right("result", 10)];
    const LARGE: &[Column] = &[
        Column::left("time", 8),
        Column::left("who", 24),
        Column::left("what", 22),
        Column::rest("on"),
        Column::right("result", 24),
    ];
    if wide { LARGE } else { SMALL }
}

pub(super) fn activity_row(model: &Model, record: &AuditRow, wide: bool) -> Row {
    let mut row = vec![(model.clock(&record.at), Role::Muted), (who(model, &record.actor), Role::Text)];
    let role = outcome_role(&record.outcome);
    if !wide {
        row.extend([(in_one(record), Role::Text), (result(record, None), role)]);
    } else {
        let object = record.object.clone().unwrap_or_default();
        row.extend([(record.kind.clone(), Role::Text), (object, Role::Text), (result(record, record.reason.as_deref()), role)]);
    }
    row
}

/// A connection by its name, a client that has none yet by its address.
fn who(model: &Model, actor: &str) -> String {
    match (actor.strip_prefix("connection:"), actor.strip_prefix("client:")) {
        (Some(name), _) => name.to_owned(),
        (_, Some(client_id)) => client(model, client_id),
        _ if actor == "command:0" => "command (root)".to_owned(),
        _ => passkey(model, actor).unwrap_or_else(|| actor.to_owned()),
    }
}

/// What the owner calls a passkey.
fn passkey(model: &Model, actor: &str) -> Option<String> {
    let id = actor.strip_prefix("passkey:").filter(|id| !id.is_empty())?;
    let passkey = model.facts.passkeys.iter().find(|passkey| passkey.id.starts_with(id))?;
    passkey.label.as_ref().map(|label| format!("passkey {label}"))
}

/// What, on what and why not, for one column: the object of a tool call begins with the tool's name, which says it all.
fn in_one(record: &AuditRow) -> String {
    let what = match (record.kind.as_str(), &record.object) {
        (kind, None) => kind.to_owned(),
        ("tool.called", Some(call)) => call.clone(),
        (kind, Some(object)) => format!("{kind} {object}"),
    };
    match &record.reason {
        Some(reason) => format!("{what}: {reason}"),
        None => what,
    }
}

fn result(record: &AuditRow, reason: Option<&str>) -> String {
    match (record.outcome.as_str(), reason, record.took_ms) {
        ("ok", _, Some(ms)) => format!("ok {ms}ms"),
        ("ok", _, None) => "ok".to_owned(),
        (outcome, Some(reason), _) => format!("{} {reason}", outcome.to_uppercase()),
        (outcome, None, _) => outcome.to_uppercase(),
    }
}

pub(super) fn outcome_role(outcome: &str) -> Role {
    match outcome {
        "ok" => Role::Text,
        "refused" => Role::Warn,
        _ => Role::Danger,
    }
}

/// Who a client is: by the name the owner gave its document here, or by its address.
fn client(model: &Model, client_id: &str) -> String {
    let public_url = model.facts.status.public_url.as_deref().unwrap_or_default();
    match client_id.strip_prefix(public_url).and_then(|path| path.strip_prefix("/clients/")) {
        Some(name) => format!("here: {name}"),
        None => bare(client_id),
    }
}

/// An https address without its scheme, which is the usual one.
fn bare(address: &str) -> String {
    address.strip_prefix("https://").unwrap_or(address).to_owned()
}
