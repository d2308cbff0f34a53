//! Moving: through the rows of a pane, from pane to pane; and what filters the rows.

use super::{Pane, Screen, audit, connections, overview};
use crate::app::Model;
use crate::input::Intent;

/// The pane that has the focus.
pub(crate) fn focus(model: &Model) -> Pane {
    match model.screen {
        Screen::Overview => model.overview.focus,
        Screen::Connections => model.connections.focus,
        Screen::Audit => Pane::Records,
    }
}

/// Gives a pane of the screen that is shown the focus.
pub(crate) fn set_focus(model: &mut Model, pane: Pane) {
    match model.screen {
        Screen::Overview => model.overview.focus = pane,
        Screen::Connections => model.connections.focus = pane,
        Screen::Audit => {}
    }
}

/// The next pane, or the one before.
pub(crate) fn turn(model: &mut Model, by: isize) {
    let panes = match model.screen {
        Screen::Overview => overview::panes(&model.facts),
        Screen::Connections => connections::panes(model),
        Screen::Audit => vec![Pane::Records],
    };
    let count = isize::try_from(panes.len()).unwrap_or(1).max(1);
    let here = panes.iter().position(|pane| *pane == focus(model)).unwrap_or(0);
    let next = (isize::try_from(here).unwrap_or(0) + by).rem_euclid(count);
    if let Some(pane) = usize::try_from(next).ok().and_then(|next| panes.get(next)) {
        set_focus(model, *pane);
    }
}

/// By how many rows an intent moves when `height` are visible; `None` when it is no movement.
fn distance(movement: Intent, height: usize) -> Option<isize> {
    let page = isize::try_from(height).unwrap_or(isize::MAX);
    Some(match movement {
        Intent::Down => 1,
        Intent::Up => -1,
        Intent::PageDown => page,
        Intent::PageUp => -page,
        Intent::HalfDown => (page / 2).max(1),
        Intent::HalfUp => -(page / 2).max(1),
        Intent::First => isize::MIN,
        Intent::Last => isize::MAX,
        _ => return None,
    })
}

/// Moves within the pane that has the focus.
pub(crate) fn step(model: &mut Model, movement: Intent) {
    let pane = focus(model);
    let height = model.drawn.rows(pane).max(1);
    let Some(by) = distance(movement, height) else { return };
    match model.screen {
        Screen::Overview => overview::step(model, by, height),
        Screen::Connections => connections::step(model, by, height),
        Screen::Audit => audit::step(model, by, height),
    }
}

/// What the rows of the screen that is shown are filtered by.
pub(crate) fn filter(model: &Model) -> &str {
    filter_of(model, model.screen)
}

/// What the rows of a screen are filtered by.
pub(crate) fn filter_of(model: &Model, screen: Screen) -> &str {
    match screen {
        Screen::Overview => &model.overview.filter,
        Screen::Connections => &model.connections.filter,
        Screen::Audit => model.audit.filter_text(),
    }
}

/// Filters the rows of the screen that is shown; with every letter that is typed.
pub(crate) fn filtered(model: &mut Model, text: &str) {
    match model.screen {
        Screen::Overview => model.overview.refilter(text, &model.facts),
        Screen::Connections => text.clone_into(&mut model.connections.filter),
        Screen::Audit => audit::filtered(model, text),
    }
}

/// What stands beside the filter: how many rows fit.
pub(crate) fn counted(model: &Model) -> String {
    match model.screen {
        Screen::Overview => overview::counted(model),
        Screen::Connections => connections::counted(model),
        Screen::Audit => audit::counted(model),
    }
}

/// Whether what happens is not followed on the screen that is shown.
pub(crate) fn paused(model: &Model) -> bool {
    match model.screen {
        Screen::Overview => model.overview.paused.is_some(),
        Screen::Connections => false,
        Screen::Audit => model.audit.paused(),
    }
}
