//! How the screen is drawn.

use ratatui::layout::Rect;

use super::{Reading, chain, rows};
use crate::app::{HitMap, Link, Model, PaneHit};
use crate::screens::{Pane, Size, draw_lines, fact_lines};
use crate::theme::Role;
use crate::widgets::{Canvas, Frame, Row, Table, wrap};

/// The detail below the list in a small window.
const BELOW: u16 = 9;
/// A list needs at least this much.
const LEAST: u16 = 40;

/// Draws the screen into `body`.
pub(crate) fn view(model: &Model, canvas: &mut Canvas<'_>, body: Rect, hits: &mut HitMap) {
    let (list, detail) = places(model, body);
    hits.panes.push(draw_list(model, canvas, list));
    if let Some(rect) = detail {
        draw_detail(model, canvas, rect);
    }
}

fn places(model: &Model, body: Rect) -> (Rect, Option<Rect>) {
    if model.zoomed {
        return (body, None);
    }
    if Size::of(body.width) == Size::Small {
        let below = BELOW.min(body.height / 2);
        let list = Rect { height: body.height - below, ..body };
        return (list, Some(Rect { y: list.bottom(), height: below, ..body }));
    }
    let width = (body.width * model.split(super::SPLIT) / 100).clamp(LEAST, body.width - LEAST);
    (Rect { width, ..body }, Some(Rect { x: body.x + width, width: body.width - width, ..body }))
}

fn draw_list(model: &Model, canvas: &mut Canvas<'_>, rect: Rect) -> PaneHit {
    let right = format!("{} · {}", following(model), chain::words(model));
    let mut inside = canvas.frame(rect, &Frame { title: "Audit", right: &right, focused: true, ..Frame::default() });
    inside = draw_alarm(model, canvas, inside);
    let audit = &model.audit;
    if audit.shown().is_empty() {
        let (sentence, role) = empty(model);
        for (y, line) in
            (inside.y..inside.bottom()).zip(wrap(canvas.theme, &sentence, usize::from(inside.width.saturating_sub(4))))
        {
            canvas.put((inside.x + 2, y), inside.width.saturating_sub(3), &line, canvas.theme.style(role));
        }
        return PaneHit { pane: Pane::Records, rect, rows: 0, top: 0, first: inside.y };
    }
    let height = usize::from(inside.height.saturating_sub(1));
    let (top, here) = audit.records.shown(&audit.ids(), height);
    let shown = audit.shown().iter().skip(top).take(height);
    let rows: Vec<Row> = shown.map(|row| rows::row(model, row, rect.width)).collect();
    let selected = here.map(|here| here.wrapping_sub(top));
    Table { columns: rows::columns(rect.width), rows: &rows, selected, focused: true, heading: true }.draw(canvas, inside);
    PaneHit { pane: Pane::Records, rect, rows: height, top, first: inside.y + 1 }
}

/// What is wrong with the filter or the chain, above the records.
fn draw_alarm(model: &Model, canvas: &mut Canvas<'_>, inside: Rect) -> Rect {
    let wrong = model.audit.wrong().map(|sentence| (sentence.to_owned(), Role::Warn));
    let Some((sentence, role)) = wrong.or_else(|| chain::alarm(model)) else { return inside };
    let lines = wrap(canvas.theme, &sentence, usize::from(inside.width.saturating_sub(4)));
    let mut y = inside.y;
    for line in lines.iter().take(usize::from(inside.height / 2)) {
        canvas.put((inside.x + 2, y), inside.width.saturating_sub(3), line, canvas.theme.style(role));
        y += 1;
    }
    Rect { y, height: inside.bottom() - y, ..inside }
}

fn following(model: &Model) -> String {
    let audit = &model.audit;
    match (model.link, audit.paused(), audit.unseen()) {
        (Link::Lost { .. }, ..) => "read-only".to_owned(),
        (Link::Reading(_), ..) => "reading again".to_owned(),
        (Link::Connected, false, _) => "following".to_owned(),
        (Link::Connected, true, 0) => "paused".to_owned(),
        (Link::Connected, true, new) => format!("paused · {new} new"),
    }
}

/// Why there is no row.
fn empty(model: &Model) -> (String, Role) {
    let audit = &model.audit;
    match &audit.reading {
        Reading::Failed(why) => {
            (format!("The records could not be read: {why}. {}", model.setup.keymap.say("{retry} asks again.")), Role::Danger)
        }
        Reading::Asked { since, .. } if model.now.tick < *since + std::time::Duration::from_millis(200) => {
            (String::new(), Role::Muted)
        }
        Reading::Asked { .. } | Reading::Wanted => ("…".to_owned(), Role::Muted),
        Reading::Rests if audit.typed.is_empty() => ("Nothing has happened yet.".to_owned(), Role::Muted),
        Reading::Rests => (model.setup.keymap.say("No record fits the filter: {back} clears it."), Role::Muted),
    }
}

fn draw_detail(model: &Model, canvas: &mut Canvas<'_>, rect: Rect) {
    let Some((title, facts)) = rows::facts(model) else {
        let inside = canvas.frame(rect, &Frame { title: "Record", ..Frame::default() });
        canvas.put((inside.x + 1, inside.y), inside.width, "No record is selected.", canvas.theme.style(Role::Muted));
        return;
    };
    let inside = canvas.frame(rect, &Frame { title: &title, ..Frame::default() });
    let lines = fact_lines(canvas, &facts, inside.width.saturating_sub(2));
    draw_lines(canvas, inside, &lines);
}
