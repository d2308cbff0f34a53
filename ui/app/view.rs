//! The frame around every screen: the first row, the tabs, the key bar; overlays and toasts above.

use ratatui::layout::{Position, Rect};

use super::keys::{moves, places};
use super::model::LEAST;
use super::{Link, Mode, Model, disabled, entry_short, small};
use crate::input::{Entry, INTENTS, Intent, Place, in_place};
use crate::overlays::Overlay;
use crate::screens::{self, Pane, Screen};
use crate::theme::{Role, Theme};
use crate::widgets::{Canvas, Cut, fit, width};

/// A pane that was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PaneHit {
    pub(crate) pane: Pane,
    pub(crate) rect: Rect,
    /// How many of its rows are visible.
    pub(crate) rows: usize,
    /// The place in its list of the row that is drawn first.
    pub(crate) top: usize,
    /// The line of the screen that one is drawn in.
    pub(crate) first: u16,
}

impl PaneHit {
    /// The place in the list of the row that was drawn at this position.
    pub(crate) fn row_at(&self, at: Position) -> Option<usize> {
        let line = usize::from(at.y.checked_sub(self.first)?);
        (line < self.rows).then_some(self.top + line)
    }
}

/// What was drawn where: how far a page is, what can be scrolled, what a click means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HitMap {
    pub(crate) panes: Vec<PaneHit>,
    /// The lines of the text on top, and how many of them are visible.
    pub(crate) reading: (usize, usize),
    /// The keys in the key bar.
    pub(crate) keys: Vec<(Rect, Place, Intent)>,
    /// The tabs.
    pub(crate) tabs: Vec<(Rect, Screen)>,
    /// Where the terminal's own cursor belongs.
    pub(crate) cursor: Option<(u16, u16)>,
}

impl HitMap {
    /// How many rows of a pane are visible.
    pub(crate) fn rows(&self, pane: Pane) -> usize {
        self.panes.iter().find(|hit| hit.pane == pane).map_or(1, |hit| hit.rows)
    }

    pub(crate) fn pane_at(&self, at: Position) -> Option<&PaneHit> {
        self.panes.iter().find(|hit| hit.rect.contains(at))
    }

    pub(crate) fn key_at(&self, at: Position) -> Option<(Place, Intent)> {
        self.keys.iter().find(|(rect, ..)| rect.contains(at)).map(|(_, place, intent)| (*place, *intent))
    }

    pub(crate) fn tab_at(&self, at: Position) -> Option<Screen> {
        self.tabs.iter().find(|(rect, _)| rect.contains(at)).map(|(_, screen)| *screen)
    }
}

/// Draws the model and says what is where.
pub(crate) fn view(model: &Model, theme: &Theme, frame: &mut ratatui::Frame<'_>) -> HitMap {
    let area = frame.area();
    let mut canvas = Canvas { buffer: frame.buffer_mut(), theme, cursor: None };
    let mut hits = HitMap::default();
    canvas.clear(area);
    if area.width < LEAST.0 || area.height < LEAST.1 {
        small::view(model, &mut canvas, area);
        return hits;
    }
    first_row(model, &mut canvas, area);
    tabs(model, &mut canvas, &mut hits);
    let body = Rect { y: 2, height: area.height - 3, ..area };
    let rest = filter_row(model, &mut canvas, body);
    screens::view(model, &mut canvas, rest, &mut hits);
    key_bar(model, &mut canvas, (area.height - 1, &mut hits));
    for overlay in &model.overlays {
        // A code needs every row there is.
        let over = if matches!(overlay, Overlay::Enroll(_)) { area } else { Rect { y: 1, height: area.height - 2, ..area } };
        overlay.view(model, &mut canvas, (over, &mut hits));
    }
    model.toasts.view(&mut canvas, body);
    // In a field, or else at the selected row: a magnifier follows it.
    let row = canvas.cursor.filter(|_| model.overlays.is_empty());
    if let Some(at) = hits.cursor.or(row) {
        frame.set_cursor_position(at);
    }
    hits
}

/// The screens there are, the one that is shown in brackets.
fn tabs(model: &Model, canvas: &mut Canvas<'_>, hits: &mut HitMap) {
    let mut x = 0;
    for screen in Screen::ALL {
        let here = screen == model.screen;
        let count = if screen == Screen::Overview { model.facts.waits() } else { 0 };
        let count = if count > 0 { format!("·{count}") } else { String::new() };
        let (open, close) = if here { ("[", "]") } else { (" ", " ") };
        let text = format!("{open}{}{count}{close}", screen.title());
        let role = if here { Role::Title } else { Role::Text };
        let used = canvas.put((x, 1), canvas.buffer.area.width.saturating_sub(x), &text, canvas.theme.style(role));
        hits.tabs.push((Rect::new(x, 1, used, 1), screen));
        x += used + 1;
    }
}

/// What the rows are filtered by, in a row of its own while there is a filter. What is left for the screen.
fn filter_row(model: &Model, canvas: &mut Canvas<'_>, body: Rect) -> Rect {
    let text = screens::filter(model);
    let open = matches!(model.overlays.last(), Some(Overlay::Filter(_)));
    if text.is_empty() && !open && model.screen != Screen::Audit {
        return body;
    }
    let theme = canvas.theme;
    let (text, role) = if text.is_empty() { ("no filter", Role::Muted) } else { (text, Role::Text) };
    let used = canvas.put((body.x + 1, body.y), 2, "/", theme.style(Role::Accent));
    let used = used + 1 + canvas.put((body.x + 3, body.y), body.width.saturating_sub(4), text, theme.style(role));
    let end = body.right().saturating_sub(1);
    canvas.put_right(body.y, (body.x + used + 4, end), &screens::counted(model), theme.style(Role::Muted));
    Rect { y: body.y + 1, height: body.height - 1, ..body }
}

fn first_row(model: &Model, canvas: &mut Canvas<'_>, area: Rect) {
    let theme = canvas.theme;
    let name = format!(" {} quarterdeck", theme.glyphs.product);
    let used = canvas.put((0, 0), area.width, &name, theme.style(Role::Title));
    let (text, role) = state(model, theme, area.width);
    let end = area.width.saturating_sub(1);
    let x = canvas.put_right(0, (used + 2, end), &text, theme.style(role));
    let host = model.facts.status.public_url.as_deref().map(host_of);
    if let (Some(style), Some((before, name))) = (theme.host(), host.and_then(|host| Some((text.split_once(host)?.0, host)))) {
        let cells = |text| u16::try_from(width(text)).unwrap_or(u16::MAX);
        let place = Rect { x: x.saturating_add(cells(before)), y: 0, width: cells(name), height: 1 };
        canvas.buffer.set_style(place.intersection(area), style);
    }
}

fn host_of(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, host)| host)
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
    let host = host_of(url);
    let mode = match model.setup.mode {
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
fn key_bar(model: &Model, canvas: &mut Canvas<'_>, (y, hits): (u16, &mut HitMap)) {
    let end = canvas.buffer.area.width;
    let everywhere = [Intent::Palette, Intent::Help, Intent::Leave];
    let right = if model.overlays.is_empty() { entries(&everywhere) } else { Vec::new() };
    let needed: usize = right.iter().map(|entry| cells(model, entry)).sum();
    let mut x = end.saturating_sub(u16::try_from(needed).unwrap_or(0));
    let limit = x.saturating_sub(1);
    for entry in right {
        x += one_key(model, canvas, (x, y), (entry, hits));
    }
    let mut x = 1;
    for entry in left(model) {
        if usize::from(x) + cells(model, entry) > usize::from(limit) {
            break;
        }
        x += one_key(model, canvas, (x, y), (entry, hits));
    }
}

fn left(model: &Model) -> Vec<&'static Entry> {
    if !model.overlays.is_empty() {
        let places = places(model).iter().filter(|place| **place != Place::Always);
        // What scrolls a question stands on its border when there is something to scroll.
        let stands = |entry: &&Entry| entry.place != Place::Question || !moves(entry.intent);
        let usable = |entry: &&Entry| stands(entry) && disabled(model, entry.intent).is_none();
        return places.flat_map(|place| in_place(*place)).filter(usable).collect();
    }
    if !model.connected() {
        return entries(&[Intent::Retry, Intent::Open, Intent::NextPane]);
    }
    let (pane, place) = (screens::focus(model), model.screen.place());
    let here = |entry: &&Entry| matches!(entry.place, Place::Lists | Place::Everywhere) || entry.place == place;
    INTENTS.iter().filter(here).filter(|entry| entry.bar.contains(&pane)).collect()
}

/// Of the lists and of everywhere, in the order of the table.
fn entries(intents: &[Intent]) -> Vec<&'static Entry> {
    let here = |entry: &&Entry| matches!(entry.place, Place::Lists | Place::Everywhere);
    INTENTS.iter().filter(here).filter(|entry| intents.contains(&entry.intent)).collect()
}

fn cells(model: &Model, entry: &Entry) -> usize {
    width(&model.setup.keymap.first(entry)) + width(entry_short(model, entry)) + 3
}

fn one_key(model: &Model, canvas: &mut Canvas<'_>, (x, y): (u16, u16), (entry, hits): (&Entry, &mut HitMap)) -> u16 {
    let theme = canvas.theme;
    let off = disabled(model, entry.intent).is_some();
    let (key, label) = if off { (Role::Muted, Role::Muted) } else { (Role::Accent, Role::Text) };
    let mut style = theme.style(key);
    if !off {
        style = style.add_modifier(ratatui::style::Modifier::BOLD);
    }
    let used = canvas.put((x, y), u16::MAX - x, &model.setup.keymap.first(entry), style);
    let short = fit(theme, entry_short(model, entry), usize::MAX, Cut::End);
    let used = used + 1 + canvas.put((x + used + 1, y), u16::MAX - x - used - 1, &short, theme.style(label));
    hits.keys.push((Rect::new(x, y, used, 1), entry.place, entry.intent));
    used + 2
}
