//! What a typed word names.

use quarterdeck::control::{Connection, Passkey, Waiting};

use super::words::{names, ungrouped};
use crate::app::Model;

/// What one of several things was meant, or why none.
pub(super) fn one<'l, T>(found: Vec<&'l T>, what: &str, typed: &str) -> Result<&'l T, String> {
    match found.as_slice() {
        [one] => Ok(one),
        [] => Err(format!("There is no {what} {typed}.")),
        _ => Err(format!("{typed} names several of them: type more of it.")),
    }
}

pub(super) fn connection<'m>(model: &'m Model, typed: &str) -> Result<&'m Connection, String> {
    let found = model.facts.connections.iter().filter(|connection| connection.name == typed).collect();
    one(found, "connection named", typed)
}

pub(super) fn waiting<'m>(model: &'m Model, typed: &str) -> Result<&'m Waiting, String> {
    let id = ungrouped(typed);
    one(model.facts.waiting.iter().filter(|waiting| names(&id, &waiting.id)).collect(), "waiting authorization", typed)
}

/// By its id or its label.
pub(super) fn passkey<'p>(passkeys: &'p [Passkey], typed: &str) -> Result<&'p Passkey, String> {
    let id = ungrouped(typed);
    let fits = |passkey: &&Passkey| names(&id, &passkey.id) || passkey.label.as_deref() == Some(typed);
    one(passkeys.iter().filter(fits).collect(), "passkey", typed)
}
