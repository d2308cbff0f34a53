//! Input: which key means which intent, and which keys are no keys at all (pastes, repeats).
//!
//! There is one table of intents. The key bar, the help, the palette and what a key does all come from it, so they cannot disagree. Which
//! key means which intent is in the key map, and only there.

mod intent;
mod key;
mod keymap;
mod paste;

pub(crate) use intent::{Entry, INTENTS, Intent, Place, in_place};
pub(crate) use key::{Key, is_repeat};
pub(crate) use keymap::Keymap;
pub(crate) use paste::{Burst, collapse};
