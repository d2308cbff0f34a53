//! What the screen does with an intent.

use super::Pane;
use crate::app::{Effect, Model};
use crate::input::Intent;
use crate::overlays::Overlay;
use crate::screens::{self, Detail, Screen};

/// Carries out an intent that is enabled.
pub(crate) fn update(model: &mut Model, intent: Intent) -> Vec<Effect> {
    match intent {
        Intent::Open => {
            if let Some(of) = model.overview.choice() {
                model.overlays.push(Overlay::Detail(Detail::new(of, &model.facts)));
            }
        }
        Intent::Deny => screens::deny(model),
        Intent::Revoke => screens::revoke(model),
        Intent::Scopes => return screens::scopes(model),
        Intent::Follow => follow(model),
        movement => screens::step(model, movement),
    }
    Vec::new()
}

/// Goes to what waits the longest.
pub(crate) fn oldest(model: &mut Model) -> Vec<Effect> {
    let effects = crate::app::go_to(model, Screen::Overview);
    model.overview.filter.clear();
    model.overview.focus = Pane::Needs;
    let ids = model.overview.waiting_ids(&model.facts);
    model.overview.needs.step(&ids, isize::MIN, 1);
    effects
}

fn follow(model: &mut Model) {
    let ids = model.overview.record_ids(&model.facts);
    let overview = &mut model.overview;
    if overview.paused.take().is_some() {
        overview.activity.clear();
    } else {
        overview.paused = Some(ids.first().copied().unwrap_or(0));
        overview.activity.clear();
        overview.activity.begin(&ids);
    }
}

/// Nothing is open: the activity is followed again.
pub(crate) fn resume(model: &mut Model) {
    model.overview.paused = None;
    model.overview.activity.clear();
}

/// Moves by `by` rows in the pane that has the focus.
pub(crate) fn step(model: &mut Model, by: isize, height: usize) {
    match model.overview.focus {
        Pane::Needs => {
            let ids = model.overview.waiting_ids(&model.facts);
            model.overview.needs.step(&ids, by, height);
        }
        Pane::Connections => {
            let ids = model.overview.grant_ids(&model.facts);
            model.overview.connections.step(&ids, by, height);
        }
        _ if model.overview.paused.is_none() => follow(model),
        _ => {
            let ids = model.overview.record_ids(&model.facts);
            model.overview.activity.step(&ids, by, height);
        }
    }
}

/// Selects the row at this place of the focused list; looks at it when it is selected already.
pub(crate) fn select(model: &mut Model, row: usize) -> Vec<Effect> {
    let before = model.overview.choice();
    match model.overview.focus {
        Pane::Needs => {
            let ids = model.overview.waiting_ids(&model.facts);
            model.overview.needs.choose(ids.get(row));
        }
        Pane::Connections => {
            let ids = model.overview.grant_ids(&model.facts);
            model.overview.connections.choose(ids.get(row));
        }
        _ => {
            if model.overview.paused.is_none() {
                follow(model);
            }
            let ids = model.overview.record_ids(&model.facts);
            model.overview.activity.choose(ids.get(row));
        }
    }
    if before.is_some() && before == model.overview.choice() { update(model, Intent::Open) } else { Vec::new() }
}
