//! Plain mode in a real terminal: lines only, and nothing that ends something without its name.

mod harness;

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use harness::deck::{Deck, command};
use harness::pty::{PATIENCE, Pty, Shown};
use harness::scene::Scene;
use portable_pty::CommandBuilder;

/// Plain mode in a terminal that cannot do anything else.
fn dumb(dir: &Path, arguments: &str) -> Pty {
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c", &format!("TERM=dumb exec {} {arguments}", env!("CARGO_BIN_EXE_quarterdeck"))]);
    Pty::open(command, dir)
}

fn raw(pty: &Pty) -> String {
    String::from_utf8(pty.shown.0.lock().unwrap().raw.clone()).unwrap()
}

/// Waits until it was printed so often.
fn until(pty: &Pty, text: &str, times: usize) {
    let there = |shown: &Shown| String::from_utf8_lossy(&shown.raw).matches(text).count() >= times;
    assert!(pty.shows(PATIENCE, there), "{text:?} is not printed {times} times:\n{}", raw(pty));
}

/// Types a line and waits until the terminal has echoed it.
fn types(pty: &mut Pty, line: &str) {
    pty.press(&format!("{line}\n"));
}

/// A person who thinks before the answer.
fn answers(pty: &mut Pty, line: &str) {
    pty.shows(Duration::from_millis(900), |_| false);
    types(pty, line);
}

fn assert_plain(pty: &Pty) {
    let said = raw(pty);
    assert!(!said.contains('\u{1b}') && said.is_ascii(), "{said:?}");
}

#[test]
fn a_host_in_this_process_is_led_with_lines_alone_and_stops_when_it_was_asked_to() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = dumb(dir.path(), "--listen 127.0.0.1:0");
    until(&pty, "Type help for the commands.", 1);
    until(&pty, "> ", 1);
    types(&mut pty, "enroll");
    until(&pty, "/enroll#", 1);
    until(&pty, "It works once", 1);
    types(&mut pty, "audit what:host.started");
    until(&pty, "record 1, ", 1);
    types(&mut pty, "verify");
    until(&pty, "The audit is intact", 1);
    types(&mut pty, "leave");
    until(&pty, "Type stop to stop the host", 1);
    answers(&mut pty, "");
    until(&pty, "Staying: the host goes on.", 1);
    types(&mut pty, "leave");
    until(&pty, "Type stop to stop the host", 2);
    answers(&mut pty, "stop");
    until(&pty, "The host is stopped.", 1);
    assert!(pty.ended().success());
    assert_plain(&pty);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attached_one_revokes_by_the_name_and_by_nothing_else() {
    let scene = Scene::new().await;
    let mut pty = dumb(scene.deck.dir.path(), "");
    until(&pty, "1 connection: dots.", 1);
    assert_eq!(scene.tools().await.status, 200);
    until(&pty, "dots: mcp.request", 1);
    // A paste: the question, its answer, and more.
    pty.press("revoke dots\ndots\nrevoke dots\ndots\n");
    until(&pty, "Type dots to do it.", 1);
    answers(&mut pty, "nobody");
    until(&pty, "That is not dots. Cancelled", 1);
    assert_eq!(scene.tools().await.status, 200);
    types(&mut pty, "revoke dots");
    until(&pty, "Type dots to do it.", 2);
    answers(&mut pty, "dots");
    until(&pty, "dots is revoked", 1);
    assert_eq!(scene.tools().await.status, 401);
    types(&mut pty, "leave");
    until(&pty, "Left. The host was not touched.", 1);
    assert!(pty.ended().success());
    assert_plain(&pty);
    assert_eq!(raw(&pty).matches("Revoke dots?").count(), 2, "what was pasted behind the command is not run");
}

#[test]
fn a_host_that_stops_is_said_and_what_needs_it_is_refused() {
    let mut deck = Deck::start(&[]);
    let mut pty = dumb(deck.dir.path(), "");
    until(&pty, "leaving leaves it as it is", 1);
    deck.signal(rustix::process::Signal::TERM);
    until(&pty, "not connected to the host any more", 1);
    types(&mut pty, "enroll");
    until(&pty, "this works when it is back", 1);
    pty.press("\x03");
    assert!(pty.ended().success());
    assert_plain(&pty);
}

#[test]
fn ctrl_c_twice_leaves_and_ends_the_host_in_this_process() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = dumb(dir.path(), "--listen 127.0.0.1:0");
    until(&pty, "> ", 1);
    pty.press("\x03");
    until(&pty, "Leave and stop the host?", 1);
    pty.press("\x03");
    until(&pty, "The host is stopped.", 1);
    assert!(pty.ended().success());
    assert_plain(&pty);
}

/// What `lines` are answered with when they come from a pipe.
fn piped(dir: &Path, arguments: &[&str], lines: &str) -> String {
    let mut child = command(dir).arg("--plain").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success(), "{said}");
    said
}

#[test]
fn a_script_is_answered_in_its_order_and_its_end_stops_the_host() {
    let dir = tempfile::tempdir().unwrap();
    let said =
        piped(dir.path(), &["--listen", "127.0.0.1:0"], "new-client notes http://127.0.0.1/cb\nremove notes\nnotes\nverify\n");
    let places = [
        "client id ",
        "use \"quarterdeck client remove notes\"",
        "There is no command \"notes\"",
        "The audit is intact",
        "The input has ended: the host in this process stops.",
        "The host is stopped.",
    ]
    .map(|text| said.find(text).unwrap_or_else(|| panic!("no {text:?} in {said}")));
    assert!(places.is_sorted(), "{said}");
    assert!(!said.contains("> ") && !said.contains('\u{1b}') && said.is_ascii(), "{said}");
}

#[test]
fn the_end_of_a_script_leaves_a_host_of_its_own_alone() {
    let deck = Deck::start(&[]);
    let said = piped(deck.dir.path(), &[], "connections\n");
    assert!(said.contains("no client document") && said.contains("Left. The host was not touched."), "{said}");
    assert_eq!(deck.json(&["status"])["connections"], 0);
}
