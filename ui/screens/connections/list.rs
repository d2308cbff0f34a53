//! A pane with a list: its frame, its visible rows, or the sentence it has instead of rows.

use ratatui::layout::Rect;

use super::Shown;
use crate::app::{Model, PaneHit};
use crate::screens::Pane;
use crate::theme::Role;
use crate::widgets::{Canvas, Column, Frame, Row, Selection, Table, wrap};

/// A pane, its place, and what stands on its border.
pub(super) struct Place<'a> {
    pub(super) pane: Pane,
    pub(super) rect: Rect,
    pub(super) frame: Frame<'a>,
}

/// What is in it.
pub(super) struct List<'a, Id> {
    pub(super) ids: &'a [Id],
    pub(super) selection: &'a Selection<Id>,
    pub(super) columns: &'a [Column],
    pub(super) heading: bool,
}

impl Place<'_> {
    /// Draws the rows that are visible; only those are made.
    pub(super) fn rows<Id>(&self, canvas: &mut Canvas<'_>, list: &List<'_, Id>, row: impl Fn(&Id) -> Option<Row>) -> PaneHit
    where
        Id: Clone + PartialEq,
    {
        let inside = canvas.frame(self.rect, &self.frame);
        let heading = list.heading && inside.height > 2;
        let height = usize::from(inside.height.saturating_sub(u16::from(heading)));
        let (top, here) = list.selection.shown(list.ids, height);
        let rows: Vec<Row> = list.ids.iter().skip(top).take(height).map(|id| row(id).unwrap_or_default()).collect();
        let selected = here.and_then(|here| here.checked_sub(top));
        Table { columns: list.columns, rows: &rows, selected, focused: self.frame.focused, heading }.draw(canvas, inside);
        PaneHit { pane: self.pane, rect: self.rect, rows: rows.len(), top, first: inside.y + u16::from(heading) }
    }

    /// Draws a sentence.
    pub(super) fn says(&self, canvas: &mut Canvas<'_>, (text, role): (&str, Role)) -> PaneHit {
        let inside = canvas.frame(self.rect, &self.frame);
        say(canvas, inside, (text, role));
        PaneHit { pane: self.pane, rect: self.rect, rows: 0, top: 0, first: inside.y }
    }
}

/// Draws a sentence on as many lines as it needs, and says how many.
pub(super) fn say(canvas: &mut Canvas<'_>, inside: Rect, (text, role): (&str, Role)) -> u16 {
    let room = inside.width.saturating_sub(3);
    let lines = wrap(canvas.theme, text, usize::from(room));
    for (y, line) in (inside.y..inside.bottom()).zip(&lines) {
        canvas.put((inside.x + 2, y), room, line, canvas.theme.style(role));
    }
    u16::try_from(lines.len()).unwrap_or(u16::MAX)
}

/// What a pane says instead of rows: why they could not be read, that it takes a while, or `empty`. `None` when there are rows.
pub(super) fn instead<T: Rows>(model: &Model, shown: Shown<'_, T>, empty: impl Fn() -> String) -> Option<(String, Role)> {
    match shown {
        Shown::There(rows) if !rows.is_empty() => None,
        Shown::There(_) => Some((empty(), Role::Muted)),
        Shown::Failed(why) => Some((again(model, why), Role::Danger)),
        Shown::Loading => Some(("…".to_owned(), Role::Muted)),
        Shown::Nothing if !model.connected() => Some(("Not read: the host is not connected.".to_owned(), Role::Muted)),
        Shown::Nothing => Some((String::new(), Role::Muted)),
    }
}

/// Why something could not be read, and what to do about it.
pub(super) fn again(model: &Model, why: &str) -> String {
    format!("{} — {}", why.trim_end_matches('.'), model.setup.keymap.say("{retry} asks again"))
}

/// What can be empty.
pub(super) trait Rows {
    fn is_empty(&self) -> bool;
}

impl<T> Rows for Vec<T> {
    fn is_empty(&self) -> bool {
        Vec::is_empty(self)
    }
}
