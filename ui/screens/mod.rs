//! The screens, one for each capability the owner looks at, and what they share: the panes, the words, the detail of one row.
//!
//! A screen is a model (what is selected, what is filtered), an `update` for intents and a `view`. Lists hold ids, never positions.

mod act;
pub(crate) mod audit;
pub(crate) mod connections;
pub(crate) mod detail;
mod fetched;
mod go;
pub(crate) mod overview;
mod screen;
pub(crate) mod words;

pub(crate) use act::{again, deny, enter, failed, resume, revoke, scopes, select, usual_split};
pub(crate) use detail::{Detail, Fact, Of, as_text, draw_lines, fact_lines, facts};
pub(crate) use go::{counted, filter, filter_of, filtered, focus, paused, set_focus, step, turn};
pub(crate) use screen::{Pane, Screen, Size};
pub(crate) use words::SCOPES;

use ratatui::layout::Rect;

use crate::app::{Effect, HitMap, Model};
use crate::input::{Entry, Intent, Place};
use crate::widgets::Canvas;

/// Draws the screen that is shown into `body`.
pub(crate) fn view(model: &Model, canvas: &mut Canvas<'_>, body: Rect, hits: &mut HitMap) {
    match model.screen {
        Screen::Overview => overview::view(model, canvas, body, hits),
        Screen::Connections => connections::view(model, canvas, body, hits),
        Screen::Audit => audit::view(model, canvas, body, hits),
    }
}

/// Carries out an enabled intent of the screen that is shown, or of its lists and details.
pub(crate) fn update(model: &mut Model, entry: &Entry) -> Vec<Effect> {
    if let Some((title, text)) = detail::open_record(model) {
        match entry.intent {
            Intent::Copy => return vec![Effect::Copy(text)],
            Intent::Pager => return vec![Effect::Page { title, text }],
            _ => {}
        }
    }
    match (entry.place, model.screen) {
        (Place::Overview, _) | (_, Screen::Overview) => overview::update(model, entry.intent),
        (Place::Connections, _) | (_, Screen::Connections) => connections::update(model, entry.intent),
        (_, Screen::Audit) => audit::update(model, entry.intent),
    }
}

/// Called when the facts changed, and when a screen is gone to: what is selected stays selected, what is missing is asked for.
pub(crate) fn keep(model: &mut Model) -> Vec<Effect> {
    model.overview.keep(&model.facts);
    model.connections.keep(&model.facts);
    match model.screen {
        Screen::Overview => Vec::new(),
        Screen::Connections => connections::wants(model),
        Screen::Audit => audit::wants(model),
    }
}

/// The selected row of the pane that has the focus.
pub(crate) fn choice(model: &Model) -> Option<Of> {
    match model.screen {
        Screen::Overview => model.overview.choice(),
        Screen::Connections => model.connections.choice(),
        Screen::Audit => model.audit.choice(),
    }
}
