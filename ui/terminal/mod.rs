//! The terminal contract: it is given back exactly as it was, however this program ends.
//!
//! Entering takes steps one by one and remembers each; leaving takes back those that were taken, in reverse, each on its own, so that one
//! that fails does not keep the others from being done. Leaving twice does nothing the second time. While the screen is held, file
//! descriptor 2 is the log file: nothing a library prints can paint over it.

mod enter;
mod environment;
mod leave;
mod panic;
mod rehearsal;
mod suspend;
#[cfg(test)]
mod tests;

pub(crate) use enter::{enter, open as open_log};
pub(crate) use environment::Environment;
pub(crate) use leave::{Guard, leave};
pub(crate) use panic::install;
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
}

/// The steps that were taken, in order. The process has one terminal, and a panic must find them from anywhere.
static TAKEN: Mutex<Vec<Step>> = Mutex::new(Vec::new());

fn taken() -> MutexGuard<'static, Vec<Step>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}
