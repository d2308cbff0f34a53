//! Listing the journal backwards: what the owner reads.

use std::time::Duration;

use super::{Event, Knowledge, store};
use crate::clock::UnixMs;
use crate::store::Error;

/// Places looked at for one answer: a source that recorded little must not make a request read the whole journal.
const LOOKED_AT: i64 = 20_000;
/// How far a clock may have been set back between two entries: places are in the order of recording, not of time.
const CLOCK_BACK: Duration = Duration::from_secs(24 * 60 * 60);

/// Which entries, and how much of them.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// Only of this connection, by name.
    pub(crate) source: Option<String>,
    /// Only of this type.
    pub(crate) kind: Option<String>,
    /// Not before this moment.
    pub(crate) since: Option<UnixMs>,
    /// Only before this place.
    pub(crate) before: Option<i64>,
    /// At most so many.
    pub(crate) most: i64,
    /// Most characters of each text: a record may have a megabyte.
    pub(crate) longest: i64,
}

/// A stretch of the journal, newest first.
pub(crate) struct Stretch {
    pub(crate) events: Vec<Event>,
    /// Where to go on; `None` at the end. There may be a next place although no entry of this stretch fits.
    pub(crate) next: Option<i64>,
}

impl Knowledge {
    /// The entries that are wanted, newest first.
    pub(crate) async fn back(&self, wanted: Wanted) -> Result<Stretch, Error> {
        self.store
            .read(move |db| {
                let Some((first, last)) = store::places(db, wanted.since.map(|since| since.minus(CLOCK_BACK)))? else {
                    return Ok(Stretch { events: Vec::new(), next: None });
                };
                let before = wanted.before.unwrap_or(i64::MAX).min(last.saturating_add(1));
                let from = before.saturating_sub(LOOKED_AT).max(first);
                let events = store::back(db, &wanted, from, before)?;
                let full = i64::try_from(events.len()).is_ok_and(|found| found >= wanted.most);
                let reached = events.last().filter(|_| full).map_or(from, |event| event.n);
                Ok(Stretch { events, next: (reached > first).then_some(reached) })
            })
            .await
    }
}
