//! The control center: the Elm architecture.
//!
//! `update(model, msg, now)` turns a message into effects without I/O; `view(model, theme, frame)` draws without changing anything; effects
//! are plain data and carried out in `run.rs`, the only file here that touches the host or the terminal. One queue is drained completely,
//! then at most one frame is drawn, and none when nothing visible changed. There is no tick: the only wake-ups are the ones
//! [`Model::next_wake`] names.

mod available;
mod effect;
mod hear;
mod model;
mod msg;
mod pump;
mod run;
mod small;
#[cfg(test)]
mod tests;
mod update;
mod view;

pub(crate) use available::{disabled, entry_short};
pub(crate) use effect::{Asked, Effect, Exit};
pub(crate) use model::{Facts, Link, Mode, Model, Now, Retry};
pub(crate) use msg::{Msg, Silence};
#[cfg(test)]
pub(crate) use pump::{BATCH, Pump};
pub(crate) use run::{Options, run};
pub(crate) use update::{ask, update};
pub(crate) use view::{HitMap, view};
