//! What a terminal is told of the store, of passkeys and of what waits, and what it decides.

use axum::body::Body;
use axum::http::Request as Asked;
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use super::*;
use crate::testing::{Authenticator, enroll};

const BUILT_IN: &str = "http://localhost:7420/clients/quarterdeck";
const CALLBACK: &str = "http://127.0.0.1:51730/callback";
/// How long a page waits, and a moment more.
const PAGE: Duration = Duration::from_secs(10 * 60 + 1);

impl Desk {
    /// What the assistants' door answers: the status and the body.
    async fn asked(&self, request: axum::http::request::Builder, body: String) -> (u16, String) {
        let request: Asked<Body> = request.header("host", "localhost:7420").body(Body::from(body)).unwrap();
        let answer = self.routes.clone().oneshot(request).await.unwrap();
        let status = answer.status().as_u16();
        (status, String::from_utf8(answer.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap())
    }

    /// Opens an authorization page; answers its WebAuthn options.
    async fn open_page(&self) -> Value {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("response_type", "code")
            .append_pair("client_id", BUILT_IN)
            .append_pair("redirect_uri", CALLBACK)
            .append_pair("resource", "http://localhost:7420/mcp")
            .append_pair("scope", "context:read")
            .append_pair("code_challenge_method", "S256")
            .append_pair("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
            .finish();
        let (status, page) = self.asked(Asked::get(format!("/authorize?{query}")), String::new()).await;
        assert_eq!(status, 200, "{page}");
        let options = page.split("id=\"webauthn-options\">").nth(1).unwrap().split("</script>").next().unwrap();
        serde_json::from_str(options).unwrap()
    }

    /// Approves the page with these options.
    async fn approve(&self, owner: &Authenticator, options: &Value) {
        let form = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("challenge", options["challenge"].as_str().unwrap())
            .append_pair("assertion", &owner.assert(options).to_string())
            .append_pair("name", "dots")
            .append_pair("scope", "context:read")
            .finish();
        let posting = Asked::post("/authorize").header("content-type", "application/x-www-form-urlencoded");
        assert_eq!(self.asked(posting, form).await.0, 302);
    }
}

/// The next notice that is not a record.
async fn told(notices: &mut Notices) -> Notice {
    loop {
        match next(notices).await {
            Notice::Recorded(_) => {}
            other => return other,
        }
    }
}

async fn waiting(notices: &mut Notices) -> Vec<Waiting> {
    match told(notices).await {
        Notice::Waiting { list, more: 0 } => list,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_page_that_is_opened_waits_until_the_owner_denies_it() {
    let desk = Desk::new().await;
    enroll(&desk.fixture, &desk.passkeys).await;
    for (transport, client) in &desk.clients {
        let (_, mut notices) = client.subscribe().await.unwrap();
        let options = desk.open_page().await;
        let [open] = waiting(&mut notices).await.try_into().unwrap();
        let seen = (open.client_id.as_str(), open.redirect_uri.as_str(), open.scopes.join(" "));
        assert_eq!(seen, (BUILT_IN, CALLBACK, "context:read".to_owned()), "{transport}");
        assert_eq!((open.since.as_str(), open.expires_at.as_str()), ("2026-12-01T09:30:00.000Z", "2026-12-01T09:40:00.000Z"));
        let Reply::Status(status) = client.request(Request::Status).await.unwrap() else { panic!("{transport}") };
        assert_eq!(status.waiting, 1, "{transport}");
        assert_ne!(Some(open.id.as_str()), options["challenge"].as_str(), "who can deny could approve");

        let deny = Request::Deny { id: open.id };
        assert_eq!(client.request(deny.clone()).await.unwrap(), Reply::Done, "{transport}");
        assert_eq!(waiting(&mut notices).await, [], "{transport}");
        assert_eq!(reason(client.request(deny).await.unwrap()), "not_found", "{transport}");
    }
}

#[tokio::test]
async fn a_page_that_is_approved_waits_no_more() {
    let desk = Desk::new().await;
    let owner = enroll(&desk.fixture, &desk.passkeys).await;
    for (transport, client) in &desk.clients {
        let (_, mut notices) = client.subscribe().await.unwrap();
        let options = desk.open_page().await;
        assert_eq!(waiting(&mut notices).await.len(), 1, "{transport}");
        desk.approve(&owner, &options).await;
        assert_eq!(waiting(&mut notices).await, [], "{transport}");
    }
}

#[tokio::test]
async fn a_page_that_runs_out_is_told_at_that_moment_without_anybody_asking() {
    let desk = Desk::new().await;
    enroll(&desk.fixture, &desk.passkeys).await;
    for (transport, client) in &desk.clients {
        let (_, mut notices) = client.subscribe().await.unwrap();
        desk.open_page().await;
        assert_eq!(waiting(&mut notices).await.len(), 1, "{transport}");
        desk.fixture.pass(PAGE);
        // From here on time passes by itself whenever everyone waits, from one timer to the next.
        tokio::time::pause();
        let told = tokio::time::timeout(2 * PAGE, notices.next()).await.expect("a timer for the page");
        assert_eq!(told, Some(Notice::Waiting { list: Vec::new(), more: 0 }), "{transport}");
        tokio::time::resume();
    }
}

#[tokio::test]
async fn a_subscriber_is_told_when_the_store_fails_and_when_it_works_again() {
    let desk = Desk::new().await;
    let limit = |pages: i64| {
        desk.fixture.base.store.write(move |tx| {
            let now: i64 = tx.one("PRAGMA page_count", [], |row| row.get(0))?.unwrap_or(0);
            tx.one(&format!("PRAGMA max_page_count = {}", now + pages), [], |_| Ok(())).map(|_| ())
        })
    };
    for (transport, client) in &desk.clients {
        let (snapshot, mut notices) = client.subscribe().await.unwrap();
        assert_eq!(snapshot.status.failing, None, "{transport}");
        limit(0).await.map_err(|error: Error| error).unwrap();
        let mut full = Draft::ok(Kind::McpRequest);
        full.detail.insert("much".to_owned(), "x".repeat(100_000).into());
        assert!(desk.fixture.base.audit.record(&Principal::System, full).await.is_err());
        let Notice::Health(Some(why)) = told(&mut notices).await else { panic!("{transport}") };
        assert!(why.contains("full"), "{transport}: {why}");
        let (snapshot, _) = client.subscribe().await.unwrap();
        assert_eq!(snapshot.status.failing, Some(why), "{transport}");

        limit(1_000_000).await.map_err(|error: Error| error).unwrap();
        desk.record("after").await;
        assert_eq!(told(&mut notices).await, Notice::Health(None), "{transport}");
    }
}

#[tokio::test]
async fn passkeys_are_told_and_the_last_one_stays_while_something_is_connected() {
    let desk = Desk::new().await;
    for (transport, client) in &desk.clients {
        let (_, mut notices) = client.subscribe().await.unwrap();
        enroll(&desk.fixture, &desk.passkeys).await;
        let Notice::Passkeys(passkeys) = told(&mut notices).await else { panic!("{transport}") };
        let [passkey] = &passkeys[..] else { panic!("{transport}: {passkeys:?}") };
        assert_eq!((passkey.id.len(), passkey.label.as_deref()), (16, Some("Test device")), "{transport}");

        let remove = Request::PasskeyRemove { id: passkey.id.clone() };
        desk.grant("dots", "Dots").await;
        assert!(matches!(told(&mut notices).await, Notice::Connections(_)), "{transport}");
        assert_eq!(reason(client.request(remove.clone()).await.unwrap()), "last_passkey", "{transport}");
        client.request(Request::Revoke { name: "dots".to_owned(), grant: None }).await.unwrap();
        assert!(matches!(told(&mut notices).await, Notice::Connections(_)), "{transport}");
        assert_eq!(client.request(remove).await.unwrap(), Reply::Done, "{transport}");
        assert_eq!(told(&mut notices).await, Notice::Passkeys(Vec::new()), "{transport}");
    }
}

#[tokio::test]
async fn client_documents_are_added_listed_and_removed() {
    let desk = Desk::new().await;
    let add = |name: &str, uri: &str| Request::ClientAdd { name: name.to_owned(), redirect_uris: vec![uri.to_owned()] };
    let loopback = "http://127.0.0.1/callback";
    for (transport, client) in &desk.clients {
        let Reply::Client(added) = client.request(add("helper", loopback)).await.unwrap() else { panic!("{transport}") };
        assert_eq!(added.client_id, "http://localhost:7420/clients/helper", "{transport}");
        assert_eq!(added.redirect_uris, [loopback], "{transport}");
        assert_eq!(client.request(Request::ClientList).await.unwrap(), Reply::Clients(vec![added]), "{transport}");
        for (refused, why) in [
            (add("helper", loopback), "exists"),
            (add("Helper", loopback), "invalid_name"),
            (add("quarterdeck", loopback), "invalid_name"),
            (add("other", "https://elsewhere.example/callback"), "invalid_redirect"),
            (Request::ClientAdd { name: "other".to_owned(), redirect_uris: Vec::new() }, "invalid_redirect"),
        ] {
            assert_eq!(reason(client.request(refused.clone()).await.unwrap()), why, "{transport}: {refused:?}");
        }
        let remove = Request::ClientRemove { name: "helper".to_owned() };
        assert_eq!(client.request(remove.clone()).await.unwrap(), Reply::Done, "{transport}");
        assert_eq!(reason(client.request(remove).await.unwrap()), "not_found", "{transport}");
        assert_eq!(client.request(Request::ClientList).await.unwrap(), Reply::Clients(Vec::new()), "{transport}");
    }
}
