//! What the screen does with an intent, with the host's answers, and with what happens.

use quarterdeck::control::{AuditRow, Reply};

use crate::app::{About, Effect, Model};
use crate::input::Intent;
use crate::screens;

/// Carries out an intent that is enabled.
pub(crate) fn update(model: &mut Model, intent: Intent) -> Vec<Effect> {
    screens::step(model, intent);
    Vec::new()
}

/// What the screen lacks.
pub(crate) fn wants(_model: &mut Model) -> Vec<Effect> {
    Vec::new()
}

/// Time passed: what rests long enough is asked for.
pub(crate) fn rested(_model: &mut Model) -> Vec<Effect> {
    Vec::new()
}

/// The newest records are followed again.
pub(crate) fn resume(_model: &mut Model) {}

/// A record was made.
pub(crate) fn heard(_model: &mut Model, _row: &AuditRow) {}

/// The filter was typed.
pub(crate) fn filtered(model: &mut Model, text: &str) {
    text.clone_into(&mut model.audit.filter);
}

/// The host answered.
pub(crate) fn answered(model: &mut Model, _about: About, answer: Result<Reply, String>) -> Vec<Effect> {
    if let Err(why) = answer {
        model.toasts.fail(&why);
    }
    Vec::new()
}

/// Moves by `by` rows.
pub(crate) fn step(_model: &mut Model, _by: isize, _height: usize) {}

/// Selects the row at this place of the list; looks at it when it is selected already.
pub(crate) fn select(_model: &mut Model, _row: usize) -> Vec<Effect> {
    Vec::new()
}

/// How many rows fit.
pub(crate) fn counted(_model: &Model) -> String {
    String::new()
}

/// The whole audit was checked.
pub(crate) fn verified(_model: &mut Model, _found: Result<quarterdeck::control::offline::Verified, String>) {}
