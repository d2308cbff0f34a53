//! What others choose is harmless wherever a person reads it; what is secret is nowhere in what is kept.

mod harness;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use harness::attempt::{Attempt, random};
use harness::deck::Deck;
use harness::https::{HttpsServer, http_answer};
use harness::scene::{ORIGIN, Scene, link};
use quarterdeck::control::Client;
use serde_json::json;

/// The longest line any surface may make of a text of ten thousand characters.
const LONGEST: usize = 700;
const REDIRECT: &str = "https://client.example.com/back";

/// Colours, a window title, a bidirectional override, zero-width and tag characters, HTML, and a lot of it.
fn hostile() -> String {
    let steering = "\u{1b}]0;owned\u{7}\u{1b}[31m\u{9b}2J\u{202e}evil\u{2066}\u{200b}\u{feff}\u{e0041}\r\n";
    format!("{steering}<script>alert(1)</script>\"'&amp;{}", "x".repeat(10_000))
}

/// Whether a terminal or a reader could be misled by this character. Not the product's own table.
fn misleads(c: char) -> bool {
    matches!(
        u32::from(c),
        0..=8 | 11..=31 | 0x7f..=0x9f | 0xad | 0x61c | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xe0000..=0xe01ff
    )
}

#[track_caller]
fn harmless(what: &str, text: &str, longest: usize) {
    if let Some(c) = text.chars().find(|c| misleads(*c)) {
        panic!("{what} has a raw U+{:04X}: {text:?}", u32::from(c));
    }
    let longest_line = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(longest_line <= longest, "{what} has a line of {longest_line} characters");
}

#[track_caller]
fn marked(what: &str, text: &str) {
    harmless(what, text, LONGEST);
    assert!(text.contains("⟨U+202E⟩"), "{what} does not show what was hidden: {text}");
}

fn printed(deck: &Deck, arguments: &[&str]) -> String {
    let output = deck.run(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A server with a client's document that calls the client this; `dir` gets a configuration with which a host may fetch it.
fn client_named(name: &str, dir: &Path) -> String {
    let (name, client_id) = (name.to_owned(), Arc::new(OnceLock::<String>::new()));
    let known = Arc::clone(&client_id);
    let server = HttpsServer::start(dir, move |_path| {
        let document = json!({ "client_id": known.get()?, "client_name": name, "redirect_uris": [REDIRECT] });
        http_answer("200 OK", "content-type: application/json\r\n", &document.to_string())
    });
    let allow = format!("[outbound]\nallow = [\"127.0.0.0/8\", \"::1/128\"]\nca_file = {:?}\n", server.ca_file);
    std::fs::write(dir.join("deck.toml"), allow).unwrap();
    client_id.get_or_init(|| server.url("localhost", "/client.json").into()).clone()
}

/// A host with an ordinary connection `dots` and one of a client with a hostile name, `evil`; the passkey's label is hostile too.
async fn visited() -> (Scene, String) {
    let dir = tempfile::tempdir().unwrap();
    let client_id = client_named(&hostile(), dir.path());
    let config = dir.path().join("deck.toml").to_str().unwrap().to_owned();
    let deck = Deck::start_in(dir, &["--public-url", ORIGIN, "--config", &config]);
    let mut scene = Scene::of(deck, &hostile()).await;
    let token = scene.connect(&Attempt::of(ORIGIN, &client_id, REDIRECT), "evil").await;
    (scene, token)
}

fn logged(dir: &Path) -> String {
    let files = std::fs::read_dir(dir.join("logs")).unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    files.collect::<Vec<_>>().concat()
}

/// A161
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_client_and_a_browser_chose_is_marked_and_cut_on_every_surface() {
    let (scene, token) = visited().await;
    for (tool, arguments) in [
        ("ReadMemory", json!({ "path": hostile() })),
        ("GetContext", json!({ "conversation": hostile() })),
        ("ReadEvents", json!({ "session": hostile(), "types": [hostile()] })),
        (hostile().as_str(), json!({ (hostile()): 1 })),
    ] {
        let answer = scene.wire.call(&token, tool, arguments).await.unwrap();
        harmless(tool, &answer.body, 3 * LONGEST);
    }
    let turn = json!({ "conversation": "c", "board_rev": hostile(), "said": hostile(), "did": hostile(), "outcome": hostile() });
    assert_eq!(scene.wire.call(&token, "RecordExperience", turn).await.unwrap().tool()["ok"], true);
    let journal = scene.wire.call(&scene.token, "ReadEvents", json!({ "interval": "2h" })).await.unwrap().json();
    marked("the journal", journal["result"]["content"][0]["text"].as_str().unwrap());

    marked("connections", &printed(&scene.deck, &["connections"]));
    marked("connections --json", &printed(&scene.deck, &["connections", "--json"]));
    marked("passkey list", &printed(&scene.deck, &["passkey", "list"]));
    marked("passkey list --json", &printed(&scene.deck, &["passkey", "list", "--json"]));
    harmless("status", &printed(&scene.deck, &["status"]), LONGEST);
    let (snapshot, _) = Client::connect(scene.deck.dir.path()).await.unwrap().subscribe().await.unwrap();
    marked("the snapshot", &serde_json::to_string_pretty(&snapshot).unwrap());
    assert!(snapshot.activity.iter().any(|row| row.object.as_deref().is_some_and(|object| object.contains("⟨U+202E⟩"))));
    harmless("the log", &logged(scene.deck.dir.path()), LONGEST);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[allow(clippy::too_many_lines, reason = "one story")]
async fn what_a_link_says_is_marked_on_the_pages() {
    let mut scene = Scene::new().await;
    let page = |change: &[(&str, &str)]| {
        let mut url: url::Url = Attempt::new(ORIGIN).page().parse().unwrap();
        let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        let kept = pairs.iter().filter(|(name, _)| !change.iter().any(|(changed, _)| changed == name));
        let all: Vec<(String, String)> =
            kept.cloned().chain(change.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))).collect();
        url.query_pairs_mut().clear().extend_pairs(all);
        url.to_string()
    };
    let short: String = hostile().chars().take(60).collect();
    let external = format!("https://client.example.com/{short}");
    for (what, link) in [
        ("a proposed name", page(&[("name", &short)])),
        ("a scope", page(&[("scope", &short)])),
        ("a resource", page(&[("resource", &short)])),
        ("a client id", page(&[("client_id", &short)])),
        ("an external client id", page(&[("client_id", &external)])),
        (
            "an external client id without spaces",
            page(&[("client_id", "https://client.example.com/\u{202e}evil<script>alert(1)</script>")]),
        ),
        ("a return address", page(&[("redirect_uri", &short)])),
        (
            "a path",
            page(&[
                ("client_id", "https://client.example.com/c"),
                ("redirect_uri", "https://client.example.com/\u{202e}\u{200b}<script>alert(1)</script>"),
            ]),
        ),
        ("an unknown parameter", page(&[(&short, &short)])),
    ] {
        let answer = scene.wire.get(&link).await.unwrap();
        harmless(what, &answer.body, 12_000);
        assert!(!answer.body.contains("<script>alert"), "{what}: {}", answer.body);
    }
    // The owner's own typing comes back on the page too.
    let opened = scene.wire.get(&Attempt::new(ORIGIN).page()).await.unwrap();
    let form = scene.owner.sign(&opened.body, &hostile());
    let again = scene.wire.form("/authorize", &form).await.unwrap();
    assert!(again.body.contains("role=\"alert\"") && !again.body.contains("<script>alert"), "{}", again.body);
    harmless("the page again", &again.body, 12_000);
    // Whoever hides something in its address opens no page, so nothing of it waits.
    harmless("what waits", &serde_json::to_string_pretty(&waiting(&scene.deck).await).unwrap(), 12_000);
}

async fn waiting(deck: &Deck) -> Vec<quarterdeck::control::Waiting> {
    Client::connect(deck.dir.path()).await.unwrap().subscribe().await.unwrap().0.waiting
}

/// Everything a test knows that must not be kept.
async fn used() -> (Deck, Vec<(&'static str, String)>) {
    let mut scene = Scene::new().await;
    let attempt = Attempt::new(ORIGIN);
    let page = scene.wire.get(&format!("{}&sidelong=of-the-query-string", attempt.page())).await.unwrap();
    let form = scene.owner.sign(&page.body, "second");
    let assertion: serde_json::Value = serde_json::from_str(&form[1].1).unwrap();
    let code = scene.wire.form("/authorize", &form).await.unwrap().onward("code").unwrap();
    let secret = link(&scene.deck);
    let exchange = scene.wire.form("/token", &attempt.exchange(&code)).await.unwrap();
    let token = harness::scene::token(&exchange).unwrap();
    let (wrong, unused) = (random(), scene.approve(&Attempt::new(ORIGIN), "third").await);
    assert_eq!(scene.wire.rpc(&wrong, "tools/list", json!({})).await.unwrap().status, 401);
    assert_eq!(scene.wire.form("/token", &attempt.exchange(&wrong)).await.unwrap().status, 400);
    assert_eq!(scene.wire.json("/enroll/options", &json!({ "secret": wrong })).await.unwrap().status, 403);
    assert_eq!(scene.wire.json("/enroll/options", &json!({ "secret": secret })).await.unwrap().status, 200);
    assert_eq!(scene.wire.get(&format!("/mcp?access_token={token}")).await.unwrap().status, 401);
    assert_eq!(scene.wire.get("/nothing?sidelong=of-the-query-string").await.unwrap().status, 404);
    scene.wire.record(&token, "said in confidence").await.unwrap();
    scene.wire.call(&token, "ReadMemory", json!({ "path": "topics/none.md" })).await.unwrap();
    let secrets = vec![
        ("a token", scene.token.clone()),
        ("a second token", token),
        ("a code that was used", code),
        ("a code that was not", unused),
        ("a code verifier", attempt.verifier),
        ("the secret of a link", secret),
        ("an assertion's signature", assertion["response"]["signature"].as_str().unwrap().to_owned()),
        ("what was not a token, code or secret", wrong),
        ("a query", "of-the-query-string".to_owned()),
    ];
    (scene.deck, secrets)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_is_in_any_file_of_the_state_directory() {
    let (mut deck, secrets) = used().await;
    assert_eq!(deck.run(&["revoke", "second"]).status.code(), Some(0));
    for moment in ["running", "stopped"] {
        for entry in walkdir::WalkDir::new(deck.dir.path()) {
            let entry = entry.unwrap();
            let Ok(bytes) = std::fs::read(entry.path()) else { continue };
            for (what, secret) in &secrets {
                let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
                assert!(!found, "{what} is in {} ({moment})", entry.path().display());
            }
        }
        if moment == "running" {
            deck.signal(rustix::process::Signal::TERM);
        }
    }
    let log = logged(deck.dir.path());
    assert!(log.contains("path=\"/token\"") || log.contains("path=/token"), "{log}");
    assert!(!log.contains("said in confidence") && !log.contains('?'), "{log}");
}
