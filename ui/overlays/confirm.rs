//! A question before something ends. It restates the object and the effect; only `Y` says yes.
//!
//! It is deaf for 400 ms after it opened and as long as keys keep coming faster than 150 ms, so that what was being typed when it opened
//! cannot answer it. Enter, space, pastes and held keys never do. It holds the id of what it was asked about, not a place in a list.

use std::time::Duration;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::{centred, lift};
use crate::input::{Intent, Key, Place, find, in_place};
use crate::theme::Role;
use crate::widgets::{Canvas, Frame, has_marks, wrap};

/// How long a question does not hear anything.
const DEAF: Duration = Duration::from_millis(400);
/// Keys closer together than this are typing, not an answer.
const TYPING: Duration = Duration::from_millis(150);
/// The question's width, its borders included.
const WIDTH: u16 = 66;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Revoke {
        grant: String,
        name: String,
        client: String,
        scopes: String,
    },
    Deny {
        id: String,
        client: String,
        goes_to: String,
    },
    /// Only when the host runs in this process.
    Leave,
    /// Likewise.
    Suspend,
}

/// What a key meant to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Confirmed(Question),
    Cancelled,
    Ignored,
}

/// An open question.
#[derive(Clone, Debug)]
pub(crate) struct Confirm {
    question: Question,
    deaf_until: Duration,
}

impl Confirm {
    /// A question that opens now.
    pub(crate) fn new(question: Question, now: Duration) -> Confirm {
        Confirm { question, deaf_until: now + DEAF }
    }

    /// Hears a key.
    pub(crate) fn hear(&mut self, key: Key, now: Duration) -> Verdict {
        if key == Key::named(KeyCode::Esc) {
            return Verdict::Cancelled;
        }
        let deaf = now < self.deaf_until;
        self.disturb(now);
        match find(key, &[Place::Question]).map(|entry| entry.intent) {
            Some(Intent::Confirm) if !deaf => Verdict::Confirmed(self.question.clone()),
            _ => Verdict::Ignored,
        }
    }

    /// A key came: an answer must keep its distance from it.
    pub(crate) fn disturb(&mut self, now: Duration) {
        self.deaf_until = self.deaf_until.max(now + TYPING);
    }

    /// Draws it in the middle of `area`.
    pub(crate) fn view(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let (title, lines) = self.words();
        let room = usize::from(WIDTH.min(area.width).saturating_sub(6));
        let mut drawn = Vec::new();
        for (text, role) in lines {
            let role = if has_marks(&text) { Role::Warn } else { role };
            drawn.extend(wrap(canvas.theme, &text, room).into_iter().map(|line| (line, role)));
        }
        let height = u16::try_from(drawn.len()).unwrap_or(u16::MAX).saturating_add(4);
        let rect = centred(area, (WIDTH, height));
        lift(canvas, rect, area);
        let keys: Vec<String> = in_place(Place::Question).map(|entry| format!("{} {}", entry.shown, entry.short)).collect();
        let hints = format!("{} — nothing else answers", keys.join("  "));
        let inside = canvas.frame(rect, &Frame { title: &title, bottom: &hints, focused: true, ..Frame::default() });
        let rows = inside.y.saturating_add(1)..inside.bottom();
        for (y, (line, role)) in rows.zip(&drawn) {
            canvas.put((inside.x + 2, y), inside.width.saturating_sub(4), line, canvas.theme.style(*role));
        }
    }

    fn words(&self) -> (String, Vec<(String, Role)>) {
        let text = |text: &str| (text.to_owned(), Role::Text);
        let muted = |text: String| (text, Role::Muted);
        match &self.question {
            Question::Revoke { grant, name, client, scopes } => (
                format!("Revoke {name}?"),
                vec![
                    text("Its next call is refused, for good. To come back it needs a new approval with your passkey."),
                    text(""),
                    muted(format!("client  {client}")),
                    muted(format!("may     {scopes}")),
                    muted(format!("grant   {grant}")),
                ],
            ),
            Question::Deny { id, client, goes_to } => (
                "Deny this request?".to_owned(),
                vec![
                    text("It is told that access was denied. It may ask again."),
                    text(""),
                    muted(format!("client  {client}")),
                    muted(format!("answer  {goes_to}")),
                    muted(format!("id      {id}")),
                ],
            ),
            Question::Leave => (
                "Leave and stop the host?".to_owned(),
                vec![
                    text("The host runs in this terminal and stops with it: no assistant can call until it is started again."),
                    text(""),
                    muted(
                        "To keep it running: leave, start `quarterdeck serve`, and open `quarterdeck` here whenever you like."
                            .to_owned(),
                    ),
                ],
            ),
            Question::Suspend => (
                "Suspend the host too?".to_owned(),
                vec![
                    text("The host runs in this process and stands still with it: calls are not answered until `fg`."),
                    text(""),
                    muted("With `quarterdeck serve` in another terminal only the screen would be suspended.".to_owned()),
                ],
            ),
        }
    }
}
