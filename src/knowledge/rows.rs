//! How entries look: one line each, as JSON lines, or one entry whole. Every text in them was chosen by an assistant and is made safe.

use serde_json::{Map, Value, json};

use super::Event;
use super::selection::Selection;
use super::store::Session;
use crate::text::{safe, safe_block, shorten};

/// Most characters of an entry's text in a row, of which what was said, done and reached each get a share.
const SAID: usize = 90;
const DID: usize = 60;
const OUTCOME: usize = 44;
/// Most characters of a session key in a row: the conversation's part of it is the assistant's choice.
const SESSION: usize = 120;

/// The rows of a reading, and how to go on when there are `more`.
pub(super) fn listing(events: &[Event], of: &Selection, more: i64, as_json: bool) -> String {
    let mut lines: Vec<String> = events.iter().map(|event| if as_json { json_row(event) } else { row(event) }).collect();
    let last = events.last().map(|event| event.id.clone()).unwrap_or_default();
    match (as_json, more) {
        (true, 1..) => lines.push(json!({ "more": more, "after": last }).to_string()),
        (false, 1..) => lines.push(format!("{more} more. To go on, call again with the same filters and \"after\": \"{last}\".")),
        (false, _) if events.is_empty() => lines.push(format!("There is no such entry {}.", of.when)),
        _ => {}
    }
    lines.join("\n")
}

fn row(event: &Event) -> String {
    let session = shorten(&safe(&event.session_key), SESSION);
    let at = event.at.rfc3339();
    format!("{at} · {} {session}: {}  {}", safe(&event.kind), summary(event), event.short_id())
}

/// What was said, what was done about it, how it ended: each cut, so that a long message does not hide the outcome.
fn summary(event: &Event) -> String {
    let parts = [("text", SAID), ("did", DID), ("outcome", OUTCOME)];
    let given = parts.iter().filter_map(|(key, most)| event.text(key).map(|text| shorten(&one_line(text), *most)));
    given.collect::<Vec<_>>().join(" → ")
}

fn one_line(text: &str) -> String {
    safe(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn json_row(event: &Event) -> String {
    let mut row = head(event);
    row.insert("text".to_owned(), json!(summary(event)));
    Value::Object(row).to_string()
}

fn head(event: &Event) -> Map<String, Value> {
    let mut head = Map::new();
    head.insert("ts".to_owned(), json!(event.at.rfc3339()));
    head.insert("type".to_owned(), json!(safe(&event.kind)));
    head.insert("session_key".to_owned(), json!(shorten(&safe(&event.session_key), SESSION)));
    head.insert("id".to_owned(), json!(event.id));
    head.insert("source".to_owned(), json!({ "kind": safe(&event.source) }));
    if let Some(client) = client(event) {
        head.insert("client".to_owned(), json!(client));
    }
    head
}

/// The host of the client that recorded it.
fn client(event: &Event) -> Option<String> {
    let id = event.payload.get("client")?.get("id")?.as_str()?;
    let host = url::Url::parse(id).ok().and_then(|url| url.host_str().map(str::to_owned));
    Some(shorten(&safe(&host.unwrap_or_else(|| id.to_owned())), SESSION))
}

/// One entry with everything it holds.
pub(super) fn whole(event: &Event, as_json: bool) -> String {
    if as_json {
        let mut whole = head(event);
        whole.insert("session_key".to_owned(), json!(safe(&event.session_key)));
        whole.insert("payload".to_owned(), made_safe(&Value::Object(event.payload.clone())));
        return Value::Object(whole).to_string();
    }
    let mut lines = vec![
        format!("{} · {} {}", event.at.rfc3339(), safe(&event.kind), safe(&event.session_key)),
        format!("id: {}", event.id),
        format!(
            "reported via {}{}",
            safe(&event.source),
            client(event).map(|host| format!(" · client {host}")).unwrap_or_default()
        ),
    ];
    for (label, key) in [
        ("said", "text"),
        ("from", "from"),
        ("did", "did"),
        ("outcome", "outcome"),
        ("artifact", "artifact"),
        ("model", "model"),
        ("board_rev", "board_rev"),
    ] {
        lines.extend(event.text(key).map(|text| format!("{label}: {}", safe_block(text))));
    }
    lines.join("\n")
}

fn made_safe(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(safe_block(text)),
        Value::Array(list) => list.iter().map(made_safe).collect(),
        Value::Object(map) => map.iter().map(|(key, value)| (safe(key), made_safe(value))).collect::<Map<_, _>>().into(),
        other => other.clone(),
    }
}

/// How many entries there are.
pub(super) fn count(types: &[(String, i64)], of: &Selection, as_json: bool) -> String {
    let all: i64 = types.iter().map(|(_, count)| count).sum();
    if as_json {
        let types: Map<String, Value> = types.iter().map(|(kind, count)| (safe(kind), json!(count))).collect();
        return format!("{}\nEND spine", json!({ "count": all, "types": types }));
    }
    let mut lines = vec![format!("{all} entries {}", of.when)];
    lines.extend(types.iter().map(|(kind, count)| format!("{}  {count}", safe(kind))));
    lines.push("END spine".to_owned());
    lines.join("\n")
}

/// Which sessions there are.
pub(super) fn sessions(sessions: &[Session], of: &Selection, as_json: bool) -> String {
    let line = |session: &Session| {
        let (key, last) = (shorten(&safe(&session.key), SESSION), session.last_at.rfc3339());
        if as_json {
            json!({ "session_key": key, "entries": session.entries, "last_ts": last }).to_string()
        } else {
            format!("{key}  {} entries, the last {last}", session.entries)
        }
    };
    if sessions.is_empty() && !as_json {
        return format!("There is no such session {}.", of.when);
    }
    sessions.iter().map(line).collect::<Vec<_>>().join("\n")
}
