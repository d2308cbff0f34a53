//! Overlays, sizes, colours; and the one table everything comes from.

use std::path::Path;

use crossterm::event::KeyCode;
use quarterdeck::config::{self, Accent};
use ratatui::style::{Color, Modifier};

use super::finding::whole_help;
use crate::app::{Msg, Silence};
use crate::terminal::Environment;
use crate::testing::*;
use crate::theme::Themes;

fn shot(name: &str, deck: &Deck) {
    let area = deck.buffer().area;
    insta::assert_snapshot!(format!("{name}-{}x{}", area.width, area.height), deck.text());
}

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

#[test]
fn help() {
    for size in SIZES {
        let mut deck = Deck::new(busy(), size);
        deck.key('?');
        shot("help", &deck);
    }
}

#[test]
fn help_can_be_read_to_its_end() {
    let mut deck = Deck::new(busy(), (80, 24));
    deck.key('?');
    assert!(!deck.text().contains("the scope experience:write"));
    for _ in 0..5 {
        deck.press(KeyCode::PageDown);
    }
    assert!(deck.text().contains("the scope experience:write"), "{}", deck.text());
}

#[test]
fn nothing_in_the_help_is_cut() {
    for size in [(60, 16), (80, 24), (100, 30), (120, 40), (200, 60)] {
        let mut deck = Deck::new(busy(), size);
        deck.key('?');
        let help = whole_help(&mut deck);
        let inside = help.lines().filter_map(|line| line.split_once('┃')?.1.rsplit_once('┃'));
        for (line, _) in inside {
            assert!(!line.replace(" …", "").contains('…'), "{size:?} {line}");
        }
        for word in ["connection", "a grant and its name", "the scope experience:write"] {
            assert!(help.contains(word), "{size:?} {word}\n{help}");
        }
    }
}

#[test]
fn a_toast_is_whole_at_every_width() {
    for size in [(60, 16), (80, 24), (120, 40)] {
        let mut deck = Deck::new(busy(), size);
        deck.settle(vec![Msg::Silent(Silence::Unreachable(None))]);
        deck.key('R');
        let text = deck.text();
        assert!(text.contains("revoke: not connected to the host") && text.contains("tries now)"), "{text}");
    }
}

#[test]
fn a_toast_clears_no_more_than_it_needs() {
    let mut deck = Deck::new(busy(), (80, 24));
    let before = deck.rows();
    deck.model().toasts.fail("short");
    deck.model().changed = true;
    deck.settle(Vec::new());
    let (row, was) = (&deck.rows()[22], &before[22]);
    assert!(row.contains("short") && was.starts_with(row.split(" ✗").next().unwrap()), "{}", deck.text());
    assert!(row.starts_with('╰') || row.starts_with('┗'), "{}", deck.text());
}

#[test]
fn questions() {
    let mut deck = Deck::new(busy(), (80, 24));
    deck.key('R');
    shot("revoke", &deck);
    let mut deck = Deck::new(waiting(), (120, 40));
    deck.key('d');
    shot("deny", &deck);
    let mut deck = Deck::new(busy(), (80, 24)).in_process();
    deck.key('q');
    shot("leave", &deck);
}

#[test]
fn the_code() {
    for size in SIZES {
        shot("qr", &enrolling(PUBLIC, size));
    }
    shot("local-link", &enrolling(LOCAL, (80, 24)));
}

#[test]
fn toasts() {
    let mut deck = Deck::new(busy(), (80, 24));
    deck.key('d');
    deck.model().toasts.fail("the store cannot be written");
    deck.key('z');
    deck.model().toasts.fail("the store cannot be written");
    deck.model().changed = true;
    deck.settle(Vec::new());
    shot("toasts", &deck);
}

#[test]
fn one_by_one_cell_does_not_panic() {
    for snapshot in [fresh(LOCAL), with_passkey(PUBLIC), waiting()] {
        for width in [1, 2, 3, 20, 59, 60, 61] {
            for height in [1, 2, 3, 8, 15, 16, 17] {
                for key in ['?', 'p', 'd', 'R', '\n'] {
                    let mut deck = Deck::new(snapshot.clone(), (width, height)).in_process();
                    deck.press(if key == '\n' { KeyCode::Enter } else { KeyCode::Char(key) });
                    deck.settle(vec![Msg::Resize(width, height)]);
                    assert!(deck.pump.frames > 0);
                }
            }
        }
    }
}

#[test]
fn no_color_has_no_colour_but_qr() {
    let mut failing = busy();
    failing.status.failing = Some("disk is full".to_owned());
    for theme in every_theme(&Environment { no_color: true, ..able() }) {
        for snapshot in [fresh(LOCAL), waiting(), failing.clone()] {
            for key in ['?', 'd', 'R', 'p', 'x'] {
                let mut deck = Deck::with(snapshot.clone(), (120, 40), theme.clone());
                deck.key(key);
                let buffer = deck.buffer();
                assert!(buffer.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset), "{}", deck.text());
            }
        }
    }
}

#[test]
fn a_theme_with_a_background_paints_every_cell_of_every_size() {
    let themes = every_theme(&able());
    let dark = themes.iter().filter(|theme| theme.base().bg.is_some());
    let mut painted = 0;
    for theme in dark {
        for size in [(1, 1), (46, 10), (80, 24), (120, 40)] {
            for key in ['?', 'd', 'R', 'x'] {
                let mut deck = Deck::with(waiting(), size, theme.clone());
                deck.key(key);
                let bare = deck.buffer().content.iter().filter(|cell| cell.bg == Color::Reset || cell.fg == Color::Reset).count();
                assert_eq!(bare, 0, "{size:?} {key}\n{}", deck.text());
                painted += 1;
            }
        }
    }
    assert_eq!(painted, 48, "three shipped themes have a background");
}

#[test]
fn the_hosts_name_and_nothing_else_has_the_hosts_colour() {
    let config = config::Terminal { accent: Some(Accent::Green), ..config::Terminal::default() };
    let (theme, _) = Themes::new(&config, Path::new("/nowhere"), &able(), || None).first();
    for size in SIZES {
        let deck = Deck::with(waiting(), size, theme.clone());
        let tinted = deck.buffer().content.iter().filter(|cell| cell.bg != Color::Reset);
        assert_eq!(tinted.map(|cell| cell.symbol()).collect::<String>(), "deck.example.com", "{size:?}");
    }
}

#[test]
fn a_saved_theme_shows_at_once_and_a_broken_one_changes_nothing_but_says_why() {
    let mut deck = Deck::new(waiting(), (120, 40));
    let light = every_theme(&able()).swap_remove(1);
    deck.settle(vec![Msg::ThemeChanged(Ok(light.clone()))]);
    assert!(deck.buffer().content.iter().all(|cell| cell.bg != Color::Reset));
    deck.settle(vec![Msg::ThemeChanged(Err("mine.toml line 3: no".to_owned()))]);
    assert!(deck.text().contains("mine.toml line 3: no"), "{}", deck.text());
    assert_eq!(deck.pump.theme.base(), light.base(), "the colours stay");
}

/// Terminals do not agree on what bold and dim together are.
#[test]
fn no_cell_is_bold_and_dim_at_once() {
    for theme in every_theme(&able()) {
        for key in ['x', '3', '7', '?', ':', 'R', 'p'] {
            let mut deck = Deck::with(waiting(), (120, 40), theme.clone());
            deck.key(key);
            let both = Modifier::BOLD | Modifier::DIM;
            assert!(deck.buffer().content.iter().all(|cell| !cell.modifier.contains(both)), "{key}\n{}", deck.text());
        }
    }
}

#[test]
fn text_is_never_white_black_or_yellow() {
    for size in SIZES {
        let deck = Deck::new(waiting(), size);
        let bad = [Color::White, Color::Black, Color::Yellow, Color::Gray, Color::DarkGray];
        assert!(deck.buffer().content.iter().all(|cell| !bad.contains(&cell.fg)));
    }
}

#[test]
fn the_key_bar_shows_the_keys_of_what_is_on_top() {
    let bar = |deck: &Deck| deck.rows().last().cloned().unwrap();
    let mut deck = Deck::new(busy(), (80, 24));
    assert!(bar(&deck).contains("R revoke…") && bar(&deck).contains("? help"));
    deck.key('R');
    assert_eq!(bar(&deck).trim(), "Y yes  esc cancel");
    deck.press(KeyCode::Esc);
    deck.press(KeyCode::Enter);
    assert!(bar(&deck).contains("R revoke…") && !bar(&deck).contains("? help"), "{}", bar(&deck));
}
