//! What is wrong with a configuration: one sentence, on one line, that says where.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::text::Untrusted;

/// Most characters of a path, a key or a cause in a sentence.
const LONGEST: usize = 200;

/// Where a value was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the file, on this line (the first is 1).
    File {
        /// The file.
        file: PathBuf,
        /// The line.
        line: usize,
    },
    /// In an environment variable.
    Variable(String),
    /// By a flag, as it is typed.
    Flag(&'static str),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File { file, line } => write!(f, "{} line {line}", shown(file)),
            Place::Variable(name) => f.write_str(&Untrusted::new(name).safe_line(LONGEST)),
            Place::Flag(flag) => f.write_str(flag),
        }
    }
}

/// Why the configuration cannot be used. Nothing has started then.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file that was named is not there.
    #[error("{} does not exist; without --config and QUARTERDECK_CONFIG the program starts with its defaults", shown(.0))]
    Missing(PathBuf),
    /// A folder, a device, a pipe.
    #[error("{} is not a file", shown(.0))]
    NotAFile(PathBuf),
    /// The system refuses.
    #[error("{} cannot be read: {}", shown(.file), one_line(.cause))]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// No configuration is this large.
    #[error("{} is larger than {most} bytes: it is not a configuration file", shown(.file))]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// The bound.
        most: u64,
    },
    /// Some other encoding.
    #[error("{} line {line}: the file is not UTF-8 text", shown(.file))]
    NotUtf8 {
        /// The file.
        file: PathBuf,
        /// The line of the first byte that is not.
        line: usize,
    },
    /// Not TOML.
    #[error("{place}: this is not TOML: {}", one_line(.problem))]
    Syntax {
        /// Where.
        place: Place,
        /// What the parser says.
        problem: String,
    },
    /// A key nobody reads, usually misspelt.
    #[error("{place}: {} is not a key; {}", one_line(.key), suggestion(.nearest.as_deref()))]
    UnknownKey {
        /// Where.
        place: Place,
        /// The key.
        key: String,
        /// The key that looks most like it.
        nearest: Option<String>,
    },
    /// An environment variable of ours that nobody reads.
    #[error("{} is not a variable of this program; {}", one_line(.name), suggestion(.nearest.as_deref()))]
    UnknownVariable {
        /// The variable.
        name: String,
        /// The variable that looks most like it.
        nearest: Option<String>,
    },
    /// An environment variable that is not text.
    #[error("{}: the value is not UTF-8 text", one_line(.0))]
    VariableNotUtf8(String),
    /// A value that cannot be used.
    #[error("{place}: {key} {problem}")]
    Value {
        /// Where it was set.
        place: Place,
        /// The key.
        key: &'static str,
        /// What it must be and what it is, as the rest of a sentence.
        problem: String,
    },
    /// The state directory is the empty string.
    #[error("{0}: the state directory must not be empty")]
    NoStateDir(Place),
}

fn suggestion(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean {nearest}?"),
        None => "config.example.toml lists them all".to_owned(),
    }
}

fn shown(path: &Path) -> String {
    Untrusted::new(path.to_string_lossy()).safe_line(LONGEST)
}

fn one_line(text: &impl ToString) -> String {
    Untrusted::new(text.to_string()).safe_line(LONGEST)
}
