//! Toasts: one sentence each, bottom right, above everything; what was done, never what is hoped.

use std::collections::VecDeque;
use std::time::Duration;

use jiff::Timestamp;
use ratatui::layout::Rect;

use crate::theme::Role;
use crate::widgets::{Canvas, width, wrap};

/// How long a toast stays.
const STAYS: Duration = Duration::from_secs(4);
/// How many are shown.
const MOST: usize = 3;

#[derive(Clone, Debug)]
struct Toast {
    text: String,
    /// `None`: an error, it stays until a key is pressed.
    until: Option<Duration>,
}

/// How many sentences are remembered.
const KEPT: usize = 200;

/// The toasts that are shown, the newest last, and what was said before, the newest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Toasts {
    shown: Vec<Toast>,
    said: VecDeque<(Timestamp, String)>,
    /// The time of the latest message.
    pub(crate) wall: Timestamp,
}

impl Toasts {
    /// Says something for four seconds.
    pub(crate) fn say(&mut self, now: Duration, text: &str) {
        self.add(Toast { text: text.to_owned(), until: Some(now + STAYS) });
    }

    /// Says what went wrong, until a key is pressed.
    pub(crate) fn fail(&mut self, text: &str) {
        self.add(Toast { text: text.to_owned(), until: None });
    }

    /// What was said, the newest first, and when.
    pub(crate) fn log(&self) -> impl Iterator<Item = &(Timestamp, String)> {
        self.said.iter()
    }

    fn add(&mut self, toast: Toast) {
        self.said.push_front((self.wall, toast.text.clone()));
        self.said.truncate(KEPT);
        self.shown.retain(|other| other.text != toast.text);
        self.shown.push(toast);
        if self.shown.len() > MOST {
            self.shown.remove(0);
        }
    }

    /// A key was pressed: errors were seen. Whether one goes.
    pub(crate) fn acknowledge(&mut self) -> bool {
        let before = self.shown.len();
        self.shown.retain(|toast| toast.until.is_some());
        self.shown.len() != before
    }

    /// Whether some expired.
    pub(crate) fn expire(&mut self, now: Duration) -> bool {
        let before = self.shown.len();
        self.shown.retain(|toast| toast.until.is_none_or(|until| until > now));
        self.shown.len() != before
    }

    /// Takes all away.
    pub(crate) fn clear(&mut self) {
        self.shown.clear();
    }

    /// When the next one goes by itself.
    pub(crate) fn next_expiry(&self) -> Option<Duration> {
        self.shown.iter().filter_map(|toast| toast.until).min()
    }

    /// The texts that are shown.
    #[cfg(test)]
    pub(crate) fn texts(&self) -> Vec<&str> {
        self.shown.iter().map(|toast| toast.text.as_str()).collect()
    }

    /// Draws them at the bottom right of `area`, each whole, on as many lines as it needs.
    pub(crate) fn view(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let room = usize::from(area.width.saturating_sub(2));
        let mut rows = (area.y..area.bottom()).rev();
        for toast in self.shown.iter().rev() {
            let (sign, role) = match toast.until {
                Some(_) => (String::new(), Role::Selected),
                None => (format!("{} ", canvas.theme.glyphs.failed), Role::Danger),
            };
            let lines = wrap(canvas.theme, &format!("{sign}{}", toast.text), room);
            let cells = lines.iter().map(|line| width(line)).max().unwrap_or(0);
            for (line, y) in lines.iter().rev().zip(&mut rows) {
                let text = format!(" {line}{} ", " ".repeat(cells.saturating_sub(width(line))));
                let cells = u16::try_from(width(&text)).unwrap_or(u16::MAX).min(area.width);
                canvas.clear(Rect { x: area.right().saturating_sub(cells), y, width: cells, height: 1 });
                canvas.put_right(y, (area.x, area.right()), &text, canvas.theme.style(role));
            }
        }
    }
}
