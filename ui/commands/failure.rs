//! How a verb ends when it did not do what was asked: a sentence on standard error and an exit code.

use std::io::Write as _;
use std::process::ExitCode;

use quarterdeck::StartError;
use quarterdeck::control::offline::OfflineError;
use quarterdeck::control::{ClientError, ConnectError, FilterError};
use quarterdeck::text;

use crate::export::ExportError;
use crate::reading::ReadError;

/// It was not done.
const FAILED: u8 = 1;
/// Wrong usage.
const USAGE: u8 = 2;
/// No host is running.
const NO_HOST: u8 = 4;

/// What is said, and the exit code.
#[derive(Debug)]
pub struct Failure {
    sentences: Vec<String>,
    code: u8,
}

impl Failure {
    /// It was not done, for all of these reasons: one line each.
    pub fn all(sentences: Vec<String>) -> Failure {
        Failure { sentences, code: FAILED }
    }

    /// It was not done, for this reason.
    pub fn new(sentence: String) -> Failure {
        Failure { sentences: vec![sentence], code: FAILED }
    }

    /// It was called in a way that cannot be understood.
    pub fn usage(sentence: String) -> Failure {
        Failure { sentences: vec![sentence], code: USAGE }
    }

    /// The host that was talked to is not there any more.
    pub fn stopped() -> Failure {
        Failure { sentences: vec![ClientError::Stopped.to_string()], code: NO_HOST }
    }

    /// Everything was said already; only the exit code is left.
    pub fn code(code: u8) -> Failure {
        Failure { sentences: Vec::new(), code }
    }

    /// The answer to something only a newer or broken host would say.
    pub fn unexpected() -> Failure {
        Failure::new("the host answered something else than was asked".to_owned())
    }

    /// The sentence, when it is part of another one.
    pub fn sentence(&self) -> String {
        self.sentences.join("; ")
    }

    /// Says it.
    pub fn tell(self) -> ExitCode {
        for sentence in self.sentences {
            let _nobody_reads = writeln!(std::io::stderr(), "quarterdeck: {}", text::safe(&sentence));
        }
        ExitCode::from(self.code)
    }
}

impl From<ConnectError> for Failure {
    fn from(error: ConnectError) -> Failure {
        let code = if matches!(error, ConnectError::NotRunning(_)) { NO_HOST } else { FAILED };
        Failure { sentences: vec![error.to_string()], code }
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Failure {
        Failure::new(error.to_string())
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        match error {
            ReadError::Host(ClientError::Stopped) => Failure::stopped(),
            other => Failure::new(other.to_string()),
        }
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Failure {
        match error {
            ExportError::Reading(error) => error.into(),
            file => Failure::new(file.to_string()),
        }
    }
}

impl From<FilterError> for Failure {
    fn from(error: FilterError) -> Failure {
        Failure::usage(error.to_string())
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Failure {
        Failure::new(error.to_string())
    }
}

impl From<OfflineError> for Failure {
    fn from(error: OfflineError) -> Failure {
        Failure::new(error.to_string())
    }
}
