//! How much of the audit strangers can fill with failed attempts.

use std::time::Duration;

use parking_lot::Mutex;

use crate::clock::UnixMs;

/// Failed attempts that get a record of their own in one minute; the next minute's first record says how many more there were.
pub(super) const FAILURES: u32 = 20;
const MINUTE: Duration = Duration::from_secs(60);

/// What is counted by itself: much of one sort must not hide another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sort {
    /// A page was denied: anybody can open one and do so.
    Denied,
    /// Nobody proved anything.
    Unproved,
    /// Signed by an enrolled passkey: only who holds it, or its copy, can bring it about.
    Signed,
}

/// The failures of the running minute.
#[derive(Default)]
pub(super) struct Failures(Mutex<[Option<Window>; 3]>);

struct Window {
    since: UnixMs,
    seen: u32,
}

/// What becomes of a failure.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Noted {
    /// It gets a record of its own, which also tells how many before it got none.
    Record { untold: u32 },
    /// It is only counted.
    Count,
}

impl Failures {
    /// One more failure at `now`.
    pub(super) fn note(&self, sort: Sort, now: UnixMs) -> Noted {
        let mut windows = self.0.lock();
        let [denied, unproved, signed] = &mut *windows;
        let window = match sort {
            Sort::Denied => denied,
            Sort::Unproved => unproved,
            Sort::Signed => signed,
        };
        match window {
            Some(running) if now.since(running.since) < MINUTE => {
                running.seen = running.seen.saturating_add(1);
                if running.seen <= FAILURES { Noted::Record { untold: 0 } } else { Noted::Count }
            }
            before => {
                let untold = before.as_ref().map_or(0, |ended| ended.seen.saturating_sub(FAILURES));
                *before = Some(Window { since: now, seen: 1 });
                Noted::Record { untold }
            }
        }
    }
}
