//! Input: which key means which intent, and which keys are no keys at all (pastes, repeats).
//!
//! There is one table of intents. The key bar, the help, the palette and what a key does all come from it, so they cannot disagree. Which
//! key means which intent is in the key map, and only there: the defaults are embedded, and the owner's file goes over them line by line.
//! A map in which a key means two things at once, or in which a question could be answered by accident, is refused.

mod intent;
mod key;
mod keyfile;
mod keymap;
mod late;
mod paste;
mod place;
mod problem;
mod rules;
#[cfg(test)]
mod tests;

pub(crate) use intent::{Entry, INTENTS, Intent, in_place};
pub(crate) use key::{Key, is_repeat};
pub(crate) use keymap::Keymap;
pub(crate) use late::Late;
pub(crate) use paste::{Behind, Burst, collapse};
pub(crate) use place::Place;
