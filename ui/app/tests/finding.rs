//! Three ways to what can be done, from one table: the help, the palette, the key map.

use crossterm::event::KeyCode;
use ratatui::style::Modifier;

use crate::app::{Asked, Effect, Msg, Silence, keys::places};
use crate::input::{INTENTS, Intent, Place};
use crate::overlays::{Overlay, commands, is_movement};
use crate::screens::Screen;
use crate::testing::*;

/// Everything the help shows, from its beginning to its end.
pub(super) fn whole_help(deck: &mut Deck) -> String {
    let mut pages = vec![deck.text()];
    while let page = {
        deck.press(KeyCode::PageDown);
        deck.text()
    } && pages.last() != Some(&page)
    {
        pages.push(page);
    }
    pages.join("\n")
}

fn typed(deck: &mut Deck, text: &str) {
    text.chars().for_each(|c| {
        deck.key(c);
    });
}

/// Where intents are that only mean something inside an overlay: the palette closes every other overlay's turn.
const ONLY_IN_OVERLAYS: [Place; 10] = [
    Place::Enroll,
    Place::Link,
    Place::Question,
    Place::Reading,
    Place::Help,
    Place::WaitingDetail,
    Place::ConnectionDetail,
    Place::RecordDetail,
    Place::Palette,
    Place::Field,
];

#[test]
fn every_intent_is_in_help_palette_and_keymap() {
    let mut deck = Deck::new(busy(), (97, 60));
    deck.key('?');
    let help = whole_help(&mut deck);
    let commands = commands(deck.model());
    let table = include_str!("../../../assets/keymap.toml");
    for entry in INTENTS {
        assert!(help.contains(entry.sentence), "{}: {}\n{help}", entry.name, entry.sentence);
        assert!(!entry.short.is_empty(), "{}", entry.sentence);
        let exempt = ONLY_IN_OVERLAYS.contains(&entry.place) || is_movement(entry.intent);
        let listed = commands.iter().any(|command| command.entry.intent == entry.intent);
        assert!(exempt || listed, "{} of {:?} is not in the palette", entry.name, entry.place);
        let line = format!("{} = [", entry.name);
        assert!(table.contains(&format!("[{}]", entry.place.section())) && table.contains(&line), "{line}");
    }
}

#[test]
fn the_help_begins_with_the_screen_that_is_shown() {
    for screen in Screen::ALL {
        let mut deck = Deck::new(busy(), (80, 24));
        deck.key(screen.title().chars().next().unwrap());
        deck.key('?');
        let rows = deck.rows();
        let top = rows.iter().position(|row| row.contains("Help — ")).unwrap();
        assert!(rows[top].contains(screen.place().title()), "{}", deck.text());
        assert!(rows[top + 1].contains(&format!("┃  {}", screen.place().title())), "{}", deck.text());
    }
}

#[test]
fn the_help_dims_what_cannot_be_done_now() {
    let mut deck = Deck::new(busy(), (120, 60));
    let key_of = |deck: &Deck, sentence: &str| {
        let y = deck.rows().iter().position(|row| row.contains(sentence)).unwrap();
        let x = deck.rows()[y].find(sentence).map(|at| deck.rows()[y][..at].chars().count()).unwrap();
        deck.buffer()[(u16::try_from(x).unwrap(), u16::try_from(y).unwrap())].modifier.contains(Modifier::DIM)
    };
    deck.key('?');
    assert!(!key_of(&deck, "revoke the selected connection") && key_of(&deck, "deny the selected authorization"));
    deck.settle(vec![Msg::Silent(Silence::Unreachable(None))]);
    assert!(key_of(&deck, "revoke the selected connection"), "no host, no decision");
}

#[test]
fn the_help_is_searched_by_words_and_esc_clears_before_it_closes() {
    let mut deck = Deck::new(busy(), (80, 24));
    deck.key('?');
    deck.key('/');
    typed(&mut deck, "next pane");
    let text = deck.text();
    assert!(text.contains("/ next pane") && text.contains("Everywhere") && text.contains("tab"), "{text}");
    assert!(!text.contains("the scope") && !text.contains("Lists"), "{text}");
    deck.press(KeyCode::Enter);
    assert!(deck.text().contains("/ next pane"), "what was found stays");
    deck.press(KeyCode::Esc);
    assert!(deck.text().contains("Help — Overview") && !deck.text().contains("/ next pane"));
    deck.press(KeyCode::Esc);
    assert!(deck.model().overlays.is_empty());
}

#[test]
fn a_search_without_a_result_says_so() {
    let mut deck = Deck::new(busy(), (120, 40));
    deck.key('?');
    deck.key('/');
    typed(&mut deck, "xyzzy");
    assert!(deck.text().contains("Nothing has these words."), "{}", deck.text());
    deck.press(KeyCode::Esc);
    assert!(deck.text().contains("Everywhere"));
}

#[test]
fn letters_are_text_while_the_help_is_searched() {
    let mut deck = Deck::new(busy(), (80, 24));
    deck.key('?');
    deck.key('/');
    assert_eq!(places(deck.model()), Place::IN_FIELD);
    typed(&mut deck, "qR");
    assert!(deck.text().contains("/ qR") && deck.model().overlays.len() == 1);
}

#[test]
fn the_palette() {
    for size in [(80, 24), (120, 40)] {
        let mut deck = Deck::new(busy(), size);
        deck.key(':');
        typed(&mut deck, "re");
        insta::assert_snapshot!(format!("palette-{}x{}", size.0, size.1), deck.text());
    }
}

#[test]
fn a_command_that_asks_only_asks() {
    for (words, title) in
        [("revoke codex", "Revoke codex-ci?"), ("leave", "Leave and stop the host?"), ("suspend", "Suspend the host too?")]
    {
        let mut deck = Deck::new(busy(), (80, 24)).in_process();
        deck.key(':');
        typed(&mut deck, words);
        let effects = deck.press(KeyCode::Enter);
        assert!(
            effects
                .iter()
                .all(|effect| !matches!(effect, Effect::Ask(Asked::Revoke { .. }, _) | Effect::Leave(_) | Effect::Suspend)),
            "{effects:?}"
        );
        assert!(deck.text().contains(title), "{words}\n{}", deck.text());
        assert_eq!(deck.press(KeyCode::Enter), [], "enter says nothing to a question");
        assert!(matches!(deck.model().overlays.last(), Some(Overlay::Confirm(_))));
    }
}

#[test]
fn a_disabled_command_shows_its_reason_in_place_of_its_key() {
    let mut deck = Deck::new(busy(), (80, 24));
    deck.key(':');
    typed(&mut deck, "waits longest");
    let row = deck.rows().into_iter().find(|row| row.contains("go to what waits")).unwrap();
    assert!(row.contains("nothing waits") && !row.contains('!'), "{row}");
}

#[test]
fn what_was_used_last_comes_first() {
    let mut deck = Deck::new(busy(), (80, 24));
    deck.key(':');
    typed(&mut deck, "blur contents");
    deck.press(KeyCode::Enter);
    deck.key(':');
    let commands = commands(deck.model());
    assert_eq!(commands[0].entry.intent, Intent::Blur);
}

#[test]
fn what_does_nothing_now_and_what_asks_about_another_row_is_not_chosen_first() {
    let mut deck = Deck::new(busy(), (80, 24));
    deck.key('3');
    deck.key(':');
    typed(&mut deck, "remo");
    let chosen = |deck: &Deck| deck.rows().into_iter().find(|row| row.contains('▌')).unwrap();
    assert!(deck.text().contains("remove the passkey"), "{}", deck.text());
    assert!(!chosen(&deck).contains("remove the passkey"), "{}", deck.text());
    deck.press(KeyCode::Esc);
    deck.key(':');
    typed(&mut deck, "revoke codex");
    deck.press(KeyCode::Enter);
    deck.press(KeyCode::Esc);
    deck.key(':');
    assert!(!chosen(&deck).contains("revoke"), "the next one would be another connection\n{}", deck.text());
}

#[test]
fn tab_completes_the_chosen_command() {
    let mut deck = Deck::new(busy(), (80, 24));
    deck.key(':');
    typed(&mut deck, "redr");
    deck.press(KeyCode::Tab);
    assert!(deck.text().contains(": draw the whole screen again"), "{}", deck.text());
}

#[test]
fn the_keys_page_shows_the_table_as_it_is() {
    let mut deck = Deck::new(busy(), (120, 40));
    let map = crate::input::Keymap::load("[everywhere]\nkeys = [\"f7\"]\nzoom = []\n", "keymap.toml").unwrap();
    deck.model().setup.keymap = std::sync::Arc::new(map);
    deck.press(KeyCode::F(7));
    let text = whole_help(&mut deck);
    assert!(text.contains("keys = [\"f7\"]") && text.contains("zoom = []") && text.contains("revoke = [\"R\"]"), "{text}");
}
