//! How the screen is drawn.

use ratatui::layout::Rect;

use super::layout::{host_facts, places};
use super::{Pane, rows, start};
use crate::app::{HitMap, Link, Model, PaneHit};
use crate::screens::{Size, draw_lines, fact_lines, facts};
use crate::theme::Role;
use crate::widgets::{Canvas, Frame, Row, Table, wrap};

/// Draws the screen into `body`.
pub(crate) fn view(model: &Model, canvas: &mut Canvas<'_>, body: Rect, hits: &mut HitMap) {
    if model.zoomed {
        return pane(model, canvas, (model.overview.focus, body), hits);
    }
    let places = places(model, canvas.theme, body);
    if let Some(rect) = places.start {
        getting_started(model, canvas, rect);
    }
    for place in places.panes {
        pane(model, canvas, place, hits);
    }
    if let Some(rect) = places.host {
        host(model, canvas, rect);
    }
    if let Some(rect) = places.context {
        context(model, canvas, rect);
    }
}

fn pane(model: &Model, canvas: &mut Canvas<'_>, (pane, rect): (Pane, Rect), hits: &mut HitMap) {
    if rect.height < 2 {
        return;
    }
    let drawn = match pane {
        Pane::Needs => needs(model, canvas, rect),
        Pane::Connections => connections(model, canvas, rect),
        _ => activity(model, canvas, rect),
    };
    hits.panes.push(PaneHit { pane, rect, rows: drawn.rows, top: drawn.top, first: drawn.first });
}

/// Said by a list in which the filter leaves nothing.
const UNFITTING: &str = "No row fits the filter: {back} clears it.";

/// The rows of a pane: how many are visible, which is the first, and in which line it is.
#[derive(Default)]
struct Drawn {
    rows: usize,
    top: usize,
    first: u16,
}

/// How many rows fit the filter.
pub(crate) fn counted(model: &Model) -> String {
    let (overview, facts) = (&model.overview, &model.facts);
    match overview.focus {
        Pane::Needs => format!("{} of {}", overview.waiting_ids(facts).len(), facts.waiting.len()),
        Pane::Connections => format!("{} of {}", overview.grant_ids(facts).len(), facts.connections.len()),
        _ => format!("{} of {}", overview.record_ids(facts).len(), facts.activity.len()),
    }
}

/// A rule above and no sides: a command line can be selected with the mouse as it is.
fn getting_started(model: &Model, canvas: &mut Canvas<'_>, rect: Rect) {
    if rect.height == 0 {
        return;
    }
    let theme = canvas.theme;
    let (step, lines) = start::lines(model, theme, usize::from(rect.width));
    for x in rect.x..rect.right() {
        canvas.glyph(x, rect.y, theme.glyphs.light.horizontal, theme.style(Role::Muted));
    }
    canvas.put((rect.x + 2, rect.y), rect.width, " Getting started ", theme.style(Role::Title));
    if !step.is_empty() {
        canvas.put_right(rect.y, (rect.x + 20, rect.right().saturating_sub(2)), &format!(" {step} "), theme.style(Role::Text));
    }
    let room = usize::from(rect.height - 1);
    let all = lines.len() <= room;
    for (y, (indent, pieces)) in (rect.y + 1..rect.bottom()).zip(lines) {
        let pieces: Vec<(&str, Role)> = pieces.iter().map(|(text, role)| (text.as_str(), *role)).collect();
        canvas.put_all((rect.x + indent, y), rect.width.saturating_sub(indent), &pieces);
    }
    if !all {
        let hint = " the rest needs a larger window ";
        canvas.put_right(rect.bottom() - 1, (rect.x, rect.right()), hint, theme.style(Role::Warn));
    }
}

fn needs(model: &Model, canvas: &mut Canvas<'_>, rect: Rect) -> Drawn {
    let size = Size::of(rect.width);
    let waiting = &model.facts.waiting;
    let counts = if waiting.is_empty() { String::new() } else { format!("{} waiting", model.facts.waits()) };
    let hint = if waiting.is_empty() { "" } else { "approve in the browser, with your passkey" };
    let frame = Frame { title: "Needs you", right: &counts, bottom: hint, focused: model.overview.focus == Pane::Needs };
    let inside = canvas.frame(rect, &frame);
    if waiting.is_empty() {
        return sentence(canvas, inside, "Nothing waits. An assistant that asks to connect appears here.");
    }
    let height = usize::from(inside.height.saturating_sub(1));
    let ids = model.overview.waiting_ids(&model.facts);
    if ids.is_empty() {
        return sentence(canvas, inside, &model.setup.keymap.say(UNFITTING));
    }
    let (top, here) = model.overview.needs.shown(&ids, height);
    let shown = ids.iter().skip(top).take(height).filter_map(|id| model.facts.waiting(id));
    let rows: Vec<Row> = shown.map(|waiting| rows::needs_row(model, waiting, size)).collect();
    let selected = here.map(|here| here.wrapping_sub(top));
    let (columns, focused) = (rows::needs_columns(size), frame.focused);
    Table { columns, rows: &rows, selected, focused, heading: true }.draw(canvas, inside);
    Drawn { rows: height, top, first: inside.y + 1 }
}

fn connections(model: &Model, canvas: &mut Canvas<'_>, rect: Rect) -> Drawn {
    let list = &model.facts.connections;
    let counts = format!("{} live · {} in all", model.facts.live(), list.len());
    let frame = Frame { title: "Connections", right: &counts, bottom: "", focused: model.overview.focus == Pane::Connections };
    let inside = canvas.frame(rect, &frame);
    let height = usize::from(inside.height.saturating_sub(1));
    let ids = model.overview.grant_ids(&model.facts);
    if ids.is_empty() {
        return sentence(canvas, inside, &model.setup.keymap.say(UNFITTING));
    }
    let (top, here) = model.overview.connections.shown(&ids, height);
    let shown = ids.iter().skip(top).take(height).filter_map(|grant| model.facts.connection(grant));
    let rows: Vec<Row> = shown.map(|one| rows::connection_row(model, canvas.theme, (one, rect.width))).collect();
    let selected = here.map(|here| here.wrapping_sub(top));
    let (columns, focused) = (rows::connection_columns(rect.width), frame.focused);
    Table { columns, rows: &rows, selected, focused, heading: true }.draw(canvas, inside);
    Drawn { rows: height, top, first: inside.y + 1 }
}

fn activity(model: &Model, canvas: &mut Canvas<'_>, rect: Rect) -> Drawn {
    let wide = rect.width >= rows::WIDE_ACTIVITY;
    let overview = &model.overview;
    let follows = match (model.link, overview.paused, overview.unseen(&model.facts)) {
        (Link::Lost { .. }, _, _) => "read-only".to_owned(),
        (Link::Reading(_), _, _) => "reading again".to_owned(),
        (Link::Connected, None, _) => "live".to_owned(),
        (Link::Connected, Some(_), 0) => "paused".to_owned(),
        (Link::Connected, Some(_), new) => format!("paused · {new} new"),
    };
    let frame = Frame { title: "Activity", right: &follows, bottom: "", focused: overview.focus == Pane::Activity };
    let inside = canvas.frame(rect, &frame);
    let ids = overview.record_ids(&model.facts);
    if ids.is_empty() && !overview.filter.is_empty() {
        return sentence(canvas, inside, &model.setup.keymap.say(UNFITTING));
    }
    if ids.is_empty() {
        return sentence(canvas, inside, "Nothing has happened yet. Every call and every decision appears here.");
    }
    let heading = inside.height > 3;
    let height = usize::from(inside.height.saturating_sub(u16::from(heading)));
    let (top, here) = overview.activity.shown(&ids, height);
    let shown = overview.records(&model.facts).skip(top).take(height);
    let rows: Vec<Row> = shown.map(|row| rows::activity_row(model, row, wide)).collect();
    let selected = here.map(|here| here.wrapping_sub(top));
    let (columns, focused) = (rows::activity_columns(wide), frame.focused);
    Table { columns, rows: &rows, selected, focused, heading }.draw(canvas, inside);
    Drawn { rows: height, top, first: inside.y + u16::from(heading) }
}

fn sentence(canvas: &mut Canvas<'_>, inside: Rect, text: &str) -> Drawn {
    canvas.put((inside.x + 2, inside.y), inside.width.saturating_sub(3), text, canvas.theme.style(Role::Muted));
    Drawn::default()
}

fn host(model: &Model, canvas: &mut Canvas<'_>, rect: Rect) {
    let health = match (model.link, &model.facts.status.failing) {
        (Link::Lost { .. }, _) => "not connected",
        (_, Some(_)) => "store failing",
        (_, None) => "healthy",
    };
    let inside = canvas.frame(rect, &Frame { title: "Host", right: health, ..Frame::default() });
    let room = inside.width.saturating_sub(13);
    let lines = host_facts(model).into_iter().flat_map(|(label, value)| {
        let mut label = Some(label);
        wrap(canvas.theme, &value, usize::from(room)).into_iter().map(move |part| (label.take().unwrap_or_default(), part))
    });
    for (y, (label, part)) in (inside.y..inside.bottom()).zip(lines) {
        canvas.put((inside.x + 1, y), 11, label, canvas.theme.style(Role::Muted));
        canvas.put((inside.x + 12, y), room, &part, canvas.theme.style(Role::Text));
    }
}

/// The facts of the selected row.
fn context(model: &Model, canvas: &mut Canvas<'_>, rect: Rect) {
    let Some(of) = model.overview.choice() else {
        let inside = canvas.frame(rect, &Frame { title: "Selected", ..Frame::default() });
        sentence(canvas, inside, &model.setup.keymap.say("No row is selected: choose one with {down} and {up}."));
        return;
    };
    let (title, facts) = facts(model, &of);
    let inside = canvas.frame(rect, &Frame { title: &title, ..Frame::default() });
    let lines = fact_lines(canvas, &facts, inside.width.saturating_sub(2));
    draw_lines(canvas, inside, &lines);
}
