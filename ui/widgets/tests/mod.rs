//! Tests of what screens are drawn with: in both sets of characters, with wide and hostile text, and without any room.

mod charts;
mod diff;
mod field;
mod fuzzy;

use crate::terminal::Environment;
use crate::theme::Theme;

fn theme(ascii: bool) -> Theme {
    let environment = Environment::read(|name| match name {
        "LANG" => Some("C.UTF-8".to_owned()),
        "TERM" => Some("xterm".to_owned()),
        _ => None,
    });
    Theme::of(&environment, ascii)
}
