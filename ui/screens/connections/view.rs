//! How the screen is drawn.

use ratatui::layout::Rect;

use crate::app::{HitMap, Model, PaneHit};
use crate::screens::Pane;
use crate::widgets::{Canvas, Frame};

/// Draws the screen into `body`.
pub(crate) fn view(_model: &Model, canvas: &mut Canvas<'_>, body: Rect, hits: &mut HitMap) {
    let inside = canvas.frame(body, &Frame { title: "Connections", focused: true, ..Frame::default() });
    hits.panes.push(PaneHit { pane: Pane::Grants, rect: body, rows: usize::from(inside.height), top: 0, first: inside.y });
}
