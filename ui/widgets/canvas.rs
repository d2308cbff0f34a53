//! The canvas: everything that is drawn goes through it, so nothing is drawn outside the buffer and all text is fitted.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Cut, fit, width};
use crate::theme::{Role, Theme};

/// What stands on the border of a pane or overlay.
#[derive(Debug, Default)]
pub(crate) struct Frame<'a> {
    pub(crate) title: &'a str,
    /// Counts, top right.
    pub(crate) right: &'a str,
    /// Hints, bottom right.
    pub(crate) bottom: &'a str,
    pub(crate) focused: bool,
}

/// A buffer and the theme it is drawn in.
pub(crate) struct Canvas<'a> {
    pub(crate) buffer: &'a mut Buffer,
    pub(crate) theme: &'a Theme,
    /// Where the selected row of the focused list begins.
    pub(crate) cursor: Option<(u16, u16)>,
}

impl Canvas<'_> {
    /// Draws `text` at a cell in at most `most` cells, cut at the end. Returns how many it took.
    pub(crate) fn put(&mut self, at: (u16, u16), most: u16, text: &str, style: Style) -> u16 {
        self.put_cut(at, most, (text, Cut::End), style)
    }

    /// [`Canvas::put`], with the choice where to cut.
    pub(crate) fn put_cut(&mut self, at: (u16, u16), most: u16, (text, cut): (&str, Cut), style: Style) -> u16 {
        let area = self.buffer.area;
        if at.0 >= area.right() || at.1 >= area.bottom() {
            return 0;
        }
        let room = most.min(area.right() - at.0);
        let text = fit(self.theme, text, usize::from(room), cut);
        let (end, _) = self.buffer.set_stringn(at.0, at.1, &text, usize::from(room), style);
        end - at.0
    }

    /// Draws pieces one after the other in at most `most` cells.
    pub(crate) fn put_all(&mut self, at: (u16, u16), most: u16, pieces: &[(&str, Role)]) {
        let mut x = at.0;
        for (text, role) in pieces {
            let left = (at.0 + most).saturating_sub(x);
            x += self.put((x, at.1), left, text, self.theme.style(*role));
        }
    }

    /// Draws `text` so that it ends before column `end`; not at all when it does not fit behind `start`. Returns where it starts.
    pub(crate) fn put_right(&mut self, row: u16, (start, end): (u16, u16), text: &str, style: Style) -> u16 {
        let text = fit(self.theme, text, usize::from(end.saturating_sub(start)), Cut::End);
        let cells = u16::try_from(width(&text)).unwrap_or(u16::MAX);
        let x = end.saturating_sub(cells);
        self.put((x, row), cells, &text, style);
        x
    }

    /// Empties a rectangle: what is left is the theme's background.
    pub(crate) fn clear(&mut self, rect: Rect) {
        let rect = rect.intersection(self.buffer.area);
        let base = self.theme.base();
        for position in rect.positions() {
            if let Some(cell) = self.buffer.cell_mut(position) {
                cell.reset();
                cell.set_style(base);
            }
        }
    }

    /// Draws a border with what stands on it and returns what is inside.
    pub(crate) fn frame(&mut self, rect: Rect, frame: &Frame<'_>) -> Rect {
        let rect = rect.intersection(self.buffer.area);
        if rect.width < 4 || rect.height < 2 {
            return Rect::new(rect.x, rect.y, 0, 0);
        }
        self.border(rect, frame.focused);
        let title = self.theme.style(Role::Title);
        let (left, right) = (rect.x + 2, rect.right() - 2);
        let used = self.put((left, rect.y), right - left, &spaced(frame.title), title);
        let counts = fit(self.theme, &spaced(frame.right), usize::from((right - left).saturating_sub(used + 1)), Cut::End);
        self.put_right(rect.y, (left + used, right), &counts, self.theme.style(Role::Text));
        self.put_right(rect.bottom() - 1, (left, right), &spaced(frame.bottom), self.theme.style(Role::Muted));
        Rect::new(rect.x + 1, rect.y + 1, rect.width - 2, rect.height - 2)
    }

    fn border(&mut self, rect: Rect, focused: bool) {
        let theme = self.theme;
        let (set, role) = if focused { (&theme.glyphs.heavy, Role::Accent) } else { (&theme.glyphs.light, Role::Muted) };
        let style = theme.style(role);
        let (last_x, last_y) = (rect.right() - 1, rect.bottom() - 1);
        for x in rect.x..=last_x {
            self.glyph(x, rect.y, set.horizontal, style);
            self.glyph(x, last_y, set.horizontal, style);
        }
        for y in rect.y..=last_y {
            self.glyph(rect.x, y, set.vertical, style);
            self.glyph(last_x, y, set.vertical, style);
        }
        let [top_left, top_right, bottom_left, bottom_right] = set.corners;
        self.glyph(rect.x, rect.y, top_left, style);
        self.glyph(last_x, rect.y, top_right, style);
        self.glyph(rect.x, last_y, bottom_left, style);
        self.glyph(last_x, last_y, bottom_right, style);
    }

    /// One cell, as it is.
    pub(crate) fn glyph(&mut self, x: u16, y: u16, symbol: &str, style: Style) {
        if let Some(cell) = self.buffer.cell_mut((x, y)) {
            cell.set_symbol(symbol).set_style(style);
        }
    }
}

fn spaced(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" {text} ") }
}
