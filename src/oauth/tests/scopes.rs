//! The page that changes what a connection may do: its address, what it shows, and every way in which it changes nothing.

use serde_json::json;

use super::*;
use crate::access::Fixed;
use crate::id::GrantId;
use crate::oauth::ScopesLinkError;

const FEWER: &str = "context:read events:read";

impl Door {
    async fn grant(&self, name: &str) -> GrantId {
        let all = self.access.connections().await.unwrap();
        all.into_iter().find(|connection| connection.grant.name == name).unwrap().grant.id
    }

    async fn scopes(&self, name: &str) -> String {
        let all = self.access.connections().await.unwrap();
        all.into_iter().find(|connection| connection.grant.name == name).unwrap().grant.scopes.joined()
    }

    /// The secret of a fresh address.
    async fn secret(&self, name: &str) -> String {
        let link = self.oauth.scopes_page(self.grant(name).await).await.ok().unwrap();
        link.url.strip_prefix("http://localhost:7420/scopes#").unwrap().to_owned()
    }

    async fn open_secret(&self, secret: &str) -> Answer {
        self.post("/scopes/open", &[("secret", secret)]).await
    }

    /// The page of this connection.
    async fn scopes_page(&self, name: &str) -> Answer {
        let page = self.open_secret(&self.secret(name).await).await;
        assert_eq!(page.status, StatusCode::OK, "{page:?}");
        page
    }

    async fn change(&self, page: &Answer, scopes: &str) -> Answer {
        let assertion = self.owner.assert(&page.options()).to_string();
        self.send_scopes(&page.challenge(), &assertion, scopes).await
    }

    async fn send_scopes(&self, challenge: &str, assertion: &str, scopes: &str) -> Answer {
        let mut form = vec![("challenge", challenge), ("assertion", assertion)];
        form.extend(scopes.split_whitespace().map(|scope| ("scope", scope)));
        self.post("/scopes/change", &form).await
    }

    /// What a call of this tool, or of `tools/list`, answers.
    async fn rpc(&self, token: &str, method: &str, params: Value) -> Value {
        let request = Request::post("/mcp")
            .header("host", "localhost:7420")
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.raw(request.body(Body::from(body.to_string())).unwrap()).await.json()["result"].clone()
    }

    async fn tools(&self, token: &str) -> Vec<String> {
        let listed = self.rpc(token, "tools/list", json!({})).await;
        listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }
}

fn says(answer: &Answer, status: StatusCode, words: &str) {
    assert_eq!(answer.status, status, "{answer:?}");
    assert!(answer.body.contains(words) && answer.body.contains("Nothing was changed"), "{words}: {}", answer.body);
}

#[tokio::test]
async fn a_live_token_gains_and_loses_tools_with_its_next_call_and_stays_the_same_token() {
    let door = Door::new().await;
    let token = door.connect("dots").await;
    let page = door.scopes_page("dots").await;
    let changed = door.change(&page, FEWER).await;
    assert_eq!(changed.status, StatusCode::OK, "{changed:?}");
    for words in ["It lost", "Read your memory files", "Add records of its own work to the journal", "next call"] {
        assert!(changed.body.contains(words), "{words}: {}", changed.body);
    }
    assert!(!changed.body.contains("It gained"));
    assert_eq!(door.tools(&token).await, ["GetContext", "ReadEvents"]);
    let lost = door.rpc(&token, "tools/call", json!({ "name": "ReadMemory", "arguments": { "path": "a.md" } })).await;
    assert_eq!((&lost["isError"], &lost["_meta"]["duoduo/reason"]), (&json!(true), &json!("insufficient_scope")), "{lost}");

    let page = door.scopes_page("dots").await;
    let changed = door.change(&page, "context:read events:read memory:read").await;
    assert!(changed.body.contains("It gained") && !changed.body.contains("It lost"), "{}", changed.body);
    assert_eq!(door.tools(&token).await, ["GetContext", "ReadEvents", "ReadMemory"]);

    let records = door.records(Kind::GrantScopesChanged).await;
    assert_eq!(records.len(), 2);
    assert!(records[0].actor.starts_with("passkey:"));
    assert_eq!((records[0].object.as_deref(), records[0].grant.as_ref()), (Some("dots"), Some(&door.grant("dots").await)));
    assert_eq!((&records[0].detail["before"], &records[0].detail["after"]), (&json!(SIX), &json!(FEWER)));
    assert_eq!(records[1].detail["challenge"], Digest::of(page.challenge().as_bytes()).short());
    assert_eq!(door.records(Kind::GrantIssued).await.len(), 1, "no new token");
}

#[tokio::test]
async fn the_page_shows_who_it_is_about_and_what_is_on_now() {
    let door = Door::new().await;
    let page = door.open(BUILT_IN, CALLBACK).await;
    let code = code_in(&door.approve_scopes(&page, "dots", FEWER).await);
    door.exchange(&code).await;
    let page = door.scopes_page("dots").await;
    assert!(page.body.contains("<h1>What may <strong>dots</strong> do?</h1>") && page.body.contains(BUILT_IN));
    assert_eq!((page.body.matches(r#"name="scope""#).count(), page.body.matches(" checked>").count()), (6, 2));
    assert_eq!((page.body.matches("· allowed so far").count(), page.body.matches("· not so far").count()), (2, 4));
    assert!(page.body.contains(r#"value="events:read" data-now checked>"#) && page.body.contains("Read your memory files"));
}

#[tokio::test]
async fn what_a_client_calls_itself_is_harmless_on_the_page_and_marked_as_its_claim() {
    let door = Door::new().await;
    door.connect("dots").await;
    let hostile = "UPDATE grants SET client_name = '<b>Bank' || char(8238), client_id = 'https://x.example/\"><script>'";
    door.fixture.base.store.write(move |tx| tx.run(hostile, [])).await.unwrap();
    let page = door.scopes_page("dots").await;
    assert!(!page.body.contains("<b>Bank") && !page.body.contains('\u{202e}') && !page.body.contains("\"><script>"));
    assert!(page.body.contains("⟨U+202E⟩") && page.body.contains("its own claim"));
}

#[tokio::test]
async fn the_pages_can_run_nothing_but_their_own_script_and_are_kept_nowhere() {
    let door = Door::new().await;
    door.connect("dots").await;
    let page = door.scopes_page("dots").await;
    let changed = door.change(&door.scopes_page("dots").await, FEWER).await;
    for (answer, scripted) in [(&door.get("/scopes").await, true), (&page, true), (&changed, false)] {
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        let script = answer.body.rsplit("<script>").next().unwrap().split("</script>").next().unwrap();
        let hash = base64::engine::general_purpose::STANDARD.encode(Digest::of(script.as_bytes()).0);
        let source = if scripted { format!("script-src 'sha256-{hash}'") } else { "script-src 'none'".to_owned() };
        assert!(policy.contains(&source) && policy.contains("frame-ancestors 'none'"), "{policy}");
        for (name, value) in
            [("cache-control", "no-store"), ("referrer-policy", "no-referrer"), ("x-content-type-options", "nosniff")]
        {
            assert_eq!(answer.headers[name], value);
        }
        assert!(!answer.headers.contains_key("set-cookie"));
    }
}

#[tokio::test]
async fn the_page_behind_the_address_is_the_same_for_everyone_and_leads_to_the_name_of_this_machine() {
    let door = Door::new().await;
    door.connect("dots").await;
    let before = door.get("/scopes").await;
    door.secret("dots").await;
    for path in ["/scopes", "/scopes/open", "/scopes/change", "/scopes?x=1"] {
        let page = door.get(path).await;
        assert_eq!((page.status, &page.body), (StatusCode::OK, &before.body), "{path}");
        assert!(!page.body.contains("dots") && page.body.contains("needs JavaScript"));
    }
    let request = Request::get("/scopes").header("host", "127.0.0.1:7420").body(Body::empty()).unwrap();
    assert_eq!(link_in(&door.raw(request).await), format!("{ORIGIN}/scopes"));
}

#[tokio::test]
async fn an_address_works_again_and_again_until_a_newer_one_or_its_end() {
    let mut door = Door::new().await;
    door.connect("dots").await;
    let first = door.secret("dots").await;
    for _ in 0..2 {
        assert_eq!(door.open_secret(&first).await.status, StatusCode::OK);
    }
    let second = door.secret("dots").await;
    says(&door.open_secret(&first).await, StatusCode::GONE, "replaced by a newer one");
    door.fixture.pass(Duration::from_secs(600) - Duration::from_millis(1));
    assert_eq!(door.open_secret(&second).await.status, StatusCode::OK);
    door.fixture.pass(Duration::from_millis(1));
    says(&door.open_secret(&second).await, StatusCode::GONE, "has expired");
    let third = door.secret("dots").await;
    door.restart().await;
    says(&door.open_secret(&third).await, StatusCode::GONE, "no longer works");
}

#[tokio::test]
async fn made_up_addresses_and_challenges_are_counted_and_leave_no_other_trace() {
    let door = Door::new().await;
    door.connect("dots").await;
    door.secret("dots").await;
    let before = door.fixture.base.audit.head().await.unwrap().seq;
    for secret in ["made-up", ""] {
        says(&door.open_secret(secret).await, StatusCode::GONE, "no longer works");
    }
    says(&door.send_scopes("made-up", "{}", FEWER).await, StatusCode::BAD_REQUEST, "expired");
    assert_eq!(door.fixture.base.audit.head().await.unwrap().seq, before);
    door.fixture.base.audit.record_counts().await;
    let counted = door.records(Kind::RequestRefused).await;
    let counts = counted.iter().map(|record| (record.reason.as_deref().unwrap(), record.detail["count"].as_i64().unwrap()));
    assert_eq!(counts.collect::<Vec<_>>(), [("scopes_expired", 1), ("scopes_page", 2)]);
}

#[tokio::test]
async fn a_bad_assertion_changes_nothing_is_recorded_and_spends_the_challenge() {
    let mut door = Door::new().await;
    door.connect("dots").await;
    let other = door.scopes_page("dots").await;
    let stranger = Authenticator::new(ORIGIN, &door.fixture.base.rng);
    for case in ["unverified", "other challenge", "unknown", "missing", "garbage"] {
        let page = door.scopes_page("dots").await;
        door.owner.verifies = case != "unverified";
        let assertion = match case {
            "other challenge" => door.owner.assert(&other.options()).to_string(),
            "unknown" => stranger.assert(&page.options()).to_string(),
            "missing" => String::new(),
            "garbage" => "{}".to_owned(),
            _ => door.owner.assert(&page.options()).to_string(),
        };
        door.owner.verifies = true;
        says(&door.send_scopes(&page.challenge(), &assertion, FEWER).await, StatusCode::BAD_REQUEST, "was not accepted");
        says(&door.change(&page, FEWER).await, StatusCode::BAD_REQUEST, "expired");
    }
    assert_eq!(door.scopes("dots").await, SIX);
    let refused = door.records(Kind::PasskeyRefused).await;
    assert!(refused.len() == 5 && refused.iter().all(|record| record.detail["ceremony"] == "scopes"), "{refused:?}");
    assert!(door.records(Kind::GrantScopesChanged).await.is_empty());
}

#[tokio::test]
async fn a_page_is_good_for_one_submission_and_expired_exactly_at_its_lifetime() {
    let door = Door::new().await;
    door.connect("dots").await;
    let (page, late) = (door.scopes_page("dots").await, door.scopes_page("dots").await);
    door.fixture.pass(Duration::from_secs(600) - Duration::from_millis(1));
    assert_eq!(door.change(&page, FEWER).await.status, StatusCode::OK);
    says(&door.change(&page, SIX).await, StatusCode::BAD_REQUEST, "answered already");
    door.fixture.pass(Duration::from_millis(1));
    says(&door.change(&late, SIX).await, StatusCode::BAD_REQUEST, "expired");
    assert_eq!(door.scopes("dots").await, FEWER);
}

#[tokio::test]
async fn nothing_ticked_nothing_changed_and_what_does_not_exist_bring_the_page_back_and_a_good_one_then_works() {
    let door = Door::new().await;
    door.connect("dots").await;
    let mut page = door.scopes_page("dots").await;
    for (scopes, words, ticked) in [
        ("", "One thing at least has to stay", 0),
        (SIX, "Nothing would change", 6),
        ("memory:read admin", "a scope that does not exist", 6),
    ] {
        let again = door.change(&page, scopes).await;
        again.is_page_again(words);
        assert_eq!(again.body.matches(" checked>").count(), ticked, "{words}");
        assert_ne!(again.challenge(), page.challenge());
        page = again;
    }
    assert_eq!(door.scopes("dots").await, SIX);
    let refused = door.records(Kind::GrantScopesRefused).await;
    assert_eq!(refused.iter().map(|record| record.reason.as_deref().unwrap()).collect::<Vec<_>>(), ["scope", "same", "scope"]);
    assert!(refused.iter().all(|record| record.actor.starts_with("passkey:") && record.grant.is_some()));
    assert_eq!(door.change(&page, FEWER).await.status, StatusCode::OK);
}

/// Whichever way the two were opened.
#[tokio::test]
async fn of_two_pages_that_are_open_the_second_is_refused_and_shows_what_is_so_now() {
    let door = Door::new().await;
    door.connect("dots").await;
    let secret = door.secret("dots").await;
    let (one, other) = (door.open_secret(&secret).await, door.open_secret(&secret).await);
    let third = door.scopes_page("dots").await;
    assert_eq!(door.change(&one, FEWER).await.status, StatusCode::OK);
    for stale in [other, third] {
        let again = door.change(&stale, "memory:read").await;
        again.is_page_again("look again");
        assert_eq!((again.body.matches("· allowed so far").count(), again.body.matches(" checked>").count()), (2, 2));
        assert_eq!(door.scopes("dots").await, FEWER);
    }
    assert_eq!(door.records(Kind::GrantScopesChanged).await.len(), 1);
    let refused = door.records(Kind::GrantScopesRefused).await;
    assert!(refused.len() == 2 && refused.iter().all(|record| record.reason.as_deref() == Some("changed")), "{refused:?}");
}

#[tokio::test]
async fn of_many_submissions_at_once_one_changes_something() {
    let door = Door::new().await;
    door.connect("dots").await;
    let secret = door.secret("dots").await;
    let pages = futures::future::join_all((0..8).map(|_| door.open_secret(&secret))).await;
    let same = futures::future::join_all((0..8).map(|_| door.change(&pages[0], FEWER))).await;
    assert_eq!(same.iter().filter(|answer| answer.body.contains("was changed</h1>")).count(), 1);
    futures::future::join_all(pages[1..].iter().map(|page| door.change(page, "memory:read"))).await;
    assert_eq!((door.records(Kind::GrantScopesChanged).await.len(), door.scopes("dots").await), (1, FEWER.to_owned()));
}

#[tokio::test]
async fn a_connection_that_ended_or_was_replaced_meanwhile_is_not_changed() {
    let door = Door::new().await;
    door.connect("dots").await;
    let (secret, page) = (door.secret("dots").await, door.scopes_page("dots").await);
    door.connect("dots").await;
    says(&door.change(&page, FEWER).await, StatusCode::GONE, "This connection has ended");
    assert_eq!(door.scopes("dots").await, SIX, "the connection that took its place");
    let refused = door.records(Kind::GrantScopesRefused).await;
    assert_eq!(refused[0].reason.as_deref(), Some("grant_gone"));

    let (fresh, page) = (door.secret("dots").await, door.scopes_page("dots").await);
    assert_ne!(secret, fresh);
    let latest = door.secret("dots").await;
    door.access.revoke(&owner(), "dots", None).await.unwrap().unwrap();
    says(&door.change(&page, FEWER).await, StatusCode::GONE, "This connection has ended");
    says(&door.open_secret(&latest).await, StatusCode::GONE, "This connection has ended");
    assert!(door.records(Kind::GrantScopesChanged).await.is_empty());
}

#[tokio::test]
async fn a_challenge_of_one_page_is_worth_nothing_on_the_other() {
    let door = Door::new().await;
    door.connect("dots").await;
    let (scopes, authorize) = (door.scopes_page("dots").await, door.open(BUILT_IN, CALLBACK).await);
    says(&door.change(&authorize, FEWER).await, StatusCode::BAD_REQUEST, "expired");
    assert_eq!(door.approve(&scopes, "other").await.status, StatusCode::BAD_REQUEST);
    assert_eq!(door.scopes("dots").await, SIX);
    assert_eq!(door.approve(&authorize, "other").await.status, StatusCode::FOUND, "and is not used up there");
    assert_eq!(door.change(&scopes, FEWER).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_repeated_field_and_another_media_type_are_refused_before_anything_is_used_up() {
    let door = Door::new().await;
    door.connect("dots").await;
    let page = door.scopes_page("dots").await;
    let challenge = page.challenge();
    let twice = [("challenge", challenge.as_str()), ("challenge", challenge.as_str()), ("scope", "memory:read")];
    assert_eq!(door.post("/scopes/change", &twice).await.status, StatusCode::BAD_REQUEST);
    for path in ["/scopes/open", "/scopes/change"] {
        let text = Request::post(path).header("content-type", "text/plain").body(Body::from("x")).unwrap();
        assert_eq!(door.raw(text).await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{path}");
    }
    assert_eq!(door.change(&page, FEWER).await.status, StatusCode::OK);
}

#[tokio::test]
async fn there_is_no_page_for_what_is_gone_or_elsewhere_nor_without_a_passkey() {
    let door = Door::new().await;
    let refused = async |grant: GrantId| door.oauth.scopes_page(grant).await.err().unwrap();
    assert!(matches!(refused(GrantId("0".repeat(32))).await, ScopesLinkError::Fixed(Fixed::Gone)));
    door.connect("dots").await;
    let (grant, secret) = (door.grant("dots").await, door.secret("dots").await);
    let sql = |sql: &'static str| door.fixture.base.store.write(move |tx| tx.run(sql, []));
    sql("UPDATE passkeys SET public_url = 'https://old.example'").await.unwrap();
    assert!(matches!(refused(grant.clone()).await, ScopesLinkError::NoPasskey));
    let page = door.open_secret(&secret).await;
    says(&page, StatusCode::SERVICE_UNAVAILABLE, "no passkey any more");
    sql("UPDATE grants SET public_url = 'https://old.example'").await.unwrap();
    assert!(matches!(refused(grant).await, ScopesLinkError::Fixed(Fixed::Elsewhere)));
    says(&door.open_secret(&secret).await, StatusCode::GONE, "another public URL");
}
