//! What strangers can ask for without a token, asked for as often as they like, over the real binary.

mod harness;

use harness::deck::Deck;
use harness::owner::Owner;
use quarterdeck::control::Client;

/// More pages than are kept.
const PAGES: usize = 1010;

/// The address of an authorization page that is as long as it may be.
fn page(origin: &str, number: usize) -> String {
    let mut url: url::Url = format!("{origin}/authorize").parse().unwrap();
    url.query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &format!("https://stranger.example/{number}{}", "b".repeat(1900)))
        .append_pair("redirect_uri", &format!("https://stranger.example/{}", "a".repeat(2000)))
        .append_pair("resource", &format!("{origin}/mcp"))
        .append_pair("code_challenge_method", "S256")
        .append_pair("code_challenge", &"A".repeat(43));
    url.into()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_authorization_pages_keeps_no_terminal_out() {
    let deck = Deck::start(&[]);
    let mut owner = Owner::new(&deck.origin);
    owner.enroll(deck.json(&["passkey", "add"])["url"].as_str().unwrap()).await;
    let browser = reqwest::Client::builder().no_proxy().build().unwrap();
    for number in 0..PAGES {
        let answer = browser.get(page(&deck.origin, number)).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.bytes().await.unwrap();
    }
    let client = Client::connect(deck.dir.path()).await.unwrap();
    let (snapshot, _notices) = client.subscribe().await.unwrap();
    assert_eq!(snapshot.status.waiting, 1000);
    let newest = snapshot.waiting.last().unwrap();
    assert!(newest.client_id.starts_with(&format!("https://stranger.example/{}", PAGES - 1)), "{newest:?}");
}
