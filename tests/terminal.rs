//! The control center in a real terminal: it is given back as it was, however the program ends, and nothing paints over it.

mod harness;

use std::path::Path;

use harness::pty::{PATIENCE, Pty, Shown, ended_alternate, size};
use portable_pty::CommandBuilder;

const SHELL: &str = "/bin/sh";

fn log_of(dir: &Path) -> String {
    let files = std::fs::read_dir(dir.join("logs")).unwrap();
    files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn terminal_is_restored_after_quit() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = Pty::start(dir.path(), None);
    pty.until("Press p to enroll a passkey");
    assert!(pty.shows(PATIENCE, |shown| shown.parser.screen().alternate_screen() && shown.parser.screen().bracketed_paste()));
    pty.press("q");
    pty.until("Leave and stop the host?");
    pty.confirm(ended_alternate);
    assert!(pty.ended().success());
    pty.assert_restored();
}

#[test]
fn terminal_is_restored_after_error() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = Pty::start(dir.path(), Some("error"));
    pty.until("a rehearsed error");
    assert_eq!(pty.ended().exit_code(), 1);
    pty.assert_restored();
}

#[test]
fn terminal_is_restored_after_panic() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = Pty::start(dir.path(), Some("panic"));
    pty.until("a rehearsed panic");
    pty.until("The log is");
    assert!(!pty.ended().success());
    pty.assert_restored();
    assert!(log_of(dir.path()).contains("a rehearsed panic"));
}

#[test]
fn terminal_is_restored_after_term_signal() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = Pty::start(dir.path(), None);
    pty.until("Press p to enroll a passkey");
    let id = i32::try_from(pty.child.process_id().unwrap()).unwrap();
    rustix::process::kill_process(rustix::process::Pid::from_raw(id).unwrap(), rustix::process::Signal::TERM).unwrap();
    pty.ended();
    pty.assert_restored();
}

#[test]
fn terminal_is_restored_after_suspend() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new(SHELL);
    command.arg("-i");
    command.env("PS1", "shell> ");
    let mut pty = Pty::open(command, dir.path());
    pty.until("shell>");
    pty.press(&format!("{} --listen 127.0.0.1:0\n", env!("CARGO_BIN_EXE_quarterdeck")));
    pty.until("Press p to enroll a passkey");
    pty.press("\x1a");
    pty.until("Suspend the host too?");
    pty.confirm(ended_alternate);
    pty.prompts_after("Stopped");
    let screen_is_plain = |shown: &Shown| !shown.parser.screen().hide_cursor() && !shown.parser.screen().bracketed_paste();
    assert!(pty.shows(PATIENCE, screen_is_plain));
    // What was typed once too often for the question is the shell's now: the line is cleared first.
    pty.press("\x15stty -a | tr ';' '\\n' | grep -w icanon; echo is $((40+2))\n");
    pty.until("is 42");
    assert!(pty.contents().contains(" icanon"), "the shell reads lines again:\n{}", pty.contents());
    pty.press("\x15fg\n");
    pty.until("Press p to enroll a passkey");
    assert!(pty.shows(PATIENCE, |shown| shown.parser.screen().alternate_screen()));
    pty.press("q");
    pty.until("Leave and stop the host?");
    pty.confirm(ended_alternate);
    pty.prompts_after("The host is stopped.");
    pty.press("\x15exit\n");
    pty.ended();
}

/// The answer looks like keys to whoever reads them, among them ones that lead somewhere.
#[test]
fn a_terminal_that_says_its_background_too_late_types_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_quarterdeck"));
    command.args(["--listen", "127.0.0.1:0"]);
    command.env("QUARTERDECK_TERMINAL_THEME", "auto");
    let mut pty = Pty::open(command, dir.path());
    pty.until("Press p to enroll a passkey");
    assert!(String::from_utf8_lossy(&pty.shown.0.lock().unwrap().raw).contains("\x1b]11;?"));
    // In pieces too: as keys they would open the palette and type into it.
    for piece in ["\x1b]11;rgb:", "ffff/ffff/ffff", "\x1b\\", "3"] {
        pty.press(piece);
    }
    pty.until("How an assistant connects");
    assert!(!pty.contents().contains("Command") && !pty.contents().contains("pasted"), "{}", pty.contents());
    pty.press("\x03\x03");
    pty.ended();
    pty.assert_restored();
}

#[test]
fn no_output_reaches_the_screen_from_logging() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = Pty::start(dir.path(), Some("noise"));
    pty.until("Press p to enroll a passkey");
    pty.press("?");
    pty.until("look at all facts");
    assert!(!String::from_utf8_lossy(&pty.shown.0.lock().unwrap().raw).contains("rehearsed"));
    pty.press("\x03");
    pty.press("\x03");
    assert!(pty.ended().success());
    let log = log_of(dir.path());
    assert!(log.contains("a rehearsed noise") && log.contains("a rehearsed log line"), "{log}");
}

#[test]
fn the_screen_follows_the_size() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = Pty::start(dir.path(), None);
    pty.until("Press p to enroll a passkey");
    pty.master.resize(size(10, 46)).unwrap();
    pty.until("This terminal is 46×10.");
    pty.master.resize(size(24, 80)).unwrap();
    pty.until("Press p to enroll a passkey");
    pty.press("\x03\x03");
    pty.ended();
    pty.assert_restored();
}

/// The window may change while the program starts: whatever the moment, the last size is the one that is drawn.
#[test]
fn a_size_that_changes_during_the_start_is_not_missed() {
    for moment in ["\x1b[?1049h", "\x1b[?2026h", "\x1b[?2026l"].repeat(3) {
        let dir = tempfile::tempdir().unwrap();
        let mut pty = Pty::start(dir.path(), None);
        assert!(pty.shows(PATIENCE, |shown| String::from_utf8_lossy(&shown.raw).contains(moment)));
        pty.master.resize(size(10, 46)).unwrap();
        pty.until("This terminal is 46×10.");
        // A key at the very moment of a resize is read with the next one: the reader's queue tells of one of the two (mio, edge-triggered).
        pty.answer("\x03", ended_alternate);
        pty.ended();
    }
}

#[test]
fn without_a_terminal_it_says_what_to_run_instead() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new(SHELL);
    command.args(["-c", &format!("{} < /dev/null", env!("CARGO_BIN_EXE_quarterdeck"))]);
    let mut pty = Pty::open(command, dir.path());
    pty.until("quarterdeck serve");
    assert!(pty.shows(PATIENCE, |shown| shown.closed));
    assert!(!pty.ended().success());
}
