//! The pictures in the README are of the real terminal, and of this version of it: `UPDATE_SCREENS=1 cargo test --test screenshots` draws
//! them again.
#![allow(clippy::disallowed_methods, reason = "whether to draw them again is told by the environment")]

mod harness;

use std::path::{Path, PathBuf};
use std::time::Duration;

use harness::deck::Deck;
use harness::demo::demo;
use harness::pty::Pty;
use harness::{frozen, svg};
use portable_pty::CommandBuilder;

/// No picture is larger: it is loaded by everyone who opens the README.
const LARGEST: usize = 150_000;

/// Each picture: the keys that lead to it from the one before, what it shows then, and what the window is called.
const PICTURES: [(&str, &[(&str, &str)]); 6] = [
    ("overview", &[("", "codex-ci")]),
    ("connections", &[("3", "[3 Connections]"), ("jj", "What codex-ci did")]),
    ("revoke", &[("R", "Revoke codex-ci?")]),
    ("audit", &[("\x1b", "What codex-ci did"), ("7", "[7 Audit]")]),
    ("palette", &[("1", "[1 Overview"), (":", "━ Command ━"), ("revoke", "revoke codex-ci…")]),
    ("help", &[("\x1b", "Activity"), ("?", "look at all facts")]),
];

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/screens").join(format!("{name}.svg"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_pictures_in_the_readme_show_the_terminal_as_it_is() {
    let scene = demo().await;
    let mut pty = Pty::sized(CommandBuilder::new(env!("CARGO_BIN_EXE_quarterdeck")), scene.deck.dir.path(), (120, 40));
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let known = known(&scene.deck);
    let mut differ = Vec::new();
    for (name, keys) in PICTURES {
        for (keys, shown) in keys {
            pty.press(keys);
            pty.until(shown);
            rest(&pty);
        }
        let drawn = picture(&pty, &known);
        assert!(drawn.len() < LARGEST, "{name}: {} bytes", drawn.len());
        assert!(readme.contains(&format!("docs/screens/{name}.svg")), "{name} is not in the README");
        if std::env::var_os("UPDATE_SCREENS").is_some() {
            std::fs::create_dir_all(file(name).parent().unwrap()).unwrap();
            std::fs::write(file(name), &drawn).unwrap();
        }
        let kept = std::fs::read_to_string(file(name)).unwrap_or_default();
        if words(&kept) != words(&drawn) {
            differ.push(format!("{name}: {:?}", difference(&words(&kept), &words(&drawn))));
        }
    }
    assert!(differ.is_empty(), "UPDATE_SCREENS=1 cargo test --test screenshots, and look at them:\n{}", differ.join("\n"));
}

/// Waits until nothing more is drawn.
fn rest(pty: &Pty) {
    let written = || pty.shown.0.lock().unwrap().raw.len();
    while {
        let before = written();
        pty.shows(Duration::from_millis(500), |shown| shown.raw.len() != before)
    } {}
}

/// What is known only in this run, and what is shown for it. The directory may be behind an overlay in part.
fn known(deck: &Deck) -> Vec<(String, String)> {
    let (dir, home) = (deck.dir.path().to_str().unwrap(), "/home/sam/state");
    assert_eq!(dir.len(), home.len(), "{dir}");
    let user = std::process::Command::new("id").arg("-un").output().unwrap();
    let status = deck.json(&["status"]);
    let (_, port) = status["listen"][0].as_str().unwrap().rsplit_once(':').unwrap();
    let mut known = vec![
        (format!("({})", String::from_utf8(user.stdout).unwrap().trim()), "(sam)".to_owned()),
        (format!(":{port}"), ":7420".to_owned()),
    ];
    known.extend((0..dir.len() - 4).map(|cut| (dir[cut..].to_owned(), home[cut..].to_owned())));
    known
}

fn picture(pty: &Pty, known: &[(String, String)]) -> String {
    let shown = pty.shown.0.lock().unwrap();
    let screen = shown.parser.screen();
    let (rows, columns) = (screen.size().0.get(), screen.size().1.get());
    let texts = (0..rows).map(|y| {
        let cells = (0..columns).map(|x| screen.cell(y, x).map_or("", |cell| cell.contents()));
        let text: String = cells.map(|cell| if cell.is_empty() { " " } else { cell }).collect();
        frozen::row(&text, i64::from(y), known)
    });
    svg::draw(screen, &texts.collect::<Vec<_>>(), "quarterdeck")
}

/// The words that are shown. How long a call took, and how wide a number is, may differ.
fn words(svg: &str) -> Vec<String> {
    let text = svg.split("<desc>").nth(1).and_then(|rest| rest.split("</desc>").next()).unwrap_or_default();
    let plain = |word: &str| {
        let digits = word.chars().map(|c| if c.is_ascii_digit() { '0' } else { c });
        let mut chars: Vec<char> = digits.collect();
        chars.dedup_by(|after, before| *after == '0' && *before == '0');
        chars.into_iter().filter(|c| !"─━│┃".contains(*c)).collect::<String>()
    };
    text.split_whitespace().map(plain).filter(|word| !word.is_empty()).collect()
}

/// The first words that differ.
fn difference<'w>(kept: &'w [String], drawn: &'w [String]) -> Option<(&'w [String], &'w [String])> {
    let at = kept.iter().zip(drawn).position(|(kept, drawn)| kept != drawn).unwrap_or(kept.len().min(drawn.len()));
    let near = |words: &'w [String]| &words[at.min(words.len())..(at + 4).min(words.len())];
    Some((near(kept), near(drawn)))
}
