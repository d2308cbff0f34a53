//! Nothing is done on a screen that cannot show what it is done to.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::app::{Effect, Exit, Mode, Msg};
use crate::input::{INTENTS, Key, Keymap};
use crate::overlays::Overlay;
use crate::testing::*;

const USUAL: (u16, u16) = (80, 24);
const SMALL: [(u16, u16); 4] = [(46, 10), (1, 1), (59, 24), (80, 15)];

fn deck(mode: Mode) -> Deck {
    let deck = Deck::new(waiting(), USUAL);
    if mode == Mode::InProcess { deck.in_process() } else { deck }
}

fn shrink(deck: &mut Deck, (width, height): (u16, u16)) {
    deck.screen.backend_mut().resize(width, height);
    deck.settle(vec![Msg::Resize(width, height)]);
}

fn press(deck: &mut Deck, key: Key, kind: KeyEventKind) -> Vec<Effect> {
    deck.pass(3000);
    let modifiers = if key.ctrl { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
    deck.settle(vec![Msg::Key(KeyEvent::new_with_kind(key.code, modifiers, kind))])
}

/// The overlays that are open and what is selected, in words.
fn remembered(deck: &mut Deck) -> String {
    let model = deck.model();
    format!("{:?} {:?}", model.overlays.iter().map(kind).collect::<Vec<_>>(), model.overview)
}

fn kind(overlay: &Overlay) -> String {
    match overlay {
        Overlay::Confirm(confirm) => format!("{:?}", confirm.question()),
        Overlay::Help(_) => "help".to_owned(),
        Overlay::Enroll(_) => "enroll".to_owned(),
        Overlay::Detail(_) => "detail".to_owned(),
        other => format!("{other:?}"),
    }
}

#[test]
fn every_key_but_the_vital_ones_does_nothing() {
    let keymap = Keymap::default();
    let vital = [Key::char('q'), Key::char('!'), Key::ctrl('c'), Key::ctrl('l'), Key::named(KeyCode::Esc)];
    for (mode, size, opened) in cases() {
        let mut deck = deck(mode);
        opened.map(|code| deck.press(code));
        shrink(&mut deck, size);
        let before = remembered(&mut deck);
        for key in INTENTS.iter().flat_map(|entry| keymap.keys(entry)).filter(|key| !vital.contains(key)) {
            for kind in [KeyEventKind::Press, KeyEventKind::Repeat] {
                assert_eq!(press(&mut deck, *key, kind), [], "{key:?} at {size:?} over {opened:?}");
                assert_eq!(remembered(&mut deck), before, "{key:?} at {size:?} over {opened:?}");
            }
        }
    }
}

/// Each mode and size, with nothing, an overlay or a question opened before by a key.
fn cases() -> impl Iterator<Item = (Mode, (u16, u16), Option<KeyCode>)> {
    let opened = [None, Some(KeyCode::Char('d')), Some(KeyCode::Char('p')), Some(KeyCode::Char('?')), Some(KeyCode::Enter)];
    let sizes = [(46, 10), (1, 1)].into_iter().flat_map(move |size| opened.map(|code| (size, code)));
    sizes.flat_map(|(size, code)| [Mode::InProcess, Mode::Attached].map(|mode| (mode, size, code)))
}

#[test]
fn the_vital_keys_work() {
    for size in SMALL {
        let mut attached = deck(Mode::Attached);
        shrink(&mut attached, size);
        assert_eq!(press(&mut attached, Key::ctrl('l'), KeyEventKind::Press), [Effect::Redraw]);
        assert_eq!(press(&mut attached, Key::char('q'), KeyEventKind::Press), [Effect::Leave(Exit::Quit)]);
        let mut here = deck(Mode::InProcess);
        here.key('d');
        shrink(&mut here, size);
        assert_eq!(press(&mut here, Key::char('q'), KeyEventKind::Press), [], "a question is open");
        press(&mut here, Key::named(KeyCode::Esc), KeyEventKind::Press);
        assert!(here.model().overlays.is_empty(), "{size:?}");
        for leave in [Key::char('q'), Key::ctrl('c')] {
            assert_eq!(press(&mut here, leave, KeyEventKind::Press), []);
            press(&mut here, Key::named(KeyCode::Esc), KeyEventKind::Press);
            assert!(here.model().overlays.is_empty(), "{leave:?} can be taken back at {size:?}");
        }
        press(&mut here, Key::char('q'), KeyEventKind::Press);
        assert_eq!(press(&mut here, Key::char('Y'), KeyEventKind::Press), [Effect::Leave(Exit::Quit)]);
    }
}

#[test]
fn what_waits_the_longest_can_be_looked_at_and_nothing_can_be_done_to_it() {
    let mut deck = deck(Mode::Attached);
    shrink(&mut deck, (46, 10));
    assert!(deck.text().contains("!  oldest waiting   q  leave"), "{}", deck.text());
    press(&mut deck, Key::char('!'), KeyEventKind::Press);
    insta::assert_snapshot!("oldest-46x10", deck.text());
    for key in ['d', 'Y', '!'] {
        assert_eq!(press(&mut deck, Key::char(key), KeyEventKind::Press), []);
    }
    press(&mut deck, Key::named(KeyCode::Esc), KeyEventKind::Press);
    assert!(deck.text().contains("This terminal is 46×10."), "{}", deck.text());
    let mut idle = Deck::new(busy(), USUAL);
    shrink(&mut idle, (46, 10));
    press(&mut idle, Key::char('!'), KeyEventKind::Press);
    assert!(idle.model().overlays.is_empty() && !idle.text().contains("oldest"), "{}", idle.text());
}

#[test]
fn the_question_whether_to_leave_is_shown_in_its_own_words() {
    let mut deck = deck(Mode::InProcess);
    deck.key('d');
    shrink(&mut deck, (46, 10));
    assert!(!deck.text().contains('Y') && deck.text().contains("esc  close what is open"), "{}", deck.text());
    deck.press(KeyCode::Esc);
    deck.key('q');
    insta::assert_snapshot!("leave-46x10", deck.text());
}
