//! Commands that change something. What ends something asks first.

use quarterdeck::control::Request;

use super::model::{Asked, Do, Plain, say};
use super::words::short;
use super::{deciding, find};
use crate::overlays::Question;

/// `deny ID`.
pub(super) fn deny(plain: &mut Plain, typed: &str) -> Vec<Do> {
    if typed.is_empty() {
        return say("deny needs the id of an authorization; overview names those that wait.");
    }
    let waiting = match find::waiting(&plain.model, typed) {
        Ok(waiting) => waiting,
        Err(why) => return say(why),
    };
    let ids: Vec<&str> = plain.model.facts.waiting.iter().map(|waiting| waiting.id.as_str()).collect();
    let expected = short(&waiting.id, &ids).to_owned();
    let question =
        Question::Deny { id: waiting.id.clone(), client: waiting.client_id.clone(), goes_to: waiting.redirect_uri.clone() };
    deciding::ask(plain, (question, expected), "quarterdeck --plain in a terminal")
}

/// `revoke NAME`.
pub(super) fn revoke(plain: &mut Plain, typed: &str) -> Vec<Do> {
    if typed.is_empty() {
        return say("revoke needs the name of a connection; connections lists them.");
    }
    let connection = match find::connection(&plain.model, typed) {
        Ok(connection) => connection.clone(),
        Err(why) => return say(why),
    };
    let question = Question::Revoke {
        grant: connection.grant,
        name: connection.name.clone(),
        client: connection.client_id,
        scopes: connection.scopes.join(" "),
    };
    let instead = format!("quarterdeck revoke {}", connection.name);
    deciding::ask(plain, (question, connection.name), &instead)
}

/// `scopes NAME`.
pub(super) fn scopes(plain: &mut Plain, typed: &str) -> Vec<Do> {
    let (name, grant) = match find::connection(&plain.model, typed) {
        Ok(connection) => (connection.name.clone(), connection.grant.clone()),
        Err(_) if typed.is_empty() => return say("scopes needs the name of a connection; connections lists them."),
        Err(why) => return say(why),
    };
    vec![plain.ask(Asked::Scopes { name }, Request::ScopesPage { grant })]
}

/// `enroll`.
pub(super) fn enroll(plain: &mut Plain, _rest: &str) -> Vec<Do> {
    vec![plain.ask(Asked::Enroll, Request::PasskeyAdd)]
}

/// `new-client NAME ADDRESS…`.
pub(super) fn new_client(plain: &mut Plain, typed: &str) -> Vec<Do> {
    let mut words = typed.split_whitespace().map(str::to_owned);
    let (name, redirect_uris) = (words.next().unwrap_or_default(), words.collect::<Vec<_>>());
    if redirect_uris.is_empty() {
        return say(
            "new-client needs a name and where the client may be sent back to, as http://127.0.0.1/callback; any port fits.",
        );
    }
    vec![plain.ask(Asked::NewClient, Request::ClientAdd { name, redirect_uris })]
}

/// `remove ID or NAME`: the host knows whether it is a passkey or a client document.
pub(super) fn remove(plain: &mut Plain, typed: &str) -> Vec<Do> {
    if typed.is_empty() {
        return say("remove needs the id of a passkey or the name of a client document; connections lists them.");
    }
    vec![plain.ask(Asked::RemovePasskey { what: typed.to_owned() }, Request::PasskeyList)]
}
