//! What models are told.

use serde_json::json;

use super::{Ask, Deck};
use crate::knowledge::CONTRACT;

/// Instructions of both eras, and every description with its tool's name.
async fn texts(deck: &Deck) -> Vec<(String, String)> {
    let initialize = deck.send(Ask::initialize("2025-11-25")).await.body;
    let discover = deck.send(Ask::modern("server/discover", json!({}))).await.body;
    let list = deck.send(Ask::legacy("tools/list", json!({}))).await.body;
    let mut texts = vec![
        ("initialize".to_owned(), initialize["result"]["instructions"].as_str().unwrap().to_owned()),
        ("discover".to_owned(), discover["result"]["instructions"].as_str().unwrap().to_owned()),
    ];
    for tool in list["result"]["tools"].as_array().unwrap() {
        texts.push((tool["name"].as_str().unwrap().to_owned(), tool.to_string()));
        texts.push((tool["name"].as_str().unwrap().to_owned(), tool["description"].as_str().unwrap().to_owned()));
    }
    texts
}

/// A82
#[tokio::test]
async fn the_contract_is_where_a_model_looks_and_only_once() {
    let deck = Deck::new().await;
    for (place, text) in texts(&deck).await.iter().filter(|(_, text)| !text.starts_with('{')) {
        let expected = usize::from(matches!(place.as_str(), "initialize" | "discover" | "GetContext" | "RecordExperience"));
        assert_eq!(text.matches(CONTRACT).count(), expected, "{place}");
        assert_eq!(text.matches("4. Before your final reply").count(), expected, "{place}");
    }
}

/// A82
#[tokio::test]
async fn texts_name_no_machine_no_command_and_no_token() {
    let deck = Deck::new().await;
    let state = deck.fixture.dir.path().to_str().unwrap().to_owned();
    let context = deck.call("GetContext", json!({})).await["content"][0]["text"].as_str().unwrap().to_owned();
    let all = texts(&deck).await.into_iter().chain([("context".to_owned(), context)]);
    for (place, text) in all {
        for word in
            ["curl", "npm", "Bearer", "QUARTERDECK_", "ALADUO_", "localhost", "quarterdeck serve", "duoduo", "/home/", &state]
        {
            assert!(!text.contains(word), "{place} mentions {word}");
        }
    }
}

#[tokio::test]
async fn texts_mention_no_tool_that_is_not_served() {
    let deck = Deck::new().await;
    let context = deck.call("GetContext", json!({})).await["content"][0]["text"].as_str().unwrap().to_owned();
    for (place, text) in texts(&deck).await.into_iter().chain([("context".to_owned(), context)]) {
        for word in ["SendMail", "ReadMail", "ListAddresses", "mail", "mailbox", "subscription", "listen"] {
            assert!(!text.to_lowercase().contains(&word.to_lowercase()), "{place} mentions {word}");
        }
    }
}
