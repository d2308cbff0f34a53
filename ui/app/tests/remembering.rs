//! What comes back at the next start, and what never does.

use std::os::unix::fs::PermissionsExt as _;

use crossterm::event::KeyCode;

use crate::app::restore::{FILE, Remembered, load, save};
use crate::screens::Screen;
use crate::testing::*;

/// A deck that was used: another screen, a filter, a selection, a command, and something open.
fn used() -> Deck {
    let mut deck = Deck::new(busy(), (120, 40));
    deck.key('3');
    deck.key('j');
    deck.key('>');
    deck.key('1');
    deck.key('/');
    "web".chars().for_each(|c| {
        deck.key(c);
    });
    deck.press(KeyCode::Enter);
    deck.key('3');
    deck
}

fn read(text: &str) -> Remembered {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(FILE), text).unwrap();
    load(&dir.path().join(FILE))
}

#[test]
fn the_next_start_shows_what_the_last_one_showed() {
    let mut before = used();
    let mut after = Deck::new(busy(), (120, 40));
    let remembered = before.model().remember();
    after.model().restore(remembered.clone());
    after.settle(Vec::new());
    assert_eq!(after.text(), before.text());
    assert_eq!(after.model().remember(), remembered);
    assert_eq!(after.model().connections.grants.chosen().map(String::as_str), Some("g-2"));
    after.key('1');
    assert_eq!(after.model().overview.filter, "web");
}

#[test]
fn no_overlay_and_no_question_comes_back() {
    let mut deck = used();
    deck.key('R');
    assert!(!deck.model().overlays.is_empty());
    let kept = serde_json::to_string(&deck.model().remember()).unwrap();
    assert!(!kept.contains("evoke") && !kept.contains("onfirm"), "{kept}");
    let mut after = Deck::new(busy(), (120, 40));
    after.model().restore(serde_json::from_str(&kept).unwrap());
    assert!(after.model().overlays.is_empty());
}

#[test]
fn a_connection_that_is_gone_is_not_selected() {
    let remembered = used().model().remember();
    let mut snapshot = busy();
    snapshot.connections.retain(|connection| connection.grant != "g-2");
    let mut after = Deck::new(snapshot, (120, 40));
    after.model().restore(remembered);
    assert_eq!(after.model().connections.grants.chosen().map(String::as_str), Some("g-1"));
}

#[test]
fn a_damaged_part_is_ignored_and_the_others_are_not() {
    let text = r#"{"version": 9, "screen": "mail", "filters": {"overview": "web\u202e"}, "splits": [{"screen": "connections",
        "size": "medium", "percent": 3}], "selected": 7, "recent": ["messages", "no-such-command"]}"#;
    let mut deck = Deck::new(busy(), (120, 40));
    deck.model().restore(read(text));
    assert_eq!(deck.model().screen, Screen::Overview);
    assert_eq!(deck.model().overview.filter, "web", "what cannot be seen is not brought back");
    assert_eq!(deck.model().splits.values().collect::<Vec<_>>(), [&25]);
    assert_eq!(deck.model().recent, ["messages"]);
}

#[test]
fn what_is_no_memory_is_none() {
    for text in ["", "{", "[]", "null", "\u{0}", "{\"screen\":"] {
        assert_eq!(read(text), Remembered::default(), "{text}");
    }
    assert_eq!(load(std::path::Path::new("/nowhere/terminal.json")), Remembered::default());
}

#[test]
fn the_file_is_the_owners_alone_and_the_last_one_wins() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(FILE);
    save(&file, &Remembered::default()).unwrap();
    let remembered = used().model().remember();
    save(&file, &remembered).unwrap();
    assert_eq!(load(&file), remembered);
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left beside it");
}
