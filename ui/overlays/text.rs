//! A text to read: what this terminal said lately, the keys as they are.

use ratatui::layout::Rect;

use super::{centred, hints, lift};
use crate::app::{HitMap, Model};
use crate::input::{Intent, Place, in_place};
use crate::theme::Role;
use crate::widgets::{Canvas, Frame, wrap};

const WIDTH: u16 = 92;

/// The open text.
#[derive(Clone, Debug)]
pub(crate) struct TextPage {
    title: &'static str,
    lines: Vec<String>,
    pub(crate) scroll: usize,
}

impl TextPage {
    /// What was said, the latest first.
    pub(crate) fn messages(model: &Model) -> TextPage {
        let line = |(at, text): &(jiff::Timestamp, String)| format!("{}  {text}", model.clock(&at.to_string()));
        let mut lines: Vec<String> = model.toasts.log().map(line).collect();
        if lines.is_empty() {
            lines.push("Nothing was said yet.".to_owned());
        }
        TextPage { title: "Messages", lines, scroll: 0 }
    }

    /// The key map as it is, in the form of its file.
    pub(crate) fn keys(model: &Model) -> TextPage {
        let mut lines = Vec::new();
        for place in Place::ALL {
            lines.push(format!("[{}]", place.section()));
            for entry in in_place(place) {
                let keys: Vec<String> = model.setup.keymap.keys(entry).iter().map(|key| format!("\"{key}\"")).collect();
                lines.push(format!("{} = [{}]", entry.name, keys.join(", ")));
            }
            lines.push(String::new());
        }
        TextPage { title: "Keys", lines, scroll: 0 }
    }

    /// Draws it in the middle of `area`.
    pub(crate) fn view(&self, model: &Model, canvas: &mut Canvas<'_>, (area, hits): (Rect, &mut HitMap)) {
        let width = WIDTH.min(area.width.saturating_sub(4));
        let room = usize::from(width.saturating_sub(6));
        let lines: Vec<String> = self.lines.iter().flat_map(|line| wrap(canvas.theme, line, room)).collect();
        let wanted = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2);
        let rect = centred(area, (width, wanted.min(area.height.saturating_sub(2))));
        lift(canvas, rect, area);
        let bottom = hints(model, Place::Reading, &[Intent::Down, Intent::Up, Intent::Close]);
        let inside = canvas.frame(rect, &Frame { title: self.title, bottom: &bottom, focused: true, ..Frame::default() });
        let height = usize::from(inside.height);
        let first = self.scroll.min(lines.len().saturating_sub(height));
        for (y, line) in (inside.y..inside.bottom()).zip(lines.iter().skip(first)) {
            canvas.put((inside.x + 2, y), inside.width.saturating_sub(4), line, canvas.theme.style(Role::Text));
        }
        hits.reading = (lines.len(), height);
    }
}
