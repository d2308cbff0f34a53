//! The facts of the rows only this screen has, and in words what changed.

use quarterdeck::control::{AuditRow, JournalEntry, Passkey};

use crate::app::Model;
use crate::overlays::Overlay;
use crate::screens::words::veil;
use crate::screens::{Detail, Fact, Of, as_text};
use crate::theme::Role;

/// The detail of a row of this screen.
pub(super) fn detail(model: &Model, of: Of) -> Option<Detail> {
    let Of::Record(seq) = of else { return Some(Detail::new(of, &model.facts)) };
    let connections = &model.connections;
    let calls = connections.looked.as_ref().and_then(|looked| looked.detail.value()).map(|detail| &detail.recent);
    let mut rows = calls.into_iter().flatten().chain(connections.refusals.value().into_iter().flatten());
    rows.find(|row| row.seq == seq).cloned().map(Detail::of_record)
}

/// The title and the facts of what is open, or else selected, as text.
pub(super) fn text(model: &Model) -> Option<(String, String)> {
    let (title, facts) = match model.overlays.last() {
        Some(Overlay::Detail(open)) => open.facts(model),
        _ => detail(model, model.connections.choice()?)?.facts(model),
    };
    Some((title, as_text(&facts)))
}

/// The title and the facts of a passkey, a client document or a journal entry.
pub(crate) fn facts(model: &Model, of: &Of) -> (String, Vec<Fact>) {
    let found = match of {
        Of::Passkey(id) => {
            let found = model.facts.passkeys.iter().find(|passkey| passkey.id == *id);
            ("Passkey", found.map(|passkey| of_passkey(model, passkey)))
        }
        Of::Client(client_id) => ("Client document", of_client(model, client_id)),
        Of::Entry(id) => {
            let journal = model.connections.looked.as_ref().and_then(|looked| looked.journal.value());
            let found = journal.and_then(|entries| entries.iter().find(|entry| entry.id == *id));
            ("Journal entry", found.map(|entry| of_entry(model, entry)))
        }
        _ => ("", None),
    };
    let gone = || vec![("", "It is gone.".to_owned(), Role::Muted)];
    (found.0.to_owned(), found.1.unwrap_or_else(gone))
}

fn of_passkey(model: &Model, passkey: &Passkey) -> Vec<Fact> {
    let used = passkey.last_used_at.as_ref().map_or_else(|| "never".to_owned(), |at| model.full_time(at));
    let label = passkey.label.clone().unwrap_or_else(|| "(no name)".to_owned());
    let mut facts = vec![
        ("name", label, Role::Text),
        ("enrolled", model.full_time(&passkey.created_at), Role::Text),
        ("last used", used, Role::Text),
        ("id", passkey.id.clone(), Role::Muted),
    ];
    if let Some(url) = &passkey.elsewhere {
        facts.push(("made under", format!("{url}: it counts for nothing now"), Role::Warn));
    }
    facts
}

fn of_client(model: &Model, client_id: &str) -> Option<Vec<Fact>> {
    let document = model.connections.documents.value()?.iter().find(|one| one.client_id == client_id)?;
    let users = model.facts.connections.iter().filter(|one| one.client_id == client_id).map(|one| one.name.as_str());
    let users: Vec<&str> = users.collect();
    let users = if users.is_empty() { "nobody".to_owned() } else { users.join(", ") };
    Some(vec![
        ("name", client_name(client_id).to_owned(), Role::Text),
        ("client id", client_id.to_owned(), Role::Text),
        ("returns to", format!("{}, on any port", document.redirect_uris.join(", ")), Role::Text),
        ("used by", users, Role::Text),
        ("", "Give the client id to a client that has none of its own. Nothing is served there.".to_owned(), Role::Muted),
    ])
}

fn of_entry(model: &Model, entry: &JournalEntry) -> Vec<Fact> {
    let text = |label, value: &str| (label, veil(model, value), Role::Text);
    let mut facts = vec![
        ("at", model.full_time(&entry.at), Role::Text),
        ("by", entry.source.clone(), Role::Text),
        ("session", entry.session_key.clone(), Role::Text),
    ];
    facts.extend(entry.from.as_deref().map(|from| text("asked by", from)));
    facts.extend([text("was asked", &entry.said), text("did", &entry.did), text("outcome", &entry.outcome)]);
    facts.extend(entry.artifact.as_deref().map(|artifact| text("made", artifact)));
    facts.extend(entry.model.as_ref().map(|model| ("model", model.clone(), Role::Text)));
    facts.push(("id", entry.id.clone(), Role::Muted));
    facts.push(("", "All of this is what the assistant says of itself.".to_owned(), Role::Muted));
    facts
}

/// What the host was asked about a connection, when it is the selected one.
pub(crate) fn further(model: &Model, grant: &str) -> Vec<Fact> {
    let looked = model.connections.looked.as_ref().filter(|looked| looked.grant == grant);
    let Some(detail) = looked.and_then(|looked| looked.detail.value()) else { return Vec::new() };
    let unknown = || "the audit does not tell".to_owned();
    vec![
        ("returns to", detail.redirect_uri.clone().unwrap_or_else(unknown), Role::Text),
        ("approved by", detail.approved_by.clone().map_or_else(unknown, |by| format!("passkey {by}")), Role::Text),
        ("resource", detail.resource.clone(), Role::Text),
    ]
}

/// The name in the client id of a document that is kept here: its last part.
pub(super) fn client_name(client_id: &str) -> &str {
    client_id.rsplit('/').next().unwrap_or(client_id)
}

/// What a change of scopes gave and took.
pub(super) fn rescoped(name: &str, row: &AuditRow) -> String {
    let scopes = |key: &str| -> Vec<&str> {
        row.detail.get(key).and_then(|value| value.as_str()).map(|text| text.split(' ').collect()).unwrap_or_default()
    };
    let (before, after) = (scopes("before"), scopes("after"));
    let new: Vec<&str> = after.iter().filter(|scope| !before.contains(scope)).copied().collect();
    let gone: Vec<&str> = before.iter().filter(|scope| !after.contains(scope)).copied().collect();
    let parts = [("may also", new), ("may not any more", gone)];
    let parts = parts.iter().filter(|(_, scopes)| !scopes.is_empty());
    let parts: Vec<String> = parts.map(|(words, scopes)| format!("{words}: {}", scopes.join(", "))).collect();
    if parts.is_empty() { format!("{name}: its scopes were changed") } else { format!("{name} {}", parts.join("; ")) }
}
