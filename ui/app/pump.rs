//! The heart of the loop, without the world around it: messages in, effects out, and at most one frame for all of them.

use ratatui::Terminal;
use ratatui::backend::Backend;

use super::{Effect, Model, Msg, Now, update, view};
use crate::input::collapse;
use crate::theme::Theme;

/// So many messages at once; a flood does not keep the screen from being drawn.
pub(crate) const BATCH: usize = 512;

/// The model, the theme, and how often it was drawn.
pub(crate) struct Pump {
    pub(crate) model: Model,
    pub(crate) theme: Theme,
    pub(crate) frames: u64,
}

impl Pump {
    /// Takes in all of `batch`.
    pub(crate) fn feed(&mut self, batch: Vec<Msg>, now: Now) -> Vec<Effect> {
        let batch = self.model.late.without(batch, now.tick);
        let batch = if self.model.takes_text() { batch } else { collapse(batch) };
        let one = |msg| {
            if let Msg::ThemeChanged(Ok(theme)) = &msg {
                self.theme = theme.clone();
            }
            update(&mut self.model, msg, now)
        };
        batch.into_iter().flat_map(one).collect()
    }

    /// Whether there is anything to draw.
    pub(crate) fn is_stale(&self) -> bool {
        self.model.changed
    }

    /// Draws one frame.
    pub(crate) fn draw<B: Backend>(&mut self, terminal: &mut Terminal<B>) -> Result<(), B::Error> {
        let Pump { model, theme, .. } = self;
        let mut drawn = None;
        terminal.draw(|frame| drawn = Some(view(model, theme, frame)))?;
        model.drawn = drawn.unwrap_or_default();
        model.changed = false;
        self.frames += 1;
        Ok(())
    }
}
