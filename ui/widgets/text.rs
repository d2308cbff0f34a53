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
    /// Ids and paths: both ends tell something.
    Middle,
    /// What may be an address: the end of its host says whose it is and stays. Anything else is cut in the middle.
    Host,
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
    if let Some((host, path)) = parts(&text).filter(|_| cut == Cut::Host) {
        // What was done stands in front of some: it keeps half of the room.
        let (lead, host) = host.rsplit_once(' ').map_or(("", host), |(lead, host)| (lead, host));
        let lead = if lead.is_empty() { String::new() } else { fit(theme, lead, (most / 2).saturating_sub(1), Cut::End) + " " };
        return format!("{lead}{}", fit_host(theme, (host, path), most.saturating_sub(width(&lead))));
    }
    let ellipsis = theme.glyphs.ellipsis;
    let Some(room) = most.checked_sub(ellipsis.width()) else { return take(text.graphemes(true), most) };
    let tail = if cut == Cut::End { 0 } else { room / 2 };
    let mut out = take(text.graphemes(true), room - tail);
    out.push_str(ellipsis);
    let end = take(text.graphemes(true).rev(), tail);
    out.extend(end.graphemes(true).rev());
    out
}

/// An address as its scheme and host, and what is behind that.
fn parts(text: &str) -> Option<(&str, &str)> {
    let from = text.find("://").map_or(0, |at| at + 3);
    let rest = text.get(from..)?;
    let end = from + rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let host = text.get(from..end)?;
    (from > 0 || host.contains('.') && !host.contains(' ')).then(|| text.split_at(end))
}

/// The path loses cells before the host does, and a host loses those at its start.
fn fit_host(theme: &Theme, (host, path): (&str, &str), most: usize) -> String {
    let ellipsis = theme.glyphs.ellipsis;
    if let Some(room) = most.checked_sub(width(host)).filter(|room| path.is_empty() || *room > ellipsis.width()) {
        return format!("{host}{}", fit(theme, path, room, Cut::Middle));
    }
    let after = if path.is_empty() { "" } else { ellipsis };
    let Some(room) = most.checked_sub(ellipsis.width() + after.width()) else { return tail(host, most) };
    let end = tail(host, room);
    if end == host { format!("{end}{after}") } else { format!("{ellipsis}{end}{after}") }
}

fn tail(text: &str, most: usize) -> String {
    take(text.graphemes(true).rev(), most).graphemes(true).rev().collect()
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
