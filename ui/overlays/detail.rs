//! All facts of one row, to read.

use ratatui::layout::Rect;

use super::{centred, hints, lift};
use crate::app::{HitMap, Model};
use crate::input::{Intent, Place};
use crate::screens::{Detail, Of, draw_lines, fact_lines};
use crate::widgets::{Canvas, Frame};

const WIDTH: u16 = 92;

/// Draws it in the middle of `area`.
pub(super) fn view(detail: &Detail, model: &Model, canvas: &mut Canvas<'_>, (area, hits): (Rect, &mut HitMap)) {
    let (title, facts) = detail.facts(model);
    let width = WIDTH.min(area.width.saturating_sub(4));
    let lines = fact_lines(canvas, &facts, width.saturating_sub(4));
    let wanted = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2);
    let rect = centred(area, (width, wanted.min(area.height.saturating_sub(2))));
    lift(canvas, rect, area);
    let hidden = wanted > rect.height;
    let moving: &[Intent] = if hidden { &[Intent::Down, Intent::Up] } else { &[] };
    let deciding = match detail.of {
        Of::Waiting(_) => hints(model, Place::WaitingDetail, &[Intent::Deny]),
        Of::Connection(_) => hints(model, Place::ConnectionDetail, &[Intent::Revoke, Intent::Scopes]),
        Of::Record(_) => hints(model, Place::RecordDetail, &[Intent::Copy, Intent::Pager]),
        _ => String::new(),
    };
    let bottom = [deciding, hints(model, Place::Reading, moving), hints(model, Place::Reading, &[Intent::Close])];
    let bottom = bottom.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ");
    let inside = canvas.frame(rect, &Frame { title: &title, bottom: &bottom, focused: true, ..Frame::default() });
    let height = usize::from(inside.height);
    let first = detail.scroll.min(lines.len().saturating_sub(height));
    draw_lines(canvas, inside, lines.get(first..).unwrap_or_default());
    hits.reading = (lines.len(), height);
}
