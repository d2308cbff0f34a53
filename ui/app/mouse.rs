//! What the mouse does: a click selects, a second one on the same row looks, the wheel scrolls, a click on a key of the key bar or on a tab is that key.
//! It never answers a question.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::{Effect, Model, keys};
use crate::input::{INTENTS, Intent, Place};
use crate::overlays::Overlay;
use crate::screens;

/// Rows of one notch of the wheel.
const NOTCH: usize = 3;

pub(super) fn on_mouse(model: &mut Model, event: &MouseEvent) -> Vec<Effect> {
    if model.too_small() || matches!(model.overlays.last(), Some(Overlay::Confirm(_))) {
        return Vec::new();
    }
    let at = Position::new(event.column, event.row);
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => click(model, at),
        MouseEventKind::ScrollDown => wheel(model, at, Intent::Down),
        MouseEventKind::ScrollUp => wheel(model, at, Intent::Up),
        _ => Vec::new(),
    }
}

fn click(model: &mut Model, at: Position) -> Vec<Effect> {
    if let Some((place, intent)) = model.drawn.key_at(at) {
        return press(model, place, intent);
    }
    if !model.overlays.is_empty() {
        return Vec::new();
    }
    if let Some(screen) = model.drawn.tab_at(at) {
        return keys::go_to(model, screen);
    }
    let Some(hit) = model.drawn.pane_at(at).cloned() else { return Vec::new() };
    model.changed = true;
    screens::set_focus(model, hit.pane);
    match hit.row_at(at) {
        Some(row) => screens::select(model, row),
        None => Vec::new(),
    }
}

fn wheel(model: &mut Model, at: Position, movement: Intent) -> Vec<Effect> {
    let place = if model.overlays.is_empty() { Place::Lists } else { Place::Reading };
    if place == Place::Lists {
        let Some(pane) = model.drawn.pane_at(at).map(|hit| hit.pane) else { return Vec::new() };
        screens::set_focus(model, pane);
    } else if !keys::places(model).contains(&place) {
        return Vec::new();
    }
    (0..NOTCH).flat_map(|_| press(model, place, movement)).collect()
}

fn press(model: &mut Model, place: Place, intent: Intent) -> Vec<Effect> {
    let entry = INTENTS.iter().find(|entry| entry.place == place && entry.intent == intent);
    entry.map(|entry| keys::act(model, entry)).unwrap_or_default()
}
