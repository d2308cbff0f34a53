//! Clients with a document of their own, on a local https server that counts how often it is asked.

use std::sync::Arc;

use super::*;

/// The document of an imagined client that several apps share.
pub(super) fn document(client_id: &str) -> Value {
    serde_json::json!({
        "client_id": client_id,
        "client_name": "Shared client",
        "redirect_uris": ["https://app.example/callback", "http://127.0.0.1/callback"],
        "token_endpoint_auth_method": "none",
    })
}

/// A door that may ask a server on this machine, which answers `/client.json` with what `body` makes of its own address.
pub(super) async fn door(body: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> (Door, HttpsServer, String) {
    let dir = tempfile::tempdir().unwrap().keep();
    let own = std::sync::Arc::new(std::sync::OnceLock::<String>::new());
    let of = std::sync::Arc::clone(&own);
    let server = HttpsServer::start(&dir, move |_path| body(of.get().unwrap()));
    let client_id = server.url("localhost", "/client.json").to_string();
    own.set(client_id.clone()).unwrap();
    let door = Door::with(|config| {
        config.outbound.allow = vec!["127.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()];
        config.outbound.ca_file = Some(server.ca_file.clone());
    })
    .await;
    (door, server, client_id)
}

async fn good() -> (Door, HttpsServer, String) {
    door(|client_id| http_answer("200 OK", "", &document(client_id).to_string())).await
}

pub(super) const APP: &str = "https://app.example/callback";

/// A20
#[tokio::test]
async fn the_document_is_fetched_once_after_the_passkey_and_the_client_gets_in() {
    let (door, server, client_id) = good().await;
    let page = door.open(&client_id, APP).await;
    assert!(page.body.contains(&client_id) && page.body.contains(APP));
    assert_eq!((page.prefill(), server.connections()), ("localhost", 0));
    let answer = door.approve(&page, "grok").await;
    assert_eq!((answer.status, server.connections()), (StatusCode::FOUND, 1), "{answer:?}");
    assert_eq!(answer.onward("state"), "a state & more");
    let changed = [("client_id", client_id.as_str()), ("redirect_uri", APP)];
    let token = token_in(&door.exchange_with(&answer.onward("code"), &changed).await);
    assert_eq!(door.call(&token).await, StatusCode::OK);
    let grant = door.access.connections().await.unwrap().remove(0).grant;
    assert_eq!((grant.client_id, grant.client_name.as_deref()), (client_id, Some("Shared client")));
}

/// A11, A21
#[tokio::test]
async fn nothing_is_fetched_for_a_failed_passkey_or_a_denial() {
    let (mut door, server, client_id) = good().await;
    door.owner.verifies = false;
    let page = door.open(&client_id, APP).await;
    assert_eq!(door.approve(&page, "grok").await.status, StatusCode::BAD_REQUEST);
    let page = door.open(&client_id, APP).await;
    door.post("/authorize", &[("challenge", &page.challenge()), ("deny", "1")]).await;
    assert_eq!(server.connections(), 0);
}

/// A22
#[tokio::test]
async fn a_document_that_cannot_be_used_brings_the_page_back_with_the_reason() {
    type Body = fn(&str) -> Option<String>;
    let bodies: [(Body, &str); 7] = [
        (|_| http_answer("404 Not Found", "", ""), "404"),
        (|_| http_answer("302 Found", "location: https://app.example/\r\n", ""), "302"),
        (|_| http_answer("200 OK", "", &document("https://other.example/id").to_string()), "something else than its address"),
        (|_| http_answer("200 OK", "", "<html>"), "JSON"),
        (|_| http_answer("200 OK", "", "[]"), "not a client document"),
        (
            |id| {
                let long = "x".repeat(20_000);
                http_answer("200 OK", "", &serde_json::json!({ "client_id": id, "redirect_uris": long }).to_string())
            },
            "not a client document",
        ),
        (|id| http_answer("200 OK", "", &serde_json::json!({ "client_id": id }).to_string()), "no return addresses"),
    ];
    for (body, reason) in bodies {
        let (door, server, client_id) = door(body).await;
        let page = door.open(&client_id, APP).await;
        let again = door.approve(&page, "grok").await;
        again.is_page_again(reason);
        assert!(again.body.contains("Nothing was approved") && !again.body.contains(&"x".repeat(121)));
        assert_eq!((again.prefill(), server.connections()), ("grok", 1));
        assert_ne!(again.challenge(), page.challenge());
        assert_eq!(door.approve(&page, "grok").await.status, StatusCode::BAD_REQUEST, "the old challenge is dead");
        assert_eq!(server.connections(), 1);
        assert!(door.connections().await.is_empty());
    }
}

/// A23
#[tokio::test]
async fn a_return_address_the_document_does_not_list_is_refused_after_the_passkey() {
    let (door, _server, client_id) = good().await;
    let page = door.open(&client_id, "https://evil.example/callback").await;
    let again = door.approve(&page, "grok").await;
    again.is_page_again("does not list this return address");
    assert!(!again.body.contains("code="));
    let page = door.open(&client_id, "http://127.0.0.1:50999/callback").await;
    assert_eq!(door.approve(&page, "grok").await.status, StatusCode::FOUND, "loopback on any port");
}

/// A24, A25
#[tokio::test]
async fn two_assistants_share_a_client_and_another_client_cannot_take_a_name() {
    let (door, server, client_id) = good().await;
    let mut tokens = Vec::new();
    for name in ["grok", "cursor"] {
        let page = door.open(&client_id, APP).await;
        let code = code_in(&door.approve(&page, name).await);
        let changed = [("client_id", client_id.as_str()), ("redirect_uri", APP)];
        tokens.push(token_in(&door.exchange_with(&code, &changed).await));
    }
    assert_ne!(tokens[0], tokens[1]);
    assert_eq!(door.connections().await, ["cursor", "grok"]);
    door.connect("dots").await;
    let fetched = server.connections();
    let page = door.open(&client_id, APP).await;
    door.approve(&page, "dots").await.is_page_again("quarterdeck");
    assert_eq!(server.connections(), fetched, "refused before any further fetch");
}

/// The browser hangs up while the client's document is being fetched: the passkey's yes is used up, and what came of it is written down.
#[tokio::test]
async fn an_approval_whose_browser_leaves_is_finished_and_recorded() {
    let (asked, go) = (Arc::new(tokio::sync::Semaphore::new(0)), Arc::new(std::sync::Barrier::new(2)));
    let (told, wait) = (Arc::clone(&asked), Arc::clone(&go));
    let (door, _server, client_id) = door(move |client_id| {
        told.add_permits(1);
        wait.wait();
        http_answer("200 OK", "", &document(client_id).to_string())
    })
    .await;
    let page = door.open(&client_id, APP).await;
    let mut told = door.fixture.base.bus.listen();
    tokio::select! {
        answer = door.approve(&page, "grok") => panic!("{answer:?}"),
        _fetching = asked.acquire() => {}
    }
    tokio::task::spawn_blocking(move || go.wait()).await.unwrap();
    loop {
        if let crate::events::Event::Recorded(entry) = told.recv().await.unwrap()
            && entry.record.kind == Kind::AuthorizationApproved
        {
            break assert_eq!(entry.record.object.as_deref(), Some("grok"));
        }
    }
}
