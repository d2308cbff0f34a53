//! Attacks on the wire, against the real binary: what each is answered, and that nothing came of it. The whole list, with the tests that each
//! attack has elsewhere, is in `tests/attack_list.md`.

mod harness;

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use harness::attempt::Attempt;
use harness::scene::{ORIGIN, Scene};
use serde_json::{Value, json};

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

fn address(scene: &Scene) -> String {
    scene.deck.json(&["status"])["listen"][0].as_str().unwrap().to_owned()
}

fn dial(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Sends these bytes on a connection of their own and answers everything that comes back until it is closed.
fn exchange(address: &str, bytes: &[u8]) -> String {
    let mut stream = dial(address);
    // The other side may have closed before all of it was sent.
    let _closed = stream.write_all(bytes);
    let (mut answer, mut piece) = (Vec::new(), [0; 4096]);
    while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
        let Ok(1..) = stream.read(&mut piece).inspect(|read| answer.extend(&piece[..*read])) else { break };
    }
    // A first answer is there, or there will be none: whatever else was understood of the bytes is answered now.
    let _closed = stream.shutdown(Shutdown::Write);
    let _reset = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// The calls of tools that are in the audit.
fn calls(scene: &Scene) -> usize {
    let output = scene.deck.run(&["audit", "what:tool.called", "--json"]);
    String::from_utf8(output.stdout).unwrap().lines().count()
}

/// A call that works, as bytes; hidden in something else it must not.
fn call(token: &str) -> String {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "GetContext", "arguments": {} } });
    let body = body.to_string();
    format!(
        "POST /mcp HTTP/1.1\r\nhost: deck.example.com\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\nmcp-protocol-version: 2025-11-25\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// RFC 9112 section 11.2: two readers of one connection must not disagree on where a request ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_hidden_in_the_body_of_another_is_never_carried_out() {
    let scene = Scene::new().await;
    let (address, hidden) = (address(&scene), call(&scene.token));
    assert!(exchange(&address, hidden.as_bytes()).starts_with("HTTP/1.1 200"));
    assert_eq!(calls(&scene), 1, "by itself it works");
    let length = hidden.len();
    let head = "POST /token HTTP/1.1\r\nhost: deck.example.com\r\ncontent-type: application/x-www-form-urlencoded\r\n";
    let chunked = format!("{length:x}\r\n{hidden}\r\n0\r\n\r\n");
    for (what, shape) in [
        (
            "both lengths, the declared one short",
            format!("{head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n{chunked}"),
        ),
        (
            "both lengths, no chunk",
            format!("{head}content-length: {}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n{hidden}", length + 5),
        ),
        ("two different lengths", format!("{head}content-length: 0\r\ncontent-length: {length}\r\n\r\n{hidden}")),
        ("a list of lengths", format!("{head}content-length: 0, {length}\r\n\r\n{hidden}")),
        ("a length with a sign", format!("{head}content-length: +0\r\n\r\n{hidden}")),
        ("a negative length", format!("{head}content-length: -1\r\n\r\n{hidden}")),
        ("another encoding", format!("{head}transfer-encoding: xchunked\r\n\r\n{hidden}")),
        ("chunked and not last", format!("{head}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n{hidden}")),
        ("chunked twice", format!("{head}transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n0\r\n\r\n{hidden}")),
        ("a space before the colon", format!("{head}content-length : 0\r\ncontent-length: {length}\r\n\r\n{hidden}")),
        ("a folded header", format!("{head}x: y\r\n content-length: 0\r\ncontent-length: {length}\r\n\r\n{hidden}")),
        ("a chunk size that overflows", format!("{head}transfer-encoding: chunked\r\n\r\nffffffffffffffff1\r\n{hidden}")),
        ("a chunk size that is none", format!("{head}transfer-encoding: chunked\r\n\r\n0x0\r\n\r\n{hidden}")),
        ("a null in a header", format!("{head}x: \0\r\ncontent-length: {length}\r\n\r\n{hidden}")),
    ] {
        let answer = exchange(&address, shape.as_bytes());
        assert!(!answer.contains("You are the connection"), "{what}: {answer}");
        assert_eq!(calls(&scene), 1, "{what}: {answer}");
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{what}: {answer}");
    }
    assert!(exchange(&address, hidden.as_bytes()).starts_with("HTTP/1.1 200"), "who means well is served");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_headers_is_refused_and_nobody_else_notices() {
    let scene = Scene::new().await;
    let address = address(&scene);
    let many: String = (0..10_000).map(|one| format!("x-{one}: y\r\n")).collect();
    let long = format!("x: {}\r\n", "y".repeat(2_000_000));
    let path = format!("GET /{} HTTP/1.1\r\nhost: deck.example.com\r\n\r\n", "a".repeat(2_000_000));
    for bytes in
        [format!("GET /authorize HTTP/1.1\r\nhost: x\r\n{many}\r\n"), format!("GET / HTTP/1.1\r\nhost: x\r\n{long}\r\n"), path]
    {
        let answer = exchange(&address, bytes.as_bytes());
        let status = answer.split(' ').nth(1).unwrap_or("closed");
        assert!(["431", "414", "400", "closed"].contains(&status), "{status}");
    }
    assert_eq!(scene.tools().await.status, 200);
}

/// The owner is never among those who wait: the terminal does not come in by this door.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_half_open_connections_are_bounded_and_leave_the_owner_in_charge() {
    let scene = Scene::new().await;
    let address = address(&scene);
    let (mut open, mut turned_away) = (Vec::new(), 0);
    for _ in 0..10_000 {
        let mut stream = dial(&address);
        // Half a request: its place is kept until its time is over.
        if stream.write_all(b"POST /mcp HTTP/1.1\r\nhost: deck").is_err() {
            turned_away += 1;
            continue;
        }
        if open.len() < 512 {
            open.push(stream);
            continue;
        }
        let mut answer = [0; 12];
        let told = stream.read(&mut answer).unwrap_or(0);
        assert!(told == 0 || &answer == b"HTTP/1.1 503", "{}", String::from_utf8_lossy(&answer));
        turned_away += 1;
    }
    assert_eq!((open.len(), turned_away), (512, 10_000 - 512));
    let revoked = scene.deck.run(&["revoke", "dots"]);
    assert!(revoked.status.success(), "the owner revokes meanwhile: {revoked:?}");
    drop(open);
    let answered =
        (0..100).any(|_| exchange(&address, b"GET /nothing HTTP/1.1\r\nhost: deck.example.com\r\n\r\n").contains(" 404 "));
    assert!(answered, "afterwards everyone is served again");
}

/// RFC 6750 section 5.3, RFC 9700 section 4.3.2.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_anywhere_but_in_its_header_is_none() {
    let scene = Scene::new().await;
    let (address, good) = (address(&scene), call(&scene.token));
    let header = format!("authorization: Bearer {}\r\n", scene.token);
    let bare = good.replace(&header, "");
    for (what, bytes) in [
        ("in the query", bare.replace("/mcp ", &format!("/mcp?access_token={} ", scene.token))),
        ("in a cookie", bare.replace("accept:", &format!("cookie: access_token={0}; token={0}\r\naccept:", scene.token))),
        ("under another scheme", good.replace("Bearer", "Token")),
        ("in another header", good.replace("authorization:", "x-authorization:")),
        ("twice", good.replace(&header, &format!("{header}{header}"))),
    ] {
        let answer = exchange(&address, bytes.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 401"), "{what}: {answer}");
        assert!(!answer.contains(&scene.token), "{what}");
    }
    assert_eq!(calls(&scene), 0);
}

/// RFC 9700 section 4.16, and what else a page must forbid.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_page_can_be_framed_kept_or_told_to_others() {
    let scene = Scene::new().await;
    let authorize = Attempt::new(ORIGIN).page();
    for page in [authorize.as_str(), "/enroll", "/scopes", "/authorize"] {
        let answer = scene.wire.get(page).await.unwrap();
        let header = |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        let policy = header("content-security-policy");
        for part in ["frame-ancestors 'none'", "default-src 'none'", "base-uri 'none'"] {
            assert!(policy.contains(part), "{page}: {part} is not in {policy}");
        }
        assert!(!policy.contains("unsafe"), "{page}: {policy}");
        assert_eq!(
            (header("cache-control"), header("referrer-policy")),
            ("no-store".to_owned(), "no-referrer".to_owned()),
            "{page}"
        );
        assert_eq!(header("x-content-type-options"), "nosniff", "{page}");
        assert!(!answer.headers.contains_key("set-cookie"), "{page}");
    }
}

/// Another site can make a browser send a form here. There is no session it could use: without the passkey's answer to a challenge of this
/// page, nothing happens.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_from_another_site_does_nothing() {
    let scene = Scene::new().await;
    let before = scene.deck.json(&["connections"]).as_array().map(Vec::len);
    let stolen = scene.wire.get(&Attempt::new(ORIGIN).page()).await.unwrap();
    assert_eq!(stolen.status, 200);
    for (path, fields) in [
        ("/authorize", vec![("name", "evil"), ("scope", "context:read"), ("decision", "approve")]),
        ("/authorize", vec![("challenge", "AAAA"), ("assertion", "{}"), ("name", "evil")]),
        ("/scopes/open", vec![("secret", "AAAA")]),
        ("/scopes/change", vec![("challenge", "AAAA"), ("assertion", "{}"), ("scope", "memory:read")]),
    ] {
        let fields: Vec<(String, String)> = fields.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let answer = scene.wire.form(path, &fields).await.unwrap();
        assert!((400..500).contains(&answer.status), "{path}: {answer:?}");
        assert!(!answer.headers.contains_key("location"), "{path}: {answer:?}");
    }
    let after: Value = scene.deck.json(&["connections"]);
    assert_eq!(after.as_array().map(Vec::len), before);
}
