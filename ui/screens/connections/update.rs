//! What the screen does with an intent, with the host's answers, and with what happens.

use quarterdeck::control::{AuditRow, Reply};

use crate::app::{About, Effect, Model};
use crate::input::Intent;
use crate::overlays::{Overlay, Prompt, Purpose};
use crate::screens::{self, Detail, Fact, Of, Pane};

/// Carries out an intent that is enabled.
pub(crate) fn update(model: &mut Model, intent: Intent) -> Vec<Effect> {
    match intent {
        Intent::Open => {
            if let Some(of) = model.connections.choice() {
                model.overlays.push(Overlay::Detail(Detail::new(of, &model.facts)));
            }
        }
        Intent::Revoke => screens::revoke(model),
        Intent::Deny => screens::deny(model),
        Intent::Scopes => return screens::scopes(model),
        Intent::NewClient => model.overlays.push(Overlay::Prompt(Prompt::new(Purpose::ClientName, ""))),
        movement => screens::step(model, movement),
    }
    Vec::new()
}

/// What the screen lacks.
pub(crate) fn wants(_model: &mut Model) -> Vec<Effect> {
    Vec::new()
}

/// Time passed: what the cursor rests on is asked for.
pub(crate) fn rested(_model: &mut Model) -> Vec<Effect> {
    Vec::new()
}

/// What was read from the host may be old.
pub(crate) fn forget(_model: &mut Model) {}

/// A record was made.
pub(crate) fn heard(_model: &mut Model, _row: &AuditRow) {}

/// The host answered.
pub(crate) fn answered(model: &mut Model, _about: About, answer: Result<Reply, String>) -> Vec<Effect> {
    if let Err(why) = answer {
        model.toasts.fail(&why);
    }
    Vec::new()
}

/// The panes there are, in the order the focus goes through them.
pub(crate) fn panes(_model: &Model) -> Vec<Pane> {
    vec![Pane::Grants]
}

/// Moves by `by` rows in the pane that has the focus.
pub(crate) fn step(model: &mut Model, by: isize, height: usize) {
    let ids = model.connections.grant_ids(&model.facts);
    model.connections.grants.step(&ids, by, height);
}

/// Selects the row at this place of the focused list; looks at it when it is selected already.
pub(crate) fn select(model: &mut Model, row: usize) -> Vec<Effect> {
    let before = model.connections.choice();
    let ids = model.connections.grant_ids(&model.facts);
    model.connections.grants.choose(ids.get(row));
    if before.is_some() && before == model.connections.choice() { update(model, Intent::Open) } else { Vec::new() }
}

/// The title and the facts of a row only this screen has.
pub(crate) fn facts(_model: &Model, _of: &Of) -> (String, Vec<Fact>) {
    (String::new(), Vec::new())
}

/// How many rows fit.
pub(crate) fn counted(model: &Model) -> String {
    format!("{} of {}", model.connections.grant_ids(&model.facts).len(), model.facts.connections.len())
}
