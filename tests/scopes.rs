//! The owner changes what a connection may do: from the command over the page to the next call of the token that is out there.

mod harness;

use harness::scene::{ORIGIN, Scene};
use harness::wire::Answer;
use serde_json::{Value, json};

impl Scene {
    /// The page behind a fresh address of `quarterdeck scopes dots`.
    async fn scopes_page(&self) -> Answer {
        let url = self.deck.json(&["scopes", "dots"])["url"].as_str().unwrap().to_owned();
        let secret = url.strip_prefix(&format!("{ORIGIN}/scopes#")).unwrap().to_owned();
        self.wire.form("/scopes/open", &[("secret".to_owned(), secret)]).await.unwrap()
    }

    /// Submits the page with these scopes ticked, by the passkey.
    async fn tick(&mut self, page: &Answer, scopes: &[&str]) -> Answer {
        let mut form = self.owner.sign(&page.body, "");
        form.retain(|(field, _)| field == "challenge" || field == "assertion");
        form.extend(scopes.iter().map(|scope| ("scope".to_owned(), (*scope).to_owned())));
        self.wire.form("/scopes/change", &form).await.unwrap()
    }

    async fn tool_names(&self) -> Vec<String> {
        let tools = self.tools().await.json()["result"]["tools"].as_array().unwrap().clone();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_live_token_loses_a_tool_and_gets_it_back_by_the_passkey_and_survives_a_restart() {
    let mut scene = Scene::new().await;
    assert!(scene.tool_names().await.contains(&"RecordExperience".to_owned()));

    let page = scene.scopes_page().await;
    let changed = scene.tick(&page, &["context:read"]).await;
    assert_eq!((changed.status, changed.body.contains("It lost")), (200, true), "{changed:?}");
    assert_eq!(scene.tool_names().await, ["GetContext"]);
    let lost = scene.wire.record(&scene.token, "hello").await.unwrap().json();
    assert_eq!(lost["result"]["_meta"]["duoduo/reason"], "insufficient_scope", "{lost}");
    assert_eq!(scene.deck.json(&["connections"])[0]["scopes"], json!(["context:read"]));

    let mut scene = scene.moved(|deck| harness::scene::start_in(deck.kill()));
    assert_eq!(scene.tool_names().await, ["GetContext"]);
    let page = scene.scopes_page().await;
    let changed = scene.tick(&page, &["context:read", "experience:write"]).await;
    assert_eq!((changed.status, changed.body.contains("It gained")), (200, true), "{changed:?}");
    let kept = scene.wire.record(&scene.token, "hello").await.unwrap().json();
    assert_eq!(kept["result"]["isError"], Value::Bool(false), "{kept}");
    assert_eq!(scene.deck.json(&["audit", "verify"])["result"], "intact");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_was_open_when_the_connection_was_revoked_changes_nothing() {
    let mut scene = Scene::new().await;
    let page = scene.scopes_page().await;
    scene.deck.json(&["revoke", "dots"]);
    let refused = scene.tick(&page, &["context:read"]).await;
    assert_eq!((refused.status, refused.body.contains("has ended")), (410, true), "{refused:?}");
    assert_eq!(scene.tools().await.status, 401);
}
