//! What the owner's assistants know in common: the board, the memory files, and the journal of what each of them did.
//!
//! The board (`memory/CLAUDE.md`) and the memory files (`memory/entities/`, `memory/topics/`) are plain Markdown in the state directory
//! that only the owner writes; assistants read them. The journal is in the store: assistants add records of their own work, all of them
//! can read all records, nothing changes one. A path never leads out of the memory folder, through no link and at no moment of a race.
//! A record is dated, attributed by the grant and not by what the assistant says, and written once however often it is sent.

mod board;
mod context;
mod contract;
mod events;
mod folder;
mod listing;
mod model;
mod prepare;
mod record;
mod rows;
mod selection;
mod service;
mod store;
#[cfg(test)]
mod tests;
mod tools;

pub(crate) use contract::{CONTRACT, WHAT_THIS_IS};
pub(crate) use listing::Wanted;
pub(crate) use model::{Event, Experience, Receipt};
pub(crate) use prepare::PrepareError;
pub(crate) use service::Knowledge;
pub(crate) use tools::tools;
