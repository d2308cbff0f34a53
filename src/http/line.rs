//! One line of the log per request, and an end to it: anybody can ask for anything, and the disk is the owner's.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::extract::Request;
use axum::response::Response;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use http::{Method, Uri};

/// Lines at once, and lines in a minute after that: five a second are far more than assistants ask for all day long.
const LINES: NonZeroU32 = NonZeroU32::MIN.saturating_add(299);
/// Most characters of a path: every real one is shorter.
const PATH: usize = 120;

type Limiter<C> = RateLimiter<NotKeyed, InMemoryState, C, NoOpMiddleware<<C as Clock>::Instant>>;

/// How many lines may still be written; clones share it.
#[derive(Clone)]
pub(super) struct Lines<C: Clock = DefaultClock> {
    limiter: Arc<Limiter<C>>,
    left_out: Arc<AtomicU64>,
}

impl Default for Lines {
    fn default() -> Lines {
        Lines::with_clock(DefaultClock::default())
    }
}

impl<C: Clock> Lines<C> {
    fn with_clock(clock: C) -> Lines<C> {
        let limiter = RateLimiter::direct_with_clock(Quota::per_minute(LINES), clock);
        Lines { limiter: Arc::new(limiter), left_out: Arc::default() }
    }

    /// Whether one more may be written, and how many were left out before it.
    fn next(&self) -> Option<u64> {
        if self.limiter.check().is_err() {
            self.left_out.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        Some(self.left_out.swap(0, Ordering::Relaxed))
    }
}

/// A request whose line is not written yet.
pub(super) struct Line {
    method: Method,
    uri: Uri,
    begun: Instant,
}

impl Line {
    #[allow(clippy::disallowed_methods, reason = "a duration for the log is not a decision")]
    pub(super) fn of(request: &Request) -> Line {
        Line { method: request.method().clone(), uri: request.uri().clone(), begun: Instant::now() }
    }

    /// Writes the line: no query, no header, nothing that could be a secret.
    pub(super) fn write(self, lines: &Lines, response: &Response) {
        let Some(left_out) = lines.next() else { return };
        if left_out > 0 {
            tracing::info!(left_out, "requests came faster than they are logged");
        }
        let Line { method, uri, begun } = self;
        let (status, ms) = (response.status().as_u16(), begun.elapsed().as_millis());
        tracing::info!(%method, path = shown(uri.path()), status, ms, "request");
    }
}

fn shown(path: &str) -> String {
    crate::text::shorten(&crate::text::safe(path), PATH)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use governor::clock::FakeRelativeClock;

    use super::*;

    #[test]
    fn a_flood_is_counted_and_not_written_and_the_next_line_tells_of_it() {
        let clock = FakeRelativeClock::default();
        let lines = Lines::with_clock(clock.clone());
        for _ in 0..LINES.get() {
            assert_eq!(lines.next(), Some(0));
        }
        for _ in 0..1000 {
            assert_eq!(lines.next(), None);
        }
        clock.advance(Duration::from_secs(1));
        assert_eq!((lines.next(), lines.next()), (Some(1000), Some(0)));
    }

    #[test]
    fn a_path_of_any_length_is_one_short_line() {
        assert_eq!(shown("/mcp"), "/mcp");
        assert_eq!(shown(&format!("/{}", "a".repeat(60_000))).chars().count(), PATH);
        assert_eq!(shown("/\u{202e}"), "/⟨U+202E⟩");
    }
}
