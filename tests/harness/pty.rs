//! A program in a real terminal, and what the terminal shows.

use std::io::{Read as _, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

use super::deck::environment;

/// How long anything may take on a slow machine.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// What the terminal shows, and whether its other end is closed.
pub struct Shown {
    pub parser: vt100::Parser,
    pub raw: Vec<u8>,
    pub closed: bool,
}

/// A terminal with a program in it.
pub struct Pty {
    pub master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    pub child: Box<dyn Child + Send + Sync>,
    pub shown: Arc<(Mutex<Shown>, Condvar)>,
    /// The terminal's settings before the program began.
    before: String,
}

impl Pty {
    pub fn open(command: CommandBuilder, dir: &Path) -> Pty {
        Pty::sized(command, dir, (80, 24))
    }

    /// In a window of so many columns and rows. What `command` sets itself stays set.
    pub fn sized(mut command: CommandBuilder, dir: &Path, (columns, rows): (u16, u16)) -> Pty {
        let own: Vec<(String, String)> =
            command.iter_extra_env_as_str().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let pair = native_pty_system().openpty(size(rows, columns)).unwrap();
        for name in ["NO_COLOR", "COLORTERM", "TMUX", "SSH_CONNECTION", "LC_ALL", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        for (name, value) in environment(dir) {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            }
        }
        for (name, value) in own {
            command.env(name, value);
        }
        let before = format!("{:?}", pair.master.get_termios());
        let child = pair.slave.spawn_command(command).unwrap();
        let parser = vt100::Parser::new(NonZeroU16::new(rows).unwrap(), NonZeroU16::new(columns).unwrap(), 0);
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
    pub fn start(dir: &Path, rehearse: Option<&str>) -> Pty {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_quarterdeck"));
        command.args(["--listen", "127.0.0.1:0"]);
        if let Some(fault) = rehearse {
            command.env("DECK_REHEARSE", fault);
        }
        Pty::open(command, dir)
    }

    /// The control center attached to the host that runs on `dir`.
    pub fn attached(dir: &Path) -> Pty {
        Pty::open(CommandBuilder::new(env!("CARGO_BIN_EXE_quarterdeck")), dir)
    }

    /// A new size, of the terminal and of what is drawn of it.
    pub fn resize(&self, (columns, rows): (u16, u16)) {
        let mut shown = self.shown.0.lock().unwrap();
        shown.parser.set_size(NonZeroU16::new(rows).unwrap(), NonZeroU16::new(columns).unwrap());
        self.master.resize(size(rows, columns)).unwrap();
    }

    /// Waits until the text is not there any more.
    pub fn gone(&self, text: &str) {
        let gone = self.shows(PATIENCE, |shown| !shown.parser.screen().contents().contains(text));
        assert!(gone, "{text:?} is still in:\n{}", self.contents());
    }

    /// A click with the left button on the first cell that shows `text`.
    pub fn click(&mut self, text: &str) {
        self.until(text);
        let rows: Vec<String> = {
            let shown = self.shown.0.lock().unwrap();
            shown.parser.screen().rows(0, shown.parser.screen().size().1.get()).collect()
        };
        let found = rows.iter().zip(1..).find_map(|(row, y)| Some((row.split_once(text)?.0.chars().count() + 1, y)));
        let (x, y) = found.unwrap_or_else(|| panic!("no {text:?} in:\n{}", rows.join("\n")));
        self.press(&format!("\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m"));
    }

    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the terminal shows it; whether it did in time.
    pub fn shows(&self, within: Duration, what: impl Fn(&Shown) -> bool) -> bool {
        let shown = self.shown.0.lock().unwrap();
        let (_shown, timeout) = self.shown.1.wait_timeout_while(shown, within, |shown| !what(shown)).unwrap();
        !timeout.timed_out()
    }

    pub fn until(&self, text: &str) {
        let there = self.shows(PATIENCE, |shown| shown.parser.screen().contents().contains(text));
        assert!(there, "no {text:?} in:\n{}", self.contents());
    }

    /// Waits until a shell whose prompt is `shell> ` asks for a line again after `words`: until it does, what is typed is read by the program.
    pub fn prompts_after(&self, words: &str) {
        let prompt = |shown: &Shown| {
            let text = shown.parser.screen().contents();
            text.split(words).nth(1).is_some_and(|after| after.contains("shell>"))
        };
        assert!(self.shows(PATIENCE, prompt), "no prompt after {words:?} in:\n{}", self.contents());
    }

    /// Says yes to the question on the screen: not before it hears, so again until it is gone.
    pub fn confirm(&mut self, done: impl Fn(&Shown) -> bool) {
        self.answer("Y", done);
    }

    /// The same with another answer.
    pub fn answer(&mut self, key: &str, done: impl Fn(&Shown) -> bool) {
        let answered = (0..50).any(|_| {
            self.press(key);
            self.shows(Duration::from_millis(600), &done)
        });
        assert!(answered, "{}", self.contents());
    }

    pub fn contents(&self) -> String {
        self.shown.0.lock().unwrap().parser.screen().contents()
    }

    pub fn ended(&mut self) -> ExitStatus {
        let closed = self.shows(PATIENCE, |shown| shown.closed || ended_alternate(shown));
        assert!(closed, "it goes on:\n{}", self.contents());
        // Bounded too: a program that gave the terminal back and goes on is a failure, not a test that never ends.
        let status = (0..600).find_map(|_| {
            let ended = self.child.try_wait().unwrap();
            if ended.is_none() {
                self.shows(PATIENCE / 600, |_| false);
            }
            ended
        });
        status.unwrap_or_else(|| panic!("it goes on:\n{}", self.contents()))
    }

    pub fn assert_restored(&self) {
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
pub fn ended_alternate(shown: &Shown) -> bool {
    let raw = String::from_utf8_lossy(&shown.raw);
    raw.contains("\x1b[?1049h") && !shown.parser.screen().alternate_screen()
}

pub fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}
