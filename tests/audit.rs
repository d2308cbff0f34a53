//! The audit and the journal as a person or a script reads them: the real binary against a running `serve`.

mod harness;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Output, Stdio};

use harness::deck::{Deck, command};
use harness::scene::Scene;
use quarterdeck::control::{Client, Request};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What a run printed, one JSON value per line.
fn rows(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{output:?}");
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn numbers(rows: &[Value]) -> Vec<i64> {
    rows.iter().map(|row| row["seq"].as_i64().unwrap()).collect()
}

/// One sentence on standard error, nothing on standard output, this exit code.
#[track_caller]
fn fails(output: &Output, code: i32, with: &str) {
    let said = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(code), String::new()), "{said}");
    assert!(said.contains(with), "{said:?} does not say {with:?}");
}

/// Many records, each a request of its own.
async fn records(deck: &Deck, many: usize) {
    let client = Client::connect(deck.dir.path()).await.unwrap();
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let client = client.clone();
        asking.spawn(async move {
            for _ in 0..many / 8 {
                client.request(Request::PasskeyAdd).await.unwrap();
            }
        });
    }
    asking.join_all().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_newest_records_are_printed_oldest_first_and_narrowed_by_flags_and_words() {
    let deck = Deck::start(&[]);
    records(&deck, 64).await;
    let read = |arguments: &[&str]| rows(&deck.run(&[&["audit", "--json"], arguments].concat()));
    assert_eq!(numbers(&read(&[])), (16..=65).collect::<Vec<_>>());
    assert_eq!(numbers(&read(&["--limit", "3"])), [63, 64, 65]);
    assert_eq!(numbers(&read(&["--limit", "9999"])), (1..=65).collect::<Vec<_>>());
    for narrowed in [
        &["--kind", "host.*"][..],
        &["--what", "HOST.started"],
        &["what:host.*", "--since", "1h"],
        &["--who", "system"],
        &["host.started"],
        &["who:system outcome:ok"],
    ] {
        assert_eq!(numbers(&read(narrowed)), [1], "{narrowed:?}");
    }
    assert_eq!(read(&["--outcome", "refused"]), [] as [Value; 0]);
    let people = text(&deck.run(&["audit", "--limit", "2"]).stdout);
    assert_eq!(people.lines().filter(|line| line.contains("ok       passkey.link_issued")).count(), 2, "{people}");
    let csv = text(&deck.run(&["audit", "--csv", "--limit", "2"]).stdout);
    assert_eq!((csv.lines().count(), csv.starts_with("seq,at,actor,"), csv.matches("\r\n").count()), (3, true, 3), "{csv}");
}

#[test]
fn what_cannot_be_understood_is_wrong_usage_and_never_read_as_something_else() {
    let deck = Deck::start(&[]);
    for (arguments, says) in [
        (&["audit", "wat:x"][..], "no filter is named \"wat\""),
        (&["audit", "--since", "soon"], "\"soon\" is no time"),
        (&["journal", "--since", "soon"], "\"soon\" is no time"),
        (&["audit", "--since", "1h", "since:2h"], "only once"),
        (&["audit", "--outcome", "denied"], "refused"),
        (&["audit", "--limit", "0"], "--limit"),
        (&["audit", "--csv", "--json"], "--json"),
        (&["audit", "--since", "1h", "verify"], "right after audit"),
        (&["audit", "who:dots", "export", "file"], "right after audit"),
    ] {
        fails(&deck.run(arguments), 2, says);
    }
    let verified: Value = serde_json::from_slice(&deck.run(&["audit", "--json", "verify"]).stdout).unwrap();
    assert_eq!(verified["result"], "intact");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_has_every_record_once_is_private_and_replaces_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    let deck = Deck::start(&[]);
    records(&deck, 1200).await;
    let path = deck.dir.path().join("audit.jsonl");
    let export = |arguments: &[&str]| deck.run(&[&["audit", "export", path.to_str().unwrap()], arguments].concat());
    assert_eq!(text(&export(&[]).stdout), format!("1201 records are in {}.\n", path.display()));
    let written = std::fs::read_to_string(&path).unwrap();
    let written: Vec<Value> = written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(numbers(&written), (1..=1201).collect::<Vec<_>>());
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    fails(&export(&[]), 1, "exists already");
    std::fs::remove_file(&path).unwrap();
    assert_eq!(export(&["--csv", "--kind", "host.*"]).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 2);
    fails(&deck.run(&["audit", "export", "/no/such/folder/file"]), 1, "/no/such/folder/file");
}

/// What a following command prints.
struct Following {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Following {
    fn of(deck: &Deck, arguments: &[&str]) -> Following {
        let mut child = command(deck.dir.path())
            .args(["audit", "--follow", "--json"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Following { child, out }
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"))
    }

    fn until(&mut self, last: i64) -> Vec<i64> {
        let mut seen: Vec<i64> = Vec::new();
        while seen.last() != Some(&last) {
            let seq = self.next()["seq"].as_i64().unwrap();
            assert!(seen.last().is_none_or(|before| seq == before + 1), "{seq} comes after {:?}", seen.last());
            seen.push(seq);
        }
        seen
    }

    fn end(self) -> (Option<i32>, String) {
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), text(&output.stderr))
    }
}

/// The reader of the output stands still for longer than the pipe, the socket and the host keep.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_follower_that_lags_prints_every_record_once_and_ends_with_ctrl_c() {
    let deck = Deck::start(&[]);
    let mut following = Following::of(&deck, &[]);
    assert_eq!(following.until(1), [1]);
    records(&deck, 4000).await;
    assert_eq!(following.until(4001), (2..=4001).collect::<Vec<_>>());
    records(&deck, 8).await;
    assert_eq!(following.until(4009), (4002..=4009).collect::<Vec<_>>());
    kill_process(Pid::from_child(&following.child), Signal::INT).unwrap();
    assert_eq!(following.end(), (Some(0), String::new()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_follower_prints_what_fits_and_ends_with_four_when_the_host_does() {
    let mut deck = Deck::start(&[]);
    let mut following = Following::of(&deck, &["what:host.*"]);
    assert_eq!(following.next()["kind"], "host.started");
    records(&deck, 8).await;
    deck.signal(Signal::TERM);
    let (code, said) = following.end();
    assert_eq!(code, Some(4));
    assert!(said.contains("the host has stopped"), "{said}");
    for arguments in [&["audit"][..], &["audit", "--follow"], &["audit", "export", "x"], &["journal"]] {
        fails(&deck.run(arguments), 4, "no host is running");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_journal_is_read_oldest_first_and_narrowed() {
    let scene = Scene::new().await;
    for said in ["first", "second", "third"] {
        scene.wire.record(&scene.token, said).await.unwrap();
    }
    let read = |arguments: &[&str]| {
        let entries = scene.deck.json(&[&["journal"], arguments].concat());
        let entries = entries.as_array().unwrap().iter();
        entries.map(|entry| entry["said"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(read(&[]), ["first", "second", "third"]);
    assert_eq!(read(&["--limit", "2", "--from", "dots", "--since", "1h", "--type", "external.record"]), ["second", "third"]);
    assert_eq!(read(&["--from", "nobody"]), [] as [&str; 0]);
    let people = text(&scene.deck.run(&["journal", "--limit", "1"]).stdout);
    assert!(people.contains("external.record  dots:test") && people.contains("  said      third"), "{people}");
}
