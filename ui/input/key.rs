//! A key as the table names it.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// A key with or without ctrl. Shift is part of a letter; alt is never used, because terminals and multiplexers want it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) code: KeyCode,
    pub(crate) ctrl: bool,
}

impl Key {
    /// A printable character, as typed.
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
}

/// Whether the terminal reports the key as held down.
pub(crate) fn is_repeat(event: &KeyEvent) -> bool {
    event.kind == KeyEventKind::Repeat
}
