//! What the owner is told when the disk is full or the file cannot be read.

/// Whether the store takes writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Health {
    /// The last commit succeeded.
    Good,
    /// The last commit failed, for this reason. The writer probes until it succeeds again.
    Failing(String),
}
