//! Pastes. Pasted text is never taken for keys: not when the terminal marks it, and not when it arrives as a burst of keys no hand can type.

use std::collections::VecDeque;
use std::time::Duration;

use crate::app::Msg;

/// More keys than this within [`BURST_TIME`] were not typed.
const BURST_KEYS: usize = 8;
const BURST_TIME: Duration = Duration::from_millis(30);
/// A burst is over when no key came for this long.
const QUIET: Duration = Duration::from_millis(150);

/// Notices bursts that arrive spread over several reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Burst {
    last: VecDeque<Duration>,
    until: Duration,
}

impl Burst {
    /// Takes note of a key. Whether it is part of a burst, and whether it is the one that made it a burst.
    pub(crate) fn note(&mut self, now: Duration) -> (bool, bool) {
        self.last.push_back(now);
        if self.last.len() > BURST_KEYS + 1 {
            self.last.pop_front();
        }
        let fast =
            self.last.len() > BURST_KEYS && self.last.front().is_some_and(|first| now.saturating_sub(*first) <= BURST_TIME);
        let going_on = now < self.until;
        if fast || going_on {
            self.until = now + QUIET;
        }
        (fast || going_on, fast && !going_on)
    }
}

/// Replaces the keys of one read by a single paste when they are more than a hand types at once.
pub(crate) fn collapse(batch: Vec<Msg>) -> Vec<Msg> {
    let keys = batch.iter().filter(|msg| matches!(msg, Msg::Key(_))).count();
    if keys <= BURST_KEYS {
        return batch;
    }
    let mut rest: Vec<Msg> = batch.into_iter().filter(|msg| !matches!(msg, Msg::Key(_))).collect();
    rest.push(Msg::Paste(String::new()));
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_keys_in_thirty_milliseconds_are_a_burst_until_it_is_quiet() {
        let mut burst = Burst::default();
        let at = Duration::from_millis;
        for i in 0..8 {
            assert_eq!(burst.note(at(1000 + i * 3)), (false, false));
        }
        assert_eq!(burst.note(at(1025)), (true, true));
        assert_eq!(burst.note(at(1120)), (true, false), "slower, but the same burst");
        assert_eq!(burst.note(at(1400)), (false, false), "quiet for long enough");
    }

    #[test]
    fn typing_and_a_held_key_are_no_burst() {
        let mut burst = Burst::default();
        assert!((0..200).all(|i| burst.note(Duration::from_millis(i * 33)) == (false, false)));
    }
}
