//! Whether the terminal is light or dark, by asking it.

use std::time::Duration;

use terminal_colorsaurus::{QueryOptions, background_color};

/// How long a terminal may take to answer. One far away may take longer; then nothing is known about it.
const PATIENCE: Duration = Duration::from_millis(100);

/// The terminal's background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Background {
    Light,
    Dark,
}

/// Asks the terminal (OSC 11). To be done before anybody reads keys: the answer comes the same way. An answer that comes too late is for
/// the reader of keys a burst that no hand types, which does nothing.
pub(crate) fn ask() -> Option<Background> {
    let mut options = QueryOptions::default();
    options.timeout = PATIENCE;
    let colour = background_color(options).ok()?;
    Some(if colour.perceived_lightness() > 0.5 { Background::Light } else { Background::Dark })
}
