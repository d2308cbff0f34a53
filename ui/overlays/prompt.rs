//! A prompt: one line is asked for, for one purpose. What was typed is never lost to a mistake: the prompt stays open and says what is wrong.

use std::path::PathBuf;

use crossterm::event::KeyEvent;
use quarterdeck::control::Request;
use ratatui::layout::Rect;

use super::{Overlay, centred, hints, lift};
use crate::app::{About, Asked, Effect, Export, HitMap, Model};
use crate::input::{Intent, Place};
use crate::screens::Screen;
use crate::theme::Role;
use crate::widgets::{Canvas, Field, Frame, Typed, wrap};

/// The prompt's width, its borders included.
const WIDTH: u16 = 72;

/// Most characters of a line: a path.
const LONGEST: usize = 4096;

/// Where most clients of this machine are sent back to.
const REDIRECT: &str = "http://127.0.0.1/callback";

const TOO_LONG: &str = "not all of it fits here: what is too long was left out";

/// What the line is for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Purpose {
    /// The file a list is written to.
    ExportTo(Export),
    /// The name of a new client document; and where its client may be sent back to, when that was typed already.
    ClientName { redirect: Option<String> },
    /// Where its client may be sent back to.
    ClientRedirect { name: String },
}

impl Purpose {
    fn title(&self) -> &'static str {
        match self {
            Purpose::ExportTo(_) => "Export to a new file",
            Purpose::ClientName { .. } | Purpose::ClientRedirect { .. } => "Keep a client document here",
        }
    }

    fn asks(&self) -> String {
        match self {
            Purpose::ExportTo(_) => {
                "The file. .csv writes a table, anything else JSON lines. A file that exists is never overwritten.".to_owned()
            }
            Purpose::ClientName { .. } => {
                "A name for the client: letters, digits and dashes. It becomes the end of its client id.".to_owned()
            }
            Purpose::ClientRedirect { name } => {
                format!("Where {name} may be sent back to: a loopback address; any port fits. Several with spaces between.")
            }
        }
    }
}

/// The open prompt.
#[derive(Clone, Debug)]
pub(crate) struct Prompt {
    pub(crate) purpose: Purpose,
    field: Field,
    /// What is wrong with what was typed.
    wrong: Option<String>,
}

impl Prompt {
    /// Asks, with a proposal.
    pub(crate) fn new(purpose: Purpose, proposal: &str) -> Prompt {
        Prompt { purpose, field: Field::new(LONGEST).holding(proposal), wrong: None }
    }

    pub(super) fn typed(&mut self, event: &KeyEvent) {
        if self.field.key(*event) == Typed::Changed {
            self.wrong = None;
        }
    }

    pub(super) fn paste(&mut self, text: &str) {
        self.wrong = self.field.paste(text).then(|| TOO_LONG.to_owned());
    }

    /// Says what is wrong, below the line.
    pub(crate) fn refuse(&mut self, why: &str) {
        self.wrong = Some(why.to_owned());
    }

    /// Draws it in the middle of `area`.
    pub(crate) fn view(&self, model: &Model, canvas: &mut Canvas<'_>, (area, hits): (Rect, &mut HitMap)) {
        let room = usize::from(WIDTH.min(area.width).saturating_sub(6));
        let asks = wrap(canvas.theme, &self.purpose.asks(), room);
        let wrong = self.wrong.as_deref().map(|why| wrap(canvas.theme, why, room)).unwrap_or_default();
        let height = u16::try_from(asks.len() + wrong.len() + 6).unwrap_or(u16::MAX);
        let rect = centred(area, (WIDTH, height));
        lift(canvas, rect, area);
        let bottom = hints(model, Place::Field, &[Intent::Submit, Intent::Close]);
        let frame = Frame { title: self.purpose.title(), bottom: &bottom, focused: true, ..Frame::default() };
        let inside = canvas.frame(rect, &frame);
        let mut y = inside.y + 1;
        let width = inside.width.saturating_sub(4);
        for line in asks {
            canvas.put((inside.x + 2, y), width, &line, canvas.theme.style(Role::Text));
            y += 1;
        }
        y += 1;
        canvas.put((inside.x + 2, y), 2, ">", canvas.theme.style(Role::Accent));
        let style = canvas.theme.style(Role::Text);
        hits.cursor = self.field.draw(canvas, (inside.x + 4, y), width.saturating_sub(2), style);
        for line in wrong {
            y += 1;
            canvas.put((inside.x + 2, y), width, &line, canvas.theme.style(Role::Danger));
        }
    }
}

pub(super) fn update(model: &mut Model, intent: Intent) -> Vec<Effect> {
    let Some(Overlay::Prompt(mut prompt)) = model.overlays.pop() else { return Vec::new() };
    if intent == Intent::Close {
        return Vec::new();
    }
    let text = prompt.field.text().trim().to_owned();
    if text.is_empty() {
        prompt.refuse("type something, or give it up");
        model.overlays.push(Overlay::Prompt(prompt));
        return Vec::new();
    }
    match prompt.purpose {
        Purpose::ExportTo(what) => vec![Effect::Export { what, path: PathBuf::from(text) }],
        Purpose::ClientName { redirect } => {
            let redirect = redirect.as_deref().unwrap_or(REDIRECT);
            let mut next = Prompt::new(Purpose::ClientRedirect { name: text }, redirect);
            // The name was not changed since: what is wrong may be the address.
            next.wrong = prompt.wrong;
            model.overlays.push(Overlay::Prompt(next));
            Vec::new()
        }
        Purpose::ClientRedirect { name } => {
            let redirect_uris = text.split_whitespace().map(str::to_owned).collect();
            let asked = Asked::Of(Screen::Connections, About::ClientAdded { name: name.clone(), redirect: text });
            vec![Effect::Ask(asked, Request::ClientAdd { name, redirect_uris })]
        }
    }
}
