//! What the screen does with an intent.

use quarterdeck::control::Request;

use super::{Detail, Of, Pane, grant_ids, panes, waiting_ids};
use crate::app::{Asked, Effect, Model, ask};
use crate::input::Intent;
use crate::overlays::{Enroll, Overlay, Question};

/// Carries out an intent that is enabled.
pub(crate) fn update(model: &mut Model, intent: Intent) -> Vec<Effect> {
    match intent {
        Intent::Open => {
            if let Some(of) = model.overview.choice() {
                model.overlays.push(Overlay::Detail(Detail::new(of, &model.facts)));
            }
        }
        Intent::Deny => deny(model),
        Intent::Revoke => revoke(model),
        Intent::Follow => follow(model),
        Intent::Enroll => return enroll(model),
        Intent::Retry => {
            model.asked_again = true;
            return vec![Effect::Subscribe];
        }
        Intent::NextPane => turn(model, 1),
        Intent::PreviousPane => turn(model, -1),
        Intent::Back => back(model),
        movement => go(model, movement),
    }
    Vec::new()
}

fn enroll(model: &mut Model) -> Vec<Effect> {
    if let Some(mut kept) = model.kept.take() {
        kept.pass(model.now.wall);
        if kept.link().is_some() {
            model.overlays.push(Overlay::Enroll(kept));
            return Vec::new();
        }
    }
    model.overlays.push(Overlay::Enroll(Enroll::default()));
    vec![Effect::Ask(Asked::EnrollLink, Request::PasskeyAdd)]
}

fn deny(model: &mut Model) {
    let Some(Of::Waiting(id)) = model.target(Intent::Deny) else { return };
    let Some(waiting) = model.facts.waiting(&id) else { return };
    let question =
        Question::Deny { id: waiting.id.clone(), client: waiting.client_id.clone(), goes_to: waiting.redirect_uri.clone() };
    ask(model, question);
}

fn revoke(model: &mut Model) {
    let Some(Of::Connection(grant)) = model.target(Intent::Revoke) else { return };
    let Some(connection) = model.facts.connection(&grant) else { return };
    let question = Question::Revoke {
        grant: connection.grant.clone(),
        name: connection.name.clone(),
        client: connection.client_id.clone(),
        scopes: connection.scopes.join(" "),
    };
    ask(model, question);
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

fn turn(model: &mut Model, by: isize) {
    let panes = panes(&model.facts);
    let count = isize::try_from(panes.len()).unwrap_or(1).max(1);
    let here = panes.iter().position(|pane| *pane == model.overview.focus).unwrap_or(0);
    let next = (isize::try_from(here).unwrap_or(0) + by).rem_euclid(count);
    if let Some(pane) = usize::try_from(next).ok().and_then(|next| panes.get(next)) {
        model.overview.focus = *pane;
    }
}

/// Nothing is open: the activity is followed again.
fn back(model: &mut Model) {
    model.overview.paused = None;
    model.overview.activity.clear();
    model.toasts.clear();
}

fn go(model: &mut Model, movement: Intent) {
    let pane = model.overview.focus;
    let height = model.drawn.rows(pane).max(1);
    let page = isize::try_from(height).unwrap_or(isize::MAX);
    let by = match movement {
        Intent::Down => 1,
        Intent::Up => -1,
        Intent::PageDown => page,
        Intent::PageUp => -page,
        Intent::HalfDown => (page / 2).max(1),
        Intent::HalfUp => -(page / 2).max(1),
        Intent::First => isize::MIN,
        Intent::Last => isize::MAX,
        _ => return,
    };
    match pane {
        Pane::Needs => model.overview.needs.step(&waiting_ids(&model.facts), by, height),
        Pane::Connections => model.overview.connections.step(&grant_ids(&model.facts), by, height),
        Pane::Activity if model.overview.paused.is_none() => follow(model),
        Pane::Activity => {
            let ids = model.overview.record_ids(&model.facts);
            model.overview.activity.step(&ids, by, height);
        }
    }
}
