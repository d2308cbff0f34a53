//! What the screen does with an intent, and how its lists are moved through.

use super::{asking_ids, passkey_ids, read, told};
use crate::app::{Effect, Export, Model, ask};
use crate::input::Intent;
use crate::overlays::{Overlay, Prompt, Purpose, Question};
use crate::screens::{self, Of, Pane};

/// The name that is proposed for an exported list.
const EXPORT: &str = "connections.jsonl";

/// Carries out an intent that is enabled.
pub(crate) fn update(model: &mut Model, intent: Intent) -> Vec<Effect> {
    read::attend(model);
    match intent {
        Intent::Open => {
            if let Some(detail) = model.connections.choice().and_then(|of| told::detail(model, of)) {
                model.overlays.push(Overlay::Detail(detail));
            }
        }
        Intent::Copy => return told::text(model).map(|(_, text)| Effect::Copy(text)).into_iter().collect(),
        Intent::Pager => return told::text(model).map(|(title, text)| Effect::Page { title, text }).into_iter().collect(),
        Intent::Revoke => screens::revoke(model),
        Intent::Deny => screens::deny(model),
        Intent::Scopes => return screens::scopes(model),
        Intent::Remove => remove(model),
        Intent::NewClient => {
            let purpose = Purpose::ClientName { redirect: None };
            model.overlays.push(Overlay::Prompt(Prompt::new(purpose, "")));
        }
        Intent::Export => {
            let purpose = Purpose::ExportTo(Export::Connections);
            model.overlays.push(Overlay::Prompt(Prompt::new(purpose, EXPORT)));
        }
        Intent::Sort => model.connections.sort_next(&model.facts),
        movement => screens::step(model, movement),
    }
    Vec::new()
}

/// Asks whether the selected passkey or client document is to be removed.
fn remove(model: &mut Model) {
    let question = match model.target(Intent::Remove) {
        Some(Of::Passkey(id)) => {
            let keys = &model.facts.passkeys;
            let found = keys.iter().find(|passkey| passkey.id == id);
            let label = found.map(|passkey| passkey.label.clone().unwrap_or_else(|| passkey.id.clone()));
            label.map(|label| Question::RemovePasskey { last: keys.len() == 1, id, label })
        }
        Some(Of::Client(client_id)) => {
            let name = told::client_name(&client_id).to_owned();
            Some(Question::RemoveClient { name, client_id })
        }
        _ => None,
    };
    if let Some(question) = question {
        ask(model, question);
    }
}

/// The screen is gone to: only then, and at its key, are rows moved.
pub(crate) fn enter(model: &mut Model) {
    model.connections.arrange(&model.facts);
    model.connections.begin(&model.facts);
}

/// The list is filtered by what is typed. What is selected stays selected as long as it fits.
pub(crate) fn filtered(model: &mut Model, text: &str) {
    let connections = &mut model.connections;
    text.clone_into(&mut connections.filter);
    connections.refit(&model.facts);
    if connections.grants.chosen().is_none() {
        connections.grants.choose(connections.fitting.first());
    }
    read::attend(model);
}

/// The panes there are, in the order the focus goes through them.
pub(crate) fn panes(model: &Model) -> Vec<Pane> {
    let mut panes = vec![Pane::Grants, Pane::Calls, Pane::Journal];
    if shows_asking(model) {
        panes.push(Pane::Asking);
    }
    panes.extend([Pane::Passkeys, Pane::Clients, Pane::Refused]);
    panes
}

/// Nobody asks most of the time: an empty pane would only take room. One that has the focus stays.
pub(super) fn shows_asking(model: &Model) -> bool {
    !model.facts.waiting.is_empty() || model.connections.focus == Pane::Asking
}

/// Gives a pane the focus. No record of another pane stays selected.
pub(crate) fn focus(model: &mut Model, pane: Pane) {
    let connections = &mut model.connections;
    if connections.focus == pane {
        return;
    }
    connections.focus = pane;
    connections.calls.clear();
    connections.journal.clear();
    connections.refused.clear();
}

/// The focus came to a pane by its key: its first row is looked at. A click says itself which row is meant.
pub(crate) fn turned(model: &mut Model) {
    model.connections.begin(&model.facts);
}

/// Moves by `by` rows in the pane that has the focus.
pub(crate) fn step(model: &mut Model, by: isize, height: usize) {
    let connections = &mut model.connections;
    match connections.focus {
        Pane::Asking => connections.asking.step(&asking_ids(&model.facts), by, height),
        Pane::Calls => connections.calls.step(&connections.call_ids(), by, height),
        Pane::Journal => connections.journal.step(&connections.entry_ids(), by, height),
        Pane::Passkeys => connections.passkeys.step(&passkey_ids(&model.facts), by, height),
        Pane::Clients => connections.clients.step(&connections.client_ids(), by, height),
        Pane::Refused => connections.refused.step(&connections.refused_ids(), by, height),
        _ => {
            connections.grants.step(&connections.fitting, by, height);
            read::attend(model);
        }
    }
}

/// Selects the row at this place of the focused list; looks at it when it is selected already.
pub(crate) fn select(model: &mut Model, row: usize) -> Vec<Effect> {
    let before = model.connections.choice();
    let connections = &mut model.connections;
    match connections.focus {
        Pane::Asking => connections.asking.choose(asking_ids(&model.facts).get(row)),
        Pane::Calls => connections.calls.choose(connections.call_ids().get(row)),
        Pane::Journal => connections.journal.choose(connections.entry_ids().get(row)),
        Pane::Passkeys => connections.passkeys.choose(passkey_ids(&model.facts).get(row)),
        Pane::Clients => connections.clients.choose(connections.client_ids().get(row)),
        Pane::Refused => connections.refused.choose(connections.refused_ids().get(row)),
        _ => {
            connections.grants.choose(connections.fitting.get(row));
            read::attend(model);
        }
    }
    if before.is_some() && before == model.connections.choice() { update(model, Intent::Open) } else { Vec::new() }
}

/// How many connections fit.
pub(crate) fn counted(model: &Model) -> String {
    format!("{} of {}", model.connections.fitting.len(), model.facts.connections.len())
}
