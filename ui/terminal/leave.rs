//! Giving the terminal back.

use std::io::{self, Write};

use crossterm::event::{DisableBracketedPaste, DisableFocusChange};
use crossterm::terminal::{self, EndSynchronizedUpdate, LeaveAlternateScreen};
use crossterm::{cursor, execute};

use super::mouse::RELEASE;
use super::{Step, taken};

/// Takes the terminal's title back from its stack.
const RESTORE_TITLE: &[u8] = b"\x1b[23;2t";

/// Takes back every step that was taken, the last one first. What failed is returned; the rest was done nevertheless.
pub(crate) fn leave() -> Vec<io::Error> {
    let steps = std::mem::take(&mut *taken());
    steps.into_iter().rev().filter_map(|step| take_back(step).err()).collect()
}

fn take_back(step: Step) -> io::Result<()> {
    let mut out = io::stdout();
    match step {
        Step::Mouse => out.write_all(RELEASE).and_then(|()| out.flush()),
        Step::Title => out.write_all(RESTORE_TITLE).and_then(|()| out.flush()),
        Step::Focus => execute!(out, DisableFocusChange),
        Step::Paste => execute!(out, DisableBracketedPaste),
        Step::Cursor => execute!(out, cursor::SetCursorStyle::DefaultUserShape, cursor::Show),
        // A frame that was interrupted must not keep the terminal waiting for its end.
        Step::Alternate => execute!(out, EndSynchronizedUpdate, LeaveAlternateScreen),
        Step::Raw => terminal::disable_raw_mode(),
        Step::Stderr(before) => rustix::stdio::dup2_stderr(before).map_err(io::Error::from),
    }
}

/// Leaves when it is dropped: on every way out of the function that holds it.
pub(crate) struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        for error in leave() {
            tracing::warn!(%error, "a step of giving the terminal back failed");
        }
    }
}
