//! Text measured in cells: by grapheme, as the terminal draws it, never by character or byte.

use quarterdeck::text::safe;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::theme::{Theme, twin};

/// Where text that is too long loses cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Prose.
    End,
    /// Ids, addresses and paths: both ends tell something.
    Middle,
}

/// The cells `text` takes.
pub(crate) fn width(text: &str) -> usize {
    text.graphemes(true).map(UnicodeWidthStr::width).sum()
}

/// Whether `text` shows a mark in place of a character that hides or steers.
pub(crate) fn has_marks(text: &str) -> bool {
    text.contains("⟨U+") || quarterdeck::text::has_hidden(text)
}

/// `text` made harmless, in characters the terminal has, in at most `most` cells.
pub(crate) fn fit(theme: &Theme, text: &str, most: usize, cut: Cut) -> String {
    let text = drawable(theme, text);
    if width(&text) <= most {
        return text;
    }
    let ellipsis = theme.glyphs.ellipsis;
    let Some(room) = most.checked_sub(ellipsis.width()) else { return take(text.graphemes(true), most) };
    let tail = if cut == Cut::Middle { room / 2 } else { 0 };
    let mut out = take(text.graphemes(true), room - tail);
    out.push_str(ellipsis);
    let end = take(text.graphemes(true).rev(), tail);
    out.extend(end.graphemes(true).rev());
    out
}

/// `text` broken into lines of at most `most` cells: between words where that is possible.
pub(crate) fn wrap(theme: &Theme, text: &str, most: usize) -> Vec<String> {
    let most = most.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in drawable(theme, text).split(' ') {
        let gap = usize::from(!line.is_empty());
        if !line.is_empty() && width(&line) + gap + width(word) > most {
            lines.push(std::mem::take(&mut line));
        } else if gap == 1 {
            line.push(' ');
        }
        for grapheme in word.graphemes(true) {
            if width(&line) + grapheme.width() > most && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            line.push_str(grapheme);
        }
    }
    lines.push(line);
    lines
}

/// `text` made harmless, in characters the terminal has.
pub(super) fn drawable(theme: &Theme, text: &str) -> String {
    let text = safe(text);
    if !theme.ascii {
        return text;
    }
    text.graphemes(true).map(|one| if one.is_ascii() { one } else { twin(one) }).collect()
}

fn take<'a>(graphemes: impl Iterator<Item = &'a str>, most: usize) -> String {
    let mut left = most;
    graphemes
        .take_while(|one| {
            let fits = one.width() <= left;
            left = left.saturating_sub(one.width());
            fits
        })
        .collect()
}
