//! Everything plain mode remembers, and what it wants to be done.

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use quarterdeck::control::offline::Verified;
use quarterdeck::control::{AuditFilter, AuditRow, Reply, Request};

use crate::app::{Exit, Model, SecretLink};
use crate::overlays::Question;

/// A line that was typed, and when it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Typed {
    pub(crate) text: String,
    pub(crate) at: Duration,
}

/// One thing to do in the world outside.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "few of them live at once, and none for long")]
pub(crate) enum Do {
    /// Print lines.
    Say(String),
    /// Print the QR code of an enrollment link, where the terminal can.
    Code(SecretLink),
    /// Carry this out; the answer comes back with what it was for. One after the other.
    Job(Asked, Job),
    /// Get a fresh snapshot, and notices from then on.
    Subscribe,
    /// Throw away what was typed and not read yet.
    Drain,
    Leave(Exit),
}

/// What takes a while.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Job {
    /// Ask the host.
    Ask(Request),
    /// The newest records that fit, before one of them.
    Read { filter: AuditFilter, before: Option<i64> },
    /// Write all records that fit to a new file.
    Export { filter: AuditFilter, path: PathBuf },
    /// Check the whole audit.
    Verify,
}

/// What a job is for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    Decided(Question),
    Enroll,
    Scopes {
        name: String,
    },
    NewClient,
    Passkeys,
    Clients,
    Refused,
    Audit {
        filter: AuditFilter,
    },
    Record,
    Connection,
    Journal,
    /// An entry of the journal, and how many more pages may be looked through for it.
    Entry {
        id: String,
        source: Option<String>,
        pages: u8,
    },
    /// What is to be removed may be a passkey, or else a client document.
    RemovePasskey {
        what: String,
    },
    RemoveClient {
        what: String,
    },
    Export,
    Verify,
}

/// What a job came to.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Reply(Box<Reply>),
    /// Records, oldest first, and whether there may be more before them.
    Rows(Vec<AuditRow>, bool),
    Exported(u64, PathBuf),
    Verified(Verified),
}

/// A question that waits for its line.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    pub(crate) question: Question,
    /// What has to be typed. Nothing for the question about leaving, which has words of its own.
    pub(crate) expected: String,
    /// Lines that arrive earlier do not answer it.
    pub(crate) deaf_until: Duration,
    /// An early line was thrown away, and that was said.
    pub(crate) told: bool,
    /// The answer. It counts when no further line comes right behind it.
    pub(crate) answer: Option<Typed>,
}

/// In which order connections are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sort {
    #[default]
    Name,
    Used,
    Calls,
}

/// Plain mode.
pub(crate) struct Plain {
    pub(crate) model: Model,
    /// The lines come from a terminal, so a person can be asked.
    pub(crate) interactive: bool,
    pub(crate) question: Option<Open>,
    /// When the last line arrived.
    pub(crate) last_line: Option<Duration>,
    /// Until then lines belong to a paste that was given up.
    pub(crate) discard_until: Duration,
    /// Jobs that are not answered yet. Lines wait for them, so that answers come in the order of the commands.
    pub(crate) jobs: usize,
    /// Events are printed.
    pub(crate) following: bool,
    /// Events that were not printed since.
    pub(crate) held: usize,
    /// Which records are printed and read.
    pub(crate) filter: AuditFilter,
    /// As it was typed.
    pub(crate) filter_text: String,
    pub(crate) sort: Sort,
    /// Where the audit goes on.
    pub(crate) page: Option<(AuditFilter, i64)>,
    /// What was said lately about what was done, and when.
    pub(crate) messages: Vec<(Timestamp, String)>,
}

/// How many messages are remembered.
const MESSAGES: usize = 200;

impl Plain {
    /// Plain mode over what the host said.
    pub(crate) fn new(model: Model, interactive: bool) -> Plain {
        Plain {
            model,
            interactive,
            question: None,
            last_line: None,
            discard_until: Duration::ZERO,
            jobs: 0,
            following: true,
            held: 0,
            filter: AuditFilter::default(),
            filter_text: String::new(),
            sort: Sort::default(),
            page: None,
            messages: Vec::new(),
        }
    }

    /// Whether the next line can be taken.
    pub(crate) fn ready(&self) -> bool {
        self.jobs == 0
    }

    /// Has something carried out.
    pub(super) fn job(&mut self, asked: Asked, job: Job) -> Do {
        self.jobs += 1;
        Do::Job(asked, job)
    }

    /// Asks the host.
    pub(super) fn ask(&mut self, asked: Asked, request: Request) -> Do {
        self.job(asked, Job::Ask(request))
    }

    /// Says what was done, and remembers it.
    pub(super) fn done(&mut self, text: String) -> Do {
        self.messages.push((self.model.now.wall, text.clone()));
        if self.messages.len() > MESSAGES {
            self.messages.remove(0);
        }
        Do::Say(text)
    }
}

/// Says something.
pub(super) fn say(text: impl Into<String>) -> Vec<Do> {
    vec![Do::Say(text.into())]
}
