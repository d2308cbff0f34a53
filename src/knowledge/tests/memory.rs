//! The memory folder: what is made, what is read, what is never read.

use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, openat};

use super::Shelf;
use crate::digest::Digest;
use crate::knowledge::board::Board;
use crate::knowledge::context::{Turn, render};
use crate::knowledge::folder::{LARGEST, walk};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().mode() & 0o777
}

async fn refused(shelf: &Shelf, path: &str) -> String {
    shelf.knowledge.memory(path.to_owned()).await.unwrap_err().to_string()
}

#[tokio::test]
async fn the_first_start_makes_a_private_folder_and_a_board_that_explains_itself() {
    let shelf = Shelf::new();
    let folder = shelf.knowledge.folder();
    for (path, expected) in [
        (folder.to_owned(), 0o700),
        (folder.join("entities"), 0o700),
        (folder.join("topics"), 0o700),
        (folder.join("CLAUDE.md"), 0o600),
    ] {
        assert_eq!(mode(&path), expected, "{path:?}");
    }
    let board = shelf.knowledge.board().await.unwrap().unwrap();
    for part in ["every assistant", "edit it with any editor", "topics/<name>.md", "entities/<name>.md"] {
        assert!(board.text.contains(part), "{part}");
    }
    assert!(!shelf.fixture.dir.path().join("memory.new").exists());
}

#[tokio::test]
async fn a_later_start_changes_nothing() {
    let shelf = Shelf::new();
    let board = shelf.knowledge.folder().join("CLAUDE.md");
    std::fs::write(&board, "mine").unwrap();
    shelf.knowledge.prepare().unwrap();
    assert_eq!(std::fs::read_to_string(&board).unwrap(), "mine");
    std::fs::remove_file(&board).unwrap();
    shelf.knowledge.prepare().unwrap();
    assert_eq!(shelf.knowledge.board().await.unwrap(), None);
}

#[tokio::test]
async fn a_first_start_that_was_cut_off_is_repeated() {
    let shelf = Shelf::new();
    std::fs::remove_dir_all(shelf.knowledge.folder()).unwrap();
    std::fs::create_dir_all(shelf.fixture.dir.path().join("memory.new/entities")).unwrap();
    shelf.knowledge.prepare().unwrap();
    assert!(shelf.knowledge.board().await.unwrap().is_some());
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let shelf = Shelf::new();
    std::fs::remove_dir_all(shelf.knowledge.folder()).unwrap();
    std::fs::write(shelf.fixture.dir.path().join("memory.new"), "a file in the way").unwrap();
    let error = shelf.knowledge.prepare().unwrap_err().to_string();
    assert!(error.contains("memory"), "{error}");
}

/// A85
#[tokio::test]
async fn a_board_is_known_by_its_digest() {
    let board = Board { text: "hello\n".to_owned() };
    assert_eq!(board.rev(), Digest::of(b"hello\n").hex()[..16]);
    assert_eq!(board.rev(), "5891b5b522d5df08");
}

#[test]
fn the_board_is_given_whole_between_its_numbers() {
    let turn = Turn { name: "dots", conversation: "c1", today: "2026-12-01" };
    for (text, lines, body) in [("", 0, ""), ("one", 1, "one\n"), ("one\ntwo\n", 2, "one\ntwo\n"), ("\n\n", 2, "\n\n")] {
        let board = Board { text: text.to_owned() };
        let numbers = format!("lines={lines} rev={}", board.rev());
        let end = format!("----- board {numbers}\n{body}----- END board {numbers}\n");
        assert!(render(&turn, &board).ends_with(&end), "{text:?}");
    }
}

#[tokio::test]
async fn a_file_is_read_as_it_is() {
    let shelf = Shelf::new();
    let text = "# Größe\n\u{202e}\u{1b}[31m\r\n";
    std::fs::write(shelf.knowledge.folder().join("topics/a b.md"), text).unwrap();
    assert_eq!(shelf.knowledge.memory("topics/a b.md".to_owned()).await.unwrap(), text);
    assert_eq!(shelf.knowledge.memory("./topics//a b.md".to_owned()).await.unwrap(), text);
    assert_eq!(shelf.knowledge.memory("entities/../topics/a b.md".to_owned()).await.unwrap(), text);
}

#[tokio::test]
async fn no_path_leads_out_of_the_folder() {
    let shelf = Shelf::new();
    let (state, folder) = (shelf.fixture.dir.path(), shelf.knowledge.folder());
    std::fs::write(state.join("secret"), "secret").unwrap();
    symlink("../secret", folder.join("near")).unwrap();
    symlink(state.join("secret"), folder.join("far")).unwrap();
    symlink("..", folder.join("topics/up")).unwrap();
    symlink("../..", folder.join("topics/out")).unwrap();
    symlink("loop", folder.join("loop")).unwrap();
    for path in ["../secret", "topics/../../secret", "..", "near", "far", "topics/out/secret", "topics/up/../secret", "loop"] {
        assert_eq!(refused(&shelf, path).await, format!("{path} leads out of the memory folder"));
    }
    assert_eq!(refused(&shelf, "/etc/passwd").await, "the path must be relative to the memory folder, as in topics/travel.md");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_link_that_stays_inside_is_followed() {
    let shelf = Shelf::new();
    let folder = shelf.knowledge.folder();
    std::fs::write(folder.join("topics/new.md"), "new").unwrap();
    symlink("new.md", folder.join("topics/old.md")).unwrap();
    assert_eq!(shelf.knowledge.memory("topics/old.md".to_owned()).await.unwrap(), "new");
}

#[test]
fn without_the_kernels_help_no_link_is_followed_at_all() {
    let shelf = Shelf::new();
    let folder = shelf.knowledge.folder();
    std::fs::write(folder.join("topics/new.md"), "new").unwrap();
    symlink("new.md", folder.join("topics/old.md")).unwrap();
    symlink("topics", folder.join("subjects")).unwrap();
    let open = |path| walk(openat(CWD, folder, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).unwrap(), path);
    assert!(open("topics/new.md").is_ok());
    assert!(open("./topics//new.md").is_ok());
    for path in ["topics/old.md", "subjects/new.md", "../quarterdeck.db", "topics/../topics/new.md"] {
        assert!(open(path).is_err(), "{path}");
    }
}

#[tokio::test]
async fn what_is_not_a_readable_text_file_is_refused_each_in_its_own_words() {
    let shelf = Shelf::new();
    let topics = shelf.knowledge.folder().join("topics");
    std::fs::write(topics.join("latin1.md"), [0xe9, 0x0a]).unwrap();
    std::fs::write(topics.join("large.md"), vec![b'x'; usize::try_from(LARGEST).unwrap() + 1]).unwrap();
    std::fs::write(topics.join("most.md"), vec![b'x'; usize::try_from(LARGEST).unwrap()]).unwrap();
    let _listener = std::os::unix::net::UnixListener::bind(topics.join("socket")).unwrap();
    rustix::fs::mknodat(CWD, topics.join("pipe"), rustix::fs::FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    for (path, sentence) in [
        ("topics/none.md", "there is no memory file topics/none.md"),
        ("topics/latin1.md/x", "there is no memory file topics/latin1.md/x"),
        ("topics/\0", "there is no memory file topics/⟨U+0000⟩"),
        ("topics", "topics is a folder: name a file in it"),
        (".", ". is a folder: name a file in it"),
        ("topics/latin1.md", "topics/latin1.md is not a text file (it is not UTF-8)"),
        ("topics/large.md", "topics/large.md is larger than 1 MiB, which is more than this tool reads"),
        ("topics/socket", "topics/socket is not a regular file"),
        ("topics/pipe", "topics/pipe is not a regular file"),
    ] {
        assert_eq!(refused(&shelf, path).await, sentence);
    }
    assert!(shelf.knowledge.memory("topics/most.md".to_owned()).await.is_ok());
    let long = refused(&shelf, &"x".repeat(10_000)).await;
    assert!(long.chars().count() < 200 && long.starts_with("there is no memory file"), "{long}");
}

#[test]
fn the_calls_in_the_context_can_be_copied_whatever_the_conversation_is_called() {
    let turn = Turn { name: "dots", conversation: "a\"b\\", today: "2026-12-01" };
    let text = render(&turn, &Board { text: String::new() });
    let call = text.lines().find_map(|line| line.strip_prefix("- RecordExperience ")).unwrap();
    let arguments: serde_json::Value = serde_json::from_str(call).unwrap();
    assert_eq!(arguments["conversation"], "a\"b\\");
    assert!(text.contains(r#"{"session": "dots:a\"b\\"}"#), "{text}");
}
