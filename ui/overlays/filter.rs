//! The filter of a screen: one row below the tabs; the rows follow while it is typed.

use ratatui::layout::Rect;

use super::Overlay;
use crate::app::{Effect, HitMap, Model};
use crate::input::Intent;
use crate::screens;
use crate::theme::Role;
use crate::widgets::{Canvas, Field, width};

/// Most characters of a filter.
const LONGEST: usize = 500;

/// The open filter.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(crate) field: Field,
    /// What it was before: giving up brings it back.
    before: String,
}

impl Filter {
    /// Opens with what is there.
    pub(crate) fn new(text: &str) -> Filter {
        Filter { field: Field::new(LONGEST).holding(text), before: text.to_owned() }
    }

    /// Draws it in the row the screen left free for it: the first below the tabs.
    /// How many rows fit stands beside it.
    pub(crate) fn view(&self, model: &Model, canvas: &mut Canvas<'_>, (area, hits): (Rect, &mut HitMap)) {
        let y = area.y + 1;
        let counted = screens::counted(model);
        let beside = u16::try_from(width(&counted)).unwrap_or(0).min(area.width / 2) + 2;
        canvas.clear(Rect { y, height: 1, ..area });
        canvas.put((area.x + 1, y), 2, "/", canvas.theme.style(Role::Accent));
        hits.cursor =
            self.field.draw(canvas, (area.x + 3, y), area.width.saturating_sub(4 + beside), canvas.theme.style(Role::Text));
        let end = area.right().saturating_sub(1);
        canvas.put_right(y, (end.saturating_sub(beside), end), &counted, canvas.theme.style(Role::Muted));
    }
}

pub(super) fn update(model: &mut Model, intent: Intent) -> Vec<Effect> {
    let Some(Overlay::Filter(filter)) = model.overlays.pop() else { return Vec::new() };
    if intent == Intent::Close {
        screens::filtered(model, &filter.before);
    }
    Vec::new()
}
