//! A question before something ends. It restates the object and the effect; only `Y` says yes.
//!
//! It is deaf for 400 ms after it opened and as long as keys keep coming faster than 150 ms, so that what was being typed when it opened
//! cannot answer it. Enter, space, pastes and held keys never do. It holds the id of what it was asked about, not a place in a list.

use std::time::Duration;

use quarterdeck::control::Request;
use ratatui::layout::Rect;

use super::{centred, hints, lift};
use crate::app::{About, Asked, Effect, Exit, HitMap, Model};
use crate::input::{Intent, Place, in_place};
use crate::screens::Screen;
use crate::theme::{Role, Theme};
use crate::widgets::{Canvas, Frame, has_marks, width, wrap};

/// How long a question does not hear anything.
const DEAF: Duration = Duration::from_millis(400);
/// Keys closer together than this are typing, not an answer.
const TYPING: Duration = Duration::from_millis(150);
/// The question's width, its borders included.
const WIDTH: u16 = 66;
/// Cells of a label.
const LABEL: usize = 8;

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
    RemovePasskey {
        id: String,
        label: String,
        /// It is the only one: nobody can be let in afterwards without enrolling again.
        last: bool,
    },
    RemoveClient {
        name: String,
        client_id: String,
    },
    /// Only when the host runs in this process.
    Leave,
    /// Likewise.
    Suspend,
}

impl Question {
    /// What is asked, in a few words.
    pub(crate) fn title(&self) -> String {
        match self {
            Question::Revoke { name, .. } => format!("Revoke {name}?"),
            Question::Deny { .. } => "Deny this request?".to_owned(),
            Question::RemovePasskey { label, .. } => format!("Remove the passkey {label}?"),
            Question::RemoveClient { name, .. } => format!("Remove the client document {name}?"),
            Question::Leave => "Leave and stop the host?".to_owned(),
            Question::Suspend => "Suspend the host too?".to_owned(),
        }
    }

    /// First what yes does, then what it is done to or what else could be done: `room` cells wide.
    fn lines(&self, theme: &Theme, room: usize) -> Vec<(String, Role)> {
        let effect = wrap(theme, self.effect(), room).into_iter().chain([String::new()]);
        let mut lines: Vec<_> = effect.map(|line| (line, Role::Text)).collect();
        for (label, value) in self.about() {
            let indent = if label.is_empty() { 0 } else { LABEL };
            let role = if has_marks(&value) { Role::Warn } else { Role::Muted };
            let mut label = Some(label);
            let parts = wrap(theme, &value, room.saturating_sub(indent)).into_iter();
            lines.extend(parts.map(|part| (format!("{:indent$}{part}", label.take().unwrap_or_default()), role)));
        }
        lines
    }

    /// What yes does.
    pub(crate) fn effect(&self) -> &'static str {
        match self {
            Question::Revoke { .. } => {
                "Its next call is refused, for good. To come back it needs a new approval with your passkey."
            }
            Question::Deny { .. } => {
                "Its page in the browser stops working. The client is not told, so it may wait for a while. It may ask again."
            }
            Question::RemovePasskey { last: false, .. } => {
                "It cannot approve anything any more. Connections it approved stay, and the other passkeys too."
            }
            Question::RemovePasskey { last: true, .. } => {
                "It is the only one: nothing can be approved until another is enrolled from this terminal. Connections stay."
            }
            Question::RemoveClient { .. } => {
                "New authorizations with this client id are refused. Connections it has already stay until they are revoked."
            }
            Question::Leave => {
                "The host runs in this terminal and stops with it: no assistant can call until it is started again."
            }
            Question::Suspend => "The host runs in this process and stands still with it: calls are not answered until `fg`.",
        }
    }

    /// Labels and values; a sentence has no label.
    pub(crate) fn about(&self) -> Vec<(&'static str, String)> {
        let keep = "Keep serving: this terminal is left, and the host starts again in the background at once, at the same address. \
            Calls that run now are cut. `quarterdeck` shows this screen again; `quarterdeck stop` stops it.";
        match self {
            Question::Revoke { grant, client, scopes, .. } => {
                vec![("client", client.clone()), ("may", scopes.clone()), ("grant", grant.clone())]
            }
            Question::Deny { id, client, goes_to } => {
                vec![("client", client.clone()), ("answer", goes_to.clone()), ("id", id.clone())]
            }
            Question::RemovePasskey { id, .. } => vec![("id", id.clone())],
            Question::RemoveClient { client_id, .. } => vec![("client", client_id.clone())],
            Question::Leave | Question::Suspend => vec![("", keep.to_owned())],
        }
    }
}

impl Question {
    /// Whether yes asks the host for something.
    pub(crate) fn needs_host(&self) -> bool {
        !matches!(self, Question::Leave | Question::Suspend)
    }

    /// Whether there is a third answer.
    pub(crate) fn can_keep_serving(&self) -> bool {
        matches!(self, Question::Leave | Question::Suspend)
    }

    /// What yes does.
    pub(crate) fn effect_of_yes(self) -> Effect {
        match self {
            Question::Revoke { grant, name, .. } => {
                Effect::Ask(Asked::Revoke { name: name.clone() }, Request::Revoke { name, grant: Some(grant) })
            }
            Question::Deny { id, client, .. } => Effect::Ask(Asked::Deny { client }, Request::Deny { id }),
            Question::RemovePasskey { id, label, .. } => {
                Effect::Ask(Asked::Of(Screen::Connections, About::PasskeyRemoved { label }), Request::PasskeyRemove { id })
            }
            Question::RemoveClient { name, .. } => Effect::Ask(
                Asked::Of(Screen::Connections, About::ClientRemoved { name: name.clone() }),
                Request::ClientRemove { name },
            ),
            Question::Leave => Effect::Leave(Exit::Quit),
            Question::Suspend => Effect::Suspend,
        }
    }
}

/// What a key meant to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Confirmed(Question),
    KeepServing,
    Cancelled,
    Ignored,
}

/// An open question.
#[derive(Clone, Debug)]
pub(crate) struct Confirm {
    question: Question,
    deaf_until: Duration,
    /// The first line that is shown, where there are more than fit.
    pub(crate) scroll: usize,
}

impl Confirm {
    /// A question that opens now.
    pub(crate) fn new(question: Question, now: Duration) -> Confirm {
        Confirm { question, deaf_until: now + DEAF, scroll: 0 }
    }

    /// What is asked.
    pub(crate) fn question(&self) -> &Question {
        &self.question
    }

    /// Hears a key, by what it means in a question.
    pub(crate) fn hear(&mut self, intent: Option<Intent>, now: Duration) -> Verdict {
        if intent == Some(Intent::Close) {
            return Verdict::Cancelled;
        }
        let deaf = now < self.deaf_until;
        self.disturb(now);
        match intent {
            Some(Intent::Confirm) if !deaf => Verdict::Confirmed(self.question.clone()),
            Some(Intent::KeepServing) if !deaf && self.question.can_keep_serving() => Verdict::KeepServing,
            _ => Verdict::Ignored,
        }
    }

    /// A key came: an answer must keep its distance from it.
    pub(crate) fn disturb(&mut self, now: Duration) {
        self.deaf_until = self.deaf_until.max(now + TYPING);
    }

    /// The keys that answer, and how.
    pub(crate) fn answers(&self, model: &Model) -> Vec<String> {
        let usable = in_place(Place::Question).filter(|entry| match entry.intent {
            Intent::KeepServing => self.question.can_keep_serving(),
            intent => matches!(intent, Intent::Confirm | Intent::Close),
        });
        usable.map(|entry| format!("{} {}", model.setup.keymap.first(entry), self.word(entry.intent, entry.short))).collect()
    }

    /// What an answer is called for this question.
    pub(crate) fn word(&self, intent: Intent, usual: &'static str) -> &'static str {
        match (&self.question, intent) {
            (Question::Leave, Intent::Confirm) => "stop the host",
            (Question::Leave, Intent::Close) => "stay",
            (Question::Suspend, Intent::Confirm) => "suspend both",
            _ => usual,
        }
    }

    /// Draws it in the middle of `area`. What it is about can be longer than that: then it is scrolled, and the keys stay in sight.
    pub(crate) fn view(&self, model: &Model, canvas: &mut Canvas<'_>, (area, hits): (Rect, &mut HitMap)) {
        let room = usize::from(WIDTH.min(area.width).saturating_sub(6));
        let drawn = self.question.lines(canvas.theme, room);
        let height = u16::try_from(drawn.len()).unwrap_or(u16::MAX).saturating_add(4);
        let rect = centred(area, (WIDTH, height));
        lift(canvas, rect, area);
        let shown = usize::from(rect.height.saturating_sub(3));
        let hidden = drawn.len() > shown;
        let answers = self.answers(model).join("  ");
        let besides = if hidden {
            hints(model, Place::Question, &[Intent::Down, Intent::Up])
        } else {
            "— nothing else answers".to_owned()
        };
        let all = format!("{answers}{}{besides}", if hidden { "  " } else { " " });
        let bottom = if width(&all) <= room { all } else { answers };
        let first = self.scroll.min(drawn.len().saturating_sub(shown));
        let last = (first + shown).min(drawn.len());
        let right = if hidden { format!("lines {} to {last} of {}", first + 1, drawn.len()) } else { String::new() };
        let title = self.question.title();
        let inside = canvas.frame(rect, &Frame { title: &title, right: &right, bottom: &bottom, focused: true });
        let rows = inside.y.saturating_add(1)..inside.bottom();
        for (y, (line, role)) in rows.zip(drawn.iter().skip(first)) {
            canvas.put((inside.x + 2, y), inside.width.saturating_sub(4), line, canvas.theme.style(*role));
        }
        hits.reading = (drawn.len(), shown);
    }
}
