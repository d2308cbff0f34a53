//! What is drawn above a screen and gets the keys first. Nothing here opens by itself: only a key of the owner opens an overlay.

mod confirm;
mod detail;
mod help;
mod qr;
mod toast;

pub(crate) use confirm::{Confirm, Question, Verdict};
pub(crate) use help::Help;
pub(crate) use qr::Enroll;
pub(crate) use toast::Toasts;

use std::time::Duration;

use ratatui::layout::Rect;

use crate::app::{HitMap, Model, Now, disabled};
use crate::input::{Intent, Place, in_place};
use crate::screens::overview::Detail;
use crate::widgets::Canvas;

/// One overlay.
#[derive(Clone, Debug)]
pub(crate) enum Overlay {
    Confirm(Confirm),
    Help(Help),
    Enroll(Enroll),
    Detail(Detail),
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

    /// Draws it over `area`.
    pub(crate) fn view(&self, model: &Model, canvas: &mut Canvas<'_>, (area, hits): (Rect, &mut HitMap)) {
        match self {
            Overlay::Confirm(confirm) => confirm.view(canvas, area),
            Overlay::Help(help) => help.view(canvas, (area, hits)),
            Overlay::Enroll(enroll) => enroll.view(model, canvas, area),
            Overlay::Detail(detail) => detail::view(detail, model, canvas, (area, hits)),
        }
    }
}

/// The keys of a place, for the bottom of an overlay: those that work now.
fn hints(model: &Model, place: Place, of: &[Intent]) -> String {
    let usable = in_place(place).filter(|entry| of.contains(&entry.intent) && disabled(model, entry.intent).is_none());
    usable.map(|entry| format!("{} {}", entry.shown, entry.short)).collect::<Vec<_>>().join("  ")
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
