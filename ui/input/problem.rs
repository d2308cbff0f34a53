//! What can be wrong with a key map, as sentences that name the line.

use std::fmt;

use super::{Entry, Key};

/// A key map that cannot be used: everything that is wrong with it.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentences().join("\n"))]
pub(crate) struct KeymapError(pub(super) Vec<Problem>);

impl KeymapError {
    /// One sentence for each problem, in the order of the file.
    pub(crate) fn sentences(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }
}

/// Where something is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// In the owner's file.
    Line {
        file: String,
        number: usize,
    },
    Default,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spot::Line { file, number } => write!(f, "{file}:{number}"),
            Spot::Default => f.write_str("default"),
        }
    }
}

/// What an entry is called in the file.
pub(super) fn named(entry: &Entry) -> String {
    format!("[{}] {}", entry.place.section(), entry.name)
}

/// One thing that is wrong.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Problem {
    /// A line cannot be read.
    #[error("{spot}: {problem}")]
    Line { spot: Spot, problem: String },
    /// A key means two things at once.
    #[error(
        "{at}: the key {key} would mean both {one} ({at}) and {other} ({there}): give one of them another key, or [] for none"
    )]
    Twice { key: Key, one: String, at: Spot, other: String, there: Spot },
    /// A question could be answered, or not be left, by accident.
    #[error("{at}: {one}: {why}")]
    Unsafe { at: Spot, one: String, why: String },
}

impl Problem {
    /// Its line; what has none comes last.
    pub(super) fn number(&self) -> usize {
        match self {
            Problem::Line { spot: Spot::Line { number, .. }, .. }
            | Problem::Twice { at: Spot::Line { number, .. }, .. }
            | Problem::Unsafe { at: Spot::Line { number, .. }, .. } => *number,
            _ => usize::MAX,
        }
    }
}
