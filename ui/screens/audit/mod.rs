//! Audit: everything that happened, from the store, filtered by terms; followed live unless paused.

mod update;
mod view;

pub(crate) use update::{answered, counted, filtered, heard, rested, resume, select, step, update, verified, wants};
pub(crate) use view::view;

use std::time::Duration;

use crate::screens::Of;
use crate::widgets::Selection;

/// How much of the width the list has, in percent.
pub(crate) const SPLIT: u16 = 66;

/// What the screen remembers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Audit {
    /// As it was typed.
    filter: String,
    /// By record number.
    pub(crate) records: Selection<i64>,
    /// When the filter or the cursor has rested long enough for the host to be asked.
    pub(crate) due: Option<Duration>,
}

impl Audit {
    /// The filter, as it was typed.
    pub(crate) fn filter_text(&self) -> &str {
        &self.filter
    }

    /// Whether the newest records are not followed.
    pub(crate) fn paused(&self) -> bool {
        false
    }

    /// What is selected.
    pub(crate) fn choice(&self) -> Option<Of> {
        self.records.chosen().copied().map(Of::Record)
    }
}
