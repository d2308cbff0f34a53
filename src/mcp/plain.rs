//! The plain call: a tool call that is right in every respect, which is nearly every request there is.
//!
//! The protocol library sets up a session with tasks and channels for each request, which took a seventh of a call's processor time. A plain
//! call needs none of them: nothing is negotiated, nothing is sent before the answer. Only what cannot be anything else is taken here;
//! everything doubtful, and every refusal of the protocol, is the library's. The tests hold both ways to the same answers.

use http::HeaderMap;
use serde_json::{Map, Value};

use super::adapter;
use super::envelope::{CAPABILITIES_META, Envelope, Era, MODERN, VERSION_HEADER, VERSION_META, VERSIONS};
use super::registry::Registry;

/// What a plain call may have, and its parameters. With a `result` beside its `method`, for one, a message is none at all.
const MESSAGE: [&str; 4] = ["jsonrpc", "id", "method", "params"];
const PARAMS: [&str; 3] = ["name", "arguments", "_meta"];

/// Takes the tool's name and the arguments out of a plain call; `None` leaves the message as it is.
pub(super) fn take(headers: &HeaderMap, envelope: &mut Envelope, registry: &Registry) -> Option<(String, Map<String, Value>)> {
    let known = |object: &Map<String, Value>, keys: &[&str]| object.keys().all(|key| keys.contains(&key.as_str()));
    let is_call = envelope.method == "tools/call" && envelope.id.is_some() && VERSIONS.contains(&envelope.version);
    if !is_call || !known(&envelope.message, &MESSAGE) {
        return None;
    }
    let params = envelope.message.get_mut("params")?.as_object_mut()?;
    let name = params.get("name")?.as_str()?.to_owned();
    if !known(params, &PARAMS) || (envelope.era == Era::Modern && !modern(headers, params, &name)) {
        return None;
    }
    let none = Map::new();
    let given = params.get("arguments").map_or(Some(&none), Value::as_object)?;
    if !registry.find(&name)?.takes(given) {
        return None;
    }
    match params.remove("arguments") {
        Some(Value::Object(given)) => Some((name, given)),
        _ => Some((name, none)),
    }
}

/// Whether a request of the modern era says the same in its headers as in its body, and all it must say.
fn modern(headers: &HeaderMap, params: &Map<String, Value>, name: &str) -> bool {
    let only = |header: &str, value: &str| {
        let mut all = headers.get_all(header).iter();
        all.next().is_some_and(|said| said.as_bytes() == value.as_bytes()) && all.next().is_none()
    };
    let meta = params.get("_meta").and_then(Value::as_object);
    let meta = |key: &str| meta.and_then(|meta| meta.get(key));
    only(VERSION_HEADER, MODERN)
        && only("mcp-method", "tools/call")
        && only("mcp-name", name)
        && meta(VERSION_META).and_then(Value::as_str) == Some(MODERN)
        && meta(CAPABILITIES_META).is_some_and(adapter::are_capabilities)
}
