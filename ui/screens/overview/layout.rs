//! Where the parts of the screen are: three widths, and heights given out by need.

use ratatui::layout::Rect;

use super::{Pane, panes, start};
use crate::app::{Facts, Mode, Model};
use crate::screens::Size;
use crate::theme::Theme;

/// From this height on there is room for context.
const TALL: u16 = 30;
/// The context column.
const CONTEXT: u16 = 66;
/// The host pane beside the activity.
const HOST: u16 = 40;
/// What the activity needs beside it.
const ACTIVITY: u16 = 80;

/// The facts in the host pane.
const HOST_ROWS: u16 = 6;

/// What is drawn where.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) start: Option<Rect>,
    pub(super) panes: Vec<(Pane, Rect)>,
    pub(super) host: Option<Rect>,
    pub(super) context: Option<Rect>,
}

/// Gives every part its place in `body`.
pub(super) fn places(model: &Model, theme: &Theme, body: Rect) -> Places {
    let size = Size::of(body.width);
    let tall = body.height + 3 >= TALL;
    let mut places = Places::default();
    let mut main = body;
    if size == Size::Large && tall {
        let (left, right) = split(body, CONTEXT);
        let facts_height = HOST_ROWS + 2;
        places.host = Some(Rect { height: facts_height.min(right.height), ..right });
        places.context = Some(below(right, facts_height));
        main = left;
    }
    let mut wants = Vec::new();
    if start::shows(&model.facts) {
        let (_, lines) = start::lines(model, theme, usize::from(main.width));
        wants.push((None, count(lines.len()) + 1, 6));
    }
    wants.extend(panes(&model.facts).into_iter().map(|pane| want(model, pane)));
    let heights = share(main.height, &wants);
    let mut y = main.y;
    for ((pane, _, _), height) in wants.iter().zip(heights) {
        let rect = Rect { y, height, ..main };
        y += height;
        match pane {
            None => places.start = Some(rect),
            Some(pane) => places.panes.push((*pane, rect)),
        }
    }
    beside_activity(&mut places, size, HOST_ROWS + 2);
    places
}

/// At the middle width the host pane stands right of the activity, when that is high enough.
fn beside_activity(places: &mut Places, size: Size, needed: u16) {
    if size != Size::Medium {
        return;
    }
    if let Some((Pane::Activity, rect)) = places.panes.last_mut()
        && rect.height >= needed
        && rect.width >= HOST + ACTIVITY
    {
        let (left, right) = split(*rect, HOST);
        *rect = left;
        places.host = Some(right);
    }
}

/// A part, the rows it wants and the rows it needs at least.
type Want = (Option<Pane>, u16, u16);

fn want(model: &Model, pane: Pane) -> Want {
    let facts = &model.facts;
    match pane {
        Pane::Needs if facts.waiting.is_empty() => (Some(pane), 3, 3),
        Pane::Needs => (Some(pane), count(facts.waiting.len()) + 3, 4),
        Pane::Connections => (Some(pane), count(facts.connections.len()) + 3, 4),
        _ => (Some(pane), u16::MAX, 3),
    }
}

/// First everyone gets what it needs at least, then, in order, what it wants.
fn share(total: u16, wants: &[Want]) -> Vec<u16> {
    let mut left = total;
    let mut take = |most: u16| {
        let taken = most.min(left);
        left -= taken;
        taken
    };
    let least: Vec<u16> = wants.iter().map(|(_, want, least)| take((*want).min(*least))).collect();
    wants.iter().zip(least).map(|((_, want, _), has)| has + take(want.saturating_sub(has))).collect()
}

/// The rows of the host pane.
pub(super) fn host_facts(model: &Model) -> [(&'static str, String); HOST_ROWS as usize] {
    let status = &model.facts.status;
    let url = status.public_url.clone().unwrap_or_else(|| "none: the door is closed".to_owned());
    let runs = match model.setup.mode {
        Mode::InProcess => "in this process",
        Mode::Attached => "in its own process",
    };
    [
        ("public url", url),
        ("listening", status.listen.join(", ")),
        ("passkeys", passkeys(&model.facts)),
        ("state", status.state_dir.display().to_string()),
        ("host", format!("{}, {runs}", status.host)),
        ("version", status.version.clone()),
    ]
}

fn passkeys(facts: &Facts) -> String {
    let labels: Vec<&str> = facts.passkeys.iter().filter_map(|passkey| passkey.label.as_deref()).collect();
    if labels.is_empty() { facts.passkeys.len().to_string() } else { format!("{} ({})", facts.passkeys.len(), labels.join(", ")) }
}

fn split(rect: Rect, right: u16) -> (Rect, Rect) {
    let left = rect.width.saturating_sub(right);
    (Rect { width: left, ..rect }, Rect { x: rect.x + left, width: rect.width - left, ..rect })
}

fn below(rect: Rect, rows: u16) -> Rect {
    let rows = rows.min(rect.height);
    Rect { y: rect.y + rows, height: rect.height - rows, ..rect }
}

fn count(rows: usize) -> u16 {
    u16::try_from(rows).unwrap_or(u16::MAX / 2)
}
