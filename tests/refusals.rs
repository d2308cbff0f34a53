//! Whatever is refused has changed nothing: who is let in, by which passkeys, and which clients are kept are the same before and after.

mod harness;

use harness::attempt::{Attempt, random};
use harness::deck::Deck;
use harness::scene::{ORIGIN, Scene, link};
use harness::wire::Answer;
use serde_json::{Value, json};

type Fields = Vec<(String, String)>;

/// What a refusal must leave alone. When something was used, and how often, is not part of it.
fn standing(deck: &Deck) -> Value {
    let mut all = json!({
        "connections": deck.json(&["connections"]), "passkeys": deck.json(&["passkey", "list"]), "clients": deck.json(&["client", "list"])
    });
    for list in all.as_object_mut().unwrap().values_mut() {
        for one in list.as_array_mut().unwrap() {
            let one = one.as_object_mut().unwrap();
            for changing in ["last_used_at", "calls_24h", "calls_by_hour", "state"] {
                one.remove(changing);
            }
        }
    }
    all
}

/// A connection, a passkey and a client document, and what they look like.
async fn settled() -> (Scene, Value) {
    let scene = Scene::new().await;
    scene.deck.json(&["client", "add", "helper", "--redirect", "http://127.0.0.1/callback"]);
    let before = standing(&scene.deck);
    for (list, expected) in [("connections", 1), ("passkeys", 1), ("clients", 1)] {
        assert_eq!(before[list].as_array().unwrap().len(), expected, "{before}");
    }
    (scene, before)
}

/// The same with one field set anew, or left out.
fn with(fields: &Fields, name: &str, value: Option<&str>) -> Fields {
    let kept = fields.iter().filter(|(field, _)| field != name).cloned();
    kept.chain(value.map(|value| (name.to_owned(), value.to_owned()))).collect()
}

#[track_caller]
fn refused(what: &str, answer: &Answer) {
    assert!((400..500).contains(&answer.status), "{what}: {answer:?}");
    assert!(!answer.headers.contains_key("location"), "{what}: {answer:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[allow(clippy::too_many_lines, reason = "one story")]
async fn a_refused_authorization_changes_nothing() {
    let (mut scene, before) = settled().await;
    let page = Attempt::new(ORIGIN).page();
    let query: Fields = page.parse::<url::Url>().unwrap().query_pairs().into_owned().collect();
    for (field, wrong) in [
        ("client_id", None),
        ("client_id", Some("http://client.example.com/id")),
        ("client_id", Some("https://deck.example.com/clients/nobody")),
        ("redirect_uri", None),
        ("redirect_uri", Some("https://elsewhere.example.com/callback")),
        ("response_type", Some("token")),
        ("code_challenge", None),
        ("code_challenge_method", Some("plain")),
        ("resource", Some("https://elsewhere.example.com/mcp")),
        ("scope", Some("everything")),
    ] {
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(with(&query, field, wrong)).finish();
        refused(&format!("{field}={wrong:?}"), &scene.wire.get(&format!("/authorize?{query}")).await.unwrap());
    }
    refused("a parameter twice", &scene.wire.get(&format!("{page}&client_id=https://other.example.com/id")).await.unwrap());

    for (what, field, wrong) in [
        ("no challenge", "challenge", None),
        ("another challenge", "challenge", Some("AAAA")),
        ("no assertion", "assertion", None),
        ("an unreadable assertion", "assertion", Some("{}")),
    ] {
        let form = scene.owner.sign(&scene.wire.get(&page).await.unwrap().body, "other");
        refused(what, &scene.wire.form("/authorize", &with(&form, field, wrong)).await.unwrap());
        if field == "assertion" {
            refused("the same page again", &scene.wire.form("/authorize", &form).await.unwrap());
        }
    }
    for (what, field, wrong) in
        [("no scope", "scope", None), ("an unknown scope", "scope", Some("all")), ("a name", "name", Some("Owner!"))]
    {
        let form = scene.owner.sign(&scene.wire.get(&page).await.unwrap().body, "other");
        let again = scene.wire.form("/authorize", &with(&form, field, wrong)).await.unwrap();
        assert!(again.status == 200 && again.body.contains("role=\"alert\""), "{what}: {again:?}");
        refused("the same page again", &scene.wire.form("/authorize", &form).await.unwrap());
    }
    let opened = scene.wire.get(&page).await.unwrap();
    let mut form = scene.owner.sign(&opened.body, "other");
    let other = scene.owner.sign(&scene.wire.get(&page).await.unwrap().body, "other");
    form[1].1.clone_from(&other[1].1);
    refused("the assertion of another page", &scene.wire.form("/authorize", &form).await.unwrap());
    assert_eq!(standing(&scene.deck), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_exchange_gives_no_token_and_uses_the_code_up() {
    let (mut scene, before) = settled().await;
    for (field, wrong) in [
        ("client_id", None),
        ("client_id", Some("https://deck.example.com/clients/helper")),
        ("redirect_uri", Some("http://127.0.0.1:1/callback")),
        ("resource", Some("https://elsewhere.example.com/mcp")),
        ("code_verifier", None),
        ("code_verifier", Some("0123456789012345678901234567890123456789012")),
    ] {
        let attempt = Attempt::new(ORIGIN);
        let code = scene.approve(&attempt, "other").await;
        let exchange = attempt.exchange(&code);
        refused(&format!("{field}={wrong:?}"), &scene.wire.form("/token", &with(&exchange, field, wrong)).await.unwrap());
        refused(&format!("after {field}={wrong:?}"), &scene.wire.form("/token", &exchange).await.unwrap());
    }
    let exchange = Attempt::new(ORIGIN).exchange(&random());
    refused("a code nobody gave out", &scene.wire.form("/token", &exchange).await.unwrap());
    refused("no code", &scene.wire.form("/token", &with(&exchange, "code", None)).await.unwrap());
    refused("another grant type", &scene.wire.form("/token", &with(&exchange, "grant_type", Some("password"))).await.unwrap());
    refused("JSON", &scene.wire.json("/token", &json!({ "grant_type": "authorization_code" })).await.unwrap());
    // A revocation answers the same whatever it is given: what it did must be looked for.
    let token = ("token".to_owned(), scene.token.clone());
    for client_id in ["https://deck.example.com/clients/helper", "https://client.example.com/id"] {
        let form = vec![("client_id".to_owned(), client_id.to_owned()), token.clone()];
        assert_eq!(scene.wire.form("/revoke", &form).await.unwrap().status, 200);
    }
    assert_eq!(scene.wire.form("/revoke", &[token]).await.unwrap().status, 200);
    assert_eq!(standing(&scene.deck), before);
    assert_eq!(scene.tools().await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_enrollment_changes_nothing() {
    let (mut scene, before) = settled().await;
    let (old, secret) = (link(&scene.deck), link(&scene.deck));
    for (what, wrong) in [("a replaced link", old), ("a made-up link", random()), ("no link", String::new())] {
        refused(what, &scene.wire.json("/enroll/options", &json!({ "secret": wrong })).await.unwrap());
    }
    let body = json!({ "secret": secret });
    let offer = scene.wire.json("/enroll/options", &body).await.unwrap().json();
    let alone = harness::owner::Owner::new(ORIGIN).register(&secret, &offer, "alone");
    refused("a second passkey that no first one allows", &scene.wire.json("/enroll/finish", &alone).await.unwrap());
    let offer = scene.wire.json("/enroll/options", &body).await.unwrap().json();
    let mut crossed = scene.owner.register_another(&secret, &offer, "crossed");
    let later = scene.wire.json("/enroll/options", &body).await.unwrap().json();
    let allowed = scene.owner.register_another(&secret, &later, "crossed");
    for field in ["assertion", "assertion_challenge"] {
        crossed[field] = allowed[field].clone();
    }
    refused("a permission for another passkey", &scene.wire.json("/enroll/finish", &crossed).await.unwrap());
    refused("the permission once more", &scene.wire.json("/enroll/finish", &allowed).await.unwrap());
    refused("nothing", &scene.wire.json("/enroll/finish", &json!({})).await.unwrap());
    assert_eq!(standing(&scene.deck), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_call_or_command_changes_nothing() {
    let (scene, before) = settled().await;
    let list = || json!({});
    refused("another token", &scene.wire.rpc(&random(), "tools/list", list()).await.unwrap());
    refused("half a token", &scene.wire.rpc(&scene.token[1..], "tools/list", list()).await.unwrap());
    refused("GET", &scene.wire.get("/mcp").await.unwrap());
    let unknown = scene.wire.rpc(&scene.token, "tools/destroy", list()).await.unwrap();
    assert_eq!(unknown.json()["error"]["code"], -32601, "{unknown:?}");
    refused("no token", &scene.wire.json("/mcp", &json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" })).await.unwrap());
    let last = before["passkeys"][0]["id"].as_str().unwrap();
    for arguments in [
        &["revoke", "nobody"][..],
        &["passkey", "remove", "0"],
        &["passkey", "remove", last],
        &["client", "add", "helper", "--redirect", "http://127.0.0.1/other"],
        &["client", "add", "Helper", "--redirect", "http://127.0.0.1/callback"],
        &["client", "add", "quarterdeck", "--redirect", "http://127.0.0.1/callback"],
        &["client", "add", "other", "--redirect", "https://elsewhere.example.com/callback"],
        &["client", "remove", "nobody"],
    ] {
        let output = scene.deck.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
    }
    assert_eq!(standing(&scene.deck), before);
    assert_eq!(scene.tools().await.status, 200);
}
