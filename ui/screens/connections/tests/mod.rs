//! The screen, with a host that answers when the test says so.

mod acting;
mod listing;
mod looks;
mod reading;

use std::time::Duration;

use crossterm::event::KeyCode;
use quarterdeck::control::{
    AuditPage, AuditRow, ClientDocument, ConnectionDetail, JournalEntry, JournalPage, Passkey, Reply, Request, Snapshot, ToolUse,
};

use crate::app::{About, Asked, Effect};
use crate::screens::Screen;
use crate::testing::*;

const SIZE: (u16, u16) = (120, 40);

/// A question of this screen.
fn of(about: About) -> Asked {
    Asked::Of(Screen::Connections, about)
}

fn about_connection(grant: &str) -> Asked {
    of(About::Connection { grant: grant.to_owned() })
}

fn about_journal(grant: &str) -> Asked {
    of(About::Journal { grant: grant.to_owned() })
}

/// What the host tells about a connection.
fn told(grant: &str) -> Reply {
    let tools = [("ReadMemory", 611, 0), ("GetContext", 198, 0), ("RecordExperience", 41, 3), ("SendMail", 9, 0)];
    let record = |seq, at, kind, object| AuditRow {
        grant: Some(grant.to_owned()),
        took_ms: Some(14),
        ..row(seq, at, ("connection:claude-web", kind), Some(object))
    };
    let mut refused = record(4, "12:36:30", "tool.called", "SendMail to finch");
    (refused.outcome, refused.reason) = ("refused".to_owned(), Some("insufficient_scope".to_owned()));
    Reply::Connection(Box::new(ConnectionDetail {
        grant: grant.to_owned(),
        resource: "https://deck.example.com/mcp".to_owned(),
        public_url: PUBLIC.to_owned(),
        redirect_uri: Some("https://claude.ai/api/mcp/auth_callback".to_owned()),
        approved_by: Some("phone".to_owned()),
        tools: tools.map(|(name, calls, failed)| ToolUse { name: name.to_owned(), calls, failed }).to_vec(),
        recent: vec![
            record(6, "12:41:07", "tool.called", "ReadMemory preferences/travel.md"),
            record(5, "12:40:58", "tool.called", "GetContext"),
            refused,
            record(2, "09:00:01", "grant.issued", "claude-web"),
        ],
    }))
}

fn recorded(source: &str) -> Reply {
    let entry = |id: &str, at: &str, said: &str, did: &str, outcome: &str| JournalEntry {
        id: format!("evt_{id}"),
        at: format!("2026-12-01T{at}.000Z"),
        kind: "external.record".to_owned(),
        source: source.to_owned(),
        session_key: format!("{source}:travel"),
        said: said.to_owned(),
        from: None,
        did: did.to_owned(),
        outcome: outcome.to_owned(),
        artifact: None,
        model: Some("claude".to_owned()),
    };
    let entries = vec![
        entry(
            "b2",
            "12:20:00",
            "book the early train",
            "compared three connections and reserved a seat",
            "seat 41, waits for payment",
        ),
        entry("a1", "10:02:00", "what did I plan for May?", "read the travel notes", "answered from notes/may.md"),
    ];
    Reply::Journal(JournalPage { entries, next: None })
}

fn documents() -> Reply {
    Reply::Clients(vec![ClientDocument {
        client_id: "https://deck.example.com/clients/codex-ci".to_owned(),
        redirect_uris: vec!["http://127.0.0.1/callback".to_owned()],
    }])
}

fn refused(seq: i64, at: &str) -> AuditRow {
    let mut row = row(
        seq,
        at,
        ("client:https://evil.example/c.json", "authorization.refused"),
        Some("a return address not in its document"),
    );
    (row.outcome, row.reason) = ("refused".to_owned(), Some("redirect_uri".to_owned()));
    row
}

fn refusals() -> Reply {
    Reply::Audit(AuditPage { rows: vec![refused(3, "12:35:30")], next: None, total: 6 })
}

/// Two clients ask, two passkeys are there.
fn full() -> Snapshot {
    let mut snapshot = waiting();
    snapshot.passkeys.push(Passkey {
        id: "9a00bb4077d20b1f".to_owned(),
        label: Some("yubikey-5".to_owned()),
        created_at: "2026-08-14T10:02:31.000Z".to_owned(),
        last_used_at: Some("2026-11-28T09:00:00.000Z".to_owned()),
        elsewhere: None,
    });
    snapshot
}

/// The screen as it is gone to, with nothing answered.
fn entered(snapshot: Snapshot, size: (u16, u16)) -> Deck {
    let mut deck = Deck::new(snapshot, size);
    deck.key('3');
    deck
}

/// Time passes until the cursor has rested, and the effects of that.
fn rest(deck: &mut Deck) -> Vec<Effect> {
    let mut effects = Vec::new();
    let end = deck.now.tick + Duration::from_millis(100);
    while let Some(wake) = deck.pump.model.next_wake().filter(|wake| *wake <= end) {
        deck.forward(wake);
        effects.extend(deck.settle(vec![crate::app::Msg::Wake]));
    }
    effects
}

/// The screen with everything answered.
fn filled(snapshot: Snapshot, size: (u16, u16)) -> Deck {
    let mut deck = entered(snapshot, size);
    answer_all(&mut deck);
    deck
}

fn answer_all(deck: &mut Deck) {
    rest(deck);
    deck.answer(of(About::Clients), documents());
    deck.answer(of(About::Refused), refusals());
    let grant = deck.pump.model.connections.grants.chosen().cloned().unwrap_or_default();
    deck.answer(about_connection(&grant), told(&grant));
    deck.answer(about_journal(&grant), recorded("claude-web"));
}

/// What was asked for.
fn requests(effects: &[Effect]) -> Vec<&Request> {
    effects.iter().filter_map(|effect| if let Effect::Ask(_, request) = effect { Some(request) } else { None }).collect()
}

/// The focus goes to the pane with this title.
fn go_to_pane(deck: &mut Deck, pane: crate::screens::Pane) {
    for _ in 0..8 {
        if deck.pump.model.connections.focus == pane {
            return;
        }
        deck.press(KeyCode::Tab);
    }
    panic!("there is no {pane:?}");
}
