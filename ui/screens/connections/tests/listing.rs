//! The list: its order, its filter, the rows the mouse finds, very many rows.

use quarterdeck::control::{Connection, ConnectionState, Notice};

use super::*;
use crate::screens::{Of, Pane};

/// The names in the order they are drawn in.
fn names(deck: &Deck) -> Vec<String> {
    let connections = &deck.pump.model.connections;
    let name = |grant: &String| deck.pump.model.facts.connection(grant).map(|one| one.name.clone());
    connections.fitting.iter().filter_map(name).collect()
}

fn chosen(deck: &Deck) -> Option<&str> {
    deck.pump.model.connections.grants.chosen().map(String::as_str)
}

fn filter(deck: &mut Deck, text: &str) {
    deck.key('/');
    for letter in text.chars() {
        deck.at_once(KeyCode::Char(letter));
    }
    deck.press(KeyCode::Enter);
}

#[test]
fn s_sorts_by_the_next_column_and_says_which() {
    let mut deck = filled(busy(), SIZE);
    let usual = ["claude-web", "codex-ci", "cursor-laptop", "old-laptop"];
    assert_eq!(names(&deck), usual);
    assert!(deck.text().contains("by name"));
    deck.key('s');
    assert_eq!(names(&deck), ["claude-web", "codex-ci", "old-laptop", "cursor-laptop"]);
    assert!(deck.text().contains("by last call"));
    deck.key('s');
    assert_eq!(names(&deck), ["codex-ci", "claude-web", "cursor-laptop", "old-laptop"]);
    assert!(deck.text().contains("by calls"));
    assert_eq!(chosen(&deck), Some("g-1"), "the cursor stays on its connection");
    deck.key('s');
    assert!(deck.text().contains("by approval"));
    deck.key('s');
    assert_eq!(names(&deck), usual);
}

#[test]
fn no_row_moves_by_itself_and_a_new_one_is_added_below() {
    let mut deck = filled(busy(), SIZE);
    deck.key('s');
    let before = names(&deck);
    let mut call = row(7, "12:41:11", ("connection:old-laptop", "tool.called"), Some("GetContext"));
    call.grant = Some("g-4".to_owned());
    deck.hear(Notice::Recorded(call));
    assert_eq!(names(&deck), before);
    let mut more = busy().connections;
    more.push(connection(("aaa", "g-9"), "https://a.example/c.json", (ConnectionState::Live, Some("12:41:12"), 1)));
    deck.hear(Notice::Connections(more));
    assert_eq!(names(&deck).last().map(String::as_str), Some("aaa"));
    deck.key('1');
    deck.key('3');
    assert_eq!(names(&deck)[0], "aaa");
}

#[test]
fn a_connection_that_is_gone_is_not_replaced_under_the_cursor() {
    let mut deck = filled(busy(), SIZE);
    deck.hear(Notice::Connections(busy().connections.split_off(1)));
    assert_eq!(chosen(&deck), None);
    assert_eq!(deck.key('R'), []);
    assert!(deck.text().contains("no connection is selected"), "{}", deck.text());
}

#[test]
fn the_filter_finds_names_clients_scopes_and_states_in_any_case() {
    for (text, found) in
        [("CODEX", "codex-ci"), ("cursor.com", "cursor-laptop"), ("wrong url", "old-laptop"), ("Sessions:Read", "cursor-laptop")]
    {
        let mut snapshot = busy();
        snapshot.connections[2].scopes.push("sessions:read".to_owned());
        let mut deck = filled(snapshot, SIZE);
        filter(&mut deck, text);
        assert_eq!(names(&deck), [found], "{text}");
        assert!(deck.text().contains("1 of 4"), "{}", deck.text());
    }
}

#[test]
fn a_filter_that_nothing_fits_says_how_to_clear_it() {
    let mut deck = filled(busy(), SIZE);
    filter(&mut deck, "nobody");
    assert!(deck.text().contains("No row fits the filter: esc clears it."), "{}", deck.text());
    deck.press(KeyCode::Esc);
    assert_eq!(names(&deck).len(), 4);
}

#[test]
fn a_click_selects_the_row_it_is_on_and_a_second_one_looks() {
    let mut deck = filled(full(), SIZE);
    for (text, pane, of) in [
        ("cursor-laptop", Pane::Grants, Of::Connection("g-3".to_owned())),
        ("yubikey-5", Pane::Passkeys, Of::Passkey("9a00bb4077d20b1f".to_owned())),
        ("chatgpt.com", Pane::Asking, Of::Waiting("k-12".to_owned())),
        ("evil.example", Pane::Refused, Of::Record(3)),
    ] {
        deck.click(text);
        assert_eq!(deck.model().connections.focus, pane, "{text}");
        assert_eq!(deck.model().connections.choice(), Some(of), "{}", deck.text());
    }
    deck.click("yubikey-5");
    deck.click("yubikey-5");
    assert!(deck.text().contains("last used"), "{}", deck.text());
}

#[test]
fn the_split_moves_and_zoom_fills_the_window() {
    let mut deck = filled(full(), SIZE);
    let width = |deck: &Deck| deck.pump.model.drawn.panes[0].rect.width;
    let before = width(&deck);
    deck.key('>');
    assert!(width(&deck) > before);
    deck.key('z');
    assert_eq!((width(&deck), deck.model().drawn.panes.len()), (120, 1));
}

fn many(count: usize) -> Vec<Connection> {
    let one = |number: usize| {
        let (name, grant) = (format!("client-{number:05}"), format!("g-{number}"));
        connection((&name, &grant), "https://c.example/c.json", (ConnectionState::Idle, Some("12:00:00"), 1))
    };
    (0..count).map(one).collect()
}

#[test]
fn ten_thousand_rows_are_moved_through_and_filtered() {
    let mut deck = filled(Snapshot { connections: many(10_000), ..busy() }, SIZE);
    assert!(deck.text().contains("10000 in all"), "{}", deck.text());
    deck.key('G');
    assert_eq!(chosen(&deck), Some("g-9999"));
    assert!(deck.text().contains("client-09999"), "{}", deck.text());
    filter(&mut deck, "client-00042");
    assert_eq!(names(&deck), ["client-00042"]);
}

#[test]
fn only_rows_that_can_be_seen_are_made() {
    let deck = filled(Snapshot { connections: many(10_000), ..busy() }, SIZE);
    let hit = deck.pump.model.drawn.panes.iter().find(|hit| hit.pane == Pane::Grants).unwrap();
    assert!(hit.rows < 40, "{hit:?}");
}
