//! Audit: everything that happened, paged from the store, newest first, filtered by terms; followed live unless paused; and whether all of
//! it is as it was written.

mod chain;
mod read;
mod rows;
#[cfg(test)]
mod tests;
mod update;
mod view;

pub(crate) use chain::verified;
pub(crate) use read::{again, answered, failed, filtered, forget, heard, rested, wants};
pub(crate) use update::{counted, resume, select, step, update};
pub(crate) use view::view;

use std::time::Duration;

use quarterdeck::control::{AuditFilter, AuditRecord, AuditRow};

use crate::screens::Of;
use crate::screens::fetched::Fetched;
use crate::widgets::Selection;
use chain::Chain;

/// How much of the width the list has, in percent.
pub(crate) const SPLIT: u16 = 66;
/// Most records that are held: older ones are found by a filter, or exported.
const KEPT: usize = 10_000;

/// What the screen remembers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Audit {
    /// As it was typed.
    typed: String,
    /// The last filter that could be read, by which the records are chosen.
    filter: AuditFilter,
    /// Why what was typed is no filter.
    wrong: Option<String>,
    /// The records that fit, newest first, as far as they were read.
    rows: Vec<AuditRow>,
    /// Where reading goes on; `None` at the end.
    next: Option<i64>,
    /// How many records there are, whether they fit or not.
    total: i64,
    /// Up to this record none is missing between those that are there.
    whole_to: i64,
    reading: Reading,
    /// Which question an answer must belong to.
    generation: u64,
    /// Not followed: the newest record that is shown.
    paused: Option<i64>,
    /// By record number.
    pub(crate) records: Selection<i64>,
    /// The record the cursor rests on, since when, and its place in the chain.
    looked: Option<(i64, Duration, Fetched<Box<AuditRecord>>)>,
    chain: Chain,
    /// A filter that was typed and is asked for when typing rests.
    pending: Option<(Duration, AuditFilter)>,
    /// When time changes something next.
    pub(crate) due: Option<Duration>,
}

/// How far reading is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Reading {
    /// The newest records are to be asked for.
    #[default]
    Wanted,
    /// Asked: since when, and for the newest ones or for what comes after those that are there.
    Asked {
        since: Duration,
        newest: bool,
    },
    Rests,
    Failed(String),
}

impl Audit {
    /// The filter, as it was typed.
    pub(crate) fn filter_text(&self) -> &str {
        &self.typed
    }

    /// Why what was typed is no filter.
    pub(crate) fn wrong(&self) -> Option<&str> {
        self.wrong.as_deref()
    }

    /// Whether the newest records are not followed.
    pub(crate) fn paused(&self) -> bool {
        self.paused.is_some()
    }

    /// The records that are shown, newest first.
    fn shown(&self) -> &[AuditRow] {
        let hidden = self.unseen();
        self.rows.get(hidden..).unwrap_or_default()
    }

    /// How many records that fit came since the list is not followed.
    fn unseen(&self) -> usize {
        let newest = self.paused.unwrap_or(i64::MAX);
        self.rows.iter().take_while(|row| row.seq > newest).count()
    }

    fn ids(&self) -> Vec<i64> {
        self.shown().iter().map(|row| row.seq).collect()
    }

    /// The record the detail is about: the selected one, or the newest while they are followed.
    fn current(&self) -> Option<&AuditRow> {
        match self.records.chosen() {
            Some(seq) => self.rows.iter().find(|row| row.seq == *seq),
            None if self.paused.is_none() => self.rows.first(),
            None => None,
        }
    }

    /// What is selected, or followed.
    pub(crate) fn choice(&self) -> Option<Of> {
        self.current().map(|row| Of::Record(row.seq))
    }
}
