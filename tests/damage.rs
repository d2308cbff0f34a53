//! Files that are not as the host left them: a damaged store, a signing key that is gone or another one, a directory of somebody else. The
//! doctor sees it, a start says it, and each says what to do.

mod harness;

use std::fs::{File, Permissions};
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Output;

use harness::deck::{Deck, command};
use rustix::process::Signal;
use serde_json::{Value, json};

const FILES: [&str; 3] = ["quarterdeck.db", "quarterdeck.db-wal", "quarterdeck.db-shm"];

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn run(dir: &Path, arguments: &[&str]) -> Output {
    command(dir).args(arguments).output().unwrap()
}

/// A state directory that was used and left in order.
fn used() -> tempfile::TempDir {
    let mut deck = Deck::start(&[]);
    assert_eq!(deck.signal(Signal::TERM).code(), Some(0));
    deck.kill()
}

/// Overwrites the first page of this table, as a failing disk would.
fn damage(dir: &Path, table: &str) {
    let path = dir.join("quarterdeck.db");
    let conn = rusqlite::Connection::open(&path).unwrap();
    let sql = "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_schema WHERE name = ?1";
    let (page, size): (i64, i64) = conn.query_row(sql, [table], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    drop(conn);
    let file = File::options().write(true).open(&path).unwrap();
    file.write_all_at(&vec![0xA5; usize::try_from(size).unwrap()], u64::try_from((page - 1) * size).unwrap()).unwrap();
}

/// What the doctor says about `subject` at this level, with what to do next.
fn doctor(dir: &Path, level: &str, subject: &str) -> String {
    let report: Value = serde_json::from_slice(&run(dir, &["doctor", "--json", "--listen", "127.0.0.1:0"]).stdout).unwrap();
    let checks = report["checks"].as_array().unwrap().iter();
    let of = checks.filter(|check| check["level"] == level && check["subject"] == subject);
    of.map(|check| format!("{} / {}\n", check["says"].as_str().unwrap(), check["next"].as_str().unwrap_or("-"))).collect()
}

/// Starts it and answers what it says of what is wrong, though it starts.
fn start(dir: tempfile::TempDir) -> (Deck, String) {
    let said = dir.path().join("said");
    let errors = File::create(&said).unwrap();
    let deck = Deck::try_start_with(dir, &[], |command| {
        command.stderr(errors);
    });
    (deck.unwrap_or_else(|(said, _)| panic!("{said}")), std::fs::read_to_string(said).unwrap())
}

#[test]
fn a_damaged_store_is_seen_by_the_doctor_and_no_copy_of_it_is_made() {
    let dir = used();
    damage(dir.path(), "journal");
    let copy = dir.path().join("copy.db");
    let refused = |dir: &Path| {
        let found = doctor(dir, "fail", "store");
        assert!(found.starts_with("it is damaged: ") && found.contains("move quarterdeck.db, quarterdeck.db-wal"), "{found}");
        let output = run(dir, &["backup", copy.to_str().unwrap()]);
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
        assert!(said.contains("the store is damaged (") && said.contains("quarterdeck doctor"), "{said}");
        assert!(!copy.exists());
    };
    refused(dir.path());
    // The start looks at what it needs, and the journal is not among it.
    let (deck, _) = start(dir);
    refused(deck.dir.path());
}

#[test]
fn a_start_over_a_damaged_store_says_how_a_backup_takes_its_place() {
    let mut deck = Deck::start(&[]);
    let copy = deck.dir.path().join("copy.db");
    assert!(deck.run(&["backup", copy.to_str().unwrap()]).status.success());
    deck.signal(Signal::TERM);
    let dir = deck.kill();
    damage(dir.path(), "audit");
    let Err((said, dir)) = Deck::try_start_in(dir) else { panic!("it started") };
    assert!(said.contains("damaged") && said.contains("put a backup in its place"), "{said}");
    std::fs::write(dir.path().join("quarterdeck.db"), "no database\n".repeat(1000)).unwrap();
    let Err((said, dir)) = Deck::try_start_in(dir) else { panic!("it started") };
    assert!(said.contains("is damaged (file is not a database): stop the host, move quarterdeck.db, "), "{said}");
    let said = text(&run(dir.path(), &["audit", "verify"]).stderr);
    assert!(said.contains("the store is damaged (file is not a database)"), "{said}");

    for file in FILES {
        let _not_there = std::fs::remove_file(dir.path().join(file));
    }
    std::fs::rename(copy, dir.path().join("quarterdeck.db")).unwrap();
    let (deck, _) = start(dir);
    assert_eq!(deck.run(&["audit", "verify"]).status.code(), Some(0));
}

#[test]
fn a_signing_key_that_is_gone_is_missed_told_and_written_down_once() {
    let dir = used();
    std::fs::remove_file(dir.path().join("audit.key")).unwrap();
    let found = doctor(dir.path(), "fail", "audit");
    assert!(found.contains("audit.key is missing") && found.contains("put it back"), "{found}");
    assert!(!dir.path().join("audit.key").exists(), "the doctor made one");

    let (mut deck, said) = start(dir);
    assert!(said.starts_with("quarterdeck: audit.key was missing, so a new one was made") && said.lines().count() == 1, "{said}");
    let changed = text(&deck.run(&["audit", "--kind", "audit.key_changed", "--json"]).stdout);
    let changed: Value = serde_json::from_str(&changed).unwrap();
    assert_eq!((&changed["actor"], &changed["detail"]["made"]), (&json!("system"), &json!(true)));
    let found = doctor(deck.dir.path(), "note", "audit");
    assert!(found.contains("with another key than the present one"), "{found}");
    assert_eq!(deck.run(&["audit", "verify"]).status.code(), Some(12));

    deck.signal(Signal::TERM);
    let (_deck, said) = start(deck.kill());
    assert_eq!(said, "");
}

#[test]
fn a_signing_key_that_is_another_one_is_seen_before_and_at_the_start() {
    let (dir, other) = (used(), used());
    std::fs::copy(other.path().join("audit.key"), dir.path().join("audit.key")).unwrap();
    let found = doctor(dir.path(), "fail", "audit");
    assert!(found.contains("signed with another key") && found.contains("put the old key back"), "{found}");
    let (deck, said) = start(dir);
    assert!(said.starts_with("quarterdeck: audit.key is another key than the one that signed the audit"), "{said}");
    let changed = text(&deck.run(&["audit", "--kind", "audit.key_changed", "--json"]).stdout);
    assert_eq!(serde_json::from_str::<Value>(&changed).unwrap()["detail"]["made"], json!(false));
}

#[test]
fn a_signing_key_that_others_could_read_is_told_at_the_start_and_closed() {
    let dir = used();
    let key = dir.path().join("audit.key");
    std::fs::set_permissions(&key, Permissions::from_mode(0o666)).unwrap();
    let (deck, said) = start(dir);
    assert!(said.starts_with("quarterdeck: audit.key was open to other users (mode 666)") && said.lines().count() == 1, "{said}");
    assert_eq!(std::fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    let told = text(&deck.run(&["audit", "--kind", "audit.key_open", "--json"]).stdout);
    assert_eq!(serde_json::from_str::<Value>(&told).unwrap()["detail"]["mode"], "666");
}

/// As another user when this is root, for whom no file is closed; as this one otherwise.
#[test]
fn a_store_that_may_not_be_read_is_not_one_that_is_not_there() {
    let (dir, config) = (used(), tempfile::tempdir().unwrap());
    std::fs::set_permissions(config.path(), Permissions::from_mode(0o755)).unwrap();
    let root = rustix::process::geteuid().is_root();
    if !root {
        std::fs::set_permissions(dir.path(), Permissions::from_mode(0o000)).unwrap();
    }
    let told = |verb: &[&str]| {
        let mut command = command(dir.path());
        command.env("XDG_CONFIG_HOME", config.path()).args(verb);
        if root {
            command.uid(65_534).gid(65_534);
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        text(&[output.stdout, output.stderr].concat())
    };
    let backup = told(&["backup", "/tmp/no-copy.db"]);
    assert!(backup.contains("Permission denied"), "{backup}");
    for verb in [&["audit", "verify"][..], &["doctor"]] {
        let said = told(verb);
        assert!(said.contains("quarterdeck.db: Permission denied") && !said.contains("there is no store"), "{verb:?}: {said}");
    }
    std::fs::set_permissions(dir.path(), Permissions::from_mode(0o700)).unwrap();
}
