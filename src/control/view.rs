//! From the capabilities' words to the control protocol's. Whatever somebody else chose is made safe and cut here, once.

use super::detail::{JournalEntry, ScopesPage};
use super::model::{AuditRow, Connection, ConnectionState, EnrollLink, Passkey, Revoked, SecretUrl};
use crate::access;
use crate::audit::{Entry, Outcome};
use crate::knowledge::Event;
use crate::oauth;
use crate::passkeys;
use crate::text::{safe, safe_block, shorten};

/// Most characters of a name or label.
const NAME: usize = 120;
/// Most characters of an address: a longer one is not read anyway.
const ADDRESS: usize = 512;

pub(super) fn name(text: &str) -> String {
    shorten(&safe(text), NAME)
}

pub(super) fn address(text: &str) -> String {
    shorten(&safe(text), ADDRESS)
}

pub(super) fn connection(connection: access::Connection) -> Connection {
    let grant = connection.grant;
    Connection {
        name: name(&grant.name),
        grant: grant.id.0,
        client_id: address(&grant.client_id),
        client_name: grant.client_name.as_deref().map(name),
        scopes: grant.scopes.names().map(str::to_owned).collect(),
        created_at: grant.created_at.rfc3339(),
        last_used_at: connection.last_used_at.map(|at| at.rfc3339()),
        calls_24h: connection.calls_24h,
        calls_by_hour: connection.calls_by_hour,
        state: match connection.state {
            access::State::Live => ConnectionState::Live,
            access::State::Idle => ConnectionState::Idle,
            access::State::NeverUsed => ConnectionState::NeverUsed,
            access::State::WrongUrl => ConnectionState::WrongUrl,
        },
    }
}

pub(super) fn revoked(asked: &str, ended: access::Revoked) -> Revoked {
    Revoked { name: name(asked), client_id: ended.grant.map(|grant| address(&grant.client_id)), voided_approvals: ended.voided }
}

pub(super) fn passkey(listed: passkeys::Listed) -> Passkey {
    Passkey {
        id: listed.id.0,
        elsewhere: (!listed.here).then(|| address(&listed.public_url)),
        label: listed.label.as_deref().map(name),
        created_at: listed.created_at.rfc3339(),
        last_used_at: listed.last_used_at.map(|at| at.rfc3339()),
    }
}

pub(super) fn link(link: passkeys::EnrollLink) -> EnrollLink {
    EnrollLink { url: link.url, expires_at: link.expires_at.rfc3339() }
}

pub(super) fn scopes_page(link: oauth::ScopesLink) -> ScopesPage {
    ScopesPage { url: SecretUrl(link.url), expires_at: link.expires_at.rfc3339() }
}

pub(super) fn row(entry: &Entry) -> AuditRow {
    let record = &entry.record;
    AuditRow {
        seq: entry.seq,
        at: record.at.rfc3339(),
        actor: address(&record.actor),
        kind: record.kind.name(),
        object: record.object.as_deref().map(name),
        outcome: match record.outcome {
            Outcome::Ok => "ok",
            Outcome::Refused => "refused",
            Outcome::Failed => "failed",
        }
        .to_owned(),
        reason: record.reason.as_deref().map(name),
        grant: record.grant.as_ref().map(|grant| grant.0.clone()),
        took_ms: record.took_ms,
        detail: record.detail.iter().map(|(key, value)| (name(key), detail(value))).collect(),
    }
}

/// An entry of the journal, each of its texts cut to `longest` characters.
pub(super) fn entry(event: &Event, longest: usize) -> JournalEntry {
    let text = |key: &str| event.text(key).map(|text| shorten(&safe_block(text), longest));
    JournalEntry {
        id: event.id.clone(),
        at: event.at.rfc3339(),
        kind: name(&event.kind),
        source: name(&event.source),
        session_key: address(&event.session_key),
        said: text("text").unwrap_or_default(),
        from: text("from"),
        did: text("did").unwrap_or_default(),
        outcome: text("outcome").unwrap_or_default(),
        artifact: text("artifact"),
        model: text("model"),
    }
}

fn detail(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::String(text) => address(text).into(),
        serde_json::Value::Array(items) => items.iter().map(detail).collect(),
        serde_json::Value::Object(fields) => fields.iter().map(|(key, value)| (name(key), detail(value))).collect(),
        plain => plain.clone(),
    }
}
