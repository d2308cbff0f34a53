//! Time as an argument: the host asks a [`Clock`], so tests move time by hand and never sleep.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A moment: milliseconds since 1970-01-01T00:00:00Z. What the store keeps and every expiry is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct UnixMs(pub(crate) i64);

impl UnixMs {
    /// This moment plus `by`, saturating at the end of time instead of wrapping into the past.
    pub(crate) fn plus(self, by: Duration) -> UnixMs {
        UnixMs(self.0.saturating_add(millis(by)))
    }

    /// This moment minus `by`.
    pub(crate) fn minus(self, by: Duration) -> UnixMs {
        UnixMs(self.0.saturating_sub(millis(by)))
    }

    /// How long after `earlier` this is; zero when the clock went backwards.
    pub(crate) fn since(self, earlier: UnixMs) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    fn timestamp(self) -> jiff::Timestamp {
        jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
    }

    /// RFC 3339 in UTC with milliseconds: `2026-12-01T09:30:00.000Z`.
    pub(crate) fn rfc3339(self) -> String {
        self.timestamp().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
    }

    /// The UTC day: `2026-12-01`.
    pub(crate) fn day(self) -> String {
        self.timestamp().strftime("%Y-%m-%d").to_string()
    }
}

fn millis(by: Duration) -> i64 {
    i64::try_from(by.as_millis()).unwrap_or(i64::MAX)
}

/// Where "now" comes from: the system in the product, a hand-moved value in tests.
#[derive(Clone)]
pub(crate) struct Clock(Arc<dyn Fn() -> i64 + Send + Sync>);

impl Clock {
    /// The machine's clock.
    #[allow(clippy::disallowed_methods, reason = "the one place that reads the system clock")]
    pub(crate) fn system() -> Clock {
        Clock::from_fn(Arc::new(|| jiff::Timestamp::now().as_millisecond()))
    }

    /// A clock that answers with `now`, in Unix milliseconds.
    pub(crate) fn from_fn(now: Arc<dyn Fn() -> i64 + Send + Sync>) -> Clock {
        Clock(now)
    }

    /// The present moment.
    pub(crate) fn now(&self) -> UnixMs {
        UnixMs((self.0)())
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

/// A clock for tests and the handle that moves it.
#[cfg(test)]
pub(crate) fn manual(start: i64) -> (Clock, Arc<std::sync::atomic::AtomicI64>) {
    let hand = Arc::new(std::sync::atomic::AtomicI64::new(start));
    let read = Arc::clone(&hand);
    (Clock::from_fn(Arc::new(move || read.load(std::sync::atomic::Ordering::SeqCst))), hand)
}
