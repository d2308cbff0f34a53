//! The frame around every screen: the first row, the tabs, the key bar; overlays and toasts above.

use ratatui::layout::Rect;

use super::model::LEAST;
use super::update::places;
use super::{Link, Mode, Model, disabled, entry_short, small};
use crate::input::{Entry, INTENTS, Intent, Place, in_place};
use crate::overlays::Overlay;
use crate::screens::overview::{self, Pane};
use crate::theme::{Role, Theme};
use crate::widgets::{Canvas, Cut, fit, width};

/// What was drawn where: how far a page is, and what can be scrolled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HitMap {
    /// Each pane, its place, and how many of its rows are visible.
    pub(crate) panes: Vec<(Pane, Rect, usize)>,
    /// The lines of the text on top, and how many of them are visible.
    pub(crate) reading: (usize, usize),
}

impl HitMap {
    /// How many rows of a pane are visible.
    pub(crate) fn rows(&self, pane: Pane) -> usize {
        self.panes.iter().find(|(other, _, _)| *other == pane).map_or(1, |(_, _, rows)| *rows)
    }
}

/// Draws the model and says what is where.
pub(crate) fn view(model: &Model, theme: &Theme, frame: &mut ratatui::Frame<'_>) -> HitMap {
    let area = frame.area();
    let mut canvas = Canvas { buffer: frame.buffer_mut(), theme };
    let mut hits = HitMap::default();
    canvas.clear(area);
    if area.width < LEAST.0 || area.height < LEAST.1 {
        small::view(model, &mut canvas, area);
        return hits;
    }
    first_row(model, &mut canvas, area);
    canvas.put((0, 1), area.width, "[1 Overview]", theme.style(Role::Title));
    let body = Rect { y: 2, height: area.height - 3, ..area };
    overview::view(model, &mut canvas, body, &mut hits);
    key_bar(model, &mut canvas, area.height - 1);
    for overlay in &model.overlays {
        // A code needs every row there is.
        let over = if matches!(overlay, Overlay::Enroll(_)) { area } else { Rect { y: 1, height: area.height - 2, ..area } };
        overlay.view(model, &mut canvas, (over, &mut hits));
    }
    model.toasts.view(&mut canvas, body);
    hits
}

fn first_row(model: &Model, canvas: &mut Canvas<'_>, area: Rect) {
    let theme = canvas.theme;
    let name = format!(" {} quarterdeck", theme.glyphs.product);
    let used = canvas.put((0, 0), area.width, &name, theme.style(Role::Title));
    let (text, role) = state(model, theme, area.width);
    let end = area.width.saturating_sub(1);
    canvas.put_right(0, (used + 2, end), &text, theme.style(role));
}

fn state(model: &Model, theme: &Theme, columns: u16) -> (String, Role) {
    let off = theme.glyphs.off;
    if let Link::Lost { since, .. } = model.link {
        let since = model.clock(&since.to_string());
        return (format!("{off} not connected to the host since {since}"), Role::Danger);
    }
    if let Some(why) = &model.facts.status.failing {
        return (format!("{} {why}", theme.glyphs.failed), Role::Danger);
    }
    if let Link::Reading(_) = model.link {
        return (format!("{off} the host tells nothing new: reading again …"), Role::Warn);
    }
    let status = &model.facts.status;
    let Some(url) = &status.public_url else { return (format!("{off} the door is closed"), Role::Warn) };
    let host = url.split_once("://").map_or(url.as_str(), |(_, host)| host);
    let mode = match model.mode {
        Mode::InProcess => "in-process",
        Mode::Attached => "attached",
    };
    let on = theme.glyphs.on;
    let counts = format!("https · mcp {} live · passkeys {}", model.facts.live(), model.facts.passkeys.len());
    let counts = if model.facts.local_only() { counts.replacen("https", "this machine only", 1) } else { counts };
    let text = match columns {
        0..100 => format!("{on} {host} · {mode}"),
        100..180 => format!("{on} {host} · {counts} · {mode}"),
        _ => format!("{on} {host} · {counts} · version {} · {mode}", status.version),
    };
    match model.facts.waits() {
        0 => (text, Role::Text),
        waiting => (format!("{waiting} waiting · {text}"), Role::Warn),
    }
}

/// The keys of what is on top: of an overlay those that work now; else the focused pane's left, and right those of everywhere. When
/// narrow the last ones of the left are dropped.
fn key_bar(model: &Model, canvas: &mut Canvas<'_>, y: u16) {
    let end = canvas.buffer.area.width;
    let right = if model.overlays.is_empty() { entries(&[Intent::Help, Intent::Leave]) } else { Vec::new() };
    let needed: usize = right.iter().map(|entry| cells(model, entry)).sum();
    let mut x = end.saturating_sub(u16::try_from(needed).unwrap_or(0));
    let limit = x.saturating_sub(1);
    for entry in right {
        x += one_key(model, canvas, (x, y), entry);
    }
    let mut x = 1;
    for entry in left(model) {
        if usize::from(x) + cells(model, entry) > usize::from(limit) {
            break;
        }
        x += one_key(model, canvas, (x, y), entry);
    }
}

fn left(model: &Model) -> Vec<&'static Entry> {
    if !model.overlays.is_empty() {
        let places = places(model).iter().filter(|place| **place != Place::Always);
        return places.flat_map(|place| in_place(*place)).filter(|entry| disabled(model, entry.intent).is_none()).collect();
    }
    if !model.connected() {
        return entries(&[Intent::Retry, Intent::Open, Intent::NextPane]);
    }
    INTENTS.iter().filter(|entry| entry.bar.contains(&model.overview.focus)).collect()
}

fn entries(intents: &[Intent]) -> Vec<&'static Entry> {
    let here = |entry: &&Entry| matches!(entry.place, Place::Overview | Place::Everywhere);
    INTENTS.iter().filter(here).filter(|entry| intents.contains(&entry.intent)).collect()
}

fn cells(model: &Model, entry: &Entry) -> usize {
    width(bar_key(entry)) + width(entry_short(model, entry)) + 3
}

/// The first of its keys: the bar is short, the help tells the others.
fn bar_key(entry: &Entry) -> &'static str {
    entry.shown.split(' ').next().unwrap_or(entry.shown)
}

fn one_key(model: &Model, canvas: &mut Canvas<'_>, (x, y): (u16, u16), entry: &Entry) -> u16 {
    let theme = canvas.theme;
    let off = disabled(model, entry.intent).is_some();
    let (key, label) = if off { (Role::Muted, Role::Muted) } else { (Role::Accent, Role::Text) };
    let mut style = theme.style(key);
    if !off {
        style = style.add_modifier(ratatui::style::Modifier::BOLD);
    }
    let used = canvas.put((x, y), u16::MAX - x, bar_key(entry), style);
    let short = fit(theme, entry_short(model, entry), usize::MAX, Cut::End);
    let used = used + 1 + canvas.put((x + used + 1, y), u16::MAX - x - used - 1, &short, theme.style(label));
    used + 2
}
