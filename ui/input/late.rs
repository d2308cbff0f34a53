//! What a terminal says of itself (OSC, ECMA-48 8.3.89) when it says it too late: the reader of keys takes it for typing.
//!
//! It begins with ESC `]`, which arrives as alt-`]`, and ends with ESC `\` or BEL. No intent has such a key, so nothing is lost by it.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::app::Msg;

/// An answer is over when nothing of it came for this long, however it ended.
const QUIET: Duration = Duration::from_millis(150);
/// No answer to what is asked is longer than this.
const LONGEST: u8 = 64;

/// Takes late answers out of what was read, also when they arrive in pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Late {
    /// Up to when its next letter may come, and how many it may still have.
    inside: Option<(Duration, u8)>,
}

impl Late {
    /// What was read, without late answers.
    pub(crate) fn without(&mut self, batch: Vec<Msg>, now: Duration) -> Vec<Msg> {
        batch.into_iter().filter(|msg| !matches!(msg, Msg::Key(key) if self.takes(key, now))).collect()
    }

    fn takes(&mut self, key: &KeyEvent, now: Duration) -> bool {
        if is(key, KeyModifiers::ALT, ']') {
            self.inside = Some((now + QUIET, LONGEST));
            return true;
        }
        let Some((until, left)) = self.inside.take().filter(|(until, left)| now < *until && *left > 0) else {
            return false;
        };
        if !is(key, KeyModifiers::ALT, '\\') && !is(key, KeyModifiers::CONTROL, 'g') {
            self.inside = Some((until.max(now + QUIET), left - 1));
        }
        true
    }
}

fn is(key: &KeyEvent, modifiers: KeyModifiers, c: char) -> bool {
    key.code == KeyCode::Char(c) && key.modifiers == modifiers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Vec<Msg> {
        let mut modifiers = KeyModifiers::NONE;
        let mut keys = Vec::new();
        for c in text.chars() {
            match c {
                '\u{1b}' => modifiers = KeyModifiers::ALT,
                '\u{7}' => keys.push(Msg::Key(KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL))),
                c => keys.push(Msg::Key(KeyEvent::new(KeyCode::Char(c), std::mem::replace(&mut modifiers, KeyModifiers::NONE)))),
            }
        }
        keys
    }

    fn left(batches: &[(u64, &str)]) -> String {
        let mut late = Late::default();
        let read = batches.iter().flat_map(|(ms, text)| late.without(typed(text), Duration::from_millis(*ms)));
        let letter = |msg| match msg {
            Msg::Key(KeyEvent { code: KeyCode::Char(c), .. }) => c,
            other => panic!("{other:?}"),
        };
        read.map(letter).collect()
    }

    #[test]
    fn an_answer_is_taken_out_whole_or_in_pieces_and_typing_is_not() {
        assert_eq!(left(&[(0, "j\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\k")]), "jk");
        assert_eq!(left(&[(0, "j\u{1b}]11;rgb:ffff/ffff/ffff\u{7}k")]), "jk");
        assert_eq!(left(&[(0, "\u{1b}]11;r"), (100, "gb:ff"), (200, "ff\u{1b}\\"), (210, ":q")]), ":q");
    }

    #[test]
    fn one_that_never_ends_takes_no_more_than_an_answer_has() {
        assert_eq!(left(&[(0, "\u{1b}]11;rgb"), (149, ":"), (400, "R")]), "R", "it was quiet");
        assert_eq!(left(&[(0, &format!("\u{1b}]{}jj", "x".repeat(64)))]), "jj", "it was too long");
    }
}
