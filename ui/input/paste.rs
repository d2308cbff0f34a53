//! Pastes. Pasted text is never taken for keys: not when the terminal marks it, and not when it arrives as a burst of keys no hand can type.

use std::collections::VecDeque;
use std::time::Duration;

use crate::app::Msg;

/// More keys than this within [`BURST_TIME`] were not typed.
const BURST_KEYS: usize = 8;
const BURST_TIME: Duration = Duration::from_millis(30);
/// How long nothing is heard behind a paste. Whoever made the text may have put the mark of its end inside (ESC `[201~`): the rest of it
/// arrives as keys, perhaps in a later read.
const BEHIND: Duration = Duration::from_millis(400);
/// Keys closer together than this still belong to it.
const TYPING: Duration = Duration::from_millis(150);

/// Notices bursts that arrive spread over several reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Burst {
    last: VecDeque<Duration>,
}

impl Burst {
    /// Takes note of a key, and whether it makes a burst.
    pub(crate) fn note(&mut self, now: Duration) -> bool {
        self.last.push_back(now);
        if self.last.len() > BURST_KEYS + 1 {
            self.last.pop_front();
        }
        self.last.len() > BURST_KEYS && self.last.front().is_some_and(|first| now.saturating_sub(*first) <= BURST_TIME)
    }
}

/// What arrives right behind a paste belongs to it: in a field too, and whatever the key.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Behind {
    until: Duration,
    told: bool,
}

impl Behind {
    /// A paste ended.
    pub(crate) fn begin(&mut self, now: Duration) {
        *self = Behind { until: now + BEHIND, told: false };
    }

    /// Whether nothing is heard now.
    pub(crate) fn is_deaf(&self, now: Duration) -> bool {
        now < self.until
    }

    /// Takes note of a key that is not heard; whether that has to be said.
    pub(crate) fn keep_out(&mut self, now: Duration) -> bool {
        self.until = self.until.max(now + TYPING);
        !std::mem::replace(&mut self.told, true)
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
    fn nine_keys_in_thirty_milliseconds_are_a_burst() {
        let mut burst = Burst::default();
        let at = Duration::from_millis;
        assert!((0..8).all(|i| !burst.note(at(1000 + i * 3))));
        assert!(burst.note(at(1025)));
        assert!(!burst.note(at(1400)), "quiet for long enough");
    }

    #[test]
    fn typing_and_a_held_key_are_no_burst() {
        let mut burst = Burst::default();
        assert!((0..200).all(|i| !burst.note(Duration::from_millis(i * 33))));
    }

    #[test]
    fn nothing_is_heard_behind_a_paste_until_it_is_quiet() {
        let (mut behind, at) = (Behind::default(), Duration::from_millis);
        assert!(!behind.is_deaf(at(0)));
        behind.begin(at(1000));
        assert!(behind.is_deaf(at(1399)) && behind.keep_out(at(1399)), "the first one is told of");
        assert!(behind.is_deaf(at(1548)) && !behind.keep_out(at(1548)));
        assert!(!behind.is_deaf(at(1698)));
    }
}
