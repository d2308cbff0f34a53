//! Rows do not move under the cursor.

use crossterm::event::KeyCode;
use quarterdeck::control::{ConnectionState, Notice, Snapshot};

use crate::overlays::Overlay;
use crate::screens::Pane;
use crate::testing::*;

const SIZE: (u16, u16) = (80, 24);

fn line_of(deck: &Deck, text: &str) -> Option<usize> {
    deck.rows().iter().position(|row| row.contains(text))
}

#[test]
fn a_new_row_never_moves_the_selected_one() {
    let mut deck = Deck::new(busy(), SIZE);
    deck.key('j');
    let before = line_of(&deck, "codex-ci").unwrap();
    let mut more = busy().connections;
    more.insert(0, connection(("aardvark", "g-0"), "https://a.example", (ConnectionState::NeverUsed, None, 0)));
    deck.hear(Notice::Connections(more));
    assert_eq!(line_of(&deck, "codex-ci"), Some(before));
    assert!(line_of(&deck, "aardvark") > Some(before), "the new one is below");

    deck.press(KeyCode::Tab);
    deck.key('j');
    deck.key('j');
    let before = line_of(&deck, "GetContext").unwrap();
    deck.hear(Notice::Recorded(row(7, "12:41:11", ("system", "backup.written"), None)));
    assert_eq!(line_of(&deck, "GetContext"), Some(before));
    assert!(deck.text().contains("paused · 1 new"), "{}", deck.text());
}

#[test]
fn space_pauses_and_follows_again() {
    let mut deck = Deck::new(busy(), SIZE);
    deck.press(KeyCode::Tab);
    deck.key(' ');
    for seq in 7..10 {
        deck.hear(Notice::Recorded(row(seq, "12:41:11", ("system", "backup.written"), None)));
    }
    assert!(deck.text().contains("paused · 3 new"), "{}", deck.text());
    deck.key(' ');
    assert!(!deck.text().contains("paused"));
    assert!(line_of(&deck, "backup.written").is_some());
}

#[test]
fn tab_goes_through_the_panes_there_are() {
    let mut deck = Deck::new(waiting(), SIZE);
    let mut seen = Vec::new();
    for _ in 0..4 {
        seen.push(deck.model().overview.focus);
        deck.press(KeyCode::Tab);
    }
    assert_eq!(seen, [Pane::Needs, Pane::Connections, Pane::Activity, Pane::Needs]);
    deck.press(KeyCode::BackTab);
    assert_eq!(deck.model().overview.focus, Pane::Needs);
}

#[test]
fn ends_and_pages() {
    let names: Vec<String> = (0..50).map(|i| format!("name-{i:02}")).collect();
    let list = names.iter().map(|name| connection((name, name), "https://a.example", (ConnectionState::Idle, None, 0)));
    let mut deck = Deck::new(Snapshot { connections: list.collect(), ..busy() }, SIZE);
    let chosen = |deck: &mut Deck| deck.model().overview.connections.chosen().cloned().unwrap();
    deck.key('G');
    assert_eq!(chosen(&mut deck), "name-49");
    assert!(line_of(&deck, "name-49").is_some(), "it is in sight");
    deck.key('g');
    assert_eq!(chosen(&mut deck), "name-00");
    deck.press(KeyCode::PageDown);
    let page = deck.model().drawn.rows(Pane::Connections);
    assert!(page > 3);
    assert_eq!(chosen(&mut deck), format!("name-{page:02}"));
    deck.press(KeyCode::PageUp);
    assert_eq!(chosen(&mut deck), "name-00");
}

#[test]
fn enter_looks_and_nothing_else() {
    let mut deck = Deck::new(waiting(), SIZE);
    assert_eq!(deck.press(KeyCode::Enter), []);
    assert!(matches!(deck.model().overlays[..], [Overlay::Detail(_)]));
    assert_eq!(deck.press(KeyCode::Esc), []);
    assert!(deck.model().overlays.is_empty());
}

#[test]
fn a_record_stays_open_when_it_leaves_the_list() {
    let mut deck = Deck::new(busy(), SIZE);
    deck.press(KeyCode::Tab);
    deck.key('j');
    deck.press(KeyCode::Enter);
    deck.model().facts.activity.clear();
    deck.hear(Notice::Health(None));
    assert!(deck.text().contains("ReadMemory preferences/travel.md"), "{}", deck.text());
}

#[test]
fn a_first_row_that_vanished_gives_its_place_to_no_other_at_the_next_notice() {
    let mut deck = Deck::new(busy(), SIZE);
    let rest = busy().connections.split_off(1);
    deck.hear(Notice::Connections(rest));
    assert_eq!(deck.model().overview.connections.chosen(), None);
    deck.hear(Notice::Recorded(row(7, "12:41:11", ("system", "backup.written"), None)));
    assert_eq!(deck.model().overview.connections.chosen(), None, "R must not end another connection");
    deck.key('j');
    assert!(deck.model().overview.connections.chosen().is_some());
}

#[test]
fn blurred_contents_are_not_on_the_overview_either() {
    let mut deck = Deck::new(busy(), SIZE);
    deck.model().blurred = true;
    deck.model().changed = true;
    deck.settle(Vec::new());
    assert!(!deck.text().contains("travel.md") && deck.text().contains("ReadMemory"), "{}", deck.text());
}
