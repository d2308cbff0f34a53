//! The terminal contract: it is given back exactly as it was, however this program ends.
//!
//! Entering takes steps one by one and remembers each; leaving takes back those that were taken, in reverse, each on its own, so that one
//! that fails does not keep the others from being done. Leaving twice does nothing the second time. While the screen is held, file
//! descriptor 2 is the log file: nothing a library prints can paint over it.

mod attention;
mod child;
mod clipboard;
mod enter;
mod environment;
mod leave;
mod mouse;
mod panic;
mod passthrough;
mod place;
mod rehearsal;
mod suspend;
#[cfg(test)]
mod tests;

pub(crate) use attention::{Attention, Caller, Moment, Signals, When, signals};
pub(crate) use child::{Programs, edit, is_lent, page};
pub(crate) use clipboard::{Copied, copy};
pub(crate) use enter::{enter, open as open_log};
pub(crate) use environment::Environment;
pub(crate) use leave::{Guard, leave};
pub(crate) use mouse::capture_mouse;
pub(crate) use panic::install;
pub(crate) use passthrough::Multiplexer;
pub(crate) use place::Place;
pub(crate) use suspend::stop_until_continued;

use std::os::fd::OwnedFd;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A step that was taken and must be taken back.
enum Step {
    /// Where file descriptor 2 went before.
    Stderr(OwnedFd),
    Raw,
    Alternate,
    Cursor,
    Paste,
    Focus,
    Title,
    Mouse,
}

/// The steps that were taken, in order. The process has one terminal, and a panic must find them from anywhere.
static TAKEN: Mutex<Vec<Step>> = Mutex::new(Vec::new());

fn taken() -> MutexGuard<'static, Vec<Step>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}
