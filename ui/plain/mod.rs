//! Plain mode: the control center as lines, for screen readers, terminals that cannot move their cursor, and scripts.
//!
//! What is known of the host is the screens' own model, kept up to date by the same messages; only looking and deciding are different.
//! `update.rs` turns a line, a notice or an answer into things to do, without I/O; `run.rs` carries them out. Nothing is redrawn and the
//! terminal stays in its own line mode. Events are printed when they happen, the prompt again after them. Commands are words with the names
//! of the intents. Whatever ends something asks first and wants a name typed on a line of its own; what was typed before the question, and
//! what arrives as several lines at once, never answers it. Every line goes out through `printer.rs`, which lets only ASCII of ours pass and
//! never a control character.

mod answers;
mod change;
mod command;
mod deciding;
mod events;
mod facts;
mod find;
mod help;
mod look;
mod model;
mod printer;
mod qr;
mod reader;
mod run;
mod settle;
#[cfg(test)]
mod tests;
mod update;
mod words;

pub(crate) use run::{Options, run};
