//! Reading the audit: the newest entries, and how a grant was used.

use std::time::Duration;

use super::append::Audit;
#[cfg(test)]
use super::model::Head;
use super::model::{Entry, Seq};
use super::store;
use crate::clock::UnixMs;
use crate::id::GrantId;
use crate::store::{Error, Reader};

/// Hours in a day, and milliseconds in an hour.
const HOURS: i64 = 24;
const HOUR: i64 = 60 * 60 * 1000;

/// "Recently" for call counts.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Audit {
    /// The end of the chain.
    #[cfg(test)]
    pub(crate) async fn head(&self) -> Result<Head, Error> {
        self.store.read(store::head).await
    }

    /// The newest `most` entries before `before` (all of them: [`Seq::MAX`]), oldest first.
    pub(crate) async fn page(&self, before: Seq, most: i64) -> Result<Vec<Entry>, Error> {
        self.store.read(move |db| store::page(db, before, most)).await
    }

    /// When `grant` was last used. Read from the audit itself: there is no second account that could disagree.
    pub(crate) fn last_used_at(&self, db: &Reader<'_>, grant: &GrantId) -> Result<Option<UnixMs>, Error> {
        store::last_used_at(db, grant)
    }

    /// How many tools `grant` called in the last 24 hours. It takes as long as there are calls: never on the way of a request.
    pub(crate) fn calls_24h(&self, db: &Reader<'_>, grant: &GrantId) -> Result<i64, Error> {
        store::calls_since(db, grant, self.clock.now().minus(DAY))
    }

    /// How many tools `grant` called in each of the last 24 hours of the clock (UTC), the present one last.
    pub(crate) fn calls_by_hour(&self, db: &Reader<'_>, grant: &GrantId) -> Result<Vec<i64>, Error> {
        let start = (self.clock.now().0.div_euclid(HOUR) - (HOURS - 1)) * HOUR;
        let hour = |hour: i64| (UnixMs(start + hour * HOUR), UnixMs(start + (hour + 1) * HOUR));
        (0..HOURS).map(|at| store::calls_between(db, grant, hour(at))).collect()
    }
}
