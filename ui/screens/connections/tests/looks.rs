//! What the screen looks like.

use quarterdeck::control::{ConnectionState, Snapshot};

use super::*;
use crate::app::{Msg, Silence};
use crate::screens::Pane;
use crate::terminal::Environment;
use crate::theme::Theme;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

fn shot(name: &str, deck: &Deck) {
    let area = deck.buffer().area;
    insta::assert_snapshot!(format!("{name}-{}x{}", area.width, area.height), deck.text());
}

#[test]
fn everything_is_there() {
    for size in SIZES {
        shot("filled", &filled(full(), size));
    }
}

#[test]
fn nothing_is_there() {
    for size in SIZES {
        let mut deck = entered(fresh(PUBLIC), size);
        deck.answer(of(About::Clients), Reply::Clients(Vec::new()));
        deck.answer(of(About::Refused), Reply::Audit(AuditPage { rows: Vec::new(), next: None, total: 1 }));
        shot("empty", &deck);
    }
}

#[test]
fn it_takes_a_while() {
    for size in SIZES {
        let mut deck = entered(busy(), size);
        deck.pass(400);
        shot("loading", &deck);
    }
}

#[test]
fn it_could_not_be_read() {
    for size in SIZES {
        let mut deck = entered(busy(), size);
        rest(&mut deck);
        for asked in [of(About::Clients), of(About::Refused), about_connection("g-1"), about_journal("g-1")] {
            deck.settle(vec![Msg::Answered(asked, Err("The store does not answer just now.".to_owned()))]);
        }
        shot("failed", &deck);
    }
}

#[test]
fn each_pane_in_a_small_window() {
    let panes = [
        ("pane-asking", Pane::Asking),
        ("pane-calls", Pane::Calls),
        ("pane-journal", Pane::Journal),
        ("pane-passkeys", Pane::Passkeys),
        ("pane-clients", Pane::Clients),
        ("pane-refused", Pane::Refused),
    ];
    for (name, pane) in panes {
        let mut deck = filled(full(), (80, 24));
        go_to_pane(&mut deck, pane);
        shot(name, &deck);
    }
}

#[test]
fn a_wide_window_that_is_not_high() {
    shot("low", &filled(full(), (120, 24)));
    shot("least", &filled(full(), (60, 16)));
}

#[test]
fn the_host_is_lost() {
    for size in [(80, 24), (120, 40)] {
        let mut deck = filled(full(), size);
        deck.settle(vec![Msg::Silent(Silence::Unreachable(None))]);
        shot("lost", &deck);
    }
}

#[test]
fn contents_are_hidden() {
    let mut deck = filled(full(), (200, 60));
    deck.model().blurred = true;
    deck.model().changed = true;
    deck.settle(Vec::new());
    let text = deck.text();
    for secret in ["travel.md", "early train", "reserved", "waits for payment"] {
        assert!(!text.contains(secret), "{secret}\n{text}");
    }
    assert!(text.contains("ReadMemory ········") && text.contains("claude-web"), "{text}");
    go_to_pane(&mut deck, Pane::Journal);
    deck.press(KeyCode::Enter);
    assert!(deck.text().contains("Journal entry") && !deck.text().contains("early train"), "{}", deck.text());
}

/// Names with every kind of trouble in them.
fn hostile() -> Snapshot {
    let mut snapshot = full();
    let names =
        ["日本語クライアント名前はとても長いです", "👩‍👩‍👧‍👦 family e\u{301}\u{301}", "\u{202E}evil\u{1b}[31m", &"x".repeat(10_000)];
    for (connection, name) in snapshot.connections.iter_mut().zip(names) {
        connection.name = name.to_owned();
        connection.client_id = format!("https://{name}/c.json");
        connection.client_name = Some(name.to_owned());
        connection.state = ConnectionState::Idle;
        connection.scopes.push(name.to_owned());
    }
    snapshot.passkeys[0].label = Some(names[2].to_owned());
    snapshot.waiting[0].client_id = "https://日本.example/\u{200B}".to_owned();
    snapshot
}

fn hostile_deck(size: (u16, u16)) -> Deck {
    let mut deck = entered(hostile(), size);
    rest(&mut deck);
    let mut rows = vec![refused(4, "12:35:30")];
    rows[0].object = Some("日本語\u{202E}".repeat(50));
    deck.answer(of(About::Refused), Reply::Audit(AuditPage { rows, next: None, total: 6 }));
    let grant = deck.pump.model.connections.grants.chosen().cloned().unwrap();
    let Reply::Connection(mut detail) = told(&grant) else { panic!() };
    detail.redirect_uri = Some("https://日本/\u{202E}".to_owned());
    detail.tools[0].name = "日本語クライアント名前はとても長いです".to_owned();
    detail.recent[0].object = Some("ReadMemory 日本語\u{202E}".repeat(30));
    deck.answer(about_connection(&grant), Reply::Connection(detail));
    deck
}

#[test]
fn hostile_and_wide_text() {
    for size in SIZES {
        shot("hostile", &hostile_deck(size));
    }
    let text = hostile_deck((200, 60)).text();
    assert!(!text.contains('\u{202E}') && !text.contains('\u{1b}') && !text.contains('\u{200B}'));
}

#[test]
fn wide_text_keeps_borders_straight() {
    for size in [(60, 16), (80, 24), (99, 30), (100, 30), (120, 40), (180, 50), (200, 60)] {
        let deck = hostile_deck(size);
        for hit in &deck.pump.model.drawn.panes {
            for (x, y) in hit.rect.rows().flat_map(|row| [(row.x, row.y), (row.right() - 1, row.y)]) {
                let symbol = deck.buffer()[(x, y)].symbol();
                assert!("│┃╭╮╰╯┏┓┗┛".contains(symbol), "{size:?} {x},{y} {symbol}\n{}", deck.text());
            }
        }
    }
}

#[test]
fn ascii_has_no_other_character() {
    let theme = Theme::of(&Environment { utf8: false, ..able() }, false);
    for size in SIZES {
        let mut deck = Deck::with(hostile(), size, theme.clone());
        deck.key('3');
        answer_all(&mut deck);
        assert!(deck.text().is_ascii(), "{}", deck.text());
    }
    let mut deck = Deck::with(full(), (120, 40), theme);
    deck.key('3');
    answer_all(&mut deck);
    shot("ascii", &deck);
}

#[test]
fn an_address_to_open_or_copy() {
    let mut deck = filled(full(), (80, 24));
    deck.key('S');
    deck.answer(of(About::Scopes { name: "claude-web".to_owned() }), super::acting::page());
    shot("scopes", &deck);
}
