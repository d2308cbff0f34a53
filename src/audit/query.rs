//! Reading the audit: the newest entries, and how a grant was used.

use std::time::Duration;

use super::append::Audit;
#[cfg(test)]
use super::model::Head;
use super::model::{Entry, Seq};
use super::store;
use crate::clock::UnixMs;
use crate::id::GrantId;
use crate::store::Error;

/// "Recently" for call counts.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How a grant was used. Read from the audit itself: there is no second count that could disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) last_used_at: Option<UnixMs>,
    pub(crate) calls_24h: i64,
}

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

    /// How `grant` was used in the last 24 hours.
    pub(crate) fn usage(&self, grant: &GrantId) -> Result<Usage, Error> {
        let since = self.clock.now().minus(DAY);
        let (last_used_at, calls_24h) = self.store.look(|db| store::usage(db, grant, since))?;
        Ok(Usage { last_used_at, calls_24h })
    }
}
