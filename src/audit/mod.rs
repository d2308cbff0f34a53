//! The audit: the one durable sequence of what happened, chained by hashes, so that it cannot be rewritten unnoticed.
//!
//! Every operation appends its record in its own transaction; the sequence number is the one used by notices and snapshots. A record
//! holds who, what, on which object, and how it ended, with hashes instead of contents. Signed checkpoints and the head a terminal
//! remembers make a changed, missing or cut-off row visible: see [`verify()`].

mod append;
mod checkpoint;
mod count;
mod key;
mod look;
mod model;
mod query;
mod store;
#[cfg(test)]
mod tests;
mod verify;

pub(crate) use append::Audit;
pub(crate) use checkpoint::{KeyError, Signer};
#[cfg(test)]
pub(crate) use model::Record;
pub(crate) use model::{Draft, Entry, Head, Kind, Outcome, Seq, ToolCalls};
pub(crate) use verify::{Finding, Signed, end, signed, tail, verify};
