//! All about one thing, as lines of a label and what is said of it.

use quarterdeck::control::{AuditRecord, AuditRow, ClientDocument, Connection, ConnectionDetail, JournalEntry, Passkey, Waiting};

use super::events::record as event;
use super::words::{count, grouped, lines, took, when, when_or_never};
use crate::app::Model;
use crate::screens::detail::{ARGUMENTS, RESULT, further};
use crate::screens::words::{state_sentence, state_word};

/// What hides the journal's texts.
const HIDDEN: &str = "hidden (blur shows it)";

/// A connection in a list.
pub(super) fn connection_line(model: &Model, connection: &Connection) -> String {
    format!(
        "{}: {}, last call {}, {} in 24 hours",
        connection.name,
        state_word(connection.state),
        when_or_never(model, connection.last_used_at.as_ref()),
        count(usize::try_from(connection.calls_24h).unwrap_or(0), "call", "calls")
    )
}

pub(super) fn connection(model: &Model, connection: &Connection) -> String {
    lines(&[
        ("connection", connection.name.clone()),
        ("state", state_sentence(connection.state).to_owned()),
        ("client", connection.client_id.clone()),
        ("calls itself", connection.client_name.clone().unwrap_or_else(|| "no name".to_owned())),
        ("may", connection.scopes.join(", ")),
        ("approved", when(model, &connection.created_at)),
        ("last call", when_or_never(model, connection.last_used_at.as_ref())),
        ("tool calls in 24 hours", connection.calls_24h.to_string()),
        ("grant", grouped(&connection.grant)),
    ])
}

/// What the host tells besides.
pub(super) fn detail(model: &Model, detail: &ConnectionDetail) -> String {
    let unknown = || "not known".to_owned();
    let tools = detail.tools.iter().map(|tool| format!("{} {}, {} failed", tool.name, tool.calls, tool.failed));
    let tools = if detail.tools.is_empty() { "none".to_owned() } else { tools.collect::<Vec<_>>().join("; ") };
    let facts = lines(&[
        ("resource", detail.resource.clone()),
        ("made under", detail.public_url.clone()),
        ("sent back to", detail.redirect_uri.clone().unwrap_or_else(unknown)),
        ("approved by", detail.approved_by.clone().unwrap_or_else(unknown)),
        ("tools in seven days", tools),
        ("newest records", if detail.recent.is_empty() { "none" } else { "the newest last" }.to_owned()),
    ]);
    let recent = detail.recent.iter().rev().map(|row| event(model, row));
    std::iter::once(facts).chain(recent).collect::<Vec<_>>().join("\n")
}

pub(super) fn waiting(model: &Model, waiting: &Waiting) -> String {
    lines(&[
        ("authorization", grouped(&waiting.id)),
        ("client", waiting.client_id.clone()),
        ("answer goes to", waiting.redirect_uri.clone()),
        ("asks for", waiting.scopes.join(", ")),
        ("since", when(model, &waiting.since)),
        ("expires", when(model, &waiting.expires_at)),
        ("to approve", "who asks is a claim; use your passkey on the page that opened in the browser".to_owned()),
    ])
}

pub(super) fn passkey(model: &Model, passkey: &Passkey) -> String {
    let counts = passkey.elsewhere.as_ref().map_or_else(|| "yes".to_owned(), |url| format!("no, only under {url}"));
    lines(&[
        ("passkey", passkey.label.clone().unwrap_or_else(|| "no label".to_owned())),
        ("id", grouped(&passkey.id)),
        ("enrolled", when(model, &passkey.created_at)),
        ("last used", when_or_never(model, passkey.last_used_at.as_ref())),
        ("counts here", counts),
    ])
}

/// A passkey in a list.
pub(super) fn passkey_line(model: &Model, passkey: &Passkey) -> String {
    let label = passkey.label.as_deref().unwrap_or("no label");
    let elsewhere = passkey.elsewhere.as_ref().map(|url| format!(", counts only under {url}")).unwrap_or_default();
    format!("{}: {label}, last used {}{elsewhere}", grouped(&passkey.id), when_or_never(model, passkey.last_used_at.as_ref()))
}

/// The name of a client document kept here: the last part of its client id.
pub(super) fn client_name(client: &ClientDocument) -> &str {
    client.client_id.rsplit('/').next().unwrap_or_default()
}

pub(super) fn client_line(client: &ClientDocument) -> String {
    format!("{}: {}, returns to {}", client_name(client), client.client_id, client.redirect_uris.join(", "))
}

pub(super) fn record(model: &Model, record: &AuditRecord) -> String {
    let row = &record.row;
    let mut facts = head(model, row);
    let further = further(model, row).into_iter();
    facts.extend(further.map(|(name, value)| (name, if [ARGUMENTS, RESULT].contains(&name) { grouped(&value) } else { value })));
    facts.extend(row.grant.as_ref().map(|grant| ("grant", grouped(grant))));
    facts.push(("hash", grouped(&record.hash)));
    facts.push(("hash before", grouped(&record.previous)));
    lines(&facts)
}

fn head(model: &Model, row: &AuditRow) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("record", row.seq.to_string()),
        ("at", when(model, &row.at)),
        ("who", row.actor.clone()),
        ("what", row.kind.clone()),
    ];
    facts.extend(row.object.clone().map(|object| ("on", object)));
    facts.push(("outcome", row.outcome.clone()));
    facts.extend(row.reason.clone().map(|reason| ("reason", reason)));
    facts.extend(row.took_ms.map(|ms| ("took", took(ms))));
    facts
}

/// An entry of the journal in a list.
pub(super) fn entry_line(model: &Model, entry: &JournalEntry) -> String {
    let what = if model.blurred { HIDDEN } else { first_line(&entry.outcome) };
    format!("{}: {}, {}: {what}", entry.id, when(model, &entry.at), entry.session_key)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Every text is the assistant's own claim. Its further lines are set in, so that none of them can pass for one of ours.
pub(super) fn entry(model: &Model, entry: &JournalEntry) -> String {
    let text = |text: &str| if model.blurred { HIDDEN.to_owned() } else { text.replace('\n', "\n    ") };
    let mut facts = vec![
        ("entry", entry.id.clone()),
        ("at", when(model, &entry.at)),
        ("type", entry.kind.clone()),
        ("from connection", entry.session_key.clone()),
        ("said", text(&entry.said)),
    ];
    facts.extend(entry.from.as_ref().map(|from| ("said by", text(from))));
    facts.extend([("did", text(&entry.did)), ("outcome", text(&entry.outcome))]);
    facts.extend(entry.artifact.as_ref().map(|artifact| ("artifact", text(artifact))));
    facts.extend(entry.model.as_ref().map(|model| ("model", model.clone())));
    lines(&facts)
}
