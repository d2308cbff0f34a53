//! `POST /authorize`.

use super::*;

/// A10
#[tokio::test]
async fn a_passkey_and_a_free_name_lead_back_with_a_code_the_state_and_the_issuer() {
    let door = Door::new().await;
    let page = door.open(BUILT_IN, CALLBACK).await;
    let answer = door.approve(&page, "dots").await;
    assert_eq!((answer.status, answer.body.as_str()), (StatusCode::FOUND, ""));
    assert!(answer.location().unwrap().starts_with(&format!("{CALLBACK}?code=")));
    assert_eq!(answer.onward("code").len(), 43);
    assert_eq!(answer.onward("state"), "a state & more");
    assert_eq!(answer.onward("iss"), ORIGIN);
    assert_eq!(answer.headers["cache-control"], "no-store");

    let records = door.records(Kind::AuthorizationApproved).await;
    assert_eq!(records.len(), 1);
    assert!(records[0].actor.starts_with("passkey:"));
    assert_eq!(records[0].object.as_deref(), Some("dots"));
    assert_eq!(records[0].detail["challenge"], Digest::of(page.challenge().as_bytes()).short());
}

/// A11
#[tokio::test]
async fn denying_needs_no_passkey_tells_the_client_nothing_and_spends_the_challenge() {
    let door = Door::new().await;
    let page = door.open(BUILT_IN, CALLBACK).await;
    let challenge = page.challenge();
    let denied = door.post("/authorize", &[("challenge", &challenge), ("deny", "1")]).await;
    assert_eq!((denied.status, denied.location()), (StatusCode::OK, None));
    assert_eq!(door.approve(&page, "dots").await.status, StatusCode::BAD_REQUEST);
    assert_eq!(door.records(Kind::AuthorizationDenied).await.len(), 1);
    assert!(door.records(Kind::AuthorizationApproved).await.is_empty());
}

/// Denials have their own bound.
#[tokio::test]
async fn whatever_a_stranger_sends_is_counted_and_not_recorded_one_by_one() {
    let door = Door::new().await;
    let before = door.fixture.base.audit.head().await.unwrap().seq;
    for _ in 0..30 {
        door.post("/authorize", &[("challenge", "made-up"), ("deny", "1")]).await;
        door.open("http://nothing", CALLBACK).await;
        door.exchange("made-up").await;
        door.post("/revoke", &[("client_id", BUILT_IN), ("token", "made-up")]).await;
        door.call("made-up").await;
    }
    assert_eq!(door.fixture.base.audit.head().await.unwrap().seq, before);
    door.fixture.base.audit.record_counts().await;
    let counted = door.records(Kind::RequestRefused).await;
    let counts = counted.iter().map(|record| (record.reason.as_deref().unwrap(), record.detail["count"].as_i64().unwrap()));
    let reasons = ["authorize_expired", "authorize_request", "code", "unknown_token"];
    assert_eq!(counts.collect::<Vec<_>>(), reasons.map(|reason| (reason, 30)));
}

/// A12
#[tokio::test]
async fn the_same_form_works_once() {
    let door = Door::new().await;
    let page = door.open(BUILT_IN, CALLBACK).await;
    assert_eq!(door.approve(&page, "dots").await.status, StatusCode::FOUND);
    let again = door.approve(&page, "dots").await;
    assert_eq!((again.status, again.location()), (StatusCode::BAD_REQUEST, None));
}

/// A13
#[tokio::test]
async fn a_bad_assertion_is_refused_and_spends_the_challenge() {
    let mut door = Door::new().await;
    let other = door.open(BUILT_IN, CALLBACK).await;
    let stranger = Authenticator::new(ORIGIN, &door.fixture.base.rng);
    for case in ["unverified", "other challenge", "unknown", "missing", "garbage"] {
        let page = door.open(BUILT_IN, CALLBACK).await;
        door.owner.verifies = case != "unverified";
        let assertion = match case {
            "other challenge" => door.owner.assert(&other.options()).to_string(),
            "unknown" => stranger.assert(&page.options()).to_string(),
            "missing" => String::new(),
            "garbage" => "{}".to_owned(),
            _ => door.owner.assert(&page.options()).to_string(),
        };
        door.owner.verifies = true;
        let refused = door.submit(&page.challenge(), &assertion, "dots", SIX).await;
        assert_eq!((refused.status, refused.location()), (StatusCode::BAD_REQUEST, None), "{case}");
        assert_eq!(door.approve(&page, "dots").await.status, StatusCode::BAD_REQUEST, "{case}");
    }
    assert!(door.records(Kind::AuthorizationApproved).await.is_empty());
}

/// A14
#[tokio::test]
async fn a_page_is_expired_exactly_at_its_lifetime() {
    let door = Door::new().await;
    let page = door.open(BUILT_IN, CALLBACK).await;
    let late = door.open(BUILT_IN, CALLBACK).await;
    door.fixture.pass(Duration::from_secs(600) - Duration::from_millis(1));
    assert_eq!(door.approve(&page, "dots").await.status, StatusCode::FOUND);
    door.fixture.pass(Duration::from_millis(1));
    assert_eq!(door.approve(&late, "dots").await.status, StatusCode::BAD_REQUEST);
}

/// A15, A16
#[tokio::test]
async fn a_name_that_cannot_be_used_brings_the_page_back_and_a_good_one_then_works() {
    let door = Door::new().await;
    let mut page = door.open(BUILT_IN, CALLBACK).await;
    for name in ["Dots", "1st", "cadence", "meta", "system", "tether", "help", "job", "subconscious", "lark", "owner", ""] {
        let again = door.approve_scopes(&page, name, "memory:read events:read").await;
        again.is_page_again("Nothing was approved");
        assert_eq!(again.prefill(), name);
        assert_eq!(again.body.matches(" checked>").count(), 2, "what was ticked stays ticked");
        assert_ne!(again.challenge(), page.challenge());
        assert_eq!(door.approve(&page, "dots").await.status, StatusCode::BAD_REQUEST, "the old challenge is dead");
        page = again;
    }
    assert_eq!(door.records(Kind::AuthorizationRefused).await.len(), 12);
    assert_eq!(door.approve(&page, "dots").await.status, StatusCode::FOUND);
}

/// A19
#[tokio::test]
async fn the_name_of_another_clients_connection_is_refused_and_its_own_is_not() {
    let door = Door::new().await;
    door.oauth.client_add(&owner(), "editor", vec!["http://localhost/callback".to_owned()]).await.unwrap();
    door.connect("dots").await;
    let page = door.open("http://localhost:7420/clients/editor", "http://localhost:9/callback").await;
    let refused = door.approve(&page, "dots").await;
    refused.is_page_again("quarterdeck");
    let own = door.open(BUILT_IN, CALLBACK).await;
    assert_eq!(door.approve(&own, "dots").await.status, StatusCode::OK);
}

#[tokio::test]
async fn what_is_ticked_is_what_is_granted_more_or_less_than_was_asked_for() {
    let door = Door::new().await;
    for (asked, ticked) in [(SIX, "memory:read"), ("memory:read", "experience:write context:read")] {
        let page = door.get(&authorize(BUILT_IN, CALLBACK, &[("scope", asked)])).await;
        let code = code_in(&door.approve_scopes(&page, "dots", ticked).await);
        let mut granted: Vec<&str> = ticked.split(' ').collect();
        granted.sort_by_key(|scope| SIX.find(scope));
        assert_eq!(door.exchange(&code).await.json()["scope"], granted.join(" "));
    }
}

#[tokio::test]
async fn nothing_ticked_is_refused_with_the_page_again() {
    let door = Door::new().await;
    let page = door.open(BUILT_IN, CALLBACK).await;
    let again = door.approve_scopes(&page, "dots", "").await;
    again.is_page_again("Tick at least one");
    door.approve_scopes(&again, "dots", "memory:read everything").await.is_page_again("does not exist");
}

#[tokio::test]
async fn the_return_address_keeps_every_byte() {
    let door = Door::new().await;
    let uri = "http://127.0.0.1:8001/callback";
    let page = door.open(BUILT_IN, uri).await;
    assert!(door.approve(&page, "dots").await.location().unwrap().starts_with("http://127.0.0.1:8001/callback?code="));
}

#[tokio::test]
async fn a_repeated_field_and_another_media_type_are_refused_before_anything_is_used_up() {
    let door = Door::new().await;
    let page = door.open(BUILT_IN, CALLBACK).await;
    let challenge = page.challenge();
    let twice = [("challenge", challenge.as_str()), ("challenge", challenge.as_str()), ("name", "dots")];
    assert_eq!(door.post("/authorize", &twice).await.status, StatusCode::BAD_REQUEST);
    let text = Request::post("/authorize").header("content-type", "text/plain").body(Body::from("x")).unwrap();
    assert_eq!(door.raw(text).await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(door.approve(&page, "dots").await.status, StatusCode::FOUND);
}

/// A38
#[tokio::test]
async fn a_counter_of_zero_may_stay_and_any_other_must_rise() {
    let mut door = Door::new().await;
    for (counter, accepted) in [(0, true), (0, true), (5, true), (5, false), (4, false), (6, true)] {
        door.owner.counter = counter;
        let page = door.open(BUILT_IN, CALLBACK).await;
        let status = door.approve(&page, "dots").await.status;
        assert_eq!(status == StatusCode::FOUND, accepted, "{counter}");
    }
}
