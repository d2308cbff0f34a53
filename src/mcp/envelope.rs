//! The envelope of a request: JSON, JSON-RPC, and a version of the protocol that is served. Checked before the protocol library sees it,
//! which answers these cases with plain text or not at all.

use http::HeaderMap;
use serde_json::{Map, Value};

use super::refused::Refused;

/// The versions served, oldest first.
pub(crate) const VERSIONS: [&str; 3] = ["2025-06-18", "2025-11-25", MODERN];
/// The version without a handshake.
pub(super) const MODERN: &str = "2026-07-28";
/// The header that names the version.
pub(super) const VERSION_HEADER: &str = "mcp-protocol-version";
/// Where a modern request names its version.
pub(super) const VERSION_META: &str = "io.modelcontextprotocol/protocolVersion";
/// Where a modern request says what its client can do.
pub(super) const CAPABILITIES_META: &str = "io.modelcontextprotocol/clientCapabilities";
/// Where a modern request names a log level.
const LOG_LEVEL_META: &str = "io.modelcontextprotocol/logLevel";
/// The levels of RFC 5424, as the protocol writes them.
const LOG_LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// The two ways of speaking the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// With an `initialize` handshake: up to 2025-11-25.
    Legacy,
    /// Every request for itself: from 2026-07-28 on.
    Modern,
}

/// A request or notification that is well formed.
#[derive(Debug)]
pub(super) struct Envelope {
    pub(super) era: Era,
    pub(super) method: String,
    /// `None`: a notification.
    pub(super) id: Option<Value>,
    /// The version named, for the audit.
    pub(super) version: &'static str,
    pub(super) message: Map<String, Value>,
}

impl Envelope {
    /// Reads a body.
    pub(super) fn read(headers: &HeaderMap, body: &[u8]) -> Result<Envelope, Refused> {
        let mut message = match serde_json::from_slice(body).map_err(|_| Refused::NotJson)? {
            Value::Object(message) => message,
            Value::Array(_) => return Err(Refused::Batch),
            _ => return Err(Refused::Invalid { id: None, what: "the body must be one JSON-RPC object" }),
        };
        let id = id(&message)?;
        let invalid = |what| Refused::Invalid { id: id.clone(), what };
        if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return Err(invalid("“jsonrpc” must be \"2.0\""));
        }
        let Some(method) = message.get("method").and_then(Value::as_str).map(str::to_owned) else {
            return Err(invalid("there must be a “method”: this endpoint takes requests and notifications, no responses"));
        };
        // Some clients write what they leave out as null.
        if message.get("params").is_some_and(Value::is_null) {
            message.remove("params");
        }
        let meta = match message.get("params") {
            None => None,
            Some(Value::Object(params)) => params.get("_meta"),
            Some(_) => return Err(invalid("“params” must be an object")),
        };
        let meta = match meta {
            None => None,
            Some(Value::Object(meta)) => Some(meta),
            Some(_) => return Err(Refused::Params { id, what: "“_meta” must be an object" }),
        };
        let (era, version) = version(headers, meta, &id)?;
        if era == Era::Modern && meta.is_some_and(|meta| !known_log_level(meta)) {
            return Err(Refused::Params { id, what: "there is no such log level" });
        }
        if era == Era::Modern && method == "initialize" {
            return Err(Refused::NoSuchMethod { id, method });
        }
        Ok(Envelope { era, method, id, version, message })
    }
}

/// The request's id: a text or a whole number; `null` is not one in this protocol.
fn id(message: &Map<String, Value>) -> Result<Option<Value>, Refused> {
    match message.get("id") {
        None => Ok(None),
        Some(id) if id.is_string() || id.is_i64() => Ok(Some(id.clone())),
        Some(_) => Err(Refused::Invalid { id: None, what: "“id” must be a text or a whole number" }),
    }
}

fn known_log_level(meta: &Map<String, Value>) -> bool {
    meta.get(LOG_LEVEL_META).is_none_or(|level| level.as_str().is_some_and(|level| LOG_LEVELS.contains(&level)))
}

/// Which era the request belongs to, and whether the version it names is served. Each era's clients recognise only their own refusal,
/// and decide by it whether to fall back to the other.
fn version(headers: &HeaderMap, meta: Option<&Map<String, Value>>, id: &Option<Value>) -> Result<(Era, &'static str), Refused> {
    let mut named = headers.get_all(VERSION_HEADER).iter();
    let header = named.next().map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let repeated = named.next().is_some();
    let in_body = meta.is_some_and(|meta| meta.contains_key(VERSION_META));
    let Some(header) = header else {
        return Ok((if in_body { Era::Modern } else { Era::Legacy }, "unnamed"));
    };
    let modern = in_body || (looks_like_a_version(&header) && header.as_str() >= MODERN);
    match VERSIONS.iter().find(|served| **served == header).filter(|_| !repeated) {
        Some(served) => Ok((if modern { Era::Modern } else { Era::Legacy }, served)),
        None if modern => Err(Refused::ModernVersion { id: id.clone(), requested: header }),
        None => Err(Refused::LegacyVersion),
    }
}

fn looks_like_a_version(text: &str) -> bool {
    text.len() == MODERN.len() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}
