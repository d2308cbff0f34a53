//! A field: one line that is typed or pasted. It only ever holds characters that can be seen.

use crossterm::event::{Event, KeyEvent};
use quarterdeck::text::has_hidden;
use ratatui::style::Style;
use tui_input::backend::crossterm::to_input_request;
use tui_input::{Input, InputRequest};
use unicode_segmentation::UnicodeSegmentation;

use super::text::drawable;
use super::{Canvas, width};
use crate::theme::Theme;

/// What a key did to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    /// The text is another one.
    Changed,
    /// Only the cursor moved.
    Moved,
    /// Nothing: the key means nothing here, the field is full, or the character cannot be seen.
    Nothing,
}

/// A line of text with a cursor in it.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    input: Input,
    /// Most characters it takes.
    most: usize,
}

impl Field {
    /// An empty one for at most `most` characters.
    pub(crate) fn new(most: usize) -> Field {
        Field { input: Input::default(), most }
    }

    /// The same with a text in it, as if that were pasted: the cursor is behind it.
    pub(crate) fn holding(mut self, text: &str) -> Field {
        self.input.reset();
        self.paste(text);
        self
    }

    /// What was typed.
    pub(crate) fn text(&self) -> &str {
        self.input.value()
    }

    /// The characters in front of the cursor.
    pub(crate) fn cursor(&self) -> usize {
        self.input.cursor()
    }

    /// Empties it.
    pub(crate) fn clear(&mut self) {
        self.input.reset();
    }

    /// Does what a key says. Keys that leave or submit the field are for whoever holds it.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Typed {
        match to_input_request(&Event::Key(key)) {
            Some(InputRequest::InsertChar(c)) => self.insert(c),
            Some(InputRequest::Yank) => Typed::Nothing,
            Some(request) => match self.input.handle(request) {
                Some(done) if done.value => Typed::Changed,
                Some(done) if done.cursor => Typed::Moved,
                _ => Typed::Nothing,
            },
            None => Typed::Nothing,
        }
    }

    fn insert(&mut self, c: char) -> Typed {
        if self.room() == 0 || has_hidden(c.encode_utf8(&mut [0; 4])) {
            return Typed::Nothing;
        }
        self.input.handle(InputRequest::InsertChar(c));
        Typed::Changed
    }

    /// Inserts `text` where the cursor is: line breaks and tabs as spaces, and nothing that cannot be seen. What does not fit any more
    /// is left out; whether something was is returned.
    pub(crate) fn paste(&mut self, text: &str) -> bool {
        let text = text.trim_matches(['\r', '\n']).replace("\r\n", " ").replace(['\r', '\n', '\t'], " ");
        let mut seen = text.chars().filter(|c| !has_hidden(c.encode_utf8(&mut [0; 4])));
        let taken: Vec<char> = seen.by_ref().take(self.room()).collect();
        for c in taken {
            self.input.handle(InputRequest::InsertChar(c));
        }
        seen.next().is_some()
    }

    fn room(&self) -> usize {
        self.most.saturating_sub(self.text().chars().count())
    }

    /// Draws it in `cells` cells, scrolled so that the cursor is among them. Returns where the terminal's cursor belongs.
    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>, at: (u16, u16), cells: u16, style: Style) -> Option<(u16, u16)> {
        let area = canvas.buffer.area;
        let cells = cells.min(area.right().saturating_sub(at.0));
        let last = cells.checked_sub(1)?;
        let (shown, before) = self.shown(canvas.theme, usize::from(cells));
        canvas.put(at, cells, &shown, style);
        let x = at.0 + u16::try_from(before).unwrap_or(last).min(last);
        (at.1 < area.bottom()).then_some((x, at.1))
    }

    /// The part that is visible in `cells` cells, and the cells in front of the cursor. The cursor takes a cell too.
    fn shown(&self, theme: &Theme, cells: usize) -> (String, usize) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut characters = 0;
        for grapheme in self.text().graphemes(true) {
            characters += grapheme.chars().count();
            let side = if characters <= self.cursor() { &mut before } else { &mut after };
            side.push(drawable(theme, grapheme));
        }
        let left = fitting(before.iter().rev(), cells.saturating_sub(1));
        let mut shown = before.split_off(before.len() - left).concat();
        let cursor = width(&shown);
        after.truncate(fitting(after.iter(), cells.saturating_sub(cursor)));
        shown.extend(after);
        (shown, cursor)
    }
}

/// How many of `graphemes` fit into `cells` one after the other.
fn fitting<'a>(graphemes: impl Iterator<Item = &'a String>, cells: usize) -> usize {
    let mut used = 0;
    graphemes
        .take_while(|one| {
            used += width(one);
            used <= cells
        })
        .count()
}
