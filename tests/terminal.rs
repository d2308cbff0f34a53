//! The control center in a real terminal: it is given back as it was, however the program ends, and nothing paints over it.

use std::io::{Read as _, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// How long anything may take on a slow machine.
const PATIENCE: Duration = Duration::from_secs(30);
const SHELL: &str = "/bin/sh";

/// What the terminal shows, and whether its other end is closed.
struct Shown {
    parser: vt100::Parser,
    raw: Vec<u8>,
    closed: bool,
}

/// A terminal with a program in it.
struct Pty {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    shown: Arc<(Mutex<Shown>, Condvar)>,
    /// The terminal's settings before the program began.
    before: String,
}

impl Pty {
    fn open(mut command: CommandBuilder, dir: &Path) -> Pty {
        let pair = native_pty_system().openpty(size(24, 80)).unwrap();
        for name in ["NO_COLOR", "COLORTERM", "TMUX", "SSH_CONNECTION", "LC_ALL"] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("QUARTERDECK_STATE_DIR", dir);
        command.env("XDG_CONFIG_HOME", dir.join("config"));
        let before = format!("{:?}", pair.master.get_termios());
        let child = pair.slave.spawn_command(command).unwrap();
        let parser = vt100::Parser::new(NonZeroU16::new(24).unwrap(), NonZeroU16::new(80).unwrap(), 0);
        let shown = Arc::new((Mutex::new(Shown { parser, raw: Vec::new(), closed: false }), Condvar::new()));
        let (mut reader, sink) = (pair.master.try_clone_reader().unwrap(), Arc::clone(&shown));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                let read = reader.read(&mut bytes).unwrap_or(0);
                let mut shown = sink.0.lock().unwrap();
                shown.parser.process(&bytes[..read]);
                shown.raw.extend_from_slice(&bytes[..read]);
                shown.closed = read == 0;
                sink.1.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Pty { master: pair.master, keys, child, shown, before }
    }

    /// The control center with a host of its own.
    fn start(dir: &Path, rehearse: Option<&str>) -> Pty {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_quarterdeck"));
        command.args(["--listen", "127.0.0.1:0"]);
        if let Some(fault) = rehearse {
            command.env("DECK_REHEARSE", fault);
        }
        Pty::open(command, dir)
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the terminal shows it; whether it did in time.
    fn shows(&self, within: Duration, what: impl Fn(&Shown) -> bool) -> bool {
        let shown = self.shown.0.lock().unwrap();
        let (_shown, timeout) = self.shown.1.wait_timeout_while(shown, within, |shown| !what(shown)).unwrap();
        !timeout.timed_out()
    }

    fn until(&self, text: &str) {
        let there = self.shows(PATIENCE, |shown| shown.parser.screen().contents().contains(text));
        assert!(there, "no {text:?} in:\n{}", self.contents());
    }

    /// Says yes to the question on the screen: not before it hears, so again until it is gone.
    fn confirm(&mut self, done: impl Fn(&Shown) -> bool) {
        let answered = (0..50).any(|_| {
            self.press("Y");
            self.shows(Duration::from_millis(600), &done)
        });
        assert!(answered, "{}", self.contents());
    }

    fn contents(&self) -> String {
        self.shown.0.lock().unwrap().parser.screen().contents()
    }

    fn ended(&mut self) -> ExitStatus {
        let closed = self.shows(PATIENCE, |shown| shown.closed || ended_alternate(shown));
        assert!(closed, "it goes on:\n{}", self.contents());
        self.child.wait().unwrap()
    }

    fn assert_restored(&self) {
        let shown = self.shown.0.lock().unwrap();
        let screen = shown.parser.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste());
        let raw = String::from_utf8_lossy(&shown.raw);
        for (on, off) in [("\x1b[?1004h", "\x1b[?1004l"), ("\x1b[22;2t", "\x1b[23;2t"), ("\x1b[?2026h", "\x1b[?2026l")] {
            assert!(raw.rfind(on) < raw.rfind(off), "{on:?} is not taken back by {off:?}");
        }
        assert_eq!(format!("{:?}", self.master.get_termios()), self.before);
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// It was on the alternate screen and is not any more.
fn ended_alternate(shown: &Shown) -> bool {
    let raw = String::from_utf8_lossy(&shown.raw);
    raw.contains("\x1b[?1049h") && !shown.parser.screen().alternate_screen()
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

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
    pty.until("Stopped");
    let screen_is_plain = |shown: &Shown| !shown.parser.screen().hide_cursor() && !shown.parser.screen().bracketed_paste();
    assert!(pty.shows(PATIENCE, screen_is_plain));
    pty.press("stty -a | tr ';' '\\n' | grep -w icanon; echo is $((40+2))\n");
    pty.until("is 42");
    assert!(pty.contents().contains(" icanon"), "the shell reads lines again:\n{}", pty.contents());
    pty.press("fg\n");
    pty.until("Press p to enroll a passkey");
    assert!(pty.shows(PATIENCE, |shown| shown.parser.screen().alternate_screen()));
    pty.press("q");
    pty.until("Leave and stop the host?");
    pty.confirm(ended_alternate);
    pty.press("exit\n");
    pty.child.wait().unwrap();
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

#[test]
fn a_terminal_that_cannot_draw_is_told_what_to_run_instead() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new(SHELL);
    command.args(["-c", &format!("TERM=dumb {}", env!("CARGO_BIN_EXE_quarterdeck"))]);
    let mut pty = Pty::open(command, dir.path());
    pty.until("quarterdeck serve");
    assert!(pty.shows(PATIENCE, |shown| shown.closed));
    assert!(!pty.child.wait().unwrap().success());
}
