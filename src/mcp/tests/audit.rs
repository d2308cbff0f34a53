//! What the audit says about requests, and that nothing is answered that it does not.

use axum::Router;
use axum::routing::any;
use http::StatusCode;
use serde_json::{Value, json};

use super::{Ask, Deck, experience};
use crate::access::Scope;
use crate::audit::{Kind, Outcome};
use crate::digest::Digest;
use crate::mcp::Mcp;
use crate::mcp::registry::{Annotations, Registry, Tool};

#[tokio::test]
async fn every_request_is_one_record() {
    let deck = Deck::new().await;
    let before = deck.records().await.len();
    deck.send(Ask::initialize("2025-11-25")).await;
    deck.send(Ask::post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))).await;
    deck.send(Ask::modern("tools/list", json!({}))).await;
    deck.call("RecordExperience", experience()).await;
    deck.call("GetContext", json!({ "conversation": "c1" })).await;
    deck.send(Ask::raw("GET", "")).await;
    deck.send(Ask::raw("POST", "{").header("content-type", "application/json")).await;
    deck.send(Ask::legacy("nope", json!({}))).await;
    let told: Vec<(Kind, Outcome, String, Option<String>)> = deck
        .records()
        .await
        .into_iter()
        .skip(before)
        .map(|entry| (entry.record.kind, entry.record.outcome, entry.record.object.unwrap(), entry.record.reason))
        .collect();
    let ok = |kind, object: &str| (kind, Outcome::Ok, object.to_owned(), None);
    let refused = |object: &str, reason: &str| (Kind::McpRequest, Outcome::Refused, object.to_owned(), Some(reason.to_owned()));
    let expected = [
        ok(Kind::McpRequest, "initialize"),
        ok(Kind::McpRequest, "notifications/initialized"),
        ok(Kind::McpRequest, "tools/list"),
        ok(Kind::ToolCalled, "RecordExperience c1"),
        ok(Kind::ToolCalled, "GetContext c1"),
        refused("GET /mcp", "method_not_allowed"),
        refused("POST /mcp", "parse_error"),
        refused("nope", "method_not_found"),
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn a_call_is_recorded_with_hashes_and_not_with_contents() {
    let deck = Deck::new().await;
    for (tool, arguments) in [("ReadMemory", json!({ "path": "CLAUDE.md" })), ("RecordExperience", experience())] {
        let result = deck.call(tool, arguments.clone()).await;
        let record = deck.last_record().await.record;
        assert_eq!(record.actor, "connection:dots");
        assert_eq!(record.grant.as_ref(), Some(&deck.caller.grant));
        assert_eq!(record.took_ms, Some(0));
        let output = json!({ "text": result["content"][0]["text"], "structured": result["structuredContent"] });
        let hash = |value: &Value| json!(Digest::of_json(value).unwrap().hex());
        let expected = json!({
            "tool": tool, "args_hash": hash(&arguments), "result_hash": hash(&output), "protocol": "2025-11-25"
        });
        assert_eq!(Value::Object(record.detail), expected);
    }
}

#[tokio::test]
async fn a_refused_call_is_recorded_with_its_reason() {
    let deck = Deck::without(&[Scope::EventsRead]).await;
    for (tool, arguments, object, reason) in [
        ("ReadMemory", json!({}), "ReadMemory", "invalid_arguments"),
        ("ReadMemory", json!({ "path": "topics/x.md" }), "ReadMemory topics/x.md", "daemon_error"),
        ("ReadEvents", json!({ "interval": "2h", "json": true }), "ReadEvents interval=2h json=true", "insufficient_scope"),
        ("SendMail", json!({}), "SendMail", "unknown_tool"),
    ] {
        deck.send(Ask::call(tool, arguments)).await;
        let record = deck.last_record().await.record;
        assert_eq!((record.kind, record.outcome), (Kind::ToolCalled, Outcome::Refused));
        assert_eq!(record.object.as_deref(), Some(object));
        assert_eq!(record.reason.as_deref(), Some(reason));
        assert_eq!(record.detail.get("result_hash"), None);
    }
}

#[tokio::test]
async fn how_long_it_took_is_the_clocks_word() {
    let deck = Deck::new().await;
    let ticking = std::sync::Arc::new(std::sync::atomic::AtomicI64::new(0));
    let read = move || ticking.fetch_add(40, std::sync::atomic::Ordering::SeqCst);
    let clock = crate::clock::Clock::from_fn(std::sync::Arc::new(read));
    let base = crate::Base { clock, ..deck.fixture.base.clone() };
    let mcp = Mcp::over(&base, deck.access.clone(), Registry::new(Vec::new())).unwrap();
    let trail = crate::mcp::trail::Trail::begin(&mcp, &deck.caller);
    trail.close(crate::audit::Draft::ok(Kind::McpRequest)).await.unwrap();
    assert_eq!(deck.last_record().await.record.took_ms, Some(40));
}

#[tokio::test]
async fn what_cannot_be_recorded_is_not_answered() {
    let deck = Deck::new().await;
    let file = rusqlite::Connection::open(deck.fixture.base.store.path()).unwrap();
    file.execute_batch("ALTER TABLE audit RENAME TO elsewhere").unwrap();
    for ask in
        [Ask::call("GetContext", json!({})), Ask::call("RecordExperience", experience()), Ask::legacy("tools/list", json!({}))]
    {
        let said = deck.send(ask).await;
        assert_eq!(said.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(said.body["error"], "temporarily_unavailable");
        assert_eq!(said.header("retry-after"), Some("5"));
        assert!(!said.body.to_string().contains("Board"));
    }
    file.execute_batch("ALTER TABLE elsewhere RENAME TO audit").unwrap();
    let events = deck.call("ReadEvents", json!({ "count_only": true })).await;
    assert!(events["content"][0]["text"].as_str().unwrap().starts_with("0 entries"), "{events}");
    assert_eq!(deck.call("RecordExperience", experience()).await["structuredContent"]["duplicate"], false);
}

#[tokio::test]
async fn a_tool_that_cannot_use_the_store_is_try_again() {
    let deck = Deck::new().await;
    let file = rusqlite::Connection::open(deck.fixture.base.store.path()).unwrap();
    file.execute_batch("ALTER TABLE journal RENAME TO elsewhere").unwrap();
    for (tool, arguments) in [("ReadEvents", json!({ "unfiltered": true })), ("RecordExperience", experience())] {
        assert_eq!(deck.send(Ask::call(tool, arguments)).await.status, StatusCode::SERVICE_UNAVAILABLE);
        let record = deck.last_record().await.record;
        assert_eq!((record.outcome, record.reason.as_deref()), (Outcome::Failed, Some("unavailable")));
    }
}

#[tokio::test]
async fn hostile_names_and_arguments_are_harmless_in_the_audit() {
    let deck = Deck::new().await;
    let hostile = format!("\u{1b}[2J\u{202e}\u{200b}<script>{}", "x".repeat(10_000));
    deck.send(Ask::call(&hostile, json!({}))).await;
    deck.send(Ask::call("ReadMemory", json!({ "path": hostile }))).await;
    deck.send(Ask::call("ReadEvents", json!({ (hostile.as_str()): "x" }))).await;
    deck.send(Ask::legacy(&hostile, json!({}))).await;
    for entry in deck.records().await.into_iter().rev().take(4) {
        let record = entry.record;
        assert_eq!(record.outcome, Outcome::Refused);
        assert!(record.object.as_ref().unwrap().chars().count() <= 120);
        let written = serde_json::to_string(&record).unwrap();
        assert!(!crate::text::has_hidden(&written), "{written}");
        assert!(written.len() < 1000, "{written}");
    }
    let signer = crate::audit::Signer::open(deck.fixture.dir.path()).unwrap();
    let finding = crate::audit::verify(deck.fixture.base.store.path(), &signer, None).unwrap();
    assert!(matches!(finding, crate::audit::Finding::Intact(_)), "{finding:?}");
}

#[tokio::test]
async fn a_write_whose_client_went_away_is_recorded_or_not_done() {
    let deck = Deck::new().await;
    for patience in 0..40 {
        let mut turn = experience();
        turn["outcome"] = json!(format!("done {patience}"));
        let mut asking = std::pin::pin!(deck.send(Ask::call("RecordExperience", turn)));
        for _ in 0..patience {
            if futures::poll!(asking.as_mut()).is_ready() {
                break;
            }
            tokio::task::yield_now().await;
        }
    }
    // Another write comes after all of them.
    deck.call("RecordExperience", experience()).await;
    let counted = deck.call("ReadEvents", json!({ "count_only": true, "json": true })).await;
    let counted = counted["content"][0]["text"].as_str().unwrap().lines().next().unwrap().to_owned();
    let entries = serde_json::from_str::<Value>(&counted).unwrap()["count"].as_u64().unwrap();
    let records = deck.records().await;
    let recorded = records.iter().filter(|entry| entry.record.detail.get("tool") == Some(&json!("RecordExperience")));
    assert_eq!(recorded.count() as u64, entries);
}

#[tokio::test]
async fn a_tool_that_breaks_is_recorded_as_failed_and_answered() {
    let deck = Deck::new().await;
    let broken = Tool {
        name: "Broken",
        title: "Broken",
        description: String::new(),
        parameters: Vec::new(),
        output_schema: serde_json::Map::new(),
        annotations: Annotations::READS,
        scopes: &[],
        object: |_arguments| String::new(),
        handler: Box::new(|_call| Box::pin(async { panic!("broken on purpose") })),
    };
    let mcp = Mcp::over(&deck.fixture.base, deck.access.clone(), Registry::new(vec![broken])).unwrap();
    let router = Router::new().route("/mcp", any(crate::mcp::http::endpoint)).with_state(mcp);
    let deck = Deck { router, ..deck };
    let said = deck.send(Ask::call("Broken", json!({}))).await;
    assert_eq!((said.status, said.code()), (StatusCode::OK, -32603), "{}", said.body);
    let record = deck.last_record().await.record;
    assert_eq!((record.kind, record.outcome), (Kind::ToolCalled, Outcome::Failed));
    assert_eq!(record.reason.as_deref(), Some("internal_error"));
    assert!(!said.body.to_string().contains("on purpose"));
}
