//! What the screen looks like, at the three sizes.

use quarterdeck::control::{ConnectionState, Notice, Snapshot};

use crate::app::{Msg, PaneHit, Silence};
use crate::terminal::Environment;
use crate::testing::*;
use crate::theme::Theme;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

fn shot(name: &str, deck: &Deck) {
    let area = deck.buffer().area;
    insta::assert_snapshot!(format!("{name}-{}x{}", area.width, area.height), deck.text());
}

fn shots(name: &str, snapshot: &Snapshot) {
    for size in SIZES {
        shot(name, &Deck::new(snapshot.clone(), size));
    }
}

#[test]
fn getting_started_begins_with_the_passkey() {
    shots("no-passkey", &fresh(LOCAL));
}

#[test]
fn getting_started_goes_on_with_the_address_and_command_lines() {
    shots("no-connection", &with_passkey(LOCAL));
    shots("no-connection-public", &with_passkey(PUBLIC));
}

#[test]
fn getting_started_says_when_the_door_is_closed() {
    let mut snapshot = fresh(LOCAL);
    snapshot.status.public_url = None;
    shot("closed", &Deck::new(snapshot, (80, 24)));
}

#[test]
fn an_assistant_that_asks_shows_even_while_getting_started() {
    let snapshot = Snapshot { waiting: waiting().waiting, ..with_passkey(LOCAL) };
    shot("starting-and-waiting", &Deck::new(snapshot, (80, 24)));
}

#[test]
fn the_end_of_a_host_is_in_sight_however_long_it_is() {
    for size in [(60, 16), (80, 24), (120, 40)] {
        for screen in ['1', '3'] {
            let mut snapshot = waiting();
            let client = format!("https://claude.ai.{}.evil.invalid/claude.ai/oauth/client.json", "login-".repeat(20));
            snapshot.waiting[0].client_id.clone_from(&client);
            snapshot.waiting[0].redirect_uri.clone_from(&client);
            snapshot.waiting.truncate(1);
            let mut deck = Deck::new(snapshot, size);
            deck.key(screen);
            for _ in 0..3 {
                if !deck.text().contains("who asks") && !deck.text().contains("Waits for you") {
                    deck.press(crossterm::event::KeyCode::Tab);
                }
            }
            assert!(deck.text().contains("evil.invalid"), "{screen} {size:?}\n{}", deck.text());
        }
    }
}

#[test]
fn connected_with_activity() {
    shots("connected", &busy());
}

#[test]
fn what_a_tool_was_called_on_is_whole_at_the_usual_width() {
    let deck = Deck::new(busy(), (80, 24));
    assert!(deck.text().contains("ReadMemory preferences/travel.md"), "{}", deck.text());
    assert!(deck.text().contains("passkey.added phone"), "{}", deck.text());
    assert!(deck.text().contains("authorization.refused: not_allowed"), "{}", deck.text());
}

#[test]
fn the_first_row_says_at_every_width_that_something_waits() {
    for size in [(60, 16), (80, 24), (120, 40), (200, 60)] {
        let deck = Deck::new(Snapshot { waiting: waiting().waiting, ..with_passkey(LOCAL) }, size);
        assert!(deck.rows()[0].contains("2 waiting"), "{}", deck.text());
    }
}

#[test]
fn who_has_connected_before_is_not_taught_again() {
    let mut deck = Deck::new(busy(), (80, 24));
    deck.hear(Notice::Connections(Vec::new()));
    let text = deck.text();
    assert!(text.contains("No assistant is connected.") && !text.contains("claude mcp add"), "{text}");
}

#[test]
fn a_lost_host_is_not_called_healthy() {
    let mut deck = Deck::new(busy(), (120, 40));
    assert!(deck.text().contains("healthy"));
    deck.settle(vec![Msg::Silent(Silence::Unreachable(None))]);
    assert!(!deck.text().contains("healthy"), "{}", deck.text());
}

#[test]
fn everything_counts_the_same_passkeys() {
    let mut deck = Deck::new(busy(), (120, 40));
    let passkeys = |deck: &Deck, count: &str| {
        assert!(deck.rows()[0].contains(&format!("passkeys {count} ")), "{}", deck.text());
        assert!(deck.text().contains(&format!("passkeys   {count}")), "{}", deck.text());
    };
    passkeys(&deck, "1");
    assert!(!deck.text().contains("Getting started"));
    deck.hear(Notice::Passkeys(Vec::new()));
    passkeys(&deck, "0");
    assert!(deck.text().contains("Press p to enroll a passkey"), "{}", deck.text());
}

#[test]
fn somebody_waits() {
    shots("waiting", &waiting());
}

#[test]
fn connected_and_nothing_happened_yet() {
    let mut snapshot = busy();
    snapshot.activity.clear();
    snapshot.connections.truncate(1);
    shot("quiet", &Deck::new(snapshot, (80, 24)));
}

#[test]
fn the_store_fails() {
    let mut deck = Deck::new(busy(), (80, 24));
    deck.hear(Notice::Health(Some("the store could not be used: database or disk is full".to_owned())));
    shot("failing", &deck);
    deck.hear(Notice::Health(None));
    assert!(!deck.text().contains("disk is full"));
}

#[test]
fn the_host_is_lost() {
    let mut deck = Deck::new(waiting(), (80, 24));
    deck.settle(vec![Msg::Silent(Silence::Unreachable(None))]);
    shot("lost", &deck);
}

#[test]
fn paused_with_new_records() {
    let mut deck = Deck::new(busy(), (80, 24));
    deck.press(crossterm::event::KeyCode::Tab);
    deck.key(' ');
    deck.hear(Notice::Recorded(row(7, "12:41:11", ("connection:claude-web", "tool.called"), Some("GetContext"))));
    shot("paused", &deck);
}

#[test]
fn details_tell_everything() {
    let mut deck = Deck::new(waiting(), (80, 24));
    deck.press(crossterm::event::KeyCode::Enter);
    shot("detail-waiting", &deck);
    let mut deck = Deck::new(busy(), (80, 24));
    deck.press(crossterm::event::KeyCode::Enter);
    shot("detail-connection", &deck);
}

/// Names with every kind of trouble in them.
fn hostile() -> Snapshot {
    let mut snapshot = waiting();
    let names = [
        "日本語クライアント名前はとても長いです",
        "👩‍👩‍👧‍👦 family e\u{301}\u{301}\u{301}",
        "\u{202E}evil\u{1b}[31m",
        &"x".repeat(10_000),
    ];
    for (connection, name) in snapshot.connections.iter_mut().zip(names) {
        connection.name = quarterdeck::text::safe(name);
        connection.client_id = format!("https://{}/c.json", quarterdeck::text::safe(name));
        connection.state = ConnectionState::Idle;
    }
    for (row, name) in snapshot.activity.iter_mut().zip(names) {
        row.object = Some(quarterdeck::text::safe(name));
        row.actor = quarterdeck::text::safe(name);
    }
    snapshot.waiting[0].client_id = "https://日本.example/\u{200B}".to_owned();
    snapshot
}

#[test]
fn hostile_and_wide_text() {
    shots("hostile", &hostile());
}

#[test]
fn wide_text_keeps_borders_straight() {
    for size in [(60, 16), (80, 24), (99, 30), (100, 30), (120, 40), (180, 50), (200, 60)] {
        let (plain, odd) = (Deck::new(waiting(), size), Deck::new(hostile(), size));
        let edges = |deck: &Deck| -> Vec<(u16, u16, String)> {
            let buffer = deck.buffer();
            let cells = buffer.area.positions().map(|at| (at.x, at.y, buffer[at].symbol().to_owned()));
            cells.filter(|(_, _, symbol)| "│┃╭╮╰╯┏┓┗┛".contains(symbol.as_str())).collect()
        };
        assert_eq!(edges(&plain), edges(&odd), "{size:?}");
        for PaneHit { rect, .. } in &odd.pump.model.drawn.panes {
            for (x, y) in rect.rows().flat_map(|row| [(row.x, row.y), (row.right() - 1, row.y)]) {
                let symbol = odd.buffer()[(x, y)].symbol();
                assert!("│┃╭╮╰╯┏┓┗┛".contains(symbol), "{size:?} {x},{y} {symbol}\n{}", odd.text());
            }
        }
    }
}

#[test]
fn hidden_characters_are_shown() {
    let mut deck = Deck::new(hostile(), (200, 60));
    let text = deck.text();
    assert!(text.contains("⟨U+202E⟩evil⟨U+001B⟩[31m") && text.contains("⟨U+200B⟩"), "{text}");
    assert!(!text.contains('\u{202E}') && !text.contains('\u{1b}') && !text.contains('\u{200B}'));
    deck.press(crossterm::event::KeyCode::Enter);
    assert!(deck.text().contains("contains hidden characters, shown as marks"), "{}", deck.text());
}

#[test]
fn no_colour_is_attributes_only() {
    let theme = Theme::of(&Environment { no_color: true, ..able() }, false);
    shot("no-color", &Deck::with(waiting(), (80, 24), theme));
}

#[test]
fn ascii_has_no_other_character() {
    let theme = Theme::of(&Environment { utf8: false, ..able() }, false);
    let deck = Deck::with(hostile(), (120, 40), theme.clone());
    assert!(deck.text().is_ascii(), "{}", deck.text());
    shot("ascii", &Deck::with(waiting(), (80, 24), theme));
}

#[test]
fn too_small_says_so() {
    shot("too-small", &Deck::new(waiting(), (46, 10)));
    shot("least", &Deck::new(waiting(), (60, 16)));
}
