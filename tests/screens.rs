//! The screens in a real terminal, over a host with real connections: keys, the mouse, the pager, exports, and a host that is killed.

mod harness;

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use harness::deck::Deck;
use harness::demo::demo;
use harness::pty::{PATIENCE, Pty, Shown, ended_alternate};
use harness::scene::{Scene, start_in};
use portable_pty::CommandBuilder;

const SIZES: [(u16, u16); 2] = [(80, 24), (120, 40)];

/// The control center on `dir`, with `set` in its environment.
fn center(dir: &Path, size: (u16, u16), set: &[(&str, &str)]) -> Pty {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_quarterdeck"));
    command.args(["--listen", "127.0.0.1:0", "--public-url", harness::scene::ORIGIN]);
    for (name, value) in set {
        command.env(name, value);
    }
    Pty::sized(command, dir, size)
}

/// The same over the state of a host that is there: attached to it, or, when it was killed, with a host of its own.
fn both(scene: Scene, size: (u16, u16), mut run: impl FnMut(&mut Pty, &Path)) {
    let mut attached = center(scene.deck.dir.path(), size, &[]);
    run(&mut attached, scene.deck.dir.path());
    leave(&mut attached, None);
    let dir = scene.deck.kill();
    let mut own = center(dir.path(), size, &[]);
    own.until("in-process");
    run(&mut own, dir.path());
    leave(&mut own, Some("Leave and stop the host?"));
}

fn leave(pty: &mut Pty, question: Option<&str>) {
    pty.press("q");
    if let Some(question) = question {
        pty.until(question);
        pty.confirm(ended_alternate);
    }
    assert!(pty.ended().success(), "{}", pty.contents());
    pty.assert_restored();
}

fn raw(pty: &Pty) -> String {
    String::from_utf8_lossy(&pty.shown.0.lock().unwrap().raw).into_owned()
}

/// The selected row begins with the mark.
fn selected(name: &'static str) -> impl Fn(&Shown) -> bool {
    move |shown| shown.parser.screen().contents().contains(&format!("▌ {name}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_screens_are_walked_through_by_keys_attached_and_with_a_host_of_its_own() {
    for size in SIZES {
        both(demo().await, size, |pty, _| {
            pty.until("[1 Overview");
            pty.until("claude-web");
            pty.press("3");
            pty.until("[3 Connections]");
            pty.until("cursor-laptop");
            pty.press("7");
            pty.until("[7 Audit]");
            pty.until("following");
            pty.until("ReadMemory");
            pty.press("1");
            pty.until("[1 Overview");
            pty.until("cursor-laptop");
            pty.press("/codex");
            pty.until("/ codex");
            pty.press("\r");
            pty.until("command  ? help");
            pty.gone("cursor-laptop");
            pty.press("\x1b");
            pty.gone("/ codex");
            pty.until("cursor-laptop");
            pty.press(":blur");
            pty.until("blur contents for screen sharing");
            pty.press("\r");
            pty.until("contents are hidden; names and counts stay");
            pty.press(":blur");
            pty.until("blur contents for screen sharing");
            pty.press("\r");
            pty.until("contents are shown again");
        });
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_click_selects_a_row_and_a_tab_and_never_answers() {
    for size in SIZES {
        both(demo().await, size, |pty, _| {
            pty.until("codex-ci");
            pty.click("3 Connections");
            pty.until("[3 Connections]");
            pty.until("codex-ci");
            pty.click("claude-web");
            assert!(pty.shows(PATIENCE, selected("claude-web")), "{}", pty.contents());
            pty.click("codex-ci");
            assert!(pty.shows(PATIENCE, selected("codex-ci")), "{}", pty.contents());
            pty.press("R");
            pty.until("Revoke codex-ci?");
            pty.until("Y yes");
            pty.click("Y yes");
            pty.press("\x1b");
            pty.gone("Revoke codex-ci?");
            pty.until("codex-ci");
            pty.press("1");
            pty.until("[1 Overview");
        });
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_that_changes_its_size_keeps_the_question_that_is_open() {
    both(demo().await, (120, 40), |pty, _| {
        pty.until("codex-ci");
        pty.press("3");
        pty.until("[3 Connections]");
        pty.press("R");
        pty.until("Revoke ");
        pty.resize((46, 10));
        pty.until("This terminal is 46×10.");
        pty.press("Y");
        pty.resize((80, 24));
        pty.until("Revoke ");
        pty.press("\x1b");
        pty.gone("Revoke ");
        pty.resize((120, 40));
        pty.until("Waits for you");
        pty.press("1");
        pty.until("[1 Overview");
    });
}

/// A program that keeps what it is given on its standard input. The shell reads it, so nobody runs a file that is still open for writing.
fn pager(dir: &Path, then: &str) -> String {
    let script = dir.join("pager.sh");
    std::fs::write(&script, format!("cat > {}/read.txt\n{then}\n", dir.display())).unwrap();
    format!("sh {}", script.display())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_pager_gets_the_row_and_the_terminal_is_whole_afterwards_however_it_ended() {
    let scene = demo().await;
    let tools = tempfile::tempdir().unwrap();
    for (then, said) in [("exit 0", None), ("kill -9 $$", Some("killed by signal 9"))] {
        let program = pager(tools.path(), then);
        let mut pty = center(scene.deck.dir.path(), (120, 40), &[("PAGER", &program)]);
        pty.until("codex-ci");
        pty.press("3");
        pty.until("[3 Connections]");
        pty.press("o");
        if let Some(said) = said {
            pty.until(said);
        }
        pty.until("[3 Connections]");
        let read = tools.path().join("read.txt");
        assert!((0..200).any(|_| !pty.shows(PATIENCE / 600, |_| false)
            && std::fs::read_to_string(&read).is_ok_and(|text| text.contains("claude-code"))));
        std::fs::remove_file(read).unwrap();
        pty.press("1");
        pty.until("[1 Overview");
        assert!(pty.shows(PATIENCE, |shown| shown.parser.screen().alternate_screen() && shown.parser.screen().bracketed_paste()));
        leave(&mut pty, None);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_is_for_its_owner_only_and_overwrites_nothing() {
    both(demo().await, (120, 40), |pty, dir| {
        let file = dir.join("connections.csv");
        let _of_the_run_before = std::fs::remove_file(&file);
        pty.until("codex-ci");
        pty.press("3");
        pty.until("[3 Connections]");
        for (said, rows) in [("rows were written to", 5), ("exists", 5)] {
            pty.press("e");
            pty.until("Export to a new file");
            pty.press(&format!("\x15{}", file.display()));
            pty.until("connections.csv");
            pty.press("\r");
            pty.until(said);
            let text = std::fs::read_to_string(&file).unwrap();
            assert_eq!(text.lines().count(), rows, "{text}");
            assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        }
        pty.gone("Export to a new file");
        pty.press("1");
        pty.until("[1 Overview");
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_colour_none_is_sent_and_without_unicode_only_ascii() {
    let scene = demo().await;
    let mut plain = center(scene.deck.dir.path(), (80, 24), &[("NO_COLOR", "1")]);
    plain.until("codex-ci");
    let written = raw(&plain);
    for colour in ["\x1b[38;", "\x1b[48;", "\x1b[31m", "\x1b[36m"] {
        assert!(!written.contains(colour), "{colour:?} was sent");
    }
    leave(&mut plain, None);
    let mut ascii = center(scene.deck.dir.path(), (80, 24), &[("LANG", "C")]);
    ascii.until("codex-ci");
    ascii.press("3");
    ascii.until("[3 Connections]");
    let shown = ascii.contents();
    assert!(shown.is_ascii(), "{shown}");
    leave(&mut ascii, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_host_is_told_nothing_can_be_decided_and_one_that_comes_back_is_live_again() {
    for size in SIZES {
        let scene = demo().await;
        let mut pty = center(scene.deck.dir.path(), size, &[]);
        pty.until("codex-ci");
        pty.press("3");
        pty.until("[3 Connections]");
        let dir = scene.deck.kill();
        pty.until("not connected to the host");
        pty.press("R");
        pty.until("nothing can be changed from here");
        assert!(!pty.contents().contains("Revoke "), "{}", pty.contents());
        pty.until("codex-ci");
        let _back = start_in(dir);
        pty.press("r");
        pty.until("connected to the host again");
        pty.gone("not connected to the host");
        pty.press("R");
        pty.until("Revoke ");
        pty.press("\x1b");
        pty.gone("Revoke ");
        leave(&mut pty, None);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_control_center_that_is_killed_with_its_host_starts_again_as_if_nothing_had_been() {
    let dir = demo().await.deck.kill();
    let mut pty = center(dir.path(), (120, 40), &[]);
    pty.until("in-process");
    pty.until("codex-ci");
    pty.child.kill().unwrap();
    pty.child.wait().unwrap();
    let mut again = center(dir.path(), (120, 40), &[]);
    again.until("in-process");
    again.until("codex-ci");
    leave(&mut again, Some("Leave and stop the host?"));
    let deck = Deck::start_in(dir, &[]);
    assert_eq!(deck.run(&["audit", "verify"]).status.code(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attached_terminal_is_suspended_without_a_question_and_comes_back() {
    let scene = demo().await;
    let mut command = CommandBuilder::new("/bin/sh");
    command.arg("-i");
    command.env("PS1", "shell> ");
    let mut pty = Pty::sized(command, scene.deck.dir.path(), (120, 40));
    pty.until("shell>");
    pty.press(&format!("{}\n", env!("CARGO_BIN_EXE_quarterdeck")));
    pty.until("codex-ci");
    pty.press("\x1a");
    pty.prompts_after("Stopped");
    assert!(pty.shows(PATIENCE, |shown| !shown.parser.screen().alternate_screen() && !shown.parser.screen().hide_cursor()));
    assert!(!scene.deck.json(&["connections"]).as_array().unwrap().is_empty(), "the host goes on");
    pty.press("\x15fg\n");
    pty.until("codex-ci");
    assert!(pty.shows(PATIENCE, |shown| shown.parser.screen().alternate_screen()));
    pty.press("q");
    pty.prompts_after("Left. The host was not touched.");
    pty.press("\x15exit\n");
    pty.ended();
}
