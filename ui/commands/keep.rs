//! Serving goes on when the control center is left: the host in this process stops, and a process of its own takes its place.
//!
//! That process is `serve --detached`: this same program with the same environment, flags and files, on the very addresses the host really
//! had, so that a port that was chosen freely stays. What is in the store (passkeys, connections, codes, open ceremonies) is there
//! afterwards; what was running is not. It counts as started when it holds the state directory and answers at its control socket.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use quarterdeck::Host;
use quarterdeck::config::Config;
use quarterdeck::control::{Client, offline};

use super::{Failure, Session};

/// How long the new process may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is looked at: nobody tells that it listens.
const LOOK: Duration = Duration::from_millis(20);
/// Most bytes and lines of what it said that are repeated when it fails.
const SAID_BYTES: u64 = 4096;
const SAID_LINES: usize = 3;
/// The one path among the variables: a relative one would mean another file in another directory.
const CA_FILE: &str = "QUARTERDECK_OUTBOUND_CA_FILE";

/// Stops `host` and starts the process that serves instead; answers what is to be said about it.
pub async fn run(session: &Session, host: Host) -> Result<String, Failure> {
    let addresses = host.addresses().to_vec();
    let begun = now();
    let cut = host.stop().await;
    let unsaid = |why: String| Failure::new(format!("the host is stopped, and serving does not go on: {why}"));
    let mut successor = Successor::start(session, &addresses).map_err(unsaid)?;
    let listens = tokio::time::timeout(PATIENCE, successor.listens(session.settings.state_dir())).await;
    match listens {
        Ok(Ok(())) => Ok(sentence(successor.child.id(), cut, begun.elapsed(), &stop_command(session))),
        Ok(Err(why)) => Err(unsaid(why)),
        Err(_elapsed) => Err(unsaid(successor.give_up())),
    }
}

/// The new process.
struct Successor {
    child: Child,
    /// Where its standard error goes, and from where on it is its own.
    errors: PathBuf,
    from: u64,
}

impl Successor {
    fn start(session: &Session, addresses: &[SocketAddr]) -> Result<Successor, String> {
        let program = std::env::current_exe().map_err(|error| format!("this program cannot be found: {error}"))?;
        let errors = crate::log::terminal(session.settings.state_dir()).map_err(|failure| failure.sentence())?;
        let file = crate::terminal::open_log(&errors).map_err(|error| format!("{}: {error}", errors.display()))?;
        let from = file.metadata().map_or(0, |facts| facts.len());
        let mut command = Command::new(&program);
        command.args(["serve", "--detached"]).args(arguments(session, addresses));
        if session.settings.variable(CA_FILE).is_some()
            && let Some(path) = &session.settings.config.outbound.ca_file
        {
            command.env(CA_FILE, absolute(path));
        }
        command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
        let child = command.spawn().map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
        Ok(Successor { child, errors, from })
    }

    /// Until it answers; an error when it has ended. Another host that came in between is not taken for it.
    async fn listens(&mut self, state_dir: &Path) -> Result<(), String> {
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Err(format!("the new process ended ({status}){}", self.said()));
            }
            if offline::process(state_dir) == Some(self.child.id()) && Client::connect(state_dir).await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Ends it: a process that comes up after nobody waits for it any more would be a surprise.
    fn give_up(&mut self) -> String {
        let _ended_already = self.child.kill();
        let _reaped = self.child.wait();
        format!("the new process did not listen within {} seconds and was ended{}", PATIENCE.as_secs(), self.said())
    }

    /// What it wrote to standard error, as the end of a sentence.
    fn said(&self) -> String {
        let mut bytes = Vec::new();
        let read = File::open(&self.errors).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.from))?;
            file.take(SAID_BYTES).read_to_end(&mut bytes)
        });
        let text = read.map(|_| String::from_utf8_lossy(&bytes)).unwrap_or_default();
        match last_lines(&text) {
            said if said.is_empty() => format!(" without a word; the log is in {}", self.errors.with_file_name("").display()),
            said => format!(": {said}"),
        }
    }
}

/// The last lines of what a program said, on one line and without its name.
fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines.get(lines.len().saturating_sub(SAID_LINES)..).unwrap_or_default();
    last.iter().map(|line| line.trim_start_matches("quarterdeck: ")).collect::<Vec<_>>().join("; ")
}

/// Everything that was, or could have been, typed: the new process is in another directory, and its file may have changed.
fn arguments(session: &Session, addresses: &[SocketAddr]) -> Vec<OsString> {
    let settings = &session.settings;
    let listen: Vec<String> = addresses.iter().map(ToString::to_string).collect();
    let mut arguments: Vec<OsString> = vec!["--listen".into(), listen.join(",").into()];
    arguments.extend(["--public-url".into(), public_url(&settings.config).into()]);
    arguments.extend(["--state-dir".into(), absolute(settings.state_dir()).into()]);
    if settings.file.is_file() {
        arguments.extend(["--config".into(), absolute(&settings.file).into()]);
    }
    arguments
}

/// As it would be typed.
fn public_url(config: &Config) -> String {
    match &config.assistants.public_url {
        None => "auto".to_owned(),
        Some(None) => String::new(),
        Some(Some(url)) => url.origin().to_owned(),
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// What stops the new process, as it would be typed in this shell.
fn stop_command(session: &Session) -> String {
    match &session.settings.typed_state_dir {
        Some(_) => format!("quarterdeck stop --state-dir {}", quoted(&session.settings.state_dir().to_string_lossy())),
        None => "quarterdeck stop".to_owned(),
    }
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn sentence(process: u32, cut: usize, silent: Duration, stop: &str) -> String {
    let cut = match cut {
        0 => "No call was cut off".to_owned(),
        1 => "1 connection that was still busy was cut off".to_owned(),
        more => format!("{more} connections that were still busy were cut off"),
    };
    // Rounded up: less than a tenth is not nothing.
    let tenths = silent.as_millis().div_ceil(100);
    format!(
        "Serving goes on in process {process}. {cut}; for {}.{} s calls were not answered. Stop it with: {stop}",
        tenths / 10,
        tenths % 10
    )
}

#[allow(clippy::disallowed_methods, reason = "how long nothing was answered is measured at the edge")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cut_off_is_counted_and_the_silence_is_never_nothing() {
        let said = sentence(1234, 0, Duration::from_millis(1), "quarterdeck stop");
        assert_eq!(
            said,
            "Serving goes on in process 1234. No call was cut off; for 0.1 s calls were not answered. Stop it with: quarterdeck stop"
        );
        assert!(
            sentence(1, 1, Duration::from_millis(1250), "").contains(". 1 connection that was still busy was cut off; for 1.3 s")
        );
        assert!(sentence(1, 2, Duration::ZERO, "").contains(". 2 connections that were"));
    }

    #[test]
    fn a_path_is_one_word_for_the_shell() {
        assert_eq!(quoted("/home/me/.local/share/deck"), "/home/me/.local/share/deck");
        assert_eq!(quoted("/tmp/it's here"), r"'/tmp/it'\''s here'");
    }

    #[test]
    fn of_what_the_new_process_said_the_end_is_repeated_without_its_name() {
        assert_eq!(last_lines("one\ntwo\n\nthree\nquarterdeck: four\n"), "two; three; four");
        assert_eq!(last_lines("\n"), "");
    }
}
