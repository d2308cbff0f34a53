//! The enrollment page and its two requests, over HTTP.

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use axum::routing::{get, post};
use http::{Method, Request, StatusCode};
use tower::ServiceExt as _;

use super::*;
use crate::http::assert_is_page;
use crate::passkeys::http as pages;

fn router(passkeys: &Passkeys) -> Router {
    Router::new()
        .route("/enroll", get(pages::page))
        .route("/enroll/options", post(pages::options))
        .route("/enroll/finish", post(pages::finish))
        .with_state(passkeys.clone())
}

async fn open(passkeys: &Passkeys, host: &str) -> Response {
    let request = Request::get("/enroll").header("host", host).body(Body::empty()).unwrap();
    router(passkeys).oneshot(request).await.unwrap()
}

async fn send(passkeys: &Passkeys, path: &str, body: &Value) -> (StatusCode, Value) {
    let request = Request::post(path).header("content-type", "application/json").body(Body::from(body.to_string())).unwrap();
    let response = router(passkeys).oneshot(request).await.unwrap();
    assert_eq!(response.headers()["cache-control"], "no-store");
    assert_eq!(response.headers()["content-type"], "application/json");
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap())
}

/// A65
#[tokio::test]
async fn the_page_is_the_same_for_everyone_and_talks_to_this_origin_only() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let html = assert_is_page(open(&passkeys, "localhost:7420").await).await;
    assert!(html.contains("<label for=\"label\">Passkey name</label>"));
    assert!(html.contains(">Create passkey</button>"));
    assert!(html.contains("role=\"status\""));
    assert!(html.contains("<strong>localhost</strong>"));
    link(&passkeys).await;
    assert_eq!(html, assert_is_page(open(&passkeys, "localhost:7420").await).await);
}

#[tokio::test]
async fn under_another_loopback_name_the_page_leads_to_the_right_one() {
    let fixture = Fixture::new();
    let html = assert_is_page(open(&passkeys(&fixture), "127.0.0.1:7420").await).await;
    assert!(html.contains("href=\"http://localhost:7420/enroll\""));
    assert!(!html.contains("Create passkey"));
}

/// A67, A71, A73
#[tokio::test]
async fn two_passkeys_are_enrolled_over_http() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let (first, second) = (device(&fixture), device(&fixture));

    let secret = link(&passkeys).await;
    let (status, offer) = send(&passkeys, "/enroll/options", &json!({ "secret": secret })).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(offer.as_object().unwrap().keys().collect::<Vec<_>>(), ["options"]);
    let body = json!({
        "secret": secret,
        "challenge": offer["options"]["challenge"],
        "label": "Laptop",
        "response": first.register(&offer["options"]),
    });
    let (status, answer) = send(&passkeys, "/enroll/finish", &body).await;
    assert_eq!((status, answer["id"].as_str()), (StatusCode::OK, Some(PasskeyId::of(&first.credential).0.as_str())));
    assert!(answer["message"].is_string());

    let secret = link(&passkeys).await;
    let (_, offer) = send(&passkeys, "/enroll/options", &json!({ "secret": secret })).await;
    let body = json!({
        "secret": secret,
        "challenge": offer["options"]["challenge"],
        "label": null,
        "response": second.register(&offer["options"]),
        "assertion_challenge": offer["assertion"]["challenge"],
        "assertion": first.assert(&offer["assertion"]),
    });
    let (status, _) = send(&passkeys, "/enroll/finish", &body).await;
    assert_eq!(status, StatusCode::OK);
    let labels: Vec<_> = passkeys.list().await.unwrap().into_iter().map(|one| one.label).collect();
    assert!(labels.contains(&Some("Laptop".to_owned())) && labels.contains(&None), "{labels:?}");
    let (status, refused) = send(&passkeys, "/enroll/finish", &body).await;
    assert_eq!((status, refused["reason"].as_str()), (StatusCode::FORBIDDEN, Some("link")));
}

/// A69, A70, A72
#[tokio::test]
async fn every_refusal_has_its_status_a_reason_and_a_sentence() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let first = device(&fixture);
    let secret = link(&passkeys).await;
    for body in [json!({}), json!({ "secret": 7 }), json!({ "secret": "" }), json!([]), json!("x")] {
        for path in ["/enroll/options", "/enroll/finish"] {
            let (status, refused) = send(&passkeys, path, &body).await;
            assert_eq!((status, refused["reason"].as_str()), (StatusCode::FORBIDDEN, Some("link")), "{path} {body}");
            assert!(refused["message"].as_str().unwrap().starts_with("This link was used"));
        }
    }
    let finish = |challenge: Value, response: Value| json!({ "secret": secret, "challenge": challenge, "response": response });
    let (status, refused) = send(&passkeys, "/enroll/finish", &finish(json!(7), json!({}))).await;
    assert_eq!((status, refused["reason"].as_str()), (StatusCode::BAD_REQUEST, Some("expired")));
    let offer = passkeys.enroll_options(&secret).await.unwrap();
    let (status, refused) = send(&passkeys, "/enroll/finish", &finish(offer.options["challenge"].clone(), json!(null))).await;
    assert_eq!((status, refused["reason"].as_str()), (StatusCode::BAD_REQUEST, Some("registration")));
    enroll(&passkeys, &first, None).await.unwrap();
    let secret = link(&passkeys).await;
    let offer = passkeys.enroll_options(&secret).await.unwrap();
    let body = json!({
        "secret": secret,
        "challenge": offer.options["challenge"],
        "response": device(&fixture).register(&offer.options),
        "assertion_challenge": offer.assertion.unwrap()["challenge"],
    });
    let (status, refused) = send(&passkeys, "/enroll/finish", &body).await;
    assert_eq!((status, refused["reason"].as_str()), (StatusCode::FORBIDDEN, Some("assertion_unreadable")));
}

#[tokio::test]
async fn what_is_not_json_is_refused_in_json() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    for (content_type, expected) in
        [("application/json", StatusCode::BAD_REQUEST), ("text/plain", StatusCode::UNSUPPORTED_MEDIA_TYPE)]
    {
        for path in ["/enroll/options", "/enroll/finish"] {
            let request = Request::post(path).header("content-type", content_type).body(Body::from("{")).unwrap();
            let response = router(&passkeys).oneshot(request).await.unwrap();
            assert_eq!(response.status(), expected);
            assert_eq!(response.headers()["cache-control"], "no-store");
        }
    }
}

#[tokio::test]
async fn a_store_that_does_not_answer_is_try_again() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let secret = link(&passkeys).await;
    fixture.base.store.close().await;
    let request = Request::post("/enroll/options")
        .header("content-type", "application/json")
        .body(Body::from(json!({ "secret": secret }).to_string()))
        .unwrap();
    let response = router(&passkeys).oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(response.headers().contains_key("retry-after"));
}

/// Where a browser that was given `address` is sent.
async fn follow(passkeys: &Passkeys, address: &str) -> (StatusCode, Option<String>) {
    follow_by(passkeys, Method::GET, address).await
}

async fn follow_by(passkeys: &Passkeys, method: Method, address: &str) -> (StatusCode, Option<String>) {
    let path = address.strip_prefix("http://localhost:7420").unwrap();
    let request = Request::builder().method(method).uri(path).header("host", "localhost:7420").body(Body::empty()).unwrap();
    let response = router(passkeys).oneshot(request).await.unwrap();
    let to = response.headers().get("location").map(|to| to.to_str().unwrap().to_owned());
    (response.status(), to)
}

#[tokio::test]
async fn a_ticket_leads_the_browser_to_the_live_link_once_and_only_for_a_minute() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let first = passkeys.issue_link(&Principal::System).await.unwrap().url;
    let ticket = passkeys.ticket(&owner(), &first).await.unwrap().unwrap();
    assert!(!ticket.contains(first.split('#').nth(1).unwrap()));
    assert_eq!(records(&passkeys, Kind::PasskeyLinkOpened).await.len(), 0, "no browser came");
    assert_eq!(follow(&passkeys, &format!("{ticket}x")).await, (StatusCode::GONE, None));
    let led = Some(first.strip_prefix("http://localhost:7420").unwrap().to_owned());
    assert_eq!(follow_by(&passkeys, Method::HEAD, &ticket).await, (StatusCode::OK, None), "looking uses nothing up");
    assert_eq!(follow(&passkeys, &ticket).await, (StatusCode::SEE_OTHER, led));
    assert_eq!(follow(&passkeys, &ticket).await, (StatusCode::GONE, None));

    let late = passkeys.ticket(&owner(), &first).await.unwrap().unwrap();
    fixture.pass(std::time::Duration::from_secs(60));
    assert_eq!(follow(&passkeys, &late).await, (StatusCode::GONE, None));

    passkeys.issue_link(&Principal::System).await.unwrap();
    assert_eq!(passkeys.ticket(&owner(), &first).await.unwrap(), None, "a link that was replaced");
    assert_eq!(passkeys.ticket(&owner(), "http://localhost:7420/enroll").await.unwrap(), None);
    let handed = records(&passkeys, Kind::PasskeyLinkOpened).await;
    assert_eq!(handed.iter().map(|record| record.actor.as_str()).collect::<Vec<_>>(), ["terminal:pts/3"]);

    let link = passkeys.issue_link(&Principal::System).await.unwrap().url;
    let ticket = passkeys.ticket(&owner(), &link).await.unwrap().unwrap();
    fixture.base.store.close().await;
    assert_eq!(
        follow(&passkeys, &ticket).await,
        (StatusCode::SERVICE_UNAVAILABLE, None),
        "what cannot be written down is not done"
    );
}
