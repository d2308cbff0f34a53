//! The endpoint through a router, as clients meet it.

mod audit;
mod client;
mod envelope;
mod gate;
mod hostile;
mod plain;
mod schema;
mod texts;
mod tools;
mod withdrawn;

use axum::Router;
use axum::body::Body;
use axum::routing::any;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::Mcp;
use crate::access::{Access, Caller, GrantHooks, NewGrant, Principal, Scope, Scopes};
use crate::audit::{Entry, Seq};
use crate::config::Config;
use crate::knowledge::Knowledge;
use crate::testing::Fixture;

pub(super) const CLIENT: &str = "https://claude.example/client.json";

/// A host with one connection, `dots`, and its token.
pub(super) struct Deck {
    pub(super) fixture: Fixture,
    pub(super) access: Access,
    pub(super) knowledge: Knowledge,
    pub(super) router: Router,
    pub(super) token: String,
    pub(super) caller: Caller,
}

impl Deck {
    pub(super) async fn new() -> Deck {
        Deck::with(|_config| {}, Scopes::all()).await
    }

    /// A connection that lacks these scopes.
    pub(super) async fn without(lacking: &[Scope]) -> Deck {
        Deck::with(|_config| {}, Scopes::of(Scope::ALL.into_iter().filter(|scope| !lacking.contains(scope)))).await
    }

    pub(super) async fn with(change: impl FnOnce(&mut Config), scopes: Scopes) -> Deck {
        let fixture = Fixture::with(change);
        let access = Access::new(&fixture.base, None, GrantHooks::default());
        let knowledge = Knowledge::new(&fixture.base);
        knowledge.prepare().unwrap();
        let mcp = Mcp::new(&fixture.base, access.clone(), knowledge.clone()).unwrap();
        let router = Router::new().route("/mcp", any(crate::mcp::http::endpoint)).with_state(mcp);
        let (token, caller) = connect(&fixture, &access, "dots", scopes).await;
        Deck { fixture, access, knowledge, router, token, caller }
    }

    /// Sends `ask` with the token.
    pub(super) async fn send(&self, ask: Ask) -> Said {
        self.send_as(&self.token, ask).await
    }

    pub(super) async fn send_as(&self, token: &str, ask: Ask) -> Said {
        self.send_bare(ask.header("authorization", &format!("Bearer {token}"))).await
    }

    /// Sends `ask` as it is.
    pub(super) async fn send_bare(&self, ask: Ask) -> Said {
        let response = self.router.clone().oneshot(ask.0).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Said { status: parts.status, headers: parts.headers, empty: bytes.is_empty(), body }
    }

    /// The result of a tool call.
    pub(super) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let said = self.send(Ask::call(tool, arguments)).await;
        assert_eq!(said.status, StatusCode::OK, "{}", said.body);
        said.body["result"].clone()
    }

    /// The newest audit records, oldest first.
    pub(super) async fn records(&self) -> Vec<Entry> {
        self.fixture.base.audit.page(Seq::MAX, 1000).await.unwrap()
    }

    pub(super) async fn last_record(&self) -> Entry {
        self.records().await.pop().unwrap()
    }
}

/// Issues a grant and answers its token.
pub(super) async fn connect(fixture: &Fixture, access: &Access, name: &str, scopes: Scopes) -> (String, Caller) {
    let new = NewGrant {
        name: name.to_owned(),
        client_id: CLIENT.to_owned(),
        client_name: Some("Claude".to_owned()),
        scopes,
        resource: "http://localhost:7420/mcp".to_owned(),
        approval: None,
    };
    let access = access.clone();
    let issued = fixture.base.store.write(move |tx| access.issue(tx, &Principal::System, new)).await.unwrap();
    let grant = issued.grant;
    let caller = Caller { grant: grant.id, name: grant.name, client_id: grant.client_id, scopes: grant.scopes };
    (issued.token.expose().clone(), caller)
}

/// What came back.
pub(super) struct Said {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) empty: bool,
    pub(super) body: Value,
}

impl Said {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The JSON-RPC error's code.
    pub(super) fn code(&self) -> i64 {
        self.body["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error in {}", self.body))
    }
}

/// A request to `/mcp`.
pub(super) struct Ask(Request<Body>);

impl Ask {
    pub(super) fn raw(method: &str, body: impl Into<Body>) -> Ask {
        let request = Request::builder().method(method).uri("/mcp").header("host", "localhost:7420");
        Ask(request.body(body.into()).unwrap())
    }

    pub(super) fn post(body: &Value) -> Ask {
        Ask::raw("POST", body.to_string()).header("content-type", "application/json")
    }

    pub(super) fn legacy(method: &str, params: Value) -> Ask {
        Ask::post(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-11-25")
    }

    pub(super) fn modern(method: &str, mut params: Value) -> Ask {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let name = params["name"].as_str().or(params["uri"].as_str()).map(str::to_owned);
        let ask = Ask::post(&json!({ "jsonrpc": "2.0", "id": "m1", "method": method, "params": params }))
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method);
        match name {
            Some(name) => ask.header("mcp-name", &name),
            None => ask,
        }
    }

    pub(super) fn call(tool: &str, arguments: Value) -> Ask {
        Ask::legacy("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    pub(super) fn initialize(version: &str) -> Ask {
        let client = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client });
        Ask::post(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }))
    }

    pub(super) fn header(mut self, name: &'static str, value: &str) -> Ask {
        self.0.headers_mut().insert(name, value.parse().unwrap());
        self
    }

    /// The same with this in the request line.
    pub(super) fn at(mut self, uri: &str) -> Ask {
        *self.0.uri_mut() = uri.parse().unwrap();
        self
    }

    pub(super) fn without_header(mut self, name: &str) -> Ask {
        self.0.headers_mut().remove(name);
        self
    }
}

/// A full record of one turn.
pub(super) fn experience() -> Value {
    json!({ "conversation": "c1", "board_rev": "0123456789abcdef", "said": "hello", "did": "answered", "outcome": "done" })
}
