//! The command palette: every intent by its words, from every screen, fuzzy; the ones used last come first. One that asks still asks.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use super::{Overlay, centred, hints, lift};
use crate::app::{Effect, HitMap, Model, act, disabled, go_to, unreachable};
use crate::input::{Entry, INTENTS, Intent, Place};
use crate::screens::{Of, Screen};
use crate::theme::Role;
use crate::widgets::{Canvas, Cut, Field, Frame, Typed, fit, rank, width};

/// The palette's size, its borders included.
const SIZE: (u16, u16) = (74, 20);
/// The cells for the screen and the key of a command.
const BESIDE: u16 = 26;
/// Most characters that are typed.
const LONGEST: usize = 120;
/// How many commands are remembered as used last.
const RECENT: usize = 8;

/// The open palette.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    field: Field,
    /// Which of the commands that fit is chosen.
    chosen: usize,
}

/// One command: an intent, and what it is about when that is named.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub(crate) entry: &'static Entry,
    of: Option<Of>,
    pub(crate) sentence: String,
}

impl Palette {
    /// With nothing typed yet.
    pub(crate) fn new() -> Palette {
        Palette { field: Field::new(LONGEST), chosen: 0 }
    }

    pub(super) fn typed(&mut self, event: &KeyEvent) {
        if self.field.key(*event) == Typed::Changed {
            self.chosen = 0;
        }
    }

    pub(super) fn paste(&mut self, text: &str) {
        self.field.paste(text);
        self.chosen = 0;
    }

    /// The commands that fit, the best first, and which of their characters do.
    fn fitting(&self, model: &Model) -> Vec<(Command, Vec<usize>)> {
        let all = commands(model);
        let texts: Vec<String> = all.iter().map(|command| format!("{} {}", command.sentence, command.entry.name)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let found = rank(self.field.text(), &texts).into_iter();
        let mut found: Vec<_> = found.filter_map(|found| Some((all.get(found.index)?.clone(), found.positions))).collect();
        // What does nothing now comes last, however well it fits.
        found.sort_by_key(|(command, _)| command.off(model).is_some());
        found
    }

    /// Draws it in the upper middle of `area`.
    pub(crate) fn view(&self, model: &Model, canvas: &mut Canvas<'_>, (area, hits): (Rect, &mut HitMap)) {
        let rect = centred(area, SIZE);
        lift(canvas, rect, area);
        let fitting = self.fitting(model);
        let count = format!("{} of {}", fitting.len(), commands(model).len());
        let bottom = hints(model, Place::Palette, &[Intent::Submit, Intent::Complete, Intent::Up, Intent::Down, Intent::Close]);
        let frame = Frame { title: "Command", right: &count, bottom: &bottom, focused: true };
        let inside = canvas.frame(rect, &frame);
        canvas.put((inside.x + 1, inside.y), 2, ":", canvas.theme.style(Role::Accent));
        let style = canvas.theme.style(Role::Text);
        hits.cursor = self.field.draw(canvas, (inside.x + 3, inside.y), inside.width.saturating_sub(4), style);
        for x in inside.x + 1..inside.right().saturating_sub(1) {
            canvas.glyph(x, inside.y + 1, canvas.theme.glyphs.light.horizontal, canvas.theme.style(Role::Muted));
        }
        let rows = Rect { y: inside.y + 2, height: inside.height.saturating_sub(2), ..inside };
        if fitting.is_empty() {
            canvas.put((rows.x + 2, rows.y), rows.width, "No command has these letters.", canvas.theme.style(Role::Muted));
        }
        let height = usize::from(rows.height);
        let first = (self.chosen + 1).saturating_sub(height);
        for (y, (place, (command, letters))) in (rows.y..rows.bottom()).zip(fitting.iter().enumerate().skip(first)) {
            let line = Rect { y, height: 1, ..rows };
            row(model, canvas, line, (command, letters));
            if place == self.chosen {
                let beside = Rect { x: line.x + 1, width: line.width.saturating_sub(1), ..line };
                canvas.buffer.set_style(beside, canvas.theme.style(Role::Selected));
                canvas.put((line.x, line.y), 1, canvas.theme.glyphs.mark, canvas.theme.style(Role::Accent));
            }
        }
    }
}

/// A command with the screen and the key it has, or the reason why it does nothing now.
fn row(model: &Model, canvas: &mut Canvas<'_>, line: Rect, (command, letters): (&Command, &[usize])) {
    let theme = canvas.theme;
    let off = command.off(model);
    let asks = if command.entry.short.ends_with('…') { "…" } else { "" };
    let room = line.width.saturating_sub(BESIDE);
    let sentence = fit(theme, &format!("{}{asks}", command.sentence), usize::from(room), Cut::End);
    let role = if off.is_some() { Role::Muted } else { Role::Text };
    canvas.put((line.x + 2, line.y), room, &sentence, theme.style(role));
    underline(canvas, (line.x + 2, line.y), (&command.sentence, &sentence), letters);
    let end = line.right().saturating_sub(1);
    if let Some(reason) = off {
        let from = line.x + 4 + u16::try_from(width(&sentence)).unwrap_or(room);
        let reason = fit(theme, &model.setup.keymap.say(reason), usize::from(end.saturating_sub(from)), Cut::End);
        canvas.put_right(line.y, (from, end), &reason, theme.style(Role::Muted));
        return;
    }
    canvas.put((line.x + 2 + room, line.y), 12, command.entry.place.title(), theme.style(Role::Muted));
    let key = model.setup.keymap.first(command.entry);
    canvas.put_right(line.y, (end.saturating_sub(8), end), &key, theme.style(Role::Accent));
}

/// Shows which letters of a sentence fit: as far as it is drawn as it is.
fn underline(canvas: &mut Canvas<'_>, (x, y): (u16, u16), (sentence, drawn): (&str, &str), letters: &[usize]) {
    let style = canvas.theme.style(Role::Accent);
    let mut cells = 0;
    for (at, (letter, shown)) in sentence.chars().zip(drawn.chars()).enumerate() {
        if letter != shown {
            return;
        }
        let wide = u16::try_from(width(letter.encode_utf8(&mut [0; 4]))).unwrap_or(1);
        if letters.contains(&at) {
            canvas.buffer.set_style(Rect { x: x + cells, y, width: wide, height: 1 }.intersection(canvas.buffer.area), style);
        }
        cells += wide;
    }
}

impl Command {
    /// Why it does nothing now. What belongs to another screen or names what it is about is judged there, when it is run.
    fn off(&self, model: &Model) -> Option<&'static str> {
        let elsewhere = self.screen().is_some_and(|screen| screen != model.screen);
        if elsewhere || self.of.is_some() { unreachable(model, self.entry.intent) } else { disabled(model, self.entry.intent) }
    }

    /// The screen it belongs to.
    fn screen(&self) -> Option<Screen> {
        Screen::ALL.into_iter().find(|screen| screen.place() == self.entry.place)
    }
}

/// Every command there is: the intents of the screens and of everywhere, and those that end or change a connection once for each.
pub(crate) fn commands(model: &Model) -> Vec<Command> {
    let mut all: Vec<Command> = Vec::new();
    for entry in INTENTS.iter().filter(|entry| listed(entry)) {
        match entry.intent {
            Intent::Revoke | Intent::Scopes if entry.place == Place::Connections => {
                let verb = if entry.intent == Intent::Revoke { "revoke" } else { "change the scopes of" };
                all.extend(model.facts.connections.iter().map(|connection| Command {
                    entry,
                    of: Some(Of::Connection(connection.grant.clone())),
                    sentence: format!("{verb} {}", connection.name),
                }));
            }
            _ => all.push(Command { entry, of: None, sentence: entry.sentence.to_owned() }),
        }
    }
    // One that names what it is about was used on something else.
    let again = |command: &Command| model.recent.iter().position(|name| *name == command.entry.name && command.of.is_none());
    all.sort_by_key(|command| (command.off(model).is_some(), again(command).unwrap_or(usize::MAX)));
    all
}

/// Movements, and the palette itself, are no commands. What two screens share is listed once.
fn listed(entry: &Entry) -> bool {
    let place = matches!(
        entry.place,
        Place::Overview | Place::Connections | Place::Audit | Place::Lists | Place::Everywhere | Place::Always
    );
    let twice = matches!((entry.place, entry.intent), (Place::Overview, Intent::Revoke) | (Place::Connections, Intent::Deny));
    !twice && place && !is_movement(entry.intent)
}

/// What is done with the hands and not by name.
pub(crate) fn is_movement(intent: Intent) -> bool {
    use Intent as I;
    matches!(
        intent,
        I::Down
            | I::Up
            | I::First
            | I::Last
            | I::PageDown
            | I::PageUp
            | I::HalfDown
            | I::HalfUp
            | I::Palette
            | I::Back
            | I::Interrupt
    )
}

pub(super) fn update(model: &mut Model, intent: Intent) -> Vec<Effect> {
    let Some(Overlay::Palette(mut palette)) = model.overlays.pop() else { return Vec::new() };
    let fitting = palette.fitting(model);
    match intent {
        Intent::Submit => match fitting.into_iter().nth(palette.chosen) {
            Some((command, _)) => return run(model, &command),
            None => model.overlays.push(Overlay::Palette(palette)),
        },
        Intent::Down | Intent::Up => {
            let last = fitting.len().saturating_sub(1);
            let by = if intent == Intent::Down { 1 } else { -1 };
            palette.chosen = palette.chosen.saturating_add_signed(by).min(last);
            model.overlays.push(Overlay::Palette(palette));
        }
        Intent::Complete => {
            if let Some((command, _)) = fitting.get(palette.chosen) {
                palette.field = Field::new(LONGEST).holding(&command.sentence);
                palette.chosen = 0;
            }
            model.overlays.push(Overlay::Palette(palette));
        }
        _ => {}
    }
    Vec::new()
}

/// Goes to the command's screen and does there what its key would do.
fn run(model: &mut Model, command: &Command) -> Vec<Effect> {
    model.recent.retain(|name| *name != command.entry.name);
    model.recent.insert(0, command.entry.name);
    model.recent.truncate(RECENT);
    let mut effects = Vec::new();
    if let Some(screen) = command.screen().filter(|screen| *screen != model.screen) {
        effects = go_to(model, screen);
    }
    if let Some(Of::Connection(grant)) = &command.of {
        model.connections.choose(&model.facts, grant);
    }
    effects.extend(act(model, command.entry));
    effects
}
