//! What is drawn above a screen and gets the keys first. Nothing here opens by itself: only a key of the owner opens an overlay.

mod confirm;
mod detail;
mod filter;
mod help;
mod link;
mod palette;
mod prompt;
mod qr;
mod text;
mod toast;

pub(crate) use confirm::{Confirm, Question, Verdict};
pub(crate) use filter::Filter;
pub(crate) use help::{Help, search};
pub(crate) use link::{LinkPage, Linked, link};
pub(crate) use palette::Palette;
#[cfg(test)]
pub(crate) use palette::{commands, is_movement};
pub(crate) use prompt::{Prompt, Purpose};
pub(crate) use qr::{Enroll, rows as code_rows};
pub(crate) use text::TextPage;
pub(crate) use toast::Toasts;

use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::app::{Effect, HitMap, Model, Now, disabled};
use crate::input::{Intent, Place, in_place};
use crate::screens::Detail;
use crate::widgets::Canvas;

/// One overlay.
#[derive(Clone, Debug)]
pub(crate) enum Overlay {
    Confirm(Confirm),
    Help(Help),
    Enroll(Enroll),
    Detail(Detail),
    Text(TextPage),
    Palette(Palette),
    Filter(Filter),
    Prompt(Prompt),
    Link(LinkPage),
}

impl Overlay {
    /// When its countdown shows another second.
    pub(crate) fn next_second(&self, now: &Now) -> Option<Duration> {
        match self {
            Overlay::Enroll(enroll) => enroll.next_second(now),
            _ => None,
        }
    }

    /// Time passed: whether that is visible.
    pub(crate) fn pass(&mut self, now: &Now) -> bool {
        match self {
            Overlay::Enroll(enroll) => enroll.pass(now.wall),
            _ => false,
        }
    }

    /// Something was typed that was not meant for a question: the question waits for quiet.
    pub(crate) fn disturb(&mut self, now: Duration) {
        if let Overlay::Confirm(confirm) = self {
            confirm.disturb(now);
        }
    }

    /// Whether letters are text here.
    pub(crate) fn takes_text(&self) -> bool {
        match self {
            Overlay::Help(help) => help.searching(),
            _ => matches!(self, Overlay::Palette(_) | Overlay::Filter(_) | Overlay::Prompt(_)),
        }
    }

    /// The first line that is shown of a text to read.
    pub(crate) fn scroll(&mut self) -> Option<&mut usize> {
        match self {
            Overlay::Help(help) => Some(&mut help.scroll),
            Overlay::Detail(detail) => Some(&mut detail.scroll),
            Overlay::Text(page) => Some(&mut page.scroll),
            Overlay::Confirm(confirm) => Some(&mut confirm.scroll),
            _ => None,
        }
    }

    /// Draws it over `area`.
    pub(crate) fn view(&self, model: &Model, canvas: &mut Canvas<'_>, (area, hits): (Rect, &mut HitMap)) {
        match self {
            Overlay::Confirm(confirm) => confirm.view(model, canvas, (area, hits)),
            Overlay::Help(help) => help.view(model, canvas, (area, hits)),
            Overlay::Enroll(enroll) => enroll.view(model, canvas, area),
            Overlay::Detail(detail) => detail::view(detail, model, canvas, (area, hits)),
            Overlay::Text(page) => page.view(model, canvas, (area, hits)),
            Overlay::Palette(palette) => palette.view(model, canvas, (area, hits)),
            Overlay::Filter(filter) => filter.view(model, canvas, (area, hits)),
            Overlay::Prompt(prompt) => prompt.view(model, canvas, (area, hits)),
            Overlay::Link(page) => page.view(model, canvas, area),
        }
    }
}

/// Opens the command palette.
pub(crate) fn open_palette(model: &mut Model) {
    model.overlays.push(Overlay::Palette(Palette::new()));
}

/// Opens the filter of the screen that is shown, with what it is filtered by now.
pub(crate) fn open_filter(model: &mut Model) {
    let filter = Filter::new(crate::screens::filter(model));
    model.overlays.push(Overlay::Filter(filter));
}

/// A key that is text for the open field.
pub(crate) fn typed(model: &mut Model, event: &KeyEvent) -> Vec<Effect> {
    match model.overlays.last_mut() {
        Some(Overlay::Palette(palette)) => palette.typed(event),
        Some(Overlay::Help(help)) => help.typed(event),
        Some(Overlay::Filter(filter)) => {
            filter.field.key(*event);
        }
        Some(Overlay::Prompt(prompt)) => prompt.typed(event),
        _ => {}
    }
    follow(model)
}

/// A paste into the open field.
pub(crate) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    match model.overlays.last_mut() {
        Some(Overlay::Palette(palette)) => palette.paste(text),
        Some(Overlay::Help(help)) => help.paste(text),
        Some(Overlay::Filter(filter)) => {
            filter.field.paste(text);
        }
        Some(Overlay::Prompt(prompt)) => prompt.paste(text),
        _ => {}
    }
    follow(model)
}

/// A filter works while it is typed.
fn follow(model: &mut Model) -> Vec<Effect> {
    model.changed = true;
    if let Some(Overlay::Filter(filter)) = model.overlays.last()
        && filter.field.text() != crate::screens::filter(model)
    {
        let text = filter.field.text().to_owned();
        crate::screens::filtered(model, &text);
    }
    Vec::new()
}

/// An intent of the open field or palette.
pub(crate) fn field(model: &mut Model, intent: Intent) -> Vec<Effect> {
    match model.overlays.last() {
        Some(Overlay::Palette(_)) => palette::update(model, intent),
        Some(Overlay::Help(_)) => help::update(model, intent),
        Some(Overlay::Filter(_)) => filter::update(model, intent),
        Some(Overlay::Prompt(_)) => prompt::update(model, intent),
        _ => Vec::new(),
    }
}

/// The keys of a place, for the bottom of an overlay: those that work now.
fn hints(model: &Model, place: Place, of: &[Intent]) -> String {
    let usable = in_place(place).filter(|entry| of.contains(&entry.intent) && disabled(model, entry.intent).is_none());
    let keymap = &model.setup.keymap;
    usable.map(|entry| format!("{} {}", keymap.first(entry), entry.short)).collect::<Vec<_>>().join("  ")
}

/// A rectangle of this size in the middle of `area`, or as much of it as there is.
fn centred(area: Rect, (width, height): (u16, u16)) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}

/// Clears `rect` and one column beside it, so that what is below does not touch the border.
fn lift(canvas: &mut Canvas<'_>, rect: Rect, area: Rect) {
    let x = rect.x.saturating_sub(1).max(area.x);
    let right = (rect.right() + 1).min(area.right());
    canvas.clear(Rect { x, width: right - x, ..rect });
}
