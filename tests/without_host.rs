//! What works without a running host: the doctor, the configuration's check, completions.

mod harness;

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Output;

use harness::deck::{Deck, command};
use serde_json::{Value, json};

fn run(dir: &Path, arguments: &[&str]) -> Output {
    command(dir).args(arguments).output().unwrap()
}

/// What the doctor finds, and its exit code.
fn examined(dir: &Path, arguments: &[&str]) -> (Vec<Value>, i32) {
    let output = run(dir, &[&["doctor", "--json"], arguments].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let checks = report["checks"].as_array().unwrap().clone();
    let failed = checks.iter().filter(|check| check["level"] == "fail").count();
    assert_eq!(report["failed"], failed);
    (checks, output.status.code().unwrap())
}

/// What it says about `subject` at this level.
fn says(checks: &[Value], level: &str, subject: &str) -> String {
    let of = checks.iter().filter(|check| check["level"] == level && check["subject"] == subject);
    of.map(|check| format!("{} / {}\n", check["says"].as_str().unwrap(), check["next"].as_str().unwrap_or("-"))).collect()
}

#[test]
fn a_fresh_host_is_well_and_what_it_lacks_is_a_note() {
    let deck = Deck::start(&[]);
    let (checks, code) = examined(deck.dir.path(), &[]);
    assert_eq!(code, 0, "{checks:#?}");
    assert!(says(&checks, "ok", "host").contains(" runs in process "), "{checks:#?}");
    assert!(says(&checks, "ok", "public url").contains("is answered by this host"), "{checks:#?}");
    assert!(says(&checks, "ok", "audit").contains("as they were written"), "{checks:#?}");
    assert!(says(&checks, "note", "passkeys").contains("quarterdeck passkey add"), "{checks:#?}");
    assert!(!says(&checks, "ok", "clock").is_empty() && !says(&checks, "ok", "files").is_empty(), "{checks:#?}");
    let lines = String::from_utf8(run(deck.dir.path(), &["doctor"]).stdout).unwrap();
    assert!(lines.ends_with("Nothing is in the way.\n"), "{lines}");
}

#[test]
fn before_the_first_start_nothing_is_in_the_way_and_nothing_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state");
    let (checks, code) = examined(dir.path(), &["--state-dir", state.to_str().unwrap(), "--listen", "127.0.0.1:0"]);
    assert_eq!(code, 0, "{checks:#?}");
    assert!(says(&checks, "note", "files").contains("the first start makes it"), "{checks:#?}");
    assert!(!state.exists());
}

#[test]
fn a_taken_port_and_a_key_that_others_can_read_are_in_the_way() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let dir = Deck::start(&[]).kill();
    let key = dir.path().join("audit.key");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (checks, code) = examined(dir.path(), &["--listen", &address]);
    assert_eq!(code, 1);
    assert!(says(&checks, "fail", "port").starts_with(&format!("{address} is in use by ")), "{checks:#?}");
    assert!(says(&checks, "fail", "files").contains(&format!("chmod 600 {}", key.display())), "{checks:#?}");
    assert!(says(&checks, "note", "host").contains("none is running"), "{checks:#?}");
}

#[test]
fn a_configuration_that_cannot_be_used_is_what_the_doctor_finds() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("deck.toml");
    std::fs::write(&file, "[log]\nfilter = \n").unwrap();
    let (checks, code) = examined(dir.path(), &["--config", file.to_str().unwrap()]);
    assert_eq!((code, checks.len()), (1, 1));
    assert!(says(&checks, "fail", "configuration").contains("deck.toml line 2"), "{checks:#?}");
}

#[test]
fn what_is_not_the_default_is_shown_with_where_it_comes_from() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("deck.toml");
    std::fs::write(&file, "[limits]\nconnections = 9\nchallenges = 1000\n[log]\nkeep_days = 3\n").unwrap();
    let mut checking = command(dir.path());
    checking.args(["config", "check", "--json", "--config", file.to_str().unwrap(), "--listen", "127.0.0.1:1"]);
    let output = checking.env("QUARTERDECK_LOG_KEEP_DAYS", "4").output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        found["set"],
        json!([
            { "key": "assistants.listen", "value": "[\"127.0.0.1:1\"]", "from": "--listen" },
            { "key": "limits.connections", "value": "9", "from": format!("{} line 2", file.display()) },
            { "key": "log.keep_days", "value": "4", "from": "QUARTERDECK_LOG_KEEP_DAYS" },
        ])
    );
}

#[test]
fn every_shell_has_completions_that_know_the_verbs_also_with_a_broken_configuration() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("deck.toml");
    std::fs::write(&file, "=").unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(dir.path(), &["completions", shell, "--config", file.to_str().unwrap()]);
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && script.contains("doctor") && script.contains("passkey"), "{shell}: {script}");
    }
    assert_eq!(run(dir.path(), &["completions", "cmd"]).status.code(), Some(2));
    let help = run(dir.path(), &["completions", "--help"]).stdout;
    assert!(String::from_utf8(help).unwrap().contains("~/.config/fish/completions/quarterdeck.fish"));
}
