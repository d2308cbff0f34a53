//! What the protocol library answered, completed by what it leaves out, and what the audit makes of it.

use axum::body::Bytes;
use http::StatusCode;
use serde_json::{Map, Value, json};

use super::envelope::Era;
use super::registry::Registry;
use crate::audit::{Draft, Kind, Outcome};

/// Where a result names the server in place of `initialize`.
pub(super) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// An answer that is not sent yet.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) body: Content,
}

/// The body of an answer.
#[derive(Debug)]
pub(super) enum Content {
    Nothing,
    Json(Value),
    /// JSON that nothing has to be added to.
    Written(Bytes),
}

impl Answer {
    /// An answer with a JSON body.
    pub(super) fn of(status: StatusCode, body: Value) -> Answer {
        Answer { status, body: Content::Json(body) }
    }

    /// An answer without a body.
    pub(super) fn empty(status: StatusCode) -> Answer {
        Answer { status, body: Content::Nothing }
    }

    /// An answer that is sent as the protocol library wrote it.
    pub(super) fn written(status: StatusCode, body: Bytes) -> Answer {
        Answer { status, body: Content::Written(body) }
    }

    /// The record of a request of `method` that is answered so and called no tool.
    pub(super) fn draft(&self, method: &str) -> Draft {
        let code = match &self.body {
            Content::Json(body) => body.pointer("/error/code").and_then(Value::as_i64),
            Content::Nothing | Content::Written(_) => None,
        };
        let draft = match code {
            None if self.status.is_success() => Draft::ok(Kind::McpRequest),
            None => Draft { outcome: Outcome::Failed, ..Draft::refused(Kind::McpRequest, "internal_error") },
            Some(-32603) => Draft { outcome: Outcome::Failed, ..Draft::refused(Kind::McpRequest, "internal_error") },
            Some(code) => Draft::refused(Kind::McpRequest, reason(code)),
        };
        draft.object(method)
    }

    /// Adds the server's name to a result of the modern era, and to every listed tool the scopes it needs: the protocol library has
    /// no place for either. What a tool answers names the server already.
    pub(super) fn complete(&mut self, era: Era, server: &Value, registry: &Registry) {
        let Content::Json(body) = &mut self.body else { return };
        let Some(Value::Object(result)) = body.get_mut("result") else { return };
        if era == Era::Modern {
            let meta = result.entry("_meta").or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(meta) = meta {
                meta.insert(SERVER_INFO.to_owned(), server.clone());
            }
        }
        let tools = result.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten();
        for listed in tools.filter_map(Value::as_object_mut) {
            let known = listed.get("name").and_then(Value::as_str).and_then(|name| registry.find(name));
            let scopes: Vec<&str> = known.iter().flat_map(|tool| tool.scopes).map(|scope| scope.name()).collect();
            listed.insert("securitySchemes".to_owned(), json!([{ "type": "oauth2", "scopes": scopes }]));
        }
    }
}

/// The audit's word for a JSON-RPC error.
fn reason(code: i64) -> &'static str {
    match code {
        -32700 => "parse_error",
        -32600 => "invalid_request",
        -32601 => "method_not_found",
        -32602 => "invalid_params",
        -32020 => "header_mismatch",
        -32021 => "missing_capability",
        -32022 => "unsupported_version",
        _ => "protocol_error",
    }
}
