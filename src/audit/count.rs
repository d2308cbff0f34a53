//! Counting: requests without a valid token cost one record per reason and minute, however many come.

use std::collections::BTreeMap;
use std::time::Duration;

use parking_lot::Mutex;

use super::append::Audit;
use super::model::{Draft, Kind};
use crate::access::Principal;

/// How long refusals are gathered before they become a record.
const GATHER: Duration = Duration::from_secs(60);

/// What was counted and is not recorded yet.
#[derive(Default)]
pub(super) struct Counter(Mutex<Gathering>);

#[derive(Default)]
struct Gathering {
    /// A task that will record them is waiting.
    armed: bool,
    counts: BTreeMap<&'static str, i64>,
}

impl Audit {
    /// Counts a request that was refused before anyone was known, for the short machine-readable `reason`. For handlers: it needs the
    /// runtime, so it must not be called inside a transaction.
    pub(crate) fn count_refused(&self, reason: &'static str) {
        let first = {
            let mut gathering = self.counter.0.lock();
            *gathering.counts.entry(reason).or_insert(0) += 1;
            !std::mem::replace(&mut gathering.armed, true)
        };
        if first {
            // Armed by the first one and gone after it wrote: no timer runs when nothing is counted.
            let audit = self.clone();
            tokio::spawn(async move {
                tokio::time::sleep(GATHER).await;
                audit.record_counts().await;
            });
        }
    }

    /// Writes down what was counted so far; at a stop, and a minute after the first of them.
    pub(crate) async fn record_counts(&self) {
        let counts = {
            let mut gathering = self.counter.0.lock();
            gathering.armed = false;
            std::mem::take(&mut gathering.counts)
        };
        for (reason, count) in counts {
            let draft = Draft::refused(Kind::RequestRefused, reason).with("count", count);
            if let Err(error) = self.record(&Principal::System, draft).await {
                tracing::warn!(%error, reason, count, "refused requests could not be recorded; they are counted with the next ones");
                *self.counter.0.lock().counts.entry(reason).or_insert(0) += count;
            }
        }
    }
}
