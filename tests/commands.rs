//! Every command as a person or a script runs it: the real binary against a running `serve`.

mod harness;

use std::process::{Output, Stdio};

use harness::deck::{Deck, command};
use harness::scene::{Scene, start_in};
use serde_json::{Value, json};

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// One sentence on standard error, nothing on standard output, this exit code.
#[track_caller]
fn fails(output: &Output, code: i32, with: &str) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(said.contains(with) && said.trim_end().lines().count() == 1, "{said:?} does not say {with:?}");
    assert_eq!(text(&output.stdout), "");
}

/// The keys of an object, in order.
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// A162
#[test]
fn status_is_the_documented_object() {
    let deck = Deck::start(&[]);
    let mut status = deck.json(&["status"]);
    let listen = status["listen"][0].as_str().unwrap().to_owned();
    assert_eq!(deck.origin, format!("http://localhost:{}", listen.rsplit(':').next().unwrap()));
    assert!(status["uptime_s"].is_u64());
    for (key, placeholder) in [("version", "…"), ("listen", "…"), ("state_dir", "…"), ("public_url", "…"), ("uptime_s", "…")]
    {
        status[key] = json!(placeholder);
    }
    insta::assert_json_snapshot!(status, @r#"
    {
      "version": "…",
      "public_url": "…",
      "listen": "…",
      "state_dir": "…",
      "host": "embedded",
      "passkeys": 0,
      "connections": 0,
      "waiting": 0,
      "uptime_s": "…"
    }
    "#);
}

/// A159
#[test]
fn passkeys_connections_and_revoke_answer_as_documented() {
    let deck = Deck::start(&[]);
    let link = deck.json(&["passkey", "add"]);
    assert_eq!(keys(&link), ["url", "expires_at"]);
    assert!(link["url"].as_str().unwrap().starts_with(&format!("{}/enroll#", deck.origin)));
    assert_eq!(deck.json(&["passkey", "list"]), json!([]));
    assert_eq!(deck.json(&["connections"]), json!([]));
    fails(&deck.run(&["passkey", "remove", "0123"]), 1, "no passkey 0123");
    fails(&deck.run(&["revoke", "nobody"]), 1, "no connection named nobody");
    fails(&deck.run(&["scopes", "nobody"]), 1, "no connection named nobody");
}

/// The documented answers, whole, of a host that has one of everything. What differs from run to run is replaced, its form checked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[allow(clippy::too_many_lines, reason = "one story")]
async fn what_a_host_in_use_answers_is_as_documented() {
    let scene = Scene::new().await;
    scene.wire.call(&scene.token, "GetContext", json!({})).await.unwrap();
    let mut passkeys = scene.deck.json(&["passkey", "list"]);
    let mut connections = scene.deck.json(&["connections"]);
    let id = passkeys[0]["id"].as_str().unwrap().to_owned();
    assert!(id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
    for (one, key) in [(&mut passkeys[0], "id"), (&mut connections[0], "grant")] {
        one[key] = json!("…");
        for moment in ["created_at", "last_used_at"] {
            one[moment].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
            one[moment] = json!("…");
        }
    }
    // The hour may turn between the call and the question.
    let by_hour = connections[0]["calls_by_hour"].as_array().unwrap().iter().map(|calls| calls.as_i64().unwrap());
    assert_eq!((by_hour.len(), by_hour.sum::<i64>()), (24, 1));
    connections[0]["calls_by_hour"] = json!("…");
    let added =
        scene.deck.json(&["client", "add", "helper", "--redirect", "http://127.0.0.1/a", "--redirect", "http://localhost/b"]);
    let all = json!({
        "passkey list": passkeys,
        "passkey remove": text(&scene.deck.run(&["passkey", "remove", &id, "--json"]).stderr),
        "connections": connections,
        "client add": added,
        "client list": scene.deck.json(&["client", "list"]),
        "client remove": scene.deck.json(&["client", "remove", "helper"]),
        "revoke": scene.deck.json(&["revoke", "dots"]),
    });
    insta::assert_json_snapshot!(all, @r#"
    {
      "passkey list": [
        {
          "id": "…",
          "label": "test",
          "created_at": "…",
          "last_used_at": "…"
        }
      ],
      "passkey remove": "quarterdeck: this is the last passkey, and there are connections: revoke them first, or enroll another passkey\n",
      "connections": [
        {
          "name": "dots",
          "grant": "…",
          "client_id": "https://deck.example.com/clients/quarterdeck",
          "client_name": "quarterdeck",
          "scopes": [
            "context:read",
            "memory:read",
            "events:read",
            "sessions:read",
            "sessions:notify",
            "experience:write"
          ],
          "created_at": "…",
          "last_used_at": "…",
          "calls_24h": 1,
          "calls_by_hour": "…",
          "state": "live"
        }
      ],
      "client add": {
        "client_id": "https://deck.example.com/clients/helper",
        "redirect_uris": [
          "http://127.0.0.1/a",
          "http://localhost/b"
        ]
      },
      "client list": [
        {
          "client_id": "https://deck.example.com/clients/helper",
          "redirect_uris": [
            "http://127.0.0.1/a",
            "http://localhost/b"
          ]
        }
      ],
      "client remove": {
        "removed": "helper"
      },
      "revoke": {
        "name": "dots",
        "client_id": "https://deck.example.com/clients/quarterdeck",
        "voided_approvals": 0
      }
    }
    "#);
    fails(&scene.deck.run(&["passkey", "remove", &id[..1]]), 1, "at least 4 characters");
    assert_eq!(scene.deck.json(&["passkey", "remove", &id[..4]]), json!({ "removed": &id[..4], "left": 0 }));
}

/// A165
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_removes_the_last_passkey_is_told_what_that_means_and_what_to_do() {
    let scene = Scene::enrolled(start_in(tempfile::tempdir().unwrap()), "only").await;
    let id = scene.deck.json(&["passkey", "list"])[0]["id"].as_str().unwrap().to_owned();
    let said = text(&scene.deck.run(&["passkey", "remove", &id]).stdout);
    assert!(said.contains("It was the last one: nobody can be let in") && said.contains("quarterdeck passkey add"), "{said}");
}

/// A161
#[test]
fn names_that_hide_something_are_marked_in_the_answer() {
    let deck = Deck::start(&[]);
    fails(&deck.run(&["revoke", "a\u{1b}[31m\u{202e}b"]), 1, "a⟨U+001B⟩[31m⟨U+202E⟩b");
}

#[test]
fn options_may_stand_before_or_after_the_verb() {
    let deck = Deck::start(&[]);
    let dir = deck.dir.path().to_str().unwrap();
    for arguments in [["--json", "--state-dir", dir, "status"], ["status", "--state-dir", dir, "--json"]] {
        let output = command(tempfile::tempdir().unwrap().path()).args(arguments).output().unwrap();
        let status: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(status["state_dir"], dir);
    }
}

#[test]
fn what_people_read_is_aligned_lines() {
    let deck = Deck::start(&[]);
    let status = text(&deck.run(&["status"]).stdout);
    assert!(status.contains(&format!("address        {}/mcp\n", deck.origin)), "{status}");
    assert_eq!(text(&deck.run(&["connections"]).stdout), "No assistant is connected.\n");
}

/// A168
#[test]
fn without_a_host_a_command_ends_with_four_and_says_how_to_start_one() {
    let dir = tempfile::tempdir().unwrap();
    for arguments in [&["status"][..], &["connections"], &["revoke", "dots"], &["passkey", "add"], &["client", "list"]] {
        fails(&command(dir.path()).args(arguments).output().unwrap(), 4, "no host is running");
    }
}

#[test]
fn wrong_usage_ends_with_two() {
    let dir = tempfile::tempdir().unwrap();
    for arguments in [&["dance"][..], &["revoke"], &["passkey"], &["client", "add", "x"], &["status", "--loud"]] {
        let output = command(dir.path()).args(arguments).output().unwrap();
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()), "{arguments:?}");
    }
}

#[test]
fn without_a_terminal_there_is_no_control_center() {
    let dir = tempfile::tempdir().unwrap();
    fails(&command(dir.path()).output().unwrap(), 1, "needs a terminal");
}

#[test]
fn the_version_is_one_line() {
    let output = command(tempfile::tempdir().unwrap().path()).arg("--version").output().unwrap();
    assert_eq!(text(&output.stdout), format!("quarterdeck {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_backup_is_made_with_and_without_a_host_and_verifies() {
    let deck = Deck::start(&[]);
    let copy = deck.dir.path().join("copy.db");
    let answer = deck.json(&["backup", copy.to_str().unwrap()]);
    assert_eq!(answer, json!({ "path": copy, "bytes": std::fs::metadata(&copy).unwrap().len() }));
    fails(&deck.run(&["backup", copy.to_str().unwrap()]), 1, "copy.db");
    let dir = deck.kill();
    let offline = dir.path().join("offline.db");
    let output = command(dir.path()).args(["backup", offline.to_str().unwrap()]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(std::fs::metadata(offline).unwrap().len() > 0);
}

#[test]
fn the_audit_verifies_with_and_without_a_host_and_remembers_its_end() {
    let deck = Deck::start(&[]);
    let first = deck.json(&["audit", "verify"]);
    assert_eq!((keys(&first), first["result"].as_str()), (vec!["result", "seq"], Some("intact")));
    let head = deck.dir.path().join("config/quarterdeck/head.json");
    let read = || serde_json::from_slice::<Value>(&std::fs::read(&head).unwrap()).unwrap();
    let here = deck.dir.path().canonicalize().unwrap().to_str().unwrap().to_owned();
    let remembered = read()[&here].clone();
    assert_eq!((keys(&remembered), &remembered["seq"]), (vec!["seq", "hash", "key"], &first["seq"]));

    let dir = deck.kill();
    let verify = || command(dir.path()).args(["audit", "verify"]).output().unwrap().status.code();
    let remember = |seq: i64, hash: &Value, key: &Value| {
        std::fs::write(&head, json!({ &here: { "seq": seq, "hash": hash, "key": key } }).to_string()).unwrap();
    };
    assert_eq!(verify(), Some(0));
    remember(999, &remembered["hash"], &remembered["key"]);
    assert_eq!(verify(), Some(11));
    remember(1, &json!("00".repeat(32)), &remembered["key"]);
    assert_eq!(verify(), Some(10));
    remember(1, &remembered["hash"], &json!("another"));
    assert_eq!(verify(), Some(12));
    std::fs::write(&head, "{").unwrap();
    assert_eq!(verify(), Some(1));
}

#[test]
fn one_configuration_remembers_the_audit_of_every_state_directory_by_itself() {
    let config = tempfile::tempdir().unwrap();
    let decks = [Deck::start(&[]), Deck::start(&[])];
    let verify = |dir: &std::path::Path| {
        let mut verify = command(dir);
        verify.env("XDG_CONFIG_HOME", config.path()).args(["audit", "verify"]).output().unwrap().status.code()
    };
    for deck in decks.iter().chain(&decks) {
        assert_eq!(verify(deck.dir.path()), Some(0));
    }
    // Another key in a directory that was seen before, with everything signed by it.
    let [mine, other] = decks.map(Deck::kill);
    for file in ["audit.key", "quarterdeck.db", "quarterdeck.db-wal"] {
        std::fs::copy(other.path().join(file), mine.path().join(file)).unwrap();
    }
    assert_eq!(verify(mine.path()), Some(12));
    assert_eq!(verify(other.path()), Some(0));
}

#[test]
fn the_audit_of_an_empty_directory_could_not_be_checked_and_nothing_is_made_there() {
    let dir = tempfile::tempdir().unwrap();
    fails(&command(dir.path()).args(["audit", "verify"]).output().unwrap(), 1, "there is no store");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_configuration_is_checked_without_a_host() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("deck.toml");
    std::fs::write(&file, "[log]\nkeep_days = 3\n").unwrap();
    let check = || command(dir.path()).args(["config", "check", "--json", "--config"]).arg(&file).output().unwrap();
    let answer: Value = serde_json::from_slice(&check().stdout).unwrap();
    let set = json!([{ "key": "log.keep_days", "value": "3", "from": format!("{} line 2", file.display()) }]);
    assert_eq!(answer, json!({ "file": file, "state_dir": dir.path(), "set": set }));
    std::fs::write(&file, "[log]\nkeep_dais = 3\n").unwrap();
    fails(&check(), 1, "line 2");
    std::fs::create_dir(dir.path().join("themes")).unwrap();
    std::fs::write(dir.path().join("themes/mine.toml"), "\nok = { fg = \"bleu\" }\n").unwrap();
    std::fs::write(&file, "terminal.theme = \"mine\"\n").unwrap();
    fails(&check(), 1, "themes/mine.toml line 2: ok.fg must be");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let deck = Deck::start(&[]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command(deck.dir.path()).arg("status").stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
    let output = output.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}
