//! What a key costs: `update` and `view` with many rows, with few, and an empty frame of the same size, in the same run.
//!
//! The rounds alternate and the medians are compared, so what else the machine does hits all alike. The figures are told, never asserted.
//! `cargo bench --bench terminal` measures the release build; `-- --short` takes fewer rounds.
#![allow(
    dead_code,
    unused_imports,
    reason = "the modules of the program are compiled in whole, and only some of them are measured"
)]
#![allow(missing_docs)]

#[path = "../ui/app/mod.rs"]
mod app;
#[path = "../tests/harness/deck.rs"]
mod deck;
#[path = "../ui/export.rs"]
mod export;
#[path = "../ui/input/mod.rs"]
mod input;
#[path = "../ui/overlays/mod.rs"]
mod overlays;
#[path = "../tests/harness/pty.rs"]
mod pty;
#[path = "../ui/reading.rs"]
mod reading;
#[path = "../ui/screens/mod.rs"]
mod screens;
#[path = "../ui/terminal/mod.rs"]
mod terminal;
#[path = "../ui/testing.rs"]
mod testing;
#[path = "../ui/theme/mod.rs"]
mod theme;
#[path = "../ui/widgets/mod.rs"]
mod widgets;
#[path = "../tests/harness/wire.rs"]
mod wire;

use std::path::Path;
use std::time::{Duration, Instant};

use crossterm::event::KeyCode;
use quarterdeck::control::ConnectionState;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::{Constraint, Layout};
use ratatui::widgets::Block;

use pty::{PATIENCE, Pty};
use testing::{Deck, auditing, busy, connection, row};

const SIZE: (u16, u16) = (120, 40);
/// Audit rows and connections.
const MANY: (i64, i64) = (10_000, 1_000);
const FEW: (i64, i64) = (10, 10);

/// What is measured: a name and one round of it.
struct Case {
    name: String,
    round: Box<dyn FnMut() -> Duration>,
    took: Vec<Duration>,
}

impl Case {
    fn new(name: &str, round: impl FnMut() -> Duration + 'static) -> Case {
        Case { name: name.to_owned(), round: Box::new(round), took: Vec::new() }
    }

    fn median(&self) -> Duration {
        let mut sorted = self.took.clone();
        sorted.sort();
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }
}

#[allow(clippy::disallowed_methods, reason = "measuring is what this is for")]
fn timed(what: impl FnOnce()) -> Duration {
    let started = Instant::now();
    what();
    started.elapsed()
}

fn main() {
    let short = std::env::args().any(|argument| argument == "--short");
    let (rounds, starts) = if short { (15, 3) } else { (200, 15) };
    let mut keys = vec![Case::new("an empty frame with borders", empty_frame())];
    for (screen, name) in [('1', "Overview"), ('3', "Connections"), ('7', "Audit")] {
        for (count, rows) in [("few", FEW), ("many", MANY)] {
            keys.push(Case::new(&format!("{name}, {count} rows"), key_to_frame(screen, rows)));
        }
    }
    let title = format!("A key to its frame at {}x{} ({} and {} rows)", SIZE.0, SIZE.1, FEW.0, MANY.0);
    measure(&title, keys, rounds);
    let (first, later) = (|| first_frame(tempfile::tempdir().unwrap().path()), tempfile::tempdir().unwrap());
    first_frame(later.path());
    let first = vec![
        Case::new("quarterdeck --version", version),
        Case::new("the first frame of the very first start, host in-process", first),
        Case::new("the first frame of a later start, host in-process", move || first_frame(later.path())),
    ];
    measure("From the start of the program", first, starts);
}

/// Runs the rounds of all cases in turn and prints the medians. The first case is what the others are compared with.
fn measure(title: &str, mut cases: Vec<Case>, rounds: usize) {
    for _ in 0..rounds {
        for case in &mut cases {
            let took = (case.round)();
            case.took.push(took);
        }
    }
    let base = cases.first().map(Case::median).unwrap_or_default();
    println!("\n{title}; medians of {rounds} alternating rounds\n");
    println!("| what | median | ratio |\n|---|---:|---:|");
    for case in &cases {
        let (median, name) = (case.median(), &case.name);
        let ratio = median.as_secs_f64() / base.as_secs_f64();
        println!("| {name} | {:.3} ms | {ratio:.1} |", median.as_secs_f64() * 1000.0);
    }
}

fn screen() -> Terminal<TestBackend> {
    Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).unwrap()
}

/// What drawing costs at least: three borders, and nothing in them.
fn empty_frame() -> impl FnMut() -> Duration {
    let mut screen = screen();
    move || {
        timed(|| {
            let drawn = screen.draw(|frame| {
                let thirds = Layout::vertical([Constraint::Fill(1); 3]).areas::<3>(frame.area());
                thirds.into_iter().for_each(|rect| frame.render_widget(Block::bordered(), rect));
            });
            drawn.unwrap();
        })
    }
}

/// A movement in the list, to the frame that shows it.
fn key_to_frame(screen: char, (records, connections): (i64, i64)) -> impl FnMut() -> Duration {
    let mut snapshot = busy();
    let idle = (ConnectionState::Idle, Some("12:30:00"), 276);
    let named = |one| connection((&format!("assistant-{one}"), &format!("g-{one}")), "https://claude.ai/oauth/client.json", idle);
    let record = |seq| row(seq, "12:30:00", ("connection:assistant-1", "tool.called"), Some("ReadMemory notes/release.md"));
    snapshot.connections = (0..connections).map(named).collect();
    snapshot.activity = (1..=records).map(record).collect();
    let mut deck = match screen {
        '7' => auditing(snapshot.clone(), SIZE, snapshot.activity.iter().rev().cloned().collect()),
        _ => Deck::new(snapshot, SIZE),
    };
    deck.key(screen);
    let mut down = false;
    move || {
        deck.forward(deck.now.tick + Duration::from_millis(500));
        down = !down;
        let key = KeyCode::Char(if down { 'j' } else { 'k' });
        timed(|| drop(deck.at_once(key)))
    }
}

fn version() -> Duration {
    let dir = tempfile::tempdir().unwrap();
    let mut command = deck::command(dir.path());
    command.arg("--version").stdout(std::process::Stdio::null());
    timed(|| assert!(command.status().unwrap().success()))
}

/// From the spawn to the end of the first synchronized update. That it is ended afterwards is no part of it.
fn first_frame(dir: &Path) -> Duration {
    let mut started = None;
    let took = timed(|| {
        let pty = Pty::start(dir, None);
        assert!(pty.shows(PATIENCE, |shown| shown.raw.windows(8).any(|bytes| bytes == b"\x1b[?2026l")), "{}", pty.contents());
        started = Some(pty);
    });
    let mut pty = started.unwrap();
    pty.press("\x03\x03");
    pty.ended();
    took
}
