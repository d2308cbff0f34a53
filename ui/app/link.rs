//! The line to the host, and how it is asked again when it broke.

use std::time::Duration;

use jiff::Timestamp;

/// The line to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    Connected,
    /// The host is there, but its notices ended: what is shown gets old until they come again.
    Reading(Retry),
    /// The host is not there: what is shown is old, and nothing can be decided.
    Lost {
        since: Timestamp,
        retry: Retry,
    },
}

impl Link {
    /// When the host is asked again; `None` while its notices come.
    pub(crate) fn retry(&self) -> Option<Retry> {
        match self {
            Link::Connected => None,
            Link::Reading(retry) | Link::Lost { retry, .. } => Some(*retry),
        }
    }
}

/// Asking the host for its notices again, each time with more patience.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Retry {
    tries: u32,
    pub(crate) next: Duration,
}

impl Retry {
    /// The first one, soon.
    pub(super) fn soon(now: Duration) -> Retry {
        Retry { tries: 0, next: now + patience(0) }
    }

    /// The one after this.
    pub(super) fn later(self, now: Duration) -> Retry {
        let tries = self.tries + 1;
        Retry { tries, next: now + patience(tries) }
    }
}

/// How long to wait before the next try to reach the host: 1, 2, 4, 8, then every 15 s.
fn patience(tries: u32) -> Duration {
    Duration::from_secs(1_u64.checked_shl(tries).unwrap_or(15).min(15))
}
