//! Whatever is sent, the endpoint answers, and never with a fault of its own.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{Ask, Deck};
use crate::testing::any_scalar;

/// Any JSON, a few levels deep.
fn anything() -> impl Strategy<Value = Value> {
    any_scalar(text()).prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(text(), inner, 0..4).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Words the protocol knows, and any others.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "2.0",
            "name",
            "arguments",
            "_meta",
            "path",
            "conversation",
            "cursor",
            "GetContext",
            "ReadMemory",
            "ReadEvents",
            "RecordExperience",
            "CLAUDE.md",
            "../x",
            "progressToken",
            "io.modelcontextprotocol/protocolVersion",
            "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities",
            "2025-11-25",
            "protocolVersion",
            "capabilities",
            "clientInfo",
            "inputResponses",
            "requestState",
            "task",
            "uri",
            "level",
            "notifications",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ]
}

fn method() -> impl Strategy<Value = Value> {
    let known = prop::sample::select(vec![
        "initialize",
        "ping",
        "server/discover",
        "tools/list",
        "tools/call",
        "notifications/cancelled",
        "resources/read",
        "subscriptions/listen",
        "completion/complete",
        "logging/setLevel",
        "tasks/get",
        "prompts/get",
        "skills/list",
        "notifications/progress",
        "notifications/initialized",
        "resources/templates/list",
        "roots/list",
    ]);
    prop_oneof![8 => known.prop_map(Value::from), 1 => anything()]
}

/// Something like a request: every part may be missing or anything.
fn message() -> impl Strategy<Value = Value> {
    let part = |strategy: BoxedStrategy<Value>| prop::option::weighted(0.9, strategy);
    let version = prop_oneof![9 => Just(json!("2.0")), 1 => anything()].boxed();
    let id = prop_oneof![3 => any::<i64>().prop_map(Value::from), 1 => anything()].boxed();
    let parts = (part(version), part(id), part(method().boxed()), part(anything().boxed()));
    let assembled = parts.prop_map(|(version, id, method, params)| {
        let parts = [("jsonrpc", version), ("id", id), ("method", method), ("params", params)];
        let present = parts.into_iter().filter_map(|(key, value)| value.map(|value| (key.to_owned(), value)));
        Value::Object(present.collect::<Map<_, _>>())
    });
    prop_oneof![6 => assembled, 1 => anything()]
}

#[test]
fn no_body_makes_a_fault() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let deck = runtime.block_on(Deck::new());
    let versions = prop::sample::select(vec![None, Some("2025-06-18"), Some("2025-11-25"), Some("2026-07-28"), Some("x")]);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(600));
    let checked = runner.run(&(message(), versions), |(body, version)| {
        let ask = match version {
            Some(version) => Ask::post(&body).header("mcp-protocol-version", version),
            None => Ask::post(&body),
        };
        // A modern request must name its method in a header to be looked at further.
        let named = body.get("method").and_then(Value::as_str).filter(|name| name.is_ascii());
        let ask = match named.and_then(|name| name.parse::<http::HeaderValue>().ok()) {
            Some(name) => ask.header("mcp-method", name.to_str().unwrap_or_default()),
            None => ask,
        };
        let said = runtime.block_on(deck.send(ask));
        prop_assert!(!said.status.is_server_error(), "{} for {body}: {}", said.status, said.body);
        prop_assert!(said.empty || said.body.is_object(), "not JSON for {body}");
        prop_assert_ne!(said.body["error"]["code"].as_i64(), Some(-32603), "an internal error for {}", body);
        Ok(())
    });
    checked.unwrap();
}

#[test]
fn no_bytes_make_a_fault() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let deck = runtime.block_on(Deck::new());
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(200));
    let checked = runner.run(&prop::collection::vec(any::<u8>(), 0..200), |bytes| {
        let ask = Ask::raw("POST", bytes).header("content-type", "application/json");
        let said = runtime.block_on(deck.send(ask));
        prop_assert!(said.status.is_client_error(), "{}", said.status);
        Ok(())
    });
    checked.unwrap();
}
