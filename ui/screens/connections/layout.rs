//! Where the parts of the screen are: three columns, two, or a list with one part below it.

use ratatui::layout::Rect;

use super::update::shows_asking;
use crate::app::Model;
use crate::screens::{Pane, Size};

/// What is drawn in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Pane(Pane),
    /// The facts of the selected connection.
    Facts,
    Scopes,
    Tools,
    /// Facts and scopes in one frame.
    Card,
}

/// Below this height a window has no room for all panes.
const TALL: u16 = 30;
/// From this height on there is room for the journal besides the records.
const TALLER: u16 = 50;
/// From this width on the facts have the scopes beside them.
const TWO: u16 = 100;
/// The column of the scopes and tools.
const SCOPES: u16 = 56;
/// What the parts beside the list need at least.
const RIGHT: u16 = 40;
/// What a list and a card need to be side by side.
const SIDE_BY_SIDE: u16 = 100;

/// How much of the width the list has, in percent, unless the owner changed it.
pub(crate) fn usual_split(size: Size) -> u16 {
    if size == Size::Large { 39 } else { 54 }
}

/// Gives every part its place in `body`. The heights of the facts and tools are what they want.
pub(super) fn places(model: &Model, body: Rect, (facts, tools): (u16, u16)) -> Vec<(Part, Rect)> {
    if model.zoomed {
        return vec![(Part::Pane(model.connections.focus), body)];
    }
    let size = Size::of(body.width);
    if size == Size::Small || body.height + 3 < TALL {
        return small(model, body);
    }
    let (left, right) = columns(model, body);
    if super::panes::selected(model).is_none() {
        return unselected(model, left, right);
    }
    if right.width >= TWO {
        return large(model, left, right);
    }
    let mut places = stack(left, &door(model, Pane::Grants));
    let records = if model.connections.focus == Pane::Journal { Pane::Journal } else { Pane::Calls };
    let mut wants = vec![
        Want { part: Part::Facts, want: facts, least: 6 },
        Want { part: Part::Scopes, want: scopes(model), least: 4 },
        Want { part: Part::Tools, want: tools, least: 3 },
        Want { part: Part::Pane(records), want: 8, least: 4 },
    ];
    if body.height + 3 >= TALLER {
        wants.pop();
        wants.extend([Pane::Calls, Pane::Journal].map(|pane| Want { part: Part::Pane(pane), want: 10, least: 4 }));
    }
    places.extend(stack(right, &wants));
    places
}

fn columns(model: &Model, body: Rect) -> (Rect, Rect) {
    let percent = model.split(usual_split(Size::of(body.width)));
    let left = (body.width * percent / 100).clamp(RIGHT, body.width.saturating_sub(RIGHT).max(RIGHT));
    (Rect { width: left, ..body }, Rect { x: body.x + left, width: body.width - left, ..body })
}

/// The list, and the one part that belongs to the focus.
fn small(model: &Model, body: Rect) -> Vec<(Part, Rect)> {
    let lower = match model.connections.focus {
        Pane::Grants => Part::Card,
        pane => Part::Pane(pane),
    };
    if body.width >= SIDE_BY_SIDE {
        let (left, right) = columns(model, body);
        return vec![(Part::Pane(Pane::Grants), left), (lower, right)];
    }
    let wanted = count(model.facts.connections.len()) + 3;
    let (list, rest) = split(body, wanted.clamp(5, (body.height / 2).max(5)));
    vec![(Part::Pane(Pane::Grants), list), (lower, rest)]
}

/// Nothing is selected: there is nothing to tell about it in many panes.
fn unselected(model: &Model, left: Rect, right: Rect) -> Vec<(Part, Rect)> {
    let focus = model.connections.focus;
    let part = if matches!(focus, Pane::Calls | Pane::Journal) { Part::Pane(focus) } else { Part::Facts };
    let mut places = stack(left, &door(model, Pane::Grants));
    places.push((part, right));
    places
}

/// Two bands: the list and what is known of the selected row; everything else and what it did.
fn large(model: &Model, left: Rect, right: Rect) -> Vec<(Part, Rect)> {
    let band = left.height * 45 / 100;
    let (list, others) = split(left, band);
    let (above, below) = split(right, band);
    let mut places = vec![(Part::Pane(Pane::Grants), list)];
    let (facts, beside) = (above.width - SCOPES, Rect { x: above.right() - SCOPES, width: SCOPES, ..above });
    places.push((Part::Facts, Rect { width: facts, ..above }));
    let (checks, bars) = split(beside, scopes(model).min(beside.height));
    places.extend([(Part::Scopes, checks), (Part::Tools, bars)]);
    places.extend(stack(others, &door(model, Pane::Refused)));
    let (calls, journal) = split(below, below.height.div_ceil(2));
    places.extend([(Part::Pane(Pane::Calls), calls), (Part::Pane(Pane::Journal), journal)]);
    places
}

/// What is one above the other on the left: with the list when that is what gets the rows that are left.
fn door(model: &Model, greedy: Pane) -> Vec<Want> {
    let facts = &model.facts;
    let want = |pane, rows: usize, most: u16| Want { part: Part::Pane(pane), want: (count(rows) + 2).clamp(3, most), least: 3 };
    let mut wants = Vec::new();
    if greedy == Pane::Grants {
        wants.push(Want { part: Part::Pane(Pane::Grants), want: (count(facts.connections.len()) + 3).min(16), least: 6 });
    }
    if shows_asking(model) {
        wants.push(want(Pane::Asking, facts.waiting.len(), 6));
    }
    wants.push(want(Pane::Passkeys, facts.passkeys.len(), 7));
    wants.push(want(Pane::Clients, model.connections.client_ids().len(), 7));
    wants.push(want(Pane::Refused, model.connections.refused_ids().len(), 10));
    // The greedy one takes what is left: the last one does.
    wants.sort_by_key(|want| want.part == Part::Pane(greedy));
    wants
}

/// A line for each scope there is, and for each that only this connection has.
fn scopes(model: &Model) -> u16 {
    count(super::about::scope_lines(model).len()) + 2
}

/// A part, the rows it wants and the rows it needs at least.
struct Want {
    part: Part,
    want: u16,
    least: u16,
}

/// One above the other: first everyone gets what it needs, then what it wants, and the last one everything that is left.
fn stack(rect: Rect, wants: &[Want]) -> Vec<(Part, Rect)> {
    let mut left = rect.height;
    let mut take = |most: u16| {
        let taken = most.min(left);
        left -= taken;
        taken
    };
    let mut heights: Vec<u16> = wants.iter().map(|want| take(want.least.min(want.want))).collect();
    for (height, want) in heights.iter_mut().zip(wants) {
        *height += take(want.want.saturating_sub(*height));
    }
    if let Some(last) = heights.last_mut() {
        *last += left;
    }
    let mut places: Vec<(Part, Rect)> = Vec::new();
    let mut y = rect.y;
    for (want, height) in wants.iter().zip(heights) {
        places.push((want.part, Rect { y, height, ..rect }));
        y += height;
    }
    first_on_top(places, rect)
}

/// The list of connections is always on top, though it is the last one to get its rows.
fn first_on_top(mut places: Vec<(Part, Rect)>, rect: Rect) -> Vec<(Part, Rect)> {
    places.sort_by_key(|(part, _)| *part != Part::Pane(Pane::Grants));
    let mut y = rect.y;
    for (_, place) in &mut places {
        place.y = y;
        y += place.height;
    }
    places
}

fn split(rect: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(rect.height);
    (Rect { height: rows, ..rect }, Rect { y: rect.y + rows, height: rect.height - rows, ..rect })
}

fn count(rows: usize) -> u16 {
    u16::try_from(rows).unwrap_or(u16::MAX / 2)
}
