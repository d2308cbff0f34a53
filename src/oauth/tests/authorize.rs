//! `GET /authorize`.

use super::*;

async fn refused(door: &Door, uri: &str, naming: &str) {
    let answer = door.get(uri).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{uri}");
    assert!(answer.location().is_none() && !answer.body.contains("webauthn-options"), "{uri}");
    assert!(answer.body.contains(naming), "{naming}: {}", answer.body);
    assert!(door.oauth.waiting(1000).await.unwrap().newest.is_empty(), "{uri}");
}

/// A3
#[tokio::test]
async fn a_client_id_that_is_no_address_of_a_document_is_refused() {
    let door = Door::new().await;
    for client_id in [
        "http://client.example/id",
        "not a url",
        "urn:client",
        "https://client.example",
        "https://client.example/",
        "https://me@client.example/id",
        "https://client.example/id#part",
        "https://client.example/a/../id",
        "https://client.example/a/%2E%2e/id",
        "https://client.example/./id",
        "https:\\\\client.example\\id",
        "https:client.example/id",
        "https:///client.example/id",
        "https://clіent.example/id",
        "https://cl%D1%96ent.example/id",
        "https://client。example/id",
        "https://2130706433/id",
        "https://0x7f.1/id",
        "http://localhost:7421/clients/quarterdeck",
        "https://client.example/\u{202e}id",
        "https://client.example/<b>",
        "https://client.example/an id",
        "https://client.example/a\tb",
        "http://localhost:7420/clients/dοts",
    ] {
        refused(&door, &authorize(client_id, STRANGERS_CALLBACK, &[]), "lient_id").await;
    }
    let long = format!("https://client.example/{}", "a".repeat(2048));
    refused(&door, &authorize(&long, STRANGERS_CALLBACK, &[]), "too long").await;
}

/// A4
#[tokio::test]
async fn an_unknown_client_is_shown_in_full_and_its_host_becomes_the_proposed_name() {
    let door = Door::new().await;
    let page = door.open(STRANGER, STRANGERS_CALLBACK).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.body.contains(STRANGER) && page.body.contains(STRANGERS_CALLBACK));
    assert_eq!(page.prefill(), "client-example");
    assert_eq!(page.body.matches(r#"class="claim""#).count(), 2);
    assert_eq!(page.body.matches(r#"class="verified""#).count(), 0);
    for visible in ["Connection name", "Approve with passkey", "Deny", "Read your board"] {
        assert!(page.body.contains(visible), "{visible}");
    }
}

/// A5
#[tokio::test]
async fn a_bad_parameter_is_named_and_nobody_is_redirected() {
    let door = Door::new().await;
    for (name, value) in [
        ("response_type", "token"),
        ("response_type", ""),
        ("code_challenge_method", "plain"),
        ("code_challenge", "short"),
        ("code_challenge", "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!"),
        ("resource", ""),
        ("resource", "https://other.example/mcp"),
        ("resource", "http://localhost:7420/other"),
        ("resource", "http://localhost:7420/mcp?x=1"),
        ("scope", "memory:read offline_access"),
        ("redirect_uri", ""),
        ("client_id", ""),
    ] {
        refused(&door, &authorize(STRANGER, STRANGERS_CALLBACK, &[(name, value)]), &name[1..]).await;
    }
}

#[tokio::test]
async fn a_return_address_that_would_run_or_leak_something_is_refused() {
    let door = Door::new().await;
    for uri in [
        "javascript:alert(1)",
        "data:text/html,hello",
        "file:///etc/passwd",
        "http://client.example/callback",
        "https://client.example/callback#here",
        "https://client.example@evil.example/callback",
        "https://client.example/callback?code=1",
        "https://client.example/call\nback",
        "https://client.example\\@evil.example/",
        "/callback",
    ] {
        refused(&door, &authorize(STRANGER, uri, &[]), "edirect_uri").await;
    }
}

#[tokio::test]
async fn a_repeated_parameter_is_refused_and_named() {
    let door = Door::new().await;
    let twice = format!("{}&state=other", authorize(STRANGER, STRANGERS_CALLBACK, &[]));
    refused(&door, &twice, "state").await;
}

#[tokio::test]
async fn each_form_of_the_resource_opens_the_page() {
    let door = Door::new().await;
    for resource in [ORIGIN, "http://localhost:7420/", MCP] {
        let uri = authorize(STRANGER, STRANGERS_CALLBACK, &[("resource", resource)]);
        assert_eq!(door.get(&uri).await.status, StatusCode::OK, "{resource}");
    }
}

/// A6
#[tokio::test]
async fn without_a_passkey_there_is_nothing_to_approve_with() {
    let door = Door::without_passkey(|_config| {});
    let page = door.open(STRANGER, STRANGERS_CALLBACK).await;
    assert_eq!(page.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(!page.body.contains("webauthn-options"));
}

/// A7
#[tokio::test]
async fn the_page_can_run_nothing_but_its_own_script_and_is_kept_nowhere() {
    let door = Door::new().await;
    let page = door.open(STRANGER, STRANGERS_CALLBACK).await;
    let script = page.body.rsplit("<script>").next().unwrap().split("</script>").next().unwrap();
    let hash = base64::engine::general_purpose::STANDARD.encode(Digest::of(script.as_bytes()).0);
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains(&format!("script-src 'sha256-{hash}'")) && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert_eq!(page.headers["cache-control"], "no-store");
    assert_eq!(page.headers["referrer-policy"], "no-referrer");
    assert!(!page.headers.contains_key("set-cookie"));
}

/// A8
#[tokio::test]
async fn the_proposed_name_is_never_taken_from_what_is_stored() {
    let door = Door::new().await;
    door.connect("secret-name").await;
    assert!(!door.open(BUILT_IN, CALLBACK).await.body.contains("secret-name"));
    assert!(!door.open(STRANGER, STRANGERS_CALLBACK).await.body.contains("secret-name"));
}

/// A9
#[tokio::test]
async fn one_page_too_many_pushes_out_the_oldest_and_the_newest_still_works() {
    let door = Door::with(|config| config.limits.challenges = 2).await;
    let mut pages = Vec::new();
    for _ in 0..3 {
        pages.push(door.open(BUILT_IN, CALLBACK).await);
    }
    assert!(pages.iter().all(|page| page.status == StatusCode::OK));
    let first = door.approve(&pages[0], "dots").await;
    assert_eq!(first.status, StatusCode::BAD_REQUEST);
    assert!(first.body.contains("expired"));
    assert_eq!(door.approve(&pages[2], "dots").await.status, StatusCode::FOUND);
}

#[tokio::test]
async fn scopes_are_ticked_as_asked_for_and_the_others_are_there_to_be_ticked() {
    let door = Door::new().await;
    let page = door.get(&authorize(STRANGER, STRANGERS_CALLBACK, &[("scope", "memory:read")])).await;
    assert_eq!(page.body.matches(r#"name="scope""#).count(), 6);
    assert_eq!(page.body.matches(" checked>").count(), 1);
    assert!(page.body.contains(r#"value="memory:read" checked>"#));
    let all = door.open(STRANGER, STRANGERS_CALLBACK).await;
    assert_eq!(all.body.matches(" checked>").count(), 6);
}

#[tokio::test]
async fn a_loopback_return_address_gets_the_louder_warning() {
    let door = Door::new().await;
    let loud = "Any program on this device could be asking";
    assert!(door.open(STRANGER, CALLBACK).await.body.contains(loud));
    assert!(!door.open(STRANGER, STRANGERS_CALLBACK).await.body.contains(loud));
    assert!(door.open(STRANGER, "cursor://a.b/callback").await.body.contains("An app on this device takes the answer"));
}

#[tokio::test]
async fn hostile_text_is_harmless_on_the_page() {
    let door = Door::new().await;
    let page = door.open("https://client.example/id?a=1&lt;b&x='onload='alert(1)", STRANGERS_CALLBACK).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.body.contains("&#38;lt;b") && !page.body.contains("'onload='"), "{page:?}");
    let name = "<script>alert(1)</script>\u{202e}";
    let page = door.get(&authorize(BUILT_IN, CALLBACK, &[("name", name)])).await;
    assert!(!page.body.contains("<script>alert") && !page.body.contains('\u{202e}'));
    assert!(page.body.contains("⟨U+202E⟩"));
    let plain = door.open("https://xn--bcher-kva.example:8443/id", STRANGERS_CALLBACK).await;
    assert_eq!(plain.status, StatusCode::OK, "a host of other letters is written in ASCII");
}

#[tokio::test]
async fn head_opens_no_page() {
    let door = Door::new().await;
    let answer = door.send(Method::HEAD, &authorize(BUILT_IN, CALLBACK, &[]), None).await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
    assert!(door.oauth.waiting(1000).await.unwrap().newest.is_empty());
}

#[tokio::test]
async fn opened_by_an_address_it_leads_to_the_name_of_this_machine() {
    let door = Door::new().await;
    let uri = authorize(BUILT_IN, CALLBACK, &[]);
    let request = Request::get(&uri).header("host", "127.0.0.1:7420").body(Body::empty()).unwrap();
    let answer = door.raw(request).await;
    assert_eq!(link_in(&answer), format!("{ORIGIN}{uri}"));
    assert!(door.oauth.waiting(1000).await.unwrap().newest.is_empty());
}

#[tokio::test]
async fn a_page_the_browser_shows_to_nobody_is_not_opened() {
    let door = Door::new().await;
    for (name, value) in [
        ("sec-fetch-dest", "image"),
        ("sec-fetch-dest", "iframe"),
        ("sec-fetch-dest", "empty"),
        ("sec-fetch-mode", "no-cors"),
        ("sec-fetch-mode", "cors"),
        ("sec-purpose", "prefetch;prerender"),
    ] {
        let request = Request::get(authorize(BUILT_IN, CALLBACK, &[])).header("host", "localhost:7420").header(name, value);
        let answer = door.raw(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{name}: {value}");
    }
    assert!(door.oauth.waiting(1000).await.unwrap().newest.is_empty());
    let seen = Request::get(authorize(BUILT_IN, CALLBACK, &[])).header("sec-fetch-dest", "document");
    assert_eq!(door.raw(seen.body(Body::empty()).unwrap()).await.status, StatusCode::OK);
    assert_eq!(door.oauth.waiting(1000).await.unwrap().total, 1);
}
