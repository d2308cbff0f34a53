//! `POST /token`, `POST /revoke`, and what a token is worth.

use super::*;
use crate::audit::Draft;

/// A27
#[tokio::test]
async fn a_code_becomes_a_token_and_only_its_digest_is_kept() {
    let door = Door::new().await;
    let code = door.code("dots").await;
    let answer = door.exchange(&code).await;
    assert_eq!((answer.status, &answer.headers["cache-control"]), (StatusCode::OK, &"no-store".parse().unwrap()));
    let body = answer.json();
    let keys: std::collections::BTreeSet<&String> = body.as_object().unwrap().keys().collect();
    assert!(keys.into_iter().eq(["access_token", "scope", "token_type"]), "{body}");
    assert_eq!((body["scope"].as_str(), body["token_type"].as_str()), (Some(SIX), Some("Bearer")));
    let token = token_in(&answer);
    assert_eq!(token.len(), 43);

    let grant = door.access.connections().await.unwrap().remove(0).grant;
    assert_eq!((grant.id.0.len(), grant.resource.as_str(), grant.client_name.as_deref()), (32, MCP, Some("quarterdeck")));
    assert_eq!(door.call(&token).await, StatusCode::OK);
    door.fixture.base.store.close().await;
    for file in ["quarterdeck.db", "quarterdeck.db-wal"] {
        let bytes = std::fs::read(door.fixture.dir.path().join(file)).unwrap_or_default();
        for secret in [&token, &code] {
            assert!(!bytes.windows(secret.len()).any(|at| at == secret.as_bytes()), "a secret is in {file}");
        }
    }
}

/// A client that reconnects within a code's lifetime was approved several times, from another port each time.
#[tokio::test]
async fn a_grant_says_which_approval_it_came_from() {
    let door = Door::new().await;
    let audit = &door.fixture.base.audit;
    let client = "http://localhost:7420/clients/quarterdeck";
    let other = Draft::ok(Kind::AuthorizationApproved)
        .object("dots")
        .with("client_id", client)
        .with("redirect_uri", "http://127.0.0.1:1/");
    audit.record(&Principal::Passkey { id: "another".to_owned() }, other.clone()).await.unwrap();
    let code = door.code("dots").await;
    let approved = audit.head().await.unwrap().seq;
    audit.record(&Principal::Passkey { id: "another".to_owned() }, other).await.unwrap();
    token_in(&door.exchange(&code).await);
    assert_eq!(door.records(Kind::GrantIssued).await[0].detail["approval"], approved);
    let grant = door.access.connections().await.unwrap().remove(0).grant.id;
    let lifetime = door.fixture.base.config.limits.code_lifetime;
    let told = door.fixture.base.store.look(|db| audit.approval(db, &grant, lifetime)).unwrap();
    assert_eq!(told.map(|entry| entry.seq), Some(approved));
}

/// A28
#[tokio::test]
async fn a_code_works_once() {
    let door = Door::new().await;
    let code = door.code("dots").await;
    let token = token_in(&door.exchange(&code).await);
    door.exchange(&code).await.is_refused(400, "invalid_grant");
    assert_eq!(door.call(&token).await, StatusCode::OK, "the first grant stays");
}

/// A29, A30
#[tokio::test]
async fn a_request_that_is_not_the_one_approved_is_refused_by_name_and_uses_the_code_up() {
    let door = Door::new().await;
    for (name, value) in [
        ("client_id", "http://localhost:7420/clients/duoduo-tether"),
        ("client_id", ""),
        ("redirect_uri", "http://127.0.0.1:51731/callback"),
        ("redirect_uri", ""),
        ("resource", ORIGIN),
        ("resource", ""),
        ("code_verifier", "another"),
        ("code_verifier", ""),
    ] {
        let code = door.code("dots").await;
        let refused = door.exchange_with(&code, &[(name, value)]).await;
        refused.is_refused(400, "invalid_grant");
        assert!(refused.json()["error_description"].as_str().unwrap().contains(name), "{name}");
        door.exchange(&code).await.is_refused(400, "invalid_grant");
    }
    let code = door.code("dots").await;
    let both = door.exchange_with(&code, &[("client_id", ""), ("resource", "")]).await;
    assert!(both.json()["error_description"].as_str().unwrap().contains("client_id, resource"));
    assert!(door.connections().await.is_empty());
    assert_eq!(door.records(Kind::TokenRefused).await.len(), 9);
}

/// A clock is set, or a machine sleeps: what was used stays used, what lives on goes on living, and the audit keeps its order.
#[tokio::test]
async fn a_clock_that_jumps_by_a_day_either_way_gives_nothing_a_second_life_and_takes_no_token() {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let door = Door::new().await;
    let (used, open) = (door.code("first").await, door.code("second").await);
    let token = token_in(&door.exchange(&used).await);
    door.fixture.set_back(DAY);
    door.exchange(&used).await.is_refused(400, "invalid_grant");
    assert_eq!(door.call(&token).await, StatusCode::OK);
    let second = token_in(&door.exchange(&open).await);
    let late = door.code("third").await;
    door.fixture.pass(2 * DAY);
    door.exchange(&late).await.is_refused(400, "invalid_grant");
    for token in [&token, &second] {
        assert_eq!(door.call(token).await, StatusCode::OK);
    }
    door.access.revoke(&Principal::System, "first", None).await.unwrap();
    door.fixture.set_back(DAY);
    assert_eq!(door.call(&token).await, StatusCode::UNAUTHORIZED, "revoked is revoked, whatever the clock says");
    assert_eq!(door.call(&second).await, StatusCode::OK);
    let base = &door.fixture.base;
    let signer = crate::audit::Signer::open(door.fixture.dir.path()).unwrap();
    let found = crate::audit::verify(base.store.path(), &signer, None).unwrap();
    assert!(matches!(found, crate::audit::Finding::Intact(_)), "{found:?}");
}

#[tokio::test]
async fn another_grant_type_leaves_the_code_as_it_is() {
    let door = Door::new().await;
    let code = door.code("dots").await;
    door.exchange_with(&code, &[("grant_type", "refresh_token")]).await.is_refused(400, "unsupported_grant_type");
    door.exchange_with(&code, &[("code", "")]).await.is_refused(400, "invalid_request");
    let twice = [("grant_type", "authorization_code"), ("code", code.as_str()), ("code", code.as_str())];
    door.post("/token", &twice).await.is_refused(400, "invalid_request");
    assert_eq!(door.exchange(&code).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_json_body_is_read_like_a_form() {
    let door = Door::new().await;
    let code = door.code("dots").await;
    let body = serde_json::json!({
        "grant_type": "authorization_code", "code": code, "client_id": BUILT_IN, "redirect_uri": CALLBACK,
        "resource": MCP, "code_verifier": VERIFIER,
    });
    let request = Request::post("/token").header("content-type", "application/json").body(Body::from(body.to_string())).unwrap();
    assert_eq!(door.raw(request).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_json_body_that_says_something_twice_is_refused() {
    let door = Door::new().await;
    let code = door.code("dots").await;
    let rest = format!(r#""grant_type":"authorization_code","client_id":"{BUILT_IN}","redirect_uri":"{CALLBACK}""#);
    let body = format!(r#"{{"code":"other","code":"{code}",{rest},"resource":"{MCP}","code_verifier":"{VERIFIER}"}}"#);
    let request = Request::post("/token").header("content-type", "application/json").body(Body::from(body)).unwrap();
    door.raw(request).await.is_refused(400, "invalid_request");
    assert_eq!(door.exchange(&code).await.status, StatusCode::OK);
}

/// A31
#[tokio::test]
async fn a_code_is_expired_exactly_at_its_lifetime() {
    let door = Door::new().await;
    let (first, second) = (door.code("one").await, door.code("two").await);
    door.fixture.pass(Duration::from_secs(600) - Duration::from_millis(1));
    assert_eq!(door.exchange(&first).await.status, StatusCode::OK);
    door.fixture.pass(Duration::from_millis(1));
    door.exchange(&second).await.is_refused(400, "invalid_grant");
}

/// A32
#[tokio::test]
async fn of_two_clients_approved_for_one_name_the_first_exchange_wins() {
    let door = Door::new().await;
    let tether = "http://localhost:7420/clients/duoduo-tether";
    let first = door.code("dots").await;
    let page = door.open(tether, CALLBACK).await;
    let second = code_in(&door.approve(&page, "dots").await);
    assert_eq!(door.exchange_with(&second, &[("client_id", tether)]).await.status, StatusCode::OK);
    let refused = door.exchange(&first).await;
    refused.is_refused(400, "invalid_grant");
    assert!(!refused.body.contains("tether"), "whose the name is now is for the owner alone: {}", refused.body);
    assert_eq!(door.connections().await, ["dots"]);
}

/// Neither page could tell the owner that it ends a connection: there was none.
#[tokio::test]
async fn of_two_approvals_of_one_client_for_one_name_the_second_exchange_ends_nothing_the_owner_was_not_told_of() {
    let door = Door::new().await;
    let (first, second) = (door.code("dots").await, door.code("dots").await);
    let token = token_in(&door.exchange(&first).await);
    door.exchange(&second).await.is_refused(400, "invalid_grant");
    assert_eq!(door.call(&token).await, StatusCode::OK);
    assert_eq!(door.records(Kind::TokenRefused).await.last().unwrap().reason.as_deref(), Some("replaces"));
}

#[tokio::test]
async fn what_a_passkey_approved_before_it_was_removed_is_void() {
    let door = Door::new().await;
    let code = door.code("dots").await;
    let id = door.passkeys.list().await.unwrap().remove(0).id;
    door.passkeys.remove(&owner(), &id.0).await.unwrap().unwrap();
    door.exchange(&code).await.is_refused(400, "invalid_grant");
    assert!(door.connections().await.is_empty());
    assert_eq!(door.records(Kind::TokenRefused).await.last().unwrap().reason.as_deref(), Some("passkey_unknown"));
}

#[tokio::test]
async fn a_code_of_an_older_version_is_void() {
    let door = Door::new().await;
    let code = door.code("dots").await;
    let older = |tx: &mut crate::store::Tx<'_>| tx.run("UPDATE codes SET request = json_remove(request, '$.passkey')", []);
    assert_eq!(door.fixture.base.store.write(older).await.unwrap(), 1);
    door.exchange(&code).await.is_refused(400, "invalid_grant");
}

/// A33
#[tokio::test]
async fn approving_a_held_name_again_asks_first_and_replaces_at_the_exchange() {
    let door = Door::new().await;
    let old = door.connect("dots").await;
    let before = door.access.connections().await.unwrap().remove(0).grant.id;
    let page = door.open(BUILT_IN, CALLBACK).await;
    let asked = door.approve(&page, "dots").await;
    assert_eq!((asked.status, asked.location()), (StatusCode::OK, None));
    assert_eq!(asked.body.matches("href=").count(), 1);
    assert!(link_in(&asked).starts_with(CALLBACK), "{}", link_in(&asked));
    assert_eq!(parameter(&link_in(&asked), "state"), "a state & more");
    assert_eq!(door.call(&old).await, StatusCode::OK, "until the exchange");
    let new = token_in(&door.exchange(&code_in(&asked)).await);
    assert_eq!((door.call(&old).await, door.call(&new).await), (StatusCode::UNAUTHORIZED, StatusCode::OK));
    assert_eq!(door.connections().await, ["dots"]);
    assert_ne!(door.access.connections().await.unwrap().remove(0).grant.id, before);
}

/// A34
#[tokio::test]
async fn the_same_client_under_another_name_is_a_further_connection() {
    let door = Door::new().await;
    let (one, two) = (door.connect("one").await, door.connect("two").await);
    assert_eq!((door.call(&one).await, door.call(&two).await), (StatusCode::OK, StatusCode::OK));
    assert_eq!(door.connections().await, ["one", "two"]);
}

/// A35
#[tokio::test]
async fn a_client_revokes_its_own_token_and_no_other_and_learns_nothing() {
    let door = Door::new().await;
    let token = door.connect("dots").await;
    let pending = door.code("dots").await;
    for form in [
        [("client_id", "https://other.example/id"), ("token", token.as_str())],
        [("client_id", BUILT_IN), ("token", "nonsense")],
        [("client_id", ""), ("token", "")],
    ] {
        let answer = door.post("/revoke", &form).await;
        assert_eq!((answer.status, answer.body.as_str()), (StatusCode::OK, ""));
        assert_eq!(door.call(&token).await, StatusCode::OK);
    }
    let answer = door.post("/revoke", &[("client_id", BUILT_IN), ("token", &token)]).await;
    assert_eq!((answer.status, &answer.headers["cache-control"]), (StatusCode::OK, &"no-store".parse().unwrap()));
    assert_eq!(door.call(&token).await, StatusCode::UNAUTHORIZED);
    door.exchange(&pending).await.is_refused(400, "invalid_grant");
}

/// A26, A36
#[tokio::test]
async fn the_owners_revoke_voids_codes_of_the_name_with_or_without_a_connection() {
    let door = Door::new().await;
    let code = door.code("dots").await;
    let ended = door.access.revoke(&owner(), "dots", None).await.unwrap().unwrap();
    assert_eq!((ended.grant, ended.voided), (None, 1));
    door.exchange(&code).await.is_refused(400, "invalid_grant");

    door.connect("dots").await;
    let again = door.code("dots").await;
    assert_eq!(door.access.revoke(&owner(), "dots", None).await.unwrap().unwrap().voided, 1);
    door.exchange(&again).await.is_refused(400, "invalid_grant");
    assert!(door.connections().await.is_empty());
}

/// A60
#[tokio::test]
async fn the_verifier_alone_decides_for_a_client_without_keys() {
    let door = Door::new().await;
    let code = door.code("dots").await;
    door.exchange_with(&code, &[("code_verifier", "stolen code, wrong verifier")]).await.is_refused(400, "invalid_grant");
}

#[tokio::test]
async fn a_store_that_does_not_answer_is_503_everywhere() {
    let door = Door::new().await;
    let page = door.open(BUILT_IN, CALLBACK).await;
    let code = door.code("dots").await;
    let token = door.connect("other").await;
    door.fixture.base.store.close().await;
    let answers = [
        door.open(BUILT_IN, CALLBACK).await,
        door.approve(&page, "late").await,
        door.exchange(&code).await,
        door.post("/revoke", &[("client_id", BUILT_IN), ("token", &token)]).await,
    ];
    for answer in answers {
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
        assert!(answer.headers.contains_key("retry-after") && answer.location().is_none());
    }
}
