//! Help: every key there is, from the table of intents, and what the words mean.

use ratatui::layout::Rect;

use super::{centred, hints, lift};
use crate::app::{HitMap, Model};
use crate::input::{Intent, Place, in_place};
use crate::screens::{SCOPES, Screen};
use crate::theme::{Role, Theme};
use crate::widgets::{Canvas, Frame, wrap};

/// The open help.
#[derive(Clone, Debug, Default)]
pub(crate) struct Help {
    pub(crate) scroll: usize,
}

/// A heading, or keys and what they do.
type Line = (String, String, Role);

const LISTS: &[Place] = &[Place::Lists];
const RIGHT: &[&[Place]] = &[
    &[Place::Everywhere, Place::Always],
    &[Place::Enroll],
    &[Place::Question],
    &[Place::Reading, Place::WaitingDetail, Place::ConnectionDetail, Place::RecordDetail],
    &[Place::Palette],
    &[Place::Field],
];
/// The cells for keys and words, two of them in front.
const KEYS: u16 = 13;
/// From this inner width on there are two columns.
const TWO: u16 = 96;

impl Help {
    /// Draws it over `area`.
    pub(crate) fn view(&self, model: &Model, canvas: &mut Canvas<'_>, (area, hits): (Rect, &mut HitMap)) {
        let rect = centred(area, (116, 44));
        lift(canvas, rect, area);
        let place = model.screen.place();
        let moving = hints(model, Place::Reading, &[Intent::Down, Intent::Up, Intent::Close]);
        let bottom = format!("… asks before it acts  {moving}");
        let frame = Frame { title: "Help", right: place.title(), bottom: &bottom, focused: true };
        let inside = canvas.frame(rect, &frame);
        let count = if inside.width >= TWO { 2 } else { 1 };
        let width = inside.width / count;
        let columns = columns(model, canvas.theme, (count, usize::from(width.saturating_sub(KEYS + 4))));
        let lines = columns.iter().map(Vec::len).max().unwrap_or(0);
        let height = usize::from(inside.height);
        let first = self.scroll.min(lines.saturating_sub(height));
        for (x, column) in (inside.x + 2..).step_by(usize::from(width.max(1))).zip(&columns) {
            for (y, (keys, text, role)) in (inside.y..inside.bottom()).zip(column.iter().skip(first)) {
                let used = if text.is_empty() { width.saturating_sub(3) } else { KEYS };
                canvas.put((x, y), used, keys, canvas.theme.style(*role));
                canvas.put((x + KEYS + 1, y), width.saturating_sub(KEYS + 4), text, canvas.theme.style(Role::Text));
            }
        }
        hits.reading = (lines, height);
    }
}

/// Everything in one or two columns, this screen first, sentences wrapped to `room` cells.
fn columns(model: &Model, theme: &Theme, (count, room): (u16, usize)) -> Vec<Vec<Line>> {
    let here = model.screen.place();
    let others = Screen::ALL.into_iter().map(Screen::place).filter(|place| *place != here);
    let left: Vec<Line> = [&[here][..], LISTS].into_iter().flat_map(|places| group(model, places)).collect();
    let right = RIGHT.iter().flat_map(|places| group(model, places)).collect();
    let others = others.flat_map(|place| group(model, &[place])).collect();
    let columns =
        if count > 1 { vec![[left, others, words()].concat(), right] } else { vec![[left, right, others, words()].concat()] };
    let wrapped = |(keys, text, role): Line| {
        let mut keys = Some(keys);
        wrap(theme, &text, room).into_iter().map(move |part| (keys.take().unwrap_or_default(), part, role))
    };
    columns.into_iter().map(|column| column.into_iter().flat_map(wrapped).collect()).collect()
}

fn group(model: &Model, places: &[Place]) -> Vec<Line> {
    let title = places.first().map(|place| place.title()).unwrap_or_default();
    let mut lines = vec![(title.to_owned(), String::new(), Role::Title)];
    for entry in places.iter().flat_map(|place| in_place(*place)) {
        let asks = if entry.short.ends_with('…') { " …" } else { "" };
        let keys = model.setup.keymap.shown(entry);
        let keys = if keys.is_empty() { ":".to_owned() } else { keys };
        lines.push((format!("  {keys}"), format!("{}{asks}", entry.sentence), Role::Accent));
    }
    lines.push((String::new(), String::new(), Role::Text));
    lines
}

fn words() -> Vec<Line> {
    let mut lines = vec![("Words".to_owned(), String::new(), Role::Title)];
    let mut word = |word: &str, means: &str| lines.push((format!("  {word}"), means.to_owned(), Role::Muted));
    word("client", "the software that connects");
    word("grant", "what you allowed a client, since when");
    word("connection", "a grant and its name");
    word("passkey", "the only key that lets a client in");
    for (scope, letter) in SCOPES {
        word(&letter.to_string(), &format!("the scope {scope}"));
    }
    lines
}
