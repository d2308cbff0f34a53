//! A key as the table names it.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// A key with or without ctrl. Shift is part of a letter; alt is never used, because terminals and multiplexers want it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) code: KeyCode,
    pub(crate) ctrl: bool,
}

/// Keys that have a name. The libraries that read key names do not tell `R` from `r`; here these are different keys.
const NAMED: &[(&str, KeyCode)] = &[
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("shift-tab", KeyCode::BackTab),
    ("space", KeyCode::Char(' ')),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
];

/// The highest function key there is a name for.
const LAST_F: u8 = 12;

impl Key {
    /// A printable character, as typed.
    #[cfg(test)]
    pub(crate) const fn char(c: char) -> Key {
        Key { code: KeyCode::Char(c), ctrl: false }
    }

    /// A key that has no character.
    pub(crate) const fn named(code: KeyCode) -> Key {
        Key { code, ctrl: false }
    }

    /// A letter with ctrl.
    pub(crate) const fn ctrl(c: char) -> Key {
        Key { code: KeyCode::Char(c), ctrl: true }
    }

    /// The key of an event that goes down; `None` for releases and for combinations nothing is bound to.
    pub(crate) fn of(event: &KeyEvent) -> Option<Key> {
        if event.kind == KeyEventKind::Release || event.modifiers.intersects(KeyModifiers::ALT | KeyModifiers::SUPER) {
            return None;
        }
        let code = match event.code {
            KeyCode::Char(c) if event.modifiers.contains(KeyModifiers::SHIFT) => KeyCode::Char(c.to_ascii_uppercase()),
            KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
            code => code,
        };
        Some(Key { code, ctrl: event.modifiers.contains(KeyModifiers::CONTROL) })
    }

    /// Whether it is text where something is typed.
    pub(crate) fn prints(self) -> bool {
        !self.ctrl && matches!(self.code, KeyCode::Char(_))
    }

    /// What [`Key::parse`] reads, in words.
    pub(crate) fn allowed() -> String {
        let names: Vec<&str> = NAMED.iter().map(|(name, _)| *name).collect();
        format!("a key is one character, {}, f1 to f{LAST_F}, or ctrl- and a small letter other than i and m", names.join(", "))
    }

    /// The key with this name, as the key map writes it: `R`, `ctrl-d`, `pgdn`, `f1`.
    pub(crate) fn parse(name: &str) -> Option<Key> {
        if let Some((_, code)) = NAMED.iter().find(|(known, _)| *known == name) {
            return Some(Key::named(*code));
        }
        if let Some(letter) = name.strip_prefix("ctrl-") {
            // To a terminal, ctrl-i is tab and ctrl-m is enter.
            return one(letter).filter(|c| c.is_ascii_lowercase() && !matches!(c, 'i' | 'm')).map(Key::ctrl);
        }
        let number = name.strip_prefix('f').and_then(|number| number.parse().ok());
        match number {
            Some(number) if (1..=LAST_F).contains(&number) => Some(Key::named(KeyCode::F(number))),
            _ => one(name).filter(|c| !c.is_control() && !c.is_whitespace()).map(|c| Key::named(KeyCode::Char(c))),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("ctrl-")?;
        }
        if let Some((name, _)) = NAMED.iter().find(|(_, code)| *code == self.code) {
            return f.write_str(name);
        }
        match self.code {
            KeyCode::Char(c) => write!(f, "{c}"),
            KeyCode::F(number) => write!(f, "f{number}"),
            _ => f.write_str("?"),
        }
    }
}

fn one(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// Whether the terminal reports the key as held down.
pub(crate) fn is_repeat(event: &KeyEvent) -> bool {
    event.kind == KeyEventKind::Repeat
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_it_is_written() {
        for name in ["R", "r", "?", "!", "é", "ж", "ctrl-d", "pgdn", "space", "shift-tab", "f1", "f12", "<", "-"] {
            assert_eq!(Key::parse(name).map(|key| key.to_string()).as_deref(), Some(name));
        }
        assert_ne!(Key::parse("R"), Key::parse("r"));
    }

    #[test]
    fn what_is_no_key_is_none() {
        for name in ["", "ctrl-", "ctrl-D", "ctrl-i", "ctrl-m", "ctrl-enter", "alt-x", "f0", "f13", "Enter", "ab", " ", "\n"] {
            assert_eq!(Key::parse(name), None, "{name:?}");
        }
    }
}
