//! Who may come in.

use http::StatusCode;
use serde_json::json;

use super::{Ask, Deck};
use crate::access::{Principal, Scopes};
use crate::audit::Kind;

const METADATA: &str = "http://localhost:7420/.well-known/oauth-protected-resource/mcp";
const SCOPES: &str = "context:read memory:read events:read sessions:read sessions:notify experience:write";

fn list() -> Ask {
    Ask::legacy("tools/list", json!({}))
}

/// A76
#[tokio::test]
async fn no_token_and_no_usable_header_are_asked_for_one() {
    let deck = Deck::new().await;
    for header in [None, Some("Basic ZG90czpkb3Rz"), Some("Bearer "), Some("bearer abc"), Some("Bearer    ")] {
        let ask = header.map_or(list(), |value| list().header("authorization", value));
        let said = deck.send_bare(ask).await;
        assert_eq!(said.status, StatusCode::UNAUTHORIZED, "{header:?}");
        let challenge = format!("Bearer resource_metadata=\"{METADATA}\", scope=\"{SCOPES}\"");
        assert_eq!(said.header("www-authenticate"), Some(challenge.as_str()));
        assert_eq!(said.body["error"], "invalid_token");
        assert!(said.body["error_description"].is_string());
    }
}

/// A76
#[tokio::test]
async fn a_token_nobody_has_is_called_invalid() {
    let deck = Deck::new().await;
    let said = deck.send_as("not-a-token", list()).await;
    assert_eq!(said.status, StatusCode::UNAUTHORIZED);
    let challenge = format!("Bearer resource_metadata=\"{METADATA}\", error=\"invalid_token\", scope=\"{SCOPES}\"");
    assert_eq!(said.header("www-authenticate"), Some(challenge.as_str()));
}

#[tokio::test]
async fn a_revoked_token_is_refused_on_the_next_request() {
    let deck = Deck::new().await;
    assert_eq!(deck.send(list()).await.status, StatusCode::OK);
    deck.access.revoke(&Principal::System, "dots", None).await.unwrap().unwrap();
    assert_eq!(deck.send(list()).await.status, StatusCode::UNAUTHORIZED);
}

/// A77, changed: the grants are in the store.
#[tokio::test]
async fn an_unreadable_store_is_try_again_and_never_a_new_authorization() {
    let deck = Deck::new().await;
    let file = rusqlite::Connection::open(deck.fixture.base.store.path()).unwrap();
    file.execute_batch("ALTER TABLE grants RENAME TO elsewhere").unwrap();
    let said = deck.send(list()).await;
    assert_eq!(said.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(said.header("www-authenticate"), None);
    assert_eq!(said.header("retry-after"), Some("5"));
    assert_eq!(said.body["error"], "temporarily_unavailable");
    assert!(!said.body.to_string().contains("table"), "{}", said.body);
    file.execute_batch("ALTER TABLE elsewhere RENAME TO grants").unwrap();
    assert_eq!(deck.send(list()).await.status, StatusCode::OK);
}

/// A78
#[tokio::test]
async fn pages_of_other_origins_are_kept_out_before_the_token_is_looked_at() {
    let deck = Deck::new().await;
    for origin in ["https://evil.example", "null", "http://localhost:7421", "http://127.0.0.1:7420"] {
        let said = deck.send(list().header("origin", origin)).await;
        assert_eq!(said.status, StatusCode::FORBIDDEN, "{origin}");
        assert_eq!(said.body["error"], "forbidden");
        let bare = deck.send_bare(list().header("origin", origin)).await;
        assert_eq!(bare.status, StatusCode::FORBIDDEN, "{origin}");
    }
    assert_eq!(deck.send(list().header("origin", "http://localhost:7420")).await.status, StatusCode::OK);
    assert_eq!(deck.send(list()).await.status, StatusCode::OK);
}

#[tokio::test]
async fn only_names_this_machine_is_reached_under_are_served() {
    let deck = Deck::new().await;
    for host in ["localhost", "localhost:1", "127.0.0.1:7420", "[::1]:7420", "LOCALHOST:7420"] {
        assert_eq!(deck.send(list().header("host", host)).await.status, StatusCode::OK, "{host}");
    }
    for host in ["evil.example", "evil.example:7420", "localhost.evil.example", "127.0.0.1.evil.example", "", ":7420"] {
        assert_eq!(deck.send(list().header("host", host)).await.status, StatusCode::FORBIDDEN, "{host}");
    }
}

#[tokio::test]
async fn a_public_name_is_served_too() {
    let public = crate::config::PublicUrl::parse("https://deck.example.com").unwrap();
    let deck = Deck::with(|config| config.assistants.public_url = Some(Some(public)), Scopes::all()).await;
    for (host, status) in [("deck.example.com", 200), ("localhost:7420", 200), ("evil.example", 403)] {
        assert_eq!(deck.send(list().header("host", host)).await.status, status, "{host}");
    }
    let said = deck.send_bare(list()).await;
    let challenge = said.header("www-authenticate").unwrap();
    assert!(challenge.contains("\"https://deck.example.com/.well-known/oauth-protected-resource/mcp\""), "{challenge}");
}

/// A75, changed by decision 10.
#[tokio::test]
async fn other_methods_need_a_token_to_learn_that_only_post_is_served() {
    let deck = Deck::new().await;
    for method in ["GET", "DELETE", "PUT", "OPTIONS"] {
        let bare = deck.send_bare(Ask::raw(method, "")).await;
        assert_eq!(bare.status, StatusCode::UNAUTHORIZED, "{method}");
        assert!(bare.header("www-authenticate").is_some());
        let said = deck.send(Ask::raw(method, "")).await;
        assert_eq!(said.status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
        assert_eq!(said.header("allow"), Some("POST"));
        assert_eq!(said.body["error"], "method_not_allowed");
        assert!(said.body["message"].is_string());
    }
}

#[tokio::test]
async fn requests_without_a_valid_token_are_counted_and_not_recorded_one_by_one() {
    let deck = Deck::new().await;
    let before = deck.records().await.len();
    deck.send_bare(list()).await;
    deck.send_bare(list()).await;
    deck.send_as("nobody", list()).await;
    deck.send_bare(list().header("origin", "https://evil.example")).await;
    deck.send_bare(list().header("host", "evil.example")).await;
    assert_eq!(deck.records().await.len(), before);
    deck.fixture.base.audit.record_counts().await;
    let mut counted: Vec<(String, i64)> = Vec::new();
    for entry in deck.records().await.into_iter().skip(before) {
        assert_eq!(entry.record.kind, Kind::RequestRefused);
        counted.push((entry.record.reason.unwrap(), entry.record.detail["count"].as_i64().unwrap()));
    }
    counted.sort();
    let expected = [("host", 1), ("no_token", 2), ("origin", 1), ("unknown_token", 1)];
    assert_eq!(counted, expected.map(|(reason, count)| (reason.to_owned(), count)));
}

#[tokio::test]
async fn a_host_name_in_the_request_line_counts_like_the_header() {
    let deck = Deck::new().await;
    for (uri, status) in [("http://localhost:7420/mcp", 200), ("http://[::1]:7420/mcp", 200), ("http://evil.example/mcp", 403)] {
        assert_eq!(deck.send(list().at(uri)).await.status, status, "{uri}");
    }
}
