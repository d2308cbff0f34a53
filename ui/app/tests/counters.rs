//! What the screen costs, as numbers that are the same on every machine: frames, bytes, rows. Never a time.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::rc::Rc;

use crossterm::event::KeyCode;
use quarterdeck::control::{AuditRow, ConnectionState, Notice, Snapshot};
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use crate::app::{Asked, Msg};
use crate::overlays::Overlay;
use crate::testing::*;
use crate::widgets::BUILT;

const SCREENS: [char; 3] = ['1', '3', '7'];
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

/// Nothing is about to happen by itself: no connection is just about to become idle.
fn calm() -> Snapshot {
    let mut snapshot = waiting();
    for connection in &mut snapshot.connections {
        connection.state = ConnectionState::Idle;
    }
    snapshot
}

fn call(seq: i64) -> AuditRow {
    let actor = ("connection:codex-ci", "tool.called");
    AuditRow { grant: Some("g-2".to_owned()), ..row(seq, "12:41:12", actor, Some("GetContext")) }
}

/// The frames of a minute in which nobody does anything, after what the keys before began has settled.
fn frames_of_a_minute(deck: &mut Deck) -> u64 {
    deck.pass(60_000);
    let before = deck.pump.frames;
    deck.pass(60_000);
    deck.pump.frames - before
}

#[test]
fn an_idle_minute_draws_nothing_on_any_screen_and_over_any_overlay() {
    let mut overlays = Vec::new();
    for size in SIZES {
        for screen in SCREENS {
            for open in ["", "?", "?/", ":", "/", "R", "d", "e", "\n", "\tS", "n", "z", " "] {
                let mut deck = Deck::new(calm(), size).in_process();
                deck.key(screen);
                for key in open.chars() {
                    deck.press(match key {
                        '\n' => KeyCode::Enter,
                        '\t' => KeyCode::Tab,
                        key => KeyCode::Char(key),
                    });
                }
                overlays.extend(deck.model().overlays.iter().map(kind));
                assert_eq!(frames_of_a_minute(&mut deck), 0, "{size:?} {screen} {open:?}\n{}", deck.text());
            }
        }
    }
    for name in ["confirm", "help", "detail", "palette", "filter", "prompt"] {
        assert!(overlays.contains(&name), "{name} was never open");
    }
}

fn kind(overlay: &Overlay) -> &'static str {
    match overlay {
        Overlay::Confirm(_) => "confirm",
        Overlay::Help(_) => "help",
        Overlay::Enroll(_) => "enroll",
        Overlay::Detail(_) => "detail",
        Overlay::Text(_) => "text",
        Overlay::Palette(_) => "palette",
        Overlay::Filter(_) => "filter",
        Overlay::Prompt(_) => "prompt",
        Overlay::Link(_) => "link",
    }
}

#[test]
fn the_countdown_of_a_link_draws_once_a_second_and_only_while_it_is_open() {
    for public_url in [LOCAL, PUBLIC] {
        let mut deck = enrolling(public_url, (120, 40));
        assert_eq!(frames_of_a_minute(&mut deck), 60);
        deck.settle(vec![Msg::Focus(false)]);
        assert_eq!(frames_of_a_minute(&mut deck), 60, "the owner looks at the phone");
        deck.press(KeyCode::Esc);
        assert_eq!(frames_of_a_minute(&mut deck), 0);
    }
}

#[test]
fn a_link_that_is_hidden_without_the_focus_is_nowhere_then_and_draws_nothing() {
    for public_url in [LOCAL, PUBLIC] {
        let mut deck = Deck::new(fresh(public_url), (120, 60));
        deck.model().setup.qr_hide_unfocused = true;
        deck.key('p');
        deck.answer(Asked::EnrollLink, link(public_url));
        let shown = deck.text();
        assert!(shown.contains("link there") && shown.contains("one use") || shown.contains("/enroll#"), "{shown}");
        deck.settle(vec![Msg::Focus(false)]);
        let hidden = deck.text();
        assert!(hidden.contains("The link is hidden while this terminal does not have the focus."), "{hidden}");
        assert!(!hidden.contains("enroll#") && !hidden.contains('█') && !hidden.contains("one use"), "{hidden}");
        assert_eq!(frames_of_a_minute(&mut deck), 0);
        deck.settle(vec![Msg::Focus(true)]);
        assert!(deck.text().contains("one use · 08:00 left"), "{}", deck.text());
        assert_eq!(frames_of_a_minute(&mut deck), 60);
        deck.settle(vec![Msg::Focus(false)]);
        deck.pass(10 * 60_000);
        deck.settle(vec![Msg::Focus(true)]);
        assert!(deck.text().contains("The link has expired."), "{}", deck.text());
    }
}

#[test]
fn a_burst_of_1000_notices_draws_at_most_4_frames_and_hears_every_key_among_them() {
    let keys = "jjkjzz/abc";
    for screen in SCREENS {
        let mut deck = Deck::new(calm(), (120, 40));
        deck.key(screen);
        deck.pass(60_000);
        let mut quiet = Deck::new(calm(), (120, 40));
        quiet.key(screen);
        let mut burst: Vec<Msg> = (7..1007).map(|seq| Msg::Notice(Box::new(Notice::Recorded(call(seq))))).collect();
        for (key, place) in keys.chars().zip((40..).step_by(95)) {
            burst.insert(place, Msg::Key(KeyCode::Char(key).into()));
            quiet.key(key);
        }
        let before = deck.pump.frames;
        while !burst.is_empty() {
            let rest = burst.split_off(burst.len().min(crate::app::BATCH));
            deck.forward(deck.now.tick + std::time::Duration::from_millis(500));
            deck.settle(std::mem::replace(&mut burst, rest));
        }
        let frames = deck.pump.frames - before;
        assert!(frames <= 4, "{screen}: {frames}");
        assert_eq!(heard(&mut deck), heard(&mut quiet), "{screen}");
        assert_eq!(deck.model().facts.connection("g-2").unwrap().calls_24h, 967 + 1000);
    }
}

/// What keys changed: what is selected and what was typed.
fn heard(deck: &mut Deck) -> (Option<String>, Option<String>, bool, String) {
    let typed = deck.rows().iter().find(|row| row.contains("abc")).map(|row| row.contains("abc").to_string());
    let model = deck.model();
    let (overview, grants) = (model.overview.connections.chosen().cloned(), model.connections.grants.chosen().cloned());
    (overview, grants, model.zoomed, typed.unwrap_or_default())
}

/// Takes what a terminal would be sent.
#[derive(Clone, Default)]
struct Tap(Rc<RefCell<Vec<u8>>>);

impl Write for Tap {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Something that happens to the screen.
type Change<'a> = &'a dyn Fn(&mut Deck);

/// How many rows differ.
fn rows_changed(before: &Buffer, after: &Buffer) -> usize {
    let width = usize::from(before.area.width);
    before.content.chunks(width).zip(after.content.chunks(width)).filter(|(before, after)| before != after).count()
}

/// The bytes a terminal gets for what `change` does, and how many rows it changes.
fn sent(mut deck: Deck, change: impl Fn(&mut Deck)) -> (usize, usize) {
    let size = deck.model().size;
    let tap = Tap::default();
    let options = TerminalOptions { viewport: Viewport::Fixed(Rect::new(0, 0, size.0, size.1)) };
    let mut terminal = Terminal::with_options(CrosstermBackend::new(tap.clone()), options).unwrap();
    deck.pump.draw(&mut terminal).unwrap();
    tap.0.borrow_mut().clear();
    let before = deck.buffer().clone();
    change(&mut deck);
    deck.pump.draw(&mut terminal).unwrap();
    let bytes = tap.0.borrow().len();
    (bytes, rows_changed(&before, deck.buffer()))
}

#[test]
fn a_changed_row_takes_fewer_than_400_bytes_in_every_theme() {
    let called = |deck: &mut Deck| {
        let mut connections = deck.model().facts.connections.clone();
        connections[1].calls_24h += 1;
        connections[1].calls_by_hour[23] += 1;
        connections[1].last_used_at = Some("2026-12-01T12:41:09.000Z".to_owned());
        connections[1].state = ConnectionState::Live;
        deck.hear(Notice::Connections(connections));
    };
    let changes: [(&str, Change<'_>); 3] = [
        ("a call", &called),
        ("j", &|deck| drop(deck.key('j'))),
        ("a record", &|deck| drop(deck.hear(Notice::Recorded(call(7))))),
    ];
    let mut most = BTreeMap::new();
    for theme in every_theme(&able()) {
        for size in [(80, 24), (120, 40)] {
            for (name, change) in &changes {
                let (bytes, rows) = sent(Deck::with(calm(), size, theme.clone()), change);
                assert!(rows > 0 && bytes > 0, "{name} at {size:?} changes nothing");
                let each = bytes.div_ceil(rows);
                assert!(each < 400, "{name} at {size:?}: {bytes} bytes for {rows} rows");
                let known = most.entry(*name).or_insert(0);
                *known = each.max(*known);
            }
        }
    }
    println!("bytes per changed row, at most: {most:?}");
}

#[test]
fn a_frame_of_10000_rows_builds_as_many_rows_as_are_visible() {
    let few = built(&calm());
    let mut many = calm();
    many.connections = (0..10_000)
        .map(|one| connection((&format!("c-{one}"), &format!("g-{one}")), PUBLIC, (ConnectionState::Idle, None, 1)))
        .collect();
    many.activity = (1..=10_000).map(call).collect();
    for ((screen, size), rows) in built(&many) {
        assert!(rows <= 3 * usize::from(size.1), "{screen} at {size:?} builds {rows} rows");
        assert!(rows >= few[&(screen, size)], "{screen} at {size:?}");
    }
}

/// How many rows a key builds on each screen at each size.
fn built(snapshot: &Snapshot) -> BTreeMap<(char, (u16, u16)), usize> {
    let mut counts = BTreeMap::new();
    for size in SIZES {
        for screen in SCREENS {
            let mut deck = match screen {
                '7' => auditing(snapshot.clone(), size, snapshot.activity.iter().rev().cloned().collect()),
                _ => Deck::new(snapshot.clone(), size),
            };
            deck.key(screen);
            deck.key('j');
            BUILT.set(0);
            deck.key('j');
            counts.insert((screen, size), BUILT.get());
        }
    }
    counts
}
