//! Starting, stopping and being killed: the real binary.

mod harness;

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use harness::deck::{Deck, command};
use quarterdeck::control::{Client, Reply, Request};
use rustix::process::Signal;

/// What `serve` says when it cannot start: one sentence, exit code 1.
#[track_caller]
fn refused(dir: &Path, arguments: &[&str]) -> String {
    let output = command(dir).args(["serve", "--listen", "127.0.0.1:0"]).args(arguments).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    said
}

#[test]
fn a_second_instance_is_told_who_is_there_and_how_to_attach() {
    let deck = Deck::start(&[]);
    let said = refused(deck.dir.path(), &[]);
    assert!(said.contains("another Quarterdeck (process ") && said.contains("attach"), "{said}");
    assert!(deck.run(&["status"]).status.success());
}

#[test]
fn a_taken_port_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let dir = tempfile::tempdir().unwrap();
    let output = command(dir.path()).args(["serve", "--listen", &address]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(&address) && said.contains("--listen"), "{said}");
}

#[test]
fn a_state_directory_that_cannot_be_used_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let said = refused(dir.path(), &["--state-dir", file.join("below").to_str().unwrap()]);
    assert!(said.contains("file/below cannot be used"), "{said}");
}

#[test]
fn bad_toml_names_file_and_line() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("deck.toml");
    std::fs::write(&file, "[log]\nfilter = \n").unwrap();
    let said = refused(dir.path(), &["--config", file.to_str().unwrap()]);
    assert!(said.contains("deck.toml line 2"), "{said}");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "how long a stop really takes is what is tested")]
fn term_and_int_stop_it_within_two_seconds_and_everything_is_written() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut deck = Deck::start(&[]);
        let begun = Instant::now();
        assert_eq!(deck.signal(signal).code(), Some(0), "{signal:?}");
        assert!(begun.elapsed() < Duration::from_secs(2), "{signal:?} took {:?}", begun.elapsed());
        let verified = deck.run(&["audit", "verify"]);
        assert_eq!(verified.status.code(), Some(0), "{verified:?}");
        assert_eq!(deck.run(&["status"]).status.code(), Some(4));
    }
}

/// A client that registers itself (RFC 7591) is told what to do instead.
#[tokio::test]
async fn whoever_asks_for_dynamic_registration_reads_how_a_client_is_added() {
    let deck = Deck::start(&[]);
    let asked = serde_json::json!({ "redirect_uris": ["http://127.0.0.1/callback"] });
    let answer = deck.wire().json("/register", &asked).await.unwrap();
    assert_eq!((answer.status, answer.json()["error"].as_str()), (404, Some("not_found")));
    let told = answer.json()["error_description"].as_str().unwrap().to_owned();
    assert!(told.contains("quarterdeck client add"), "{told}");
}

#[test]
fn everything_it_keeps_is_for_the_owner_only() {
    let deck = Deck::start(&[]);
    deck.json(&["passkey", "add"]);
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o077;
    for entry in walkdir::WalkDir::new(deck.dir.path()) {
        let path = entry.unwrap().into_path();
        assert_eq!(mode(&path), 0, "{}", path.display());
    }
    assert!(deck.dir.path().join("logs").read_dir().unwrap().count() > 0);
}

#[test]
fn killed_while_it_starts_for_the_first_time_it_starts_the_next_time() {
    for made in ["lock", "audit.key", "quarterdeck.db", "quarterdeck.db-wal", "quarterdeck.db-shm", "memory", "control.sock"] {
        let dir = tempfile::tempdir().unwrap();
        let mut starting = command(dir.path()).args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::null()).spawn().unwrap();
        while !dir.path().join(made).exists() {
            assert_eq!(starting.try_wait().unwrap(), None, "{made} was never made");
            std::thread::yield_now();
        }
        starting.kill().unwrap();
        starting.wait().unwrap();
        let deck = Deck::start_in(dir, &[]);
        assert_eq!(deck.run(&["audit", "verify"]).status.code(), Some(0), "{made}");
    }
}

#[tokio::test]
async fn killed_under_load_it_starts_again_nothing_answered_is_lost_and_the_audit_verifies() {
    let mut dir = tempfile::tempdir().unwrap();
    let mut answered = 0;
    for round in 0..20 {
        let deck = Deck::start_in(dir, &[]);
        let writers: Vec<_> = (0..4).map(|_| tokio::spawn(write_until_killed(deck.dir.path().to_owned()))).collect();
        let client = Client::connect(deck.dir.path()).await.unwrap();
        for _ in 0..round {
            assert!(matches!(client.request(Request::PasskeyAdd).await.unwrap(), Reply::EnrollLink(_)));
            answered += 1;
        }
        dir = deck.kill();
        for writer in writers {
            answered += writer.await.unwrap();
        }
        let verified = command(dir.path()).args(["audit", "verify", "--json"]).output().unwrap();
        assert_eq!(verified.status.code(), Some(0), "round {round}: {verified:?}");
        let found: serde_json::Value = serde_json::from_slice(&verified.stdout).unwrap();
        assert!(found["seq"].as_i64().unwrap() >= answered, "round {round}: {answered} were answered, {found}");
    }
}

/// How many links were answered before the host was gone.
async fn write_until_killed(dir: std::path::PathBuf) -> i64 {
    let Ok(client) = Client::connect(&dir).await else { return 0 };
    let mut answered = 0;
    while let Ok(Reply::EnrollLink(_)) = client.request(Request::PasskeyAdd).await {
        answered += 1;
    }
    answered
}
