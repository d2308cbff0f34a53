//! Tests of the answers, of the page that leads elsewhere, and of the way out against a real https server.

use std::time::Duration;

use axum::response::Response;
use base64::Engine as _;
use http::{HeaderMap, StatusCode, Uri};
use serde_json::{Value, json};
use url::Url;

use crate::config::{Config, PublicUrl};
use crate::digest::Digest;
use crate::http::{FetchError, Outbound, answer, elsewhere};
use crate::testing::{HttpsServer, http_answer};

const JSON: &str = "application/json";

/// A server that answers `{"ok":true}` at `/ok`, and a client that trusts it and may reach it.
struct Way {
    dir: tempfile::TempDir,
    server: HttpsServer,
}

impl Way {
    fn new() -> Way {
        let dir = tempfile::tempdir().unwrap();
        let server = HttpsServer::start(dir.path(), |path| match path {
            "/ok" => http_answer("200 OK", "content-type: text/plain\r\n", r#"{"ok":true}"#),
            "/redirect" => http_answer("302 Found", "location: /ok\r\n", ""),
            "/missing" => http_answer("404 Not Found", "", "{}"),
            "/large" => http_answer("200 OK", "", &format!("\"{}\"", "x".repeat(99))),
            "/exact" => http_answer("200 OK", "", &format!("\"{}\"", "x".repeat(98))),
            // Larger than it says, and without saying.
            "/endless" => Some(format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n\"{}", "x".repeat(100_000))),
            "/cut" => Some("HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n[1]".to_owned()),
            "/html" => http_answer("200 OK", "content-type: application/json\r\n", "<html>"),
            _ => None,
        });
        Way { dir, server }
    }

    fn config(&self, allow: &[&str]) -> Config {
        let mut config = Config::new(self.dir.path().to_owned());
        config.outbound.allow = allow.iter().map(|range| range.parse().unwrap()).collect();
        config.outbound.ca_file = Some(self.server.ca_file.clone());
        config.limits.client_document_bytes = 100;
        config.limits.client_document_timeout = Duration::from_secs(5);
        config
    }

    fn client(&self) -> Outbound {
        Outbound::new(&self.config(&["127.0.0.0/8", "::1"]))
    }

    async fn get(&self, path: &str) -> Result<Value, FetchError> {
        self.client().get_json(&self.server.url("localhost", path), JSON).await
    }
}

#[tokio::test]
async fn a_document_is_fetched_by_name_and_by_address_when_the_owner_allowed_it() {
    let way = Way::new();
    for host in ["localhost", "127.0.0.1", "0x7f.1"] {
        let fetched = way.client().get_json(&way.server.url(host, "/ok"), JSON).await;
        assert_eq!(fetched.unwrap(), json!({ "ok": true }), "{host}");
    }
    assert_eq!(way.get("/exact").await.unwrap(), json!("x".repeat(98)));
}

#[tokio::test]
async fn anything_but_200_is_refused_and_a_redirect_is_not_followed() {
    let way = Way::new();
    for (path, expected) in [("/redirect", StatusCode::FOUND), ("/missing", StatusCode::NOT_FOUND)] {
        let refused = way.get(path).await.unwrap_err();
        assert!(matches!(refused, FetchError::Status { status, .. } if status == expected), "{refused}");
    }
    assert_eq!(way.server.connections(), 2);
}

#[tokio::test]
async fn more_bytes_than_allowed_are_not_read() {
    let way = Way::new();
    for path in ["/large", "/endless"] {
        let refused = way.get(path).await.unwrap_err();
        assert!(matches!(refused, FetchError::Large { most: 100, .. }), "{path}: {refused}");
    }
}

#[tokio::test]
async fn what_is_not_json_is_refused_whatever_it_says_it_is() {
    let way = Way::new();
    let refused = way.get("/html").await.unwrap_err();
    assert!(matches!(refused, FetchError::NotJson { .. }), "{refused}");
}

#[tokio::test]
async fn a_document_that_was_cut_off_is_not_taken_for_a_whole_one() {
    let way = Way::new();
    let refused = way.get("/cut").await.unwrap_err();
    assert!(matches!(refused, FetchError::Unreachable { .. }), "{refused}");
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up() {
    let way = Way::new();
    let mut config = way.config(&["127.0.0.0/8", "::1"]);
    config.limits.client_document_timeout = Duration::from_millis(300);
    let refused = Outbound::new(&config).get_json(&way.server.url("localhost", "/never"), JSON).await.unwrap_err();
    assert!(matches!(refused, FetchError::Slow { .. }), "{refused}");
    assert_eq!(refused.to_string(), "localhost did not answer completely within 300ms");
}

#[tokio::test]
async fn a_certificate_nobody_vouches_for_is_refused() {
    let way = Way::new();
    let other = Way::new();
    let mut config = way.config(&["127.0.0.0/8", "::1"]);
    config.outbound.ca_file = Some(other.server.ca_file.clone());
    let refused = Outbound::new(&config).get_json(&way.server.url("localhost", "/ok"), JSON).await.unwrap_err();
    assert!(matches!(&refused, FetchError::Unreachable { cause, .. } if cause.contains("certificate")), "{refused}");
}

#[tokio::test]
async fn a_private_address_is_not_connected_to_however_it_is_written() {
    let way = Way::new();
    let client = Outbound::new(&way.config(&[]));
    for host in ["localhost", "127.0.0.1", "0x7f.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "10.0.0.1"] {
        let refused = client.get_json(&way.server.url(host, "/ok"), JSON).await.unwrap_err();
        assert!(matches!(refused, FetchError::Blocked { .. }), "{host}: {refused}");
    }
    assert_eq!(way.server.connections(), 0);
}

#[tokio::test]
async fn http_is_good_enough_for_an_address_the_owner_allowed() {
    let way = Way::new();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    tokio::spawn(async move {
        axum::serve(listener, axum::Router::new().route("/", axum::routing::get(async || "[1]"))).await.unwrap();
    });
    assert_eq!(way.client().get_json(&url, JSON).await.unwrap(), json!([1]));
}

#[tokio::test]
async fn only_https_without_a_user_name_is_asked() {
    let way = Way::new();
    let get = async |url: &str, allow: &[&str]| {
        Outbound::new(&way.config(allow)).get_json(&Url::parse(url).unwrap(), JSON).await.unwrap_err()
    };
    for url in
        ["http://example.com/", "http://127.0.0.1/", "ftp://example.com/", "file:///etc/passwd", "data:application/json,{}"]
    {
        assert!(matches!(get(url, &[]).await, FetchError::NotHttps(_)), "{url}");
    }
    assert!(matches!(get("http://localhost/", &["127.0.0.0/8"]).await, FetchError::NotHttps(_)));
    for url in ["https://owner@example.com/", "https://owner:secret@example.com/"] {
        assert!(matches!(get(url, &[]).await, FetchError::UserInfo), "{url}");
    }
}

#[tokio::test]
async fn an_unreadable_ca_file_is_told_at_the_request_and_not_at_the_start() {
    let way = Way::new();
    let mut config = way.config(&["127.0.0.0/8", "::1"]);
    config.outbound.ca_file = Some(way.dir.path().join("nothing.pem"));
    let client = Outbound::new(&config);
    let refused = client.get_json(&way.server.url("localhost", "/ok"), JSON).await.unwrap_err();
    assert!(matches!(&refused, FetchError::Setup(cause) if cause.contains("nothing.pem")), "{refused}");
}

async fn body(response: Response) -> String {
    String::from_utf8(axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap().into()).unwrap()
}

/// What stands between the tags of the page's only inline element of this kind.
fn inline<'a>(html: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let (_, rest) = html.split_once(open)?;
    let (inside, rest) = rest.split_once(close).unwrap();
    assert!(!rest.contains(open), "a second {open}");
    Some(inside)
}

fn hash(inside: &str) -> String {
    format!("'sha256-{}'", base64::engine::general_purpose::STANDARD.encode(Digest::of(inside.as_bytes()).0))
}

/// Asserts the headers of a page, and that its policy fits the bytes that are in it.
pub(crate) async fn assert_is_page(response: Response) -> String {
    let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(header("content-type").as_deref(), Some("text/html; charset=utf-8"));
    assert_eq!(header("cache-control").as_deref(), Some("no-store"));
    assert_eq!(header("referrer-policy").as_deref(), Some("no-referrer"));
    assert_eq!(header("x-content-type-options").as_deref(), Some("nosniff"));
    assert_eq!(header("set-cookie"), None);
    let policy = header("content-security-policy").unwrap();
    let html = body(response).await;
    let style = hash(inline(&html, "<style>", "</style>").unwrap());
    let script = inline(&html, "<script>", "</script>").map_or("'none'".to_owned(), hash);
    let expected = format!(
        "default-src 'none'; script-src {script}; style-src {style}; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    assert_eq!(policy, expected);
    for outside in ["src=", "@import", "url(", " style=\"", " onclick"] {
        assert!(!html.contains(outside), "the page has {outside}");
    }
    html
}

#[tokio::test]
async fn a_message_page_escapes_what_it_says_and_runs_nothing() {
    let response = answer::message(StatusCode::BAD_REQUEST, "A <b>title</b>", "1 < 2 & \"quoted\" 'words'");
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    let html = assert_is_page(response).await;
    assert!(!html.contains("<b>"));
    assert!(!html.contains("<script"));
    assert!(html.contains("1 &#60; 2 &#38; &#34;quoted&#34; &#39;words&#39;"), "{html}");
    assert!(html.contains("lang=\"en\""));
}

#[tokio::test]
async fn json_answers_are_not_cached() {
    let response = answer::oauth_error(StatusCode::BAD_REQUEST, "invalid_grant", "the code was used");
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!(response.headers()["cache-control"], "no-store");
    assert_eq!(
        serde_json::from_str::<Value>(&body(response).await).unwrap(),
        json!({ "error": "invalid_grant", "error_description": "the code was used" })
    );
    let later = answer::try_again(answer::problem(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "Try again."));
    assert_eq!(later.headers()["retry-after"], "5");
}

#[test]
fn a_json_block_cannot_be_ended_from_inside() {
    let value = json!({ "name": "</script><script>alert(1)</script>", "other": "<!--" });
    let block = answer::json_block(&value);
    assert!(!block.contains('<'));
    assert_eq!(serde_json::from_str::<Value>(&block).unwrap(), value);
}

fn asked(public_url: &str, host: &str, path: &str) -> Option<Response> {
    let mut headers = HeaderMap::new();
    headers.insert("host", host.parse().unwrap());
    elsewhere(&PublicUrl::parse(public_url).unwrap(), &headers, &path.parse::<Uri>().unwrap())
}

#[tokio::test]
async fn a_browser_at_a_loopback_address_is_led_to_the_name() {
    for host in ["127.0.0.1:7420", "[::1]:7420", "127.0.0.1", "127.1.2.3:80"] {
        let response = asked("http://localhost:7420", host, "/authorize?client_id=x&state='y").unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        let html = assert_is_page(response).await;
        assert!(html.contains("href=\"http://localhost:7420/authorize?client_id=x&#38;state=&#39;y\""), "{html}");
    }
}

#[test]
fn a_browser_at_the_right_place_is_left_alone() {
    for (public_url, host) in [
        ("http://localhost:7420", "localhost:7420"),
        ("http://localhost:7420", "deck.example"),
        ("http://localhost:7420", "not a host"),
        // A proxy may name this machine by its address.
        ("https://deck.example", "127.0.0.1:7420"),
    ] {
        assert!(asked(public_url, host, "/enroll").is_none(), "{host} under {public_url}");
    }
}
