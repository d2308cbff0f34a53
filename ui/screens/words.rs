//! What the screens call things: who, what, how it ended. One word for one fact, on every screen.

use quarterdeck::control::{AuditRow, ConnectionState};

use crate::app::Model;
use crate::theme::Role;
use crate::widgets::Row;

/// A letter for each scope, always in the same place: a missing one is a gap.
pub(crate) const SCOPES: [(&str, char); 6] = [
    ("context:read", 'C'),
    ("memory:read", 'M'),
    ("events:read", 'E'),
    ("sessions:read", 'S'),
    ("sessions:notify", 'N'),
    ("experience:write", 'W'),
];

/// What a scope allows, in a few words.
pub(crate) fn scope_words(scope: &str) -> &'static str {
    match scope {
        "context:read" => "read the board",
        "memory:read" => "read memory",
        "events:read" => "read the journal",
        "sessions:read" => "see who has mail",
        "sessions:notify" => "send, read mail",
        "experience:write" => "record its work",
        _ => "",
    }
}

/// What the letters stand for.
pub(crate) const LEGEND: &str = "C context M memory E events S sessions N notify W write";

/// Dots in place of a content, while contents are hidden: as many for a short one as for a long one.
pub(crate) fn veil(model: &Model, text: &str) -> String {
    if model.blurred { "········".to_owned() } else { text.to_owned() }
}

/// A record with dots in place of what it was about, while contents are hidden. The name of a tool is no content.
pub(crate) fn veiled(model: &Model, record: &AuditRow) -> AuditRow {
    let mut record = record.clone();
    if let Some(object) = record.object.as_mut().filter(|_| model.blurred) {
        *object = match object.split_once(' ').filter(|_| record.kind == "tool.called") {
            Some((tool, rest)) => format!("{tool} {}", veil(model, rest)),
            None if record.kind == "tool.called" => object.clone(),
            None => veil(model, object),
        };
    }
    if model.blurred {
        record.detail.clear();
    }
    record
}

/// The letters of `scopes`; `+` says that there is one more, without a letter.
pub(crate) fn letters(scopes: &[String]) -> String {
    let has = |name: &str| scopes.iter().any(|scope| scope == name);
    let mut letters: String = SCOPES.iter().map(|(name, letter)| if has(name) { *letter } else { ' ' }).collect();
    if scopes.iter().any(|scope| SCOPES.iter().all(|(name, _)| name != scope)) {
        letters.push('+');
    }
    letters
}

/// A connection by its name, a client that has none yet by its address.
pub(crate) fn who(model: &Model, actor: &str) -> String {
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
pub(crate) fn in_one(record: &AuditRow) -> String {
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

/// Who did what on what and how it ended: in three cells, or in four where there is room.
pub(crate) fn deed(model: &Model, record: &AuditRow, wide: bool) -> Row {
    let record = &veiled(model, record);
    let (who, role) = ((who(model, &record.actor), Role::Text), outcome_role(&record.outcome));
    if !wide {
        return vec![who, (in_one(record), Role::Text), (result(record, None), role)];
    }
    let object = record.object.clone().unwrap_or_default();
    vec![who, (record.kind.clone(), Role::Text), (object, Role::Text), (result(record, record.reason.as_deref()), role)]
}

pub(crate) fn result(record: &AuditRow, reason: Option<&str>) -> String {
    match (record.outcome.as_str(), reason, record.took_ms) {
        ("ok", _, Some(ms)) => format!("ok {ms}ms"),
        ("ok", _, None) => "ok".to_owned(),
        (outcome, Some(reason), _) => format!("{} {reason}", outcome.to_uppercase()),
        (outcome, None, _) => outcome.to_uppercase(),
    }
}

pub(crate) fn outcome_role(outcome: &str) -> Role {
    match outcome {
        "ok" => Role::Text,
        "refused" => Role::Warn,
        _ => Role::Danger,
    }
}

/// Who a client is: by the name the owner gave its document here, or by its address.
pub(crate) fn client(model: &Model, client_id: &str) -> String {
    let public_url = model.facts.status.public_url.as_deref().unwrap_or_default();
    match client_id.strip_prefix(public_url).and_then(|path| path.strip_prefix("/clients/")) {
        Some(name) => format!("here: {name}"),
        None => bare(client_id),
    }
}

/// What was refused and why, without the object: the place for it is narrow, and the reason matters more.
pub(crate) fn refusal(record: &AuditRow) -> String {
    let tool = record.object.as_deref().and_then(|object| object.split(' ').next());
    let what = match tool.filter(|_| record.kind == "tool.called") {
        Some(tool) => tool,
        None => record.kind.trim_end_matches(".refused"),
    };
    match &record.reason {
        Some(reason) => format!("{what}: {reason}"),
        None => what.to_owned(),
    }
}

/// The host of a client's address, or the name the owner gave its document here.
pub(crate) fn host(model: &Model, client_id: &str) -> String {
    let client = client(model, client_id);
    client.split('/').next().map(str::to_owned).unwrap_or_default()
}

/// An https address without its scheme, which is the usual one.
pub(crate) fn bare(address: &str) -> String {
    address.strip_prefix("https://").unwrap_or(address).to_owned()
}

pub(crate) fn state_word(state: ConnectionState) -> &'static str {
    match state {
        ConnectionState::Live => "live",
        ConnectionState::Idle => "idle",
        ConnectionState::NeverUsed => "never used",
        ConnectionState::WrongUrl => "wrong URL",
    }
}

pub(crate) fn state_sentence(state: ConnectionState) -> &'static str {
    match state {
        ConnectionState::Live => "live: a call within the last minute",
        ConnectionState::Idle => "idle",
        ConnectionState::NeverUsed => "never used: no call yet",
        ConnectionState::WrongUrl => "wrong URL: made under another public URL, every call is refused",
    }
}

pub(crate) fn state_role(state: ConnectionState) -> Role {
    match state {
        ConnectionState::Live => Role::Ok,
        ConnectionState::Idle | ConnectionState::NeverUsed => Role::Text,
        ConnectionState::WrongUrl => Role::Danger,
    }
}

/// A number in groups of three digits.
pub(crate) fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// A number in four cells: one that is cut off would be another number.
pub(crate) fn brief(number: i64) -> String {
    match number {
        ..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{}k", number / 1_000),
        1_000_000..10_000_000 => format!("{}.{}M", number / 1_000_000, number / 100_000 % 10),
        10_000_000..1_000_000_000 => format!("{}M", number / 1_000_000),
        _ => ">1G".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{brief, grouped};

    #[test]
    fn a_number_has_four_cells_at_most_and_is_never_rounded_up() {
        for (number, shown) in [
            (0, "0"),
            (9_999, "9999"),
            (10_000, "10k"),
            (999_999, "999k"),
            (1_772_023, "1.7M"),
            (99_999_999, "99M"),
            (999_999_999, "999M"),
            (i64::MAX, ">1G"),
        ] {
            assert_eq!(brief(number), shown);
        }
        assert_eq!((grouped(7).as_str(), grouped(1_772_023).as_str()), ("7", "1 772 023"));
    }
}
