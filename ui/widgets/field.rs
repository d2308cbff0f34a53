//! A single-line field.

use crossterm::event::{KeyCode, KeyEvent};

use super::Canvas;
use crate::theme::Role;

/// A line that is being typed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field(String);

impl Field {
    pub(crate) fn of(text: &str) -> Field {
        Field(text.to_owned())
    }
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
    pub(crate) fn hear(&mut self, event: &KeyEvent) -> bool {
        match event.code {
            KeyCode::Char(c) => self.0.push(c),
            KeyCode::Backspace => return self.0.pop().is_some(),
            _ => return false,
        }
        true
    }
    pub(crate) fn paste(&mut self, text: &str) -> bool {
        self.0.push_str(text);
        true
    }
    pub(crate) fn view(&self, canvas: &mut Canvas<'_>, at: (u16, u16), cells: u16) -> (u16, u16) {
        let used = canvas.put(at, cells, &self.0, canvas.theme.style(Role::Text));
        (at.0 + used, at.1)
    }
}
