//! The door from end to end through the public surface only: the real binary, its commands, its pages, its control center, and an
//! official SDK's client.

mod harness;

use harness::browser::Browser;
use harness::deck::Deck;
use harness::owner::Owner;
use harness::pty::Pty;
use harness::sdk::{Asking, REDIRECT, Sdk, eras};
use serde_json::json;

fn link(deck: &Deck) -> String {
    deck.json(&["passkey", "add"])["url"].as_str().unwrap().to_owned()
}

/// A client that came in with a software passkey.
async fn connect(deck: &Deck, owner: &mut Owner, name: &str, era: rmcp::ClientLifecycleMode) -> Sdk {
    let asking = Asking::begin(&deck.origin).await;
    let answer = owner.approve(&asking.page().await, name).await;
    let back = answer.location.unwrap_or_else(|| panic!("{} without a redirect: {}", answer.status, answer.page));
    asking.finish(back.as_str(), era).await
}

/// A194
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_sdk_client_comes_in_through_the_passkey_works_and_is_revoked_in_both_eras() {
    let deck = Deck::start(&[]);
    let mut owner = Owner::new(&deck.origin);
    owner.enroll(&link(&deck)).await;

    for (name, era) in eras() {
        let client = connect(&deck, &mut owner, name, era).await;
        assert_eq!(client.tools().await, ["GetContext", "ReadEvents", "ReadMemory", "RecordExperience"]);

        let context = client.call("GetContext", json!({})).await.unwrap();
        let conversation = context.structured_content.as_ref().unwrap()["conversation"].as_str().unwrap().to_owned();
        let record = json!({ "conversation": conversation, "board_rev": "0", "said": name, "did": "tested", "outcome": "works" });
        let recorded = client.call("RecordExperience", record).await.unwrap();
        assert_eq!(recorded.structured_content.unwrap()["ok"], true);

        let listed = deck.json(&["connections"]);
        let connection = listed.as_array().unwrap().iter().find(|connection| connection["name"] == name).unwrap();
        assert_eq!((connection["state"].as_str(), connection["calls_24h"].as_i64()), (Some("live"), Some(2)));

        assert!(deck.run(&["revoke", name]).status.success());
        client.is_out().await;
    }
    assert_eq!(deck.json(&["connections"]), json!([]));
    assert_eq!(deck.run(&["audit", "verify"]).status.code(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_sdk_client_comes_in_through_the_page_in_a_real_browser_in_both_eras() {
    let Some(browser) = Browser::start().await else { return };
    let deck = Deck::start(&[]);
    browser.open(&link(&deck)).await;
    browser.field("Passkey name").await.send_keys("Laptop").await.unwrap();
    browser.button("Create passkey").await.click().await.unwrap();
    browser.says("Your passkey is ready").await;
    for (name, era) in eras() {
        let asking = Asking::begin(&deck.origin).await;
        browser.open(&asking.page().await).await;
        browser.field("Connection name").await.send_keys(name).await.unwrap();
        browser.button("Approve with passkey").await.click().await.unwrap();
        let back = browser.arrives(|url| url.starts_with(REDIRECT)).await;
        let client = asking.finish(&back, era).await;
        assert_eq!(client.call("GetContext", json!({})).await.unwrap().is_error, Some(false));
        assert!(deck.run(&["revoke", name]).status.success());
        client.is_out().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_owner_sees_the_call_on_the_screen_and_ends_the_connection_with_two_keys() {
    let deck = Deck::start(&[]);
    let mut owner = Owner::new(&deck.origin);
    let mut screen = Pty::attached(deck.dir.path());
    screen.until("Press p to enroll a passkey");
    owner.enroll(&link(&deck)).await;
    screen.until("passkey.added");
    let [_, (name, era)] = eras();
    let client = connect(&deck, &mut owner, name, era).await;
    screen.until("grant.issued");
    client.call("ReadMemory", json!({ "path": "CLAUDE.md" })).await.unwrap();
    screen.until("ReadMemory CLAUDE.md");

    screen.press("R");
    screen.until("Revoke modern?");
    screen.confirm(|shown| shown.parser.screen().contents().contains("grant.revoked"));
    client.is_out().await;
    screen.press("q");
    assert!(screen.ended().success());
    screen.assert_restored();
    assert_eq!(deck.json(&["connections"]), json!([]));
}
