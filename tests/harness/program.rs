//! A client program of somebody else: what it says line by line, and where its packages are.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long a client may take for one step on a busy machine: some load some hundred files first.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where the clients and their packages are.
pub fn place() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/clients")
}

/// Node, where the packages are installed.
pub fn node() -> PathBuf {
    place().join("node_modules/node/bin/node")
}

/// Python, where the packages are installed.
pub fn python() -> PathBuf {
    place().join("venv/bin/python")
}

/// What is not installed of what the clients need.
pub fn missing() -> Option<&'static str> {
    match (node().exists(), python().exists()) {
        (false, _) => Some("npm ci in tests/clients"),
        (_, false) => {
            Some("python3 -m venv tests/clients/venv && tests/clients/venv/bin/pip install -r tests/clients/requirements.txt")
        }
        (true, true) => None,
    }
}

/// Whether everything is installed that the clients need. In CI it must be.
#[allow(clippy::disallowed_methods, reason = "whether this is CI is known from nowhere else")]
pub fn are_installed() -> bool {
    let missing = missing();
    assert!(
        missing.is_none() || std::env::var_os("CI").is_none(),
        "the clients are not installed, and CI runs every test: {missing:?}"
    );
    missing.is_none()
}

/// A running client. It is killed when dropped.
pub struct Program {
    child: Child,
    lines: Receiver<String>,
    /// Everything it said so far.
    pub said: String,
}

impl Program {
    /// Starts it; both of its outputs are read.
    pub fn start(mut command: Command) -> Program {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let (tell, lines) = channel();
        let outputs: [Box<dyn Read + Send>; 2] = [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for output in outputs {
            let tell = tell.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if tell.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        Program { child, lines, said: String::new() }
    }

    /// The first further line that `wanted` makes something of.
    #[allow(clippy::disallowed_methods, reason = "patience is not a decision")]
    pub fn until<T>(&mut self, what: &str, wanted: impl Fn(&str) -> Option<T>) -> T {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    self.said.push_str(&line);
                    self.said.push('\n');
                    if let Some(found) = wanted(&line) {
                        return found;
                    }
                }
                Err(RecvTimeoutError::Timeout) => panic!("no {what} in time:\n{}", self.said),
                Err(RecvTimeoutError::Disconnected) => panic!("it ended without {what}:\n{}", self.said),
            }
        }
    }

    /// What follows `kind` in the first further line that begins with it.
    pub fn says(&mut self, kind: &str) -> String {
        self.until(kind, |line| Some(line.strip_prefix(kind)?.trim().to_owned()))
    }

    /// The page its user must visit.
    pub fn page(&mut self) -> String {
        self.until("address of a page", |line| {
            let from = line.find("http://localhost:").filter(|_| line.contains("/authorize?"))?;
            Some(line[from..].split_whitespace().next()?.to_owned())
        })
    }

    /// A line on its standard input.
    pub fn tell(&mut self, line: &str) {
        let input = self.child.stdin.as_mut().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// Its exit status.
    pub fn ended(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _reaped = self.child.wait();
    }
}
