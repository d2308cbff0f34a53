//! A table: names left, numbers right, states as words; the selected row has a mark in front and is reversed when the pane has the focus.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Canvas, Cut, fit, has_marks, width};
use crate::theme::Role;

/// A column: its heading and its place in the row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) title: &'static str,
    /// Cells it always has; those without share what is left.
    pub(crate) cells: Option<u16>,
    pub(crate) right: bool,
    pub(crate) cut: Cut,
}

impl Column {
    /// Names and words of a known width.
    pub(crate) const fn left(title: &'static str, cells: u16) -> Column {
        Column { title, cells: Some(cells), right: false, cut: Cut::End }
    }

    /// Who did or asks something: a name, or the address of a client.
    pub(crate) const fn who(title: &'static str, cells: u16) -> Column {
        Column { title, cells: Some(cells), right: false, cut: Cut::Host }
    }

    /// Numbers.
    pub(crate) const fn right(title: &'static str, cells: u16) -> Column {
        Column { title, cells: Some(cells), right: true, cut: Cut::End }
    }

    /// Addresses, ids and objects, in what is left.
    pub(crate) const fn rest(title: &'static str) -> Column {
        Column { title, cells: None, right: false, cut: Cut::Host }
    }
}

/// The texts of a row, one for each column.
pub(crate) type Row = Vec<(String, Role)>;

/// What is drawn.
pub(crate) struct Table<'a> {
    pub(crate) columns: &'a [Column],
    /// Only the visible ones.
    pub(crate) rows: &'a [Row],
    /// Which of them is selected.
    pub(crate) selected: Option<usize>,
    pub(crate) focused: bool,
    pub(crate) heading: bool,
}

#[cfg(test)]
thread_local! {
    /// How many rows were built for drawing: the work of a frame, as a number that is the same on every machine.
    pub(crate) static BUILT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Cells between two columns.
const GAP: u16 = 1;

impl Table<'_> {
    /// Draws into `area`, the inside of a pane.
    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        #[cfg(test)]
        BUILT.with(|built| built.set(built.get() + self.rows.len()));
        let widths = self.widths(area.width.saturating_sub(2));
        let mut y = area.y;
        if self.heading && area.height > 1 {
            let titles: Row = self.columns.iter().map(|column| (column.title.to_owned(), Role::Muted)).collect();
            self.row(canvas, (Rect { y, height: 1, ..area }, &widths), &titles);
            y += 1;
        }
        for (place, row) in self.rows.iter().enumerate() {
            if y >= area.bottom() {
                break;
            }
            let line = Rect { y, height: 1, ..area };
            self.row(canvas, (line, &widths), row);
            if self.selected == Some(place) {
                self.select(canvas, line);
            }
            y += 1;
        }
    }

    fn select(&self, canvas: &mut Canvas<'_>, line: Rect) {
        let mark = canvas.theme.glyphs.mark;
        if self.focused {
            canvas.cursor = Some((line.x, line.y));
            canvas.buffer.set_style(
                Rect { x: line.x + 1, width: line.width.saturating_sub(1), ..line },
                canvas.theme.style(Role::Selected),
            );
        }
        let role = if self.focused { Role::Accent } else { Role::Muted };
        canvas.put((line.x, line.y), 1, mark, canvas.theme.style(role));
    }

    fn row(&self, canvas: &mut Canvas<'_>, (line, widths): (Rect, &[u16]), row: &Row) {
        let mut x = line.x + 2;
        for ((column, cells), (text, role)) in self.columns.iter().zip(widths).zip(row) {
            let role = if has_marks(text) { Role::Warn } else { *role };
            let text = fit(canvas.theme, text, usize::from(*cells), column.cut);
            let style: Style = canvas.theme.style(role);
            let short = cells.saturating_sub(u16::try_from(width(&text)).unwrap_or(0));
            canvas.put((x + if column.right { short } else { 0 }, line.y), *cells, &text, style);
            x += cells + GAP;
        }
    }

    fn widths(&self, total: u16) -> Vec<u16> {
        let gaps = GAP * u16::try_from(self.columns.len().saturating_sub(1)).unwrap_or(0);
        let mut fixed: Vec<u16> = self.columns.iter().map(|column| column.cells.unwrap_or(0)).collect();
        shrink(&mut fixed, total.saturating_sub(gaps));
        let mut sharers = u16::try_from(self.columns.iter().filter(|column| column.cells.is_none()).count()).unwrap_or(0);
        let mut left = total.saturating_sub(fixed.iter().sum::<u16>() + gaps);
        self.columns
            .iter()
            .zip(fixed)
            .map(|(column, cells)| match column.cells {
                Some(_) => cells,
                None => {
                    let share = left / sharers.max(1);
                    (left, sharers) = (left - share, sharers.saturating_sub(1));
                    share
                }
            })
            .collect()
    }
}

/// Takes cells from the widest columns until all together have at most `total`.
fn shrink(columns: &mut [u16], total: u16) {
    while columns.iter().sum::<u16>() > total
        && let Some(widest) = columns.iter_mut().max()
    {
        *widest -= 1;
    }
}
