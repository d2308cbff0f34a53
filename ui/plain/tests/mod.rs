//! Plain mode without a host and without a terminal.

mod deciding;
mod table;
mod transcript;

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, tz::TimeZone};
use quarterdeck::control::{Notice, Reply, Snapshot};

use super::model::{Answer, Asked, Do, Job, Plain, Typed};
use super::printer::Printer;
use super::update;
use crate::app::{Mode, Model, Msg, Now, Setup};
use crate::terminal::{Attention, Place};

/// Plain mode, its clock, and everything it printed.
pub(super) struct Talk {
    pub(super) plain: Plain,
    now: Now,
    printer: Printer<Vec<u8>>,
    /// What is to be done besides printing.
    pub(super) todo: Vec<Do>,
}

impl Talk {
    /// A person at a terminal, attached to a host that says `snapshot`.
    pub(super) fn new(snapshot: Snapshot) -> Talk {
        Talk::with(snapshot, Mode::Attached, true)
    }

    pub(super) fn with(snapshot: Snapshot, mode: Mode, interactive: bool) -> Talk {
        let now = Now { tick: Duration::from_secs(100), wall: snapshot.now.parse().expect("a time") };
        let setup = Setup {
            mode,
            zone: TimeZone::UTC,
            keymap: Arc::default(),
            attention: Attention::default(),
            place: Place::read(|_| None),
            mouse: false,
            qr_hide_unfocused: false,
        };
        let plain = Plain::new(Model::new(setup, snapshot, now), interactive);
        Talk { plain, now, printer: Printer::new(Vec::new(), false, false), todo: Vec::new() }
    }

    /// A line is typed half a second after the one before.
    pub(super) fn types(&mut self, text: &str) {
        self.pass(500);
        self.at_once(text);
    }

    /// A line without any time before it.
    pub(super) fn at_once(&mut self, text: &str) {
        self.printer.say(&format!("> {text}")).expect("memory");
        let typed = Typed { text: text.to_owned(), at: self.now.tick };
        let todo = update::line(&mut self.plain, typed, self.now);
        self.perform(todo);
    }

    /// A person answers a question, and waits until that counts.
    pub(super) fn answers(&mut self, text: &str) {
        self.types(text);
        self.pass(200);
    }

    /// Time passes; plain mode wakes up exactly when it said it would.
    pub(super) fn pass(&mut self, ms: u64) {
        let end = self.now.tick + Duration::from_millis(ms);
        while let Some(wake) = update::next_wake(&self.plain).filter(|wake| *wake <= end) {
            self.forward(wake.max(self.now.tick));
            let todo = update::host(&mut self.plain, Msg::Wake, self.now);
            self.perform(todo);
        }
        self.forward(end);
    }

    fn forward(&mut self, tick: Duration) {
        let by = SignedDuration::try_from(tick - self.now.tick).expect("a short time");
        self.now = Now { tick, wall: self.now.wall + by };
    }

    pub(super) fn hears(&mut self, notice: Notice) {
        self.msg(Msg::Notice(Box::new(notice)));
    }

    pub(super) fn msg(&mut self, msg: Msg) {
        let todo = update::host(&mut self.plain, msg, self.now);
        self.perform(todo);
    }

    pub(super) fn interrupts(&mut self) {
        let todo = update::interrupt(&mut self.plain, self.now);
        self.perform(todo);
    }

    pub(super) fn ends(&mut self) {
        let todo = update::end(&mut self.plain, self.now);
        self.perform(todo);
    }

    /// The next job, and what it is for.
    pub(super) fn job(&mut self) -> (Asked, Job) {
        let at = self.todo.iter().position(|one| matches!(one, Do::Job(..))).expect("a job");
        match self.todo.remove(at) {
            Do::Job(asked, job) => (asked, job),
            other => panic!("{other:?}"),
        }
    }

    /// The host answers the next job.
    pub(super) fn host_says(&mut self, reply: Reply) {
        self.job_comes_to(Answer::Reply(Box::new(reply)));
    }

    pub(super) fn job_comes_to(&mut self, answer: Answer) {
        let (asked, _) = self.job();
        let todo = update::answered(&mut self.plain, (asked, Ok(answer)), self.now);
        self.perform(todo);
    }

    fn perform(&mut self, todo: Vec<Do>) {
        for one in todo {
            match one {
                Do::Say(text) => self.printer.say(&text).expect("memory"),
                other => self.todo.push(other),
            }
        }
    }

    /// Everything that was printed, with what was typed.
    pub(super) fn said(&self) -> String {
        self.printer.written()
    }

    pub(super) fn last(&self) -> String {
        self.said().lines().last().unwrap_or_default().to_owned()
    }
}
