//! The real binary as a person starts it: `quarterdeck serve` in a directory of its own, on a free port.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// A running `quarterdeck serve`, killed when dropped.
pub struct Deck {
    child: Child,
    pub dir: tempfile::TempDir,
    /// What it says of itself: the output of `status --json`.
    pub origin: String,
}

impl Deck {
    /// Starts it with further arguments and waits until it says that it listens.
    pub fn start(arguments: &[&str]) -> Deck {
        Deck::start_in(tempfile::tempdir().unwrap(), arguments)
    }

    /// The same over a state directory that is there already.
    pub fn start_in(dir: tempfile::TempDir, arguments: &[&str]) -> Deck {
        Deck::started(dir, arguments).known()
    }

    /// The same, or what it said when it did not start.
    pub fn try_start_in(dir: tempfile::TempDir) -> Result<Deck, (String, tempfile::TempDir)> {
        Deck::try_start_with(dir, &[], |_command| {})
    }

    /// The same with a command that is changed before.
    pub fn try_start_with(
        dir: tempfile::TempDir,
        arguments: &[&str],
        change: impl FnOnce(&mut Command),
    ) -> Result<Deck, (String, tempfile::TempDir)> {
        let mut starting = command(dir.path());
        starting.args(["serve", "--listen", "127.0.0.1:0"]).args(arguments).stderr(Stdio::piped());
        change(&mut starting);
        let (child, line) = first_line(starting);
        if line.is_empty() {
            let said = child.wait_with_output().unwrap().stderr;
            return Err((String::from_utf8(said).unwrap(), dir));
        }
        Ok(Deck::running(child, dir))
    }

    fn running(child: Child, dir: tempfile::TempDir) -> Deck {
        Deck { child, dir, origin: String::new() }.known()
    }

    /// The same as soon as it says that it listens: what it is known as is not asked.
    pub fn started(dir: tempfile::TempDir, arguments: &[&str]) -> Deck {
        let mut starting = command(dir.path());
        starting.args(["serve", "--listen", "127.0.0.1:0"]).args(arguments);
        let (child, line) = first_line(starting);
        assert!(!line.is_empty(), "serve ended without a word");
        Deck { child, dir, origin: String::new() }
    }

    /// Asks what it is known as.
    pub fn known(mut self) -> Deck {
        self.origin = self.json(&["status"])["public_url"].as_str().unwrap_or_default().to_owned();
        self
    }

    /// Runs a one-shot command against it.
    pub fn run(&self, arguments: &[&str]) -> Output {
        command(self.dir.path()).args(arguments).output().unwrap()
    }

    /// Runs a one-shot command that must succeed and answers its JSON.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// A way to it, for requests as they are.
    pub fn wire(&self) -> super::wire::Wire {
        let status = self.json(&["status"]);
        super::wire::Wire::new(status["listen"][0].as_str().unwrap(), &self.origin)
    }

    /// Its process.
    pub fn pid(&self) -> rustix::process::Pid {
        rustix::process::Pid::from_child(&self.child)
    }

    /// SIGTERM or SIGINT, and how it ended.
    pub fn signal(&mut self, signal: rustix::process::Signal) -> std::process::ExitStatus {
        rustix::process::kill_process(self.pid(), signal).unwrap();
        self.child.wait().unwrap()
    }

    /// `kill -9`, and what it left behind.
    pub fn kill(mut self) -> tempfile::TempDir {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::mem::replace(&mut self.dir, tempfile::tempdir().unwrap())
    }
}

impl Drop for Deck {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// Starts it, and what it says when it listens.
fn first_line(mut starting: Command) -> (Child, String) {
    let mut child = starting.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line)
}

/// The binary with its state and configuration in `dir`, and nothing of the caller's environment that it would read.
pub fn command(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quarterdeck"));
    for (name, value) in environment(dir) {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.stdin(Stdio::null());
    command
}

/// What to set, and (`None`) what to take away, so that the binary keeps its state and configuration in `dir` and reads nothing of the
/// caller's environment.
pub fn environment(dir: &Path) -> Vec<(String, Option<PathBuf>)> {
    let callers = std::env::vars().map(|(name, _)| name).filter(|name| name.starts_with("QUARTERDECK_"));
    let own = [("QUARTERDECK_STATE_DIR", dir.to_owned()), ("XDG_CONFIG_HOME", dir.join("config"))];
    callers.map(|name| (name, None)).chain(own.map(|(name, value)| (name.to_owned(), Some(value)))).collect()
}
