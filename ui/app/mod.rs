//! The control center: the Elm architecture.
//!
//! `update(model, msg, now)` turns a message into effects without I/O; `view(model, theme, frame)` draws without changing anything; effects
//! are plain data and carried out in `run.rs`, the only file here that touches the host or the terminal. One queue is drained completely,
//! then at most one frame is drawn, and none when nothing visible changed. There is no tick: the only wake-ups are the ones
//! [`Model::next_wake`] names.

mod attention;
mod available;
mod effect;
mod facts;
mod hear;
mod keys;
mod link;
mod model;
mod mouse;
mod msg;
mod perform;
mod pump;
pub(crate) mod restore;
mod run;
mod small;
#[cfg(test)]
mod tests;
mod update;
mod view;
mod world;

pub(crate) use available::{disabled, entry_short, unreachable};
pub(crate) use effect::{About, Asked, Effect, Exit, Export, SecretLink};
pub(crate) use facts::Facts;
pub(crate) use hear::UNFITTING;
pub(crate) use keys::{act, ask, go_to};
pub(crate) use link::{Link, Retry};
pub(crate) use model::{Mode, Model, Now, Setup};
pub(crate) use msg::{Msg, Silence};
#[cfg(test)]
pub(crate) use pump::{BATCH, Pump};
pub(crate) use run::{Clock, Options, run, sleep_until};
pub(crate) use update::update;
pub(crate) use view::{HitMap, PaneHit, view};
pub(crate) use world::{listen, silence};
