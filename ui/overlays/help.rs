//! Help: every key there is, from the table of intents, this screen first; and what the words mean. A search keeps what fits.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use super::{Overlay, centred, hints, lift};
use crate::app::{Effect, HitMap, Model, disabled};
use crate::input::{Entry, Intent, Place, in_place};
use crate::screens::{SCOPES, Screen};
use crate::theme::{Role, Theme};
use crate::widgets::{Canvas, Field, Frame, wrap};

/// Most characters of a search.
const LONGEST: usize = 60;
/// The cells for keys and words, two of them in front.
const KEYS: u16 = 13;
/// From this inner width on there are two columns.
const TWO: u16 = 96;
/// What is not of a screen and not of everywhere.
const OVERLAYS: &[&[Place]] = &[
    &[Place::Enroll],
    &[Place::Question],
    &[Place::Reading, Place::Help, Place::WaitingDetail, Place::ConnectionDetail, Place::RecordDetail],
    &[Place::Palette],
    &[Place::Field],
];

/// The open help.
#[derive(Clone, Debug)]
pub(crate) struct Help {
    pub(crate) scroll: usize,
    search: Field,
    /// The search has the keys.
    typing: bool,
}

impl Default for Help {
    fn default() -> Help {
        Help { scroll: 0, search: Field::new(LONGEST), typing: false }
    }
}

/// A heading, or keys and what they do.
#[derive(Clone, Debug)]
struct Line {
    keys: String,
    text: String,
    roles: (Role, Role),
}

impl Line {
    fn title(title: &str) -> Line {
        Line { keys: title.to_owned(), text: String::new(), roles: (Role::Title, Role::Text) }
    }

    fn is_title(&self) -> bool {
        self.roles.0 == Role::Title
    }
}

impl Help {
    /// Whether letters are text here.
    pub(crate) fn searching(&self) -> bool {
        self.typing
    }

    pub(super) fn typed(&mut self, event: &KeyEvent) {
        self.search.key(*event);
        self.scroll = 0;
    }

    pub(super) fn paste(&mut self, text: &str) {
        self.search.paste(text);
        self.scroll = 0;
    }

    /// Forgets what was searched for; whether there was something.
    pub(crate) fn clear(&mut self) -> bool {
        let had = !self.search.text().is_empty();
        self.search.clear();
        self.scroll = 0;
        had
    }

    /// Draws it over `area`.
    pub(crate) fn view(&self, model: &Model, canvas: &mut Canvas<'_>, (area, hits): (Rect, &mut HitMap)) {
        let rect = centred(area, (116, 44));
        lift(canvas, rect, area);
        let title = format!("Help — {}", model.screen.place().title());
        let bottom = self.bottom(model);
        let right = hints(model, Place::Help, &[Intent::Search]);
        let mut inside = canvas.frame(rect, &Frame { title: &title, right: &right, bottom: &bottom, focused: true });
        if self.typing || !self.search.text().is_empty() {
            canvas.put((inside.x + 1, inside.y), 2, "/", canvas.theme.style(Role::Accent));
            let style = canvas.theme.style(Role::Text);
            let cursor = self.search.draw(canvas, (inside.x + 3, inside.y), inside.width.saturating_sub(4), style);
            hits.cursor = cursor.filter(|_| self.typing);
            inside = Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside };
        }
        let count = if inside.width >= TWO { 2 } else { 1 };
        let width = inside.width / count;
        let columns = self.columns(model, canvas.theme, (count, usize::from(width.saturating_sub(KEYS + 4))));
        let lines = columns.iter().map(Vec::len).max().unwrap_or(0);
        let height = usize::from(inside.height);
        let first = self.scroll.min(lines.saturating_sub(height));
        for (x, column) in (inside.x + 2..).step_by(usize::from(width.max(1))).zip(&columns) {
            for (y, line) in (inside.y..inside.bottom()).zip(column.iter().skip(first)) {
                let used = if line.is_title() { width.saturating_sub(3) } else { KEYS };
                canvas.put((x, y), used, &line.keys, canvas.theme.style(line.roles.0));
                canvas.put((x + KEYS + 1, y), width.saturating_sub(KEYS + 4), &line.text, canvas.theme.style(line.roles.1));
            }
        }
        hits.reading = (lines, height);
    }

    fn bottom(&self, model: &Model) -> String {
        if self.typing {
            return hints(model, Place::Field, &[Intent::Submit, Intent::Close]);
        }
        format!("… asks before it acts  {}", hints(model, Place::Reading, &[Intent::Down, Intent::Up, Intent::Close]))
    }

    /// What fits, in one or two columns, wrapped to `room` cells beside the keys.
    fn columns(&self, model: &Model, theme: &Theme, (count, room): (u16, usize)) -> Vec<Vec<Line>> {
        let here = model.screen.place();
        let others = Screen::ALL.into_iter().map(Screen::place).filter(|place| *place != here);
        let screens: Vec<Vec<Line>> = others.map(|place| group(model, &[place])).collect();
        let first = vec![group(model, &[here]), group(model, &[Place::Lists])];
        let everywhere = vec![group(model, &[Place::Everywhere, Place::Always])];
        let overlays: Vec<Vec<Line>> = OVERLAYS.iter().map(|places| group(model, places)).collect();
        let columns = if count > 1 {
            vec![[first, screens, vec![words()]].concat(), [everywhere, overlays].concat()]
        } else {
            vec![[first, everywhere, screens, overlays, vec![words()]].concat()]
        };
        let fitting = |groups: Vec<Vec<Line>>| groups.into_iter().flat_map(|group| self.fitting(group)).collect::<Vec<_>>();
        let mut columns: Vec<Vec<Line>> = columns.into_iter().map(fitting).collect();
        if columns.iter().all(Vec::is_empty)
            && let Some(column) = columns.first_mut()
        {
            column.push(Line::title("Nothing has these words."));
        }
        columns.into_iter().map(|column| column.into_iter().flat_map(|line| wrapped(theme, &line, room)).collect()).collect()
    }

    /// The lines with all the words that are searched for, below their heading; nothing when there are none.
    fn fitting(&self, group: Vec<Line>) -> Vec<Line> {
        let wanted = self.search.text().to_lowercase();
        let title = group.first().map(|line| line.keys.to_lowercase()).unwrap_or_default();
        let fits = |line: &Line| {
            let text = format!("{title} {} {}", line.keys, line.text).to_lowercase();
            line.is_title() || wanted.split_whitespace().all(|word| text.contains(word))
        };
        let mut lines: Vec<Line> = group.into_iter().filter(fits).collect();
        if lines.len() < 2 {
            return Vec::new();
        }
        lines.push(Line { roles: (Role::Text, Role::Text), ..Line::title("") });
        lines
    }
}

/// One line as several that fit: the keys on the left, what they do beside them.
fn wrapped(theme: &Theme, line: &Line, room: usize) -> Vec<Line> {
    if line.is_title() || line.keys.is_empty() {
        return vec![line.clone()];
    }
    let keys = wrap(theme, &line.keys, usize::from(KEYS) - 2).into_iter().map(|keys| format!("  {keys}")).collect::<Vec<_>>();
    let text: Vec<String> = line.text.split('\n').flat_map(|text| wrap(theme, text, room)).collect();
    let told = line.text.split('\n').next().map_or(0, |text| wrap(theme, text, room).len());
    let part = |parts: &[String], at: usize| parts.get(at).cloned().unwrap_or_default();
    let role = |at: usize| if at < told { line.roles.1 } else { Role::Muted };
    let rows = 0..keys.len().max(text.len());
    rows.map(|at| Line { keys: part(&keys, at), text: part(&text, at), roles: (line.roles.0, role(at)) }).collect()
}

/// A heading and its entries.
fn group(model: &Model, places: &[Place]) -> Vec<Line> {
    let title = places.first().map(|place| place.title()).unwrap_or_default();
    let entries = places.iter().flat_map(|place| in_place(*place)).map(|entry| line(model, entry));
    [Line::title(title)].into_iter().chain(entries).collect()
}

/// An entry; what cannot be done now is dimmed, with the reason below.
fn line(model: &Model, entry: &Entry) -> Line {
    let asks = if entry.short.ends_with('…') { " …" } else { "" };
    let keys = model.setup.keymap.shown(entry);
    let keys = if keys.is_empty() { model.setup.keymap.palette() } else { keys };
    let sentence = format!("{}{asks}", entry.sentence);
    let here = [model.screen.place(), Place::Lists, Place::Everywhere, Place::Always].contains(&entry.place);
    match disabled(model, entry.intent).filter(|_| here) {
        Some(reason) => Line { keys, text: format!("{sentence}\n{reason}"), roles: (Role::Muted, Role::Muted) },
        None => Line { keys, text: sentence, roles: (Role::Accent, Role::Text) },
    }
}

fn words() -> Vec<Line> {
    let mut lines = vec![Line::title("Words")];
    let mut word = |word: &str, means: &str| {
        lines.push(Line { keys: word.to_owned(), text: means.to_owned(), roles: (Role::Muted, Role::Text) });
    };
    word("client", "the software that connects");
    word("grant", "what you allowed a client, since when");
    word("connection", "a grant and its name");
    word("passkey", "the only key that lets a client in");
    for (scope, letter) in SCOPES {
        word(&letter.to_string(), &format!("the scope {scope}"));
    }
    lines
}

/// Opens the search.
pub(crate) fn search(model: &mut Model) -> Vec<Effect> {
    if let Some(Overlay::Help(help)) = model.overlays.last_mut() {
        help.typing = true;
    }
    Vec::new()
}

/// An intent of the search field: done keeps what was found, giving up shows everything again.
pub(super) fn update(model: &mut Model, intent: Intent) -> Vec<Effect> {
    if let Some(Overlay::Help(help)) = model.overlays.last_mut() {
        help.typing = false;
        if intent == Intent::Close {
            help.clear();
        }
    }
    Vec::new()
}
