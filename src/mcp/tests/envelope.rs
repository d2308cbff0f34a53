//! What goes over the wire in both eras, and what does not get that far.

use http::StatusCode;
use serde_json::{Value, json};

use super::{Ask, Deck};
use crate::access::Scopes;

fn json_body(body: &str) -> Ask {
    Ask::raw("POST", body.to_owned()).header("content-type", "application/json")
}

/// A79, A112
#[tokio::test]
async fn the_legacy_handshake_answers_json_without_a_session() {
    let deck = Deck::new().await;
    let said = deck.send(Ask::initialize("2025-06-18")).await;
    assert_eq!(said.status, StatusCode::OK);
    assert_eq!(said.header("content-type"), Some("application/json"));
    assert_eq!(said.header("mcp-session-id"), None);
    let result = &said.body["result"];
    assert_eq!(result["protocolVersion"], "2025-06-18");
    assert_eq!(result["capabilities"], json!({ "tools": {} }));
    assert_eq!(result["serverInfo"]["name"], "quarterdeck");
    assert_eq!(result["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    assert!(result["instructions"].as_str().unwrap().contains("GetContext"));
}

#[tokio::test]
async fn a_handshake_for_a_version_without_one_is_negotiated_down() {
    let deck = Deck::new().await;
    for (asked, answered) in [
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("2025-03-26", "2025-11-25"),
        ("2024-11-05", "2025-11-25"),
        ("nonsense", "2025-11-25"),
    ] {
        let said = deck.send(Ask::initialize(asked)).await;
        assert_eq!(said.body["result"]["protocolVersion"], answered, "{asked}: {}", said.body);
    }
}

/// A81
#[tokio::test]
async fn a_notification_is_taken_without_a_word() {
    let deck = Deck::new().await;
    let legacy = Ask::post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let modern = Ask::post(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }))
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "notifications/cancelled");
    for ask in [legacy, modern] {
        let said = deck.send(ask).await;
        assert_eq!(said.status, StatusCode::ACCEPTED, "{}", said.body);
        assert!(said.empty);
    }
}

#[tokio::test]
async fn legacy_methods_answer_in_band() {
    let deck = Deck::new().await;
    let ping = deck.send(Ask::legacy("ping", json!({}))).await;
    assert_eq!((ping.status, &ping.body["result"]), (StatusCode::OK, &json!({})));
    for method in
        ["nope", "resources/list", "resources/read", "subscriptions/listen", "events/list", "prompts/list", "logging/setLevel"]
    {
        let said = deck.send(Ask::legacy(method, json!({}))).await;
        assert_eq!((said.status, said.code()), (StatusCode::OK, -32601), "{method}: {}", said.body);
    }
}

/// A94, without the events that are not served.
#[tokio::test]
async fn discovery_names_what_is_served() {
    let deck = Deck::new().await;
    let said = deck.send(Ask::modern("server/discover", json!({}))).await;
    assert_eq!(said.status, StatusCode::OK, "{}", said.body);
    let result = &said.body["result"];
    assert_eq!(result["supportedVersions"], json!(["2025-06-18", "2025-11-25", "2026-07-28"]));
    assert_eq!(result["capabilities"], json!({ "tools": {} }));
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(0), &json!("private")));
    assert_eq!(result["resultType"], "complete");
}

#[tokio::test]
async fn every_modern_result_names_the_server_and_no_legacy_one_does() {
    let deck = Deck::new().await;
    let call = json!({ "name": "GetContext", "arguments": {} });
    let refused = json!({ "name": "ReadMemory", "arguments": { "path": "topics/none.md" } });
    for (method, params) in
        [("server/discover", json!({})), ("tools/list", json!({})), ("tools/call", call.clone()), ("tools/call", refused)]
    {
        let said = deck.send(Ask::modern(method, params)).await;
        let result = &said.body["result"];
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "quarterdeck", "{}", said.body);
        assert_eq!(result["resultType"], "complete");
    }
    let legacy = deck.send(Ask::legacy("tools/call", call)).await;
    assert_eq!(legacy.body["result"].get("_meta"), None);
    assert_eq!(legacy.body["result"].get("resultType"), None);
}

/// A95
#[tokio::test]
async fn the_cache_hint_of_the_list_is_the_configured_one() {
    let ttl = std::time::Duration::from_millis(1234);
    let deck = Deck::with(|config| config.limits.tools_list_ttl = Some(ttl), Scopes::all()).await;
    let said = deck.send(Ask::modern("tools/list", json!({}))).await;
    assert_eq!((&said.body["result"]["ttlMs"], &said.body["result"]["cacheScope"]), (&json!(1234), &json!("private")));
    let plain = Deck::new().await.send(Ask::modern("tools/list", json!({}))).await;
    assert_eq!(plain.body["result"]["ttlMs"], 0);
}

/// A96
#[tokio::test]
async fn a_modern_call_runs_as_the_grant() {
    let deck = Deck::new().await;
    let said = deck.send(Ask::modern("tools/call", json!({ "name": "GetContext", "arguments": {} }))).await;
    assert!(said.body["result"]["content"][0]["text"].as_str().unwrap().contains("“dots”"));
}

#[tokio::test]
async fn methods_the_modern_era_does_not_have_are_not_found() {
    let deck = Deck::new().await;
    for method in [
        "initialize",
        "ping",
        "resources/subscribe",
        "logging/setLevel",
        "resources/list",
        "events/list",
        "subscriptions/listen",
        "nope",
    ] {
        let params = json!({ "uri": "x", "level": "info", "notifications": {}, "protocolVersion": "2026-07-28" });
        let said = deck.send(Ask::modern(method, params)).await;
        assert_eq!((said.status, said.code()), (StatusCode::NOT_FOUND, -32601), "{method}: {}", said.body);
        assert_eq!(said.body["id"], "m1");
    }
}

#[tokio::test]
async fn modern_headers_must_be_there_and_agree_with_the_body() {
    let deck = Deck::new().await;
    let call = || Ask::modern("tools/call", json!({ "name": "GetContext", "arguments": {} }));
    for ask in [
        call().without_header("mcp-method"),
        call().without_header("mcp-name"),
        call().without_header("mcp-protocol-version"),
        call().header("mcp-method", "tools/list"),
        call().header("mcp-name", "ReadEvents"),
        call().header("mcp-protocol-version", "2025-11-25"),
    ] {
        let said = deck.send(ask).await;
        assert_eq!((said.status, said.code()), (StatusCode::BAD_REQUEST, -32020), "{}", said.body);
        assert_eq!(said.body["id"], "m1");
    }
}

#[tokio::test]
async fn modern_requests_carry_their_own_envelope() {
    let deck = Deck::new().await;
    let ask = |meta: Value| {
        let params = if meta.is_null() { json!({}) } else { json!({ "_meta": meta }) };
        Ask::post(&json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/list", "params": params }))
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/list")
    };
    let version = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    let mut level = version.clone();
    level["io.modelcontextprotocol/clientCapabilities"] = json!({});
    level["io.modelcontextprotocol/logLevel"] = json!("loud");
    for meta in [Value::Null, version, json!("text"), level] {
        let said = deck.send(ask(meta.clone())).await;
        assert_eq!((said.status, said.code()), (StatusCode::BAD_REQUEST, -32602), "{meta}: {}", said.body);
        assert_eq!(said.body["id"], 5);
    }
}

#[tokio::test]
async fn an_unserved_version_is_refused_in_the_words_of_its_era() {
    let deck = Deck::new().await;
    for version in ["2025-03-26", "2024-11-05", "nonsense", "9"] {
        let said = deck.send(Ask::legacy("tools/list", json!({})).header("mcp-protocol-version", version)).await;
        assert_eq!((said.status, said.code()), (StatusCode::BAD_REQUEST, -32000), "{version}");
        assert_eq!(said.body["id"], Value::Null);
        assert!(said.body["error"]["message"].as_str().unwrap().contains("2025-06-18, 2025-11-25, 2026-07-28"));
    }
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2099-01-01", "io.modelcontextprotocol/clientCapabilities": {}
    });
    let body = json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/list", "params": { "_meta": meta } });
    for ask in [Ask::post(&body), Ask::legacy("tools/list", json!({}))] {
        let said = deck.send(ask.header("mcp-protocol-version", "2099-01-01").header("mcp-method", "tools/list")).await;
        assert_eq!((said.status, said.code()), (StatusCode::BAD_REQUEST, -32022));
        assert_eq!(said.body["error"]["data"]["requested"], "2099-01-01");
        assert_eq!(said.body["error"]["data"]["supported"], json!(["2025-06-18", "2025-11-25", "2026-07-28"]));
    }
}

/// Sessions are not bound to anything, so there are none: the header means nothing.
#[tokio::test]
async fn a_session_header_is_ignored() {
    let deck = Deck::new().await;
    for ask in [Ask::legacy("tools/list", json!({})), Ask::modern("tools/list", json!({}))] {
        let said = deck.send(ask.header("mcp-session-id", "someone-elses").header("last-event-id", "7")).await;
        assert_eq!(said.status, StatusCode::OK, "{}", said.body);
        assert_eq!(said.header("mcp-session-id"), None);
    }
}

#[tokio::test]
async fn a_legacy_request_may_leave_the_version_out() {
    let deck = Deck::new().await;
    let said = deck.send(Ask::legacy("tools/list", json!({})).without_header("mcp-protocol-version")).await;
    assert_eq!(said.status, StatusCode::OK, "{}", said.body);
    assert_eq!(said.body["result"]["tools"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn any_accept_header_gets_json() {
    let deck = Deck::new().await;
    for accept in [None, Some("*/*"), Some("application/json"), Some("text/event-stream"), Some("text/html")] {
        for ask in [Ask::legacy("tools/list", json!({})), Ask::modern("tools/list", json!({}))] {
            let ask = match accept {
                Some(accept) => ask.header("accept", accept),
                None => ask.without_header("accept"),
            };
            let said = deck.send(ask).await;
            assert_eq!(said.status, StatusCode::OK, "{accept:?}: {}", said.body);
            assert_eq!(said.header("content-type"), Some("application/json"));
            assert_eq!(said.header("cache-control"), Some("no-store"));
        }
    }
}

#[tokio::test]
async fn what_is_not_json_is_a_parse_error() {
    let deck = Deck::new().await;
    let deep = "[".repeat(100_000);
    for body in ["", "{", "not json", "{\"jsonrpc\":\"2.0\"", "\u{feff}{}", deep.as_str()] {
        let said = deck.send(json_body(body)).await;
        assert_eq!((said.status, said.code()), (StatusCode::BAD_REQUEST, -32700), "{said}", said = said.body);
        assert_eq!(said.body["id"], Value::Null);
    }
}

#[tokio::test]
async fn what_is_not_one_request_is_an_invalid_one() {
    let deck = Deck::new().await;
    for body in [
        json!([]),
        json!([{ "jsonrpc": "2.0", "id": 1, "method": "ping" }]),
        json!(null),
        json!("ping"),
        json!({ "a": 1 }),
        json!({ "id": 1, "method": "ping" }),
        json!({ "jsonrpc": "1.0", "id": 1, "method": "ping" }),
        json!({ "jsonrpc": 2.0, "id": 1, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": null, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": 1.5, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": {}, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": 1 }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": 7 }),
        json!({ "jsonrpc": "2.0", "id": 1, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": [] }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": "x" }),
    ] {
        let said = deck.send(Ask::post(&body)).await;
        assert_eq!((said.status, said.code()), (StatusCode::BAD_REQUEST, -32600), "{body}: {}", said.body);
    }
}

#[tokio::test]
async fn parameters_left_out_as_null_are_left_out() {
    let deck = Deck::new().await;
    let said = deck.send(Ask::post(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": null }))).await;
    assert_eq!(said.status, StatusCode::OK, "{}", said.body);
    assert!(said.body["result"]["tools"].is_array());
}

#[tokio::test]
async fn only_json_is_read() {
    let deck = Deck::new().await;
    let list = || Ask::legacy("tools/list", json!({}));
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""] {
        let said = deck.send(list().header("content-type", kind)).await;
        assert_eq!(said.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{kind}");
        assert_eq!(said.body["error"], "unsupported_media_type");
    }
    assert_eq!(deck.send(list().without_header("content-type")).await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(deck.send(list().header("content-type", "Application/JSON; charset=utf-8")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_cursor_nobody_gave_is_refused() {
    let deck = Deck::new().await;
    let said = deck.send(Ask::legacy("tools/list", json!({ "cursor": "page2" }))).await;
    assert_eq!(said.code(), -32602);
}

/// A117
#[test]
fn the_protocol_library_sees_neither_the_token_nor_anything_else_it_does_not_check() {
    let mut sent = http::HeaderMap::new();
    for name in ["authorization", "cookie", "mcp-param-path", "mcp-session-id", "last-event-id", "origin", "x-forwarded-for"] {
        sent.insert(name, "x".parse().unwrap());
    }
    for name in ["mcp-protocol-version", "mcp-method", "mcp-name", "accept", "content-type", "host"] {
        sent.insert(name, "y".parse().unwrap());
    }
    let passed = crate::mcp::adapter::passed(&sent);
    let mut names: Vec<&str> = passed.keys().map(http::HeaderName::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["accept", "content-type", "host", "mcp-method", "mcp-name", "mcp-protocol-version"]);
    assert_eq!(passed["host"], "localhost");
    assert_eq!(passed["mcp-name"], "y");
}

#[tokio::test]
async fn a_body_that_breaks_off_is_not_served() {
    let deck = Deck::new().await;
    let parts = [Ok("{\"jsonrpc\":"), Err(std::io::Error::other("gone"))];
    let body = axum::body::Body::from_stream(futures::stream::iter(parts));
    let said = deck.send(Ask::raw("POST", body).header("content-type", "application/json")).await;
    assert_eq!((said.status, &said.body["error"]), (StatusCode::BAD_REQUEST, &json!("bad_request")));
    assert_eq!(deck.last_record().await.record.reason.as_deref(), Some("interrupted"));
}
