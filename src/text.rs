//! Text from outside. [`Untrusted`] cannot be shown; [`Untrusted::safe`] makes it harmless and says where it was not.
//!
//! Control characters, bidirectional overrides, zero-width and tag characters become visible marks such as `⟨U+202E⟩`, so that what a
//! person reads is what is there (Unicode Technical Report 36). The one function serves the terminal, the pages and the command output.

use serde::{Deserialize, Serialize};
use unicode_general_category::{GeneralCategory, get_general_category};

/// Text somebody else chose: a client's name, a label, an argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Untrusted(String);

impl Untrusted {
    /// Marks `text` as chosen by somebody else.
    pub fn new(text: impl Into<String>) -> Untrusted {
        Untrusted(text.into())
    }

    /// The text with every character that hides or steers made visible. Line breaks become marks too.
    pub fn safe(&self) -> String {
        safe(&self.0)
    }

    /// [`Untrusted::safe`], cut to `most` characters with `…` as the last one when something was cut.
    pub fn safe_line(&self, most: usize) -> String {
        shorten(&safe(&self.0), most)
    }
}

/// Text with every character that hides or steers made visible: see [`Untrusted::safe`]. Safe text comes back unchanged.
pub fn safe(text: &str) -> String {
    mark(text, false)
}

/// [`safe`] for text of several lines: line feeds and tabs stay.
pub fn safe_block(text: &str) -> String {
    mark(text, true)
}

/// Whether `text` holds a character that [`safe`] would mark.
pub fn has_hidden(text: &str) -> bool {
    text.chars().any(hides)
}

/// At most `most` characters; the last is `…` when something was cut.
pub fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut out: String = text.chars().take(most.saturating_sub(1)).collect();
    out.push('…');
    out
}

fn mark(text: &str, lines: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if hides(c) && !(lines && matches!(c, '\n' | '\t')) {
            out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

/// Control, format, surrogate, private-use, unassigned, line and paragraph separators, variation selectors and other characters
/// that draw nothing (`Default_Ignorable_Code_Point`).
fn hides(c: char) -> bool {
    use GeneralCategory as G;
    let category = matches!(
        get_general_category(c),
        G::Control | G::Format | G::Surrogate | G::PrivateUse | G::Unassigned | G::LineSeparator | G::ParagraphSeparator
    );
    let ignorable = matches!(
        u32::from(c),
        0x034F | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F | 0x2800 | 0x3164 | 0xFE00..=0xFE0F | 0xFFA0 | 0xE0000..=0xE0FFF
    );
    let odd_space = c != ' ' && get_general_category(c) == G::SpaceSeparator && c != '\u{3000}';
    category || ignorable || odd_space
}
