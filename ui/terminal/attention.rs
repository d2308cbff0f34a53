//! Calling the owner when something begins to wait: a bell, a notification of the terminal, a program of the owner's choice.
//!
//! What is said is a count and a kind. Names and contents stay on the screen: a notification is seen by whoever passes.

use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::Place;

/// Least time between two calls.
const REST: Duration = Duration::from_secs(10);
/// How long the program of the owner's choice may run.
const COMMAND_LASTS: Duration = Duration::from_secs(60);

/// When to call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum When {
    /// When the terminal says that nobody looks at it.
    #[default]
    Unfocused,
    Always,
    Never,
}

/// What the owner wishes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Attention {
    pub(crate) when: When,
    /// A program and its arguments; the count comes last.
    pub(crate) command: Vec<String>,
}

/// What is so when something begins to wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) waiting: usize,
    /// What waits, one and several: words of ours.
    pub(crate) kind: (&'static str, &'static str),
    pub(crate) focused: bool,
    /// A question is on the screen whose answer decides something: nobody is to be startled into answering it.
    pub(crate) deciding: bool,
    /// Since the last call.
    pub(crate) rested: Option<Duration>,
}

/// What calls the owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signals {
    /// To be written to the terminal between two frames.
    pub(crate) write: Vec<u8>,
    /// To be run by [`Caller::run`], if it is anything.
    pub(crate) command: Vec<String>,
}

/// What to do now, if anything.
pub(crate) fn signals(attention: &Attention, moment: &Moment, place: &Place) -> Option<Signals> {
    let wanted = match attention.when {
        When::Never => false,
        When::Always => true,
        When::Unfocused => !moment.focused,
    };
    let rested = moment.rested.is_none_or(|rested| rested >= REST);
    if !wanted || !rested || moment.deciding || moment.waiting == 0 {
        return None;
    }
    let (one, several) = moment.kind;
    let words = if moment.waiting == 1 { format!("1 {one} waits") } else { format!("{} {several} wait", moment.waiting) };
    let mut write = b"\x07".to_vec();
    write.extend(place.multiplexer.wrap(format!("\x1b]9;quarterdeck: {words}\x07").as_bytes()));
    let mut command = attention.command.clone();
    if !command.is_empty() {
        command.push(moment.waiting.to_string());
    }
    Some(Signals { write, command })
}

/// Runs the program of the owner's choice, one at a time.
#[derive(Debug, Default)]
pub(crate) struct Caller {
    running: Option<JoinHandle<()>>,
}

impl Caller {
    /// Starts it, away from the terminal: it prints nowhere and reads nothing. Does nothing while the last one runs.
    pub(crate) fn run(&mut self, command: &[String]) {
        let Some((program, arguments)) = command.split_first() else { return };
        if self.running.as_ref().is_some_and(|running| !running.is_finished()) {
            return;
        }
        let mut command = Command::new(program);
        command.args(arguments).process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        match command.spawn() {
            Ok(mut child) => {
                self.running = Some(tokio::spawn(async move {
                    if timeout(COMMAND_LASTS, child.wait()).await.is_err() {
                        tracing::warn!("the attention command did not end and was stopped");
                        let _ = child.kill().await;
                    }
                }));
            }
            Err(error) => tracing::warn!(%error, "the attention command cannot be run"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: (&str, &str) = ("authorization", "authorizations");
    const UNSEEN: Moment = Moment { waiting: 1, kind: KIND, focused: false, deciding: false, rested: None };

    fn place(variable: &str) -> Place {
        Place::read(|name| (name == variable).then(|| "1".to_owned()))
    }

    fn written(moment: Moment, variable: &str) -> Option<Vec<u8>> {
        signals(&Attention::default(), &moment, &place(variable)).map(|signals| signals.write)
    }

    #[test]
    fn who_is_called_when() {
        let short = Some(Duration::from_millis(9_999));
        for (when, moment, called) in [
            (When::Unfocused, UNSEEN, true),
            (When::Unfocused, Moment { focused: true, ..UNSEEN }, false),
            (When::Always, Moment { focused: true, ..UNSEEN }, true),
            (When::Never, UNSEEN, false),
            (When::Always, Moment { deciding: true, ..UNSEEN }, false),
            (When::Always, Moment { rested: short, ..UNSEEN }, false),
            (When::Always, Moment { rested: Some(REST), ..UNSEEN }, true),
            (When::Always, Moment { waiting: 0, ..UNSEEN }, false),
        ] {
            let attention = Attention { when, command: Vec::new() };
            assert_eq!(signals(&attention, &moment, &place("")).is_some(), called, "{when:?} {moment:?}");
        }
    }

    #[test]
    fn a_bell_and_a_sentence_with_a_count_and_nothing_else() {
        let several = Moment { waiting: 12, ..UNSEEN };
        assert_eq!(written(UNSEEN, "").unwrap(), b"\x07\x1b]9;quarterdeck: 1 authorization waits\x07");
        assert_eq!(written(several, "").unwrap(), b"\x07\x1b]9;quarterdeck: 12 authorizations wait\x07");
    }

    #[test]
    fn the_bell_is_never_wrapped_and_the_sentence_is() {
        assert!(written(UNSEEN, "TMUX").unwrap().starts_with(b"\x07\x1bPtmux;\x1b\x1b]9;"));
        assert!(written(UNSEEN, "STY").unwrap().starts_with(b"\x07\x1bP\x1b]9;"));
    }

    #[test]
    fn the_command_is_told_the_count() {
        let attention = Attention { command: vec!["ring".to_owned(), "-x".to_owned()], ..Attention::default() };
        let called = signals(&attention, &Moment { waiting: 3, ..UNSEEN }, &place("")).unwrap();
        assert_eq!(called.command, ["ring", "-x", "3"]);
        assert!(signals(&Attention::default(), &UNSEEN, &place("")).unwrap().command.is_empty());
    }

    #[tokio::test]
    async fn a_second_command_waits_until_the_first_has_ended() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let words = |script: &str| ["sh", "-c", script, dir.path().to_str().unwrap()].map(str::to_owned);
        let mut caller = Caller::default();
        caller.run(&words("cat $0/pipe > $0/first"));
        caller.run(&words("touch $0/second"));
        tokio::fs::write(&pipe, "heard").await.unwrap();
        caller.running.take().unwrap().await.unwrap();
        assert_eq!(std::fs::read_to_string(dir.path().join("first")).unwrap(), "heard");
        caller.run(&words("touch $0/third"));
        caller.running.take().unwrap().await.unwrap();
        assert!(dir.path().join("third").exists() && !dir.path().join("second").exists());
    }

    #[tokio::test]
    async fn a_command_that_is_not_there_harms_nothing() {
        let mut caller = Caller::default();
        caller.run(&[]);
        caller.run(&["/nonexistent/ring".to_owned(), "1".to_owned()]);
        assert!(caller.running.is_none());
    }
}
