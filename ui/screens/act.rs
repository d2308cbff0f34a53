//! What several screens do.

use quarterdeck::control::Request;

use super::{Of, Screen, Size, audit, connections, overview};
use crate::app::{About, Asked, Effect, Model, ask};
use crate::input::Intent;
use crate::overlays::Question;

/// Asks whether the authorization an intent is about is to be denied.
pub(crate) fn deny(model: &mut Model) {
    let Some(Of::Waiting(id)) = model.target(Intent::Deny) else { return };
    let Some(waiting) = model.facts.waiting(&id) else { return };
    let question =
        Question::Deny { id: waiting.id.clone(), client: waiting.client_id.clone(), goes_to: waiting.redirect_uri.clone() };
    ask(model, question);
}

/// Asks whether the connection an intent is about is to end.
pub(crate) fn revoke(model: &mut Model) {
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

/// Asks the host for the page on which a passkey changes what a connection may do.
pub(crate) fn scopes(model: &mut Model) -> Vec<Effect> {
    let Some(Of::Connection(grant)) = model.target(Intent::Scopes) else { return Vec::new() };
    let Some(connection) = model.facts.connection(&grant) else { return Vec::new() };
    let asked = Asked::Of(Screen::Connections, About::Scopes { name: connection.name.clone() });
    vec![Effect::Ask(asked, Request::ScopesPage { grant })]
}

/// What is not followed is followed again.
pub(crate) fn resume(model: &mut Model) {
    match model.screen {
        Screen::Overview => overview::resume(model),
        Screen::Connections => {}
        Screen::Audit => audit::resume(model),
    }
}

/// Selects the row at a place of the list in the pane that has the focus; looks at it when it is selected already.
pub(crate) fn select(model: &mut Model, row: usize) -> Vec<Effect> {
    match model.screen {
        Screen::Overview => overview::select(model, row),
        Screen::Connections => connections::select(model, row),
        Screen::Audit => audit::select(model, row),
    }
}

/// How much of the width the list of a screen has, in percent, unless the owner changed it.
pub(crate) fn usual_split(model: &Model) -> u16 {
    match model.screen {
        Screen::Overview => 66,
        Screen::Connections => connections::usual_split(Size::of(model.size.0)),
        Screen::Audit => audit::SPLIT,
    }
}

/// Called when a screen is gone to.
pub(crate) fn enter(model: &mut Model) {
    if model.screen == Screen::Connections {
        connections::enter(model);
    }
}

/// Whether something on the screen that is shown could not be read.
pub(crate) fn failed(model: &Model) -> bool {
    match model.screen {
        Screen::Overview => false,
        Screen::Connections => connections::failed(model),
        Screen::Audit => audit::failed(model),
    }
}

/// What could not be read is asked for again.
pub(crate) fn again(model: &mut Model) -> Vec<Effect> {
    match model.screen {
        Screen::Overview => Vec::new(),
        Screen::Connections => connections::again(model),
        Screen::Audit => audit::again(model),
    }
}
