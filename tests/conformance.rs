//! The official conformance suite against the real binary: the protocol in both eras, and the authorization server.
//!
//! What a product does not have is in `tests/clients/conformance-*.yml`, with why. The suite fails when something else fails, and also when
//! something in the file does not.

mod harness;

use std::process::Command;

use harness::attempt::Attempt;
use harness::bearer::Bearer;
use harness::deck::Deck;
use harness::owner::Owner;
use harness::program::{self, Program};
use harness::wire::Wire;
use serde_json::Value;

/// A host on this machine with a passkey; `None` when the suite is not installed here.
async fn host() -> Option<(Deck, Owner)> {
    if !program::are_installed() {
        return None;
    }
    let deck = Deck::start(&[]);
    let mut owner = Owner::new(&deck.origin);
    owner.enroll(deck.json(&["passkey", "add"])["url"].as_str().unwrap()).await;
    Some((deck, owner))
}

/// A token of the built-in client.
async fn token(deck: &Deck, owner: &mut Owner) -> String {
    let attempt = Attempt::new(&deck.origin);
    let answer = owner.approve(&attempt.page(), "conformance").await;
    let back = answer.location.unwrap_or_else(|| panic!("{} {}", answer.status, answer.page));
    let code = back.query_pairs().find(|(name, _)| name == "code").unwrap().1.into_owned();
    let wire: Wire = deck.wire();
    let answer: Value = wire.form("/token", &attempt.exchange(&code)).await.unwrap().json();
    answer["access_token"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

fn suite() -> Command {
    let mut command = Command::new(program::node());
    command.arg(program::place().join("node_modules/.bin/conformance"));
    command
}

async fn server(revision: &str) {
    let Some((deck, mut owner)) = host().await else { return };
    let token = token(&deck, &mut owner).await;
    let proxy = Bearer::start(&deck.origin, &token).await;
    let results = tempfile::tempdir().unwrap();
    let known = program::place().join(format!("conformance-{revision}.yml"));
    let mut command = suite();
    command.args(["server", "--url", &format!("{}/mcp", proxy.origin), "--requirements", revision]);
    command.arg("--expected-failures").arg(known).arg("--output-dir").arg(results.path());
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    println!("{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_modern_protocol_conforms() {
    server("2026-07-28").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_legacy_protocol_conforms() {
    server("2025-11-25").await;
}

/// Its metadata, and a code that is asked for, given by a passkey and exchanged.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_authorization_server_conforms() {
    let Some((deck, mut owner)) = host().await else { return };
    let added = deck.run(&["client", "add", "suite", "--redirect", "http://127.0.0.1/callback"]);
    assert!(added.status.success(), "{added:?}");
    // The suite takes a port and does not say which: one that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = suite();
    command.args(["authorization", "--url", &deck.origin, "--resource", &format!("{}/mcp", deck.origin)]);
    command.args(["--client-id", &format!("{}/clients/suite", deck.origin), "--port", &port.to_string()]);
    let mut running = Program::start(command);
    let answer = owner.approve(&running.page(), "suite").await;
    let back = answer.location.unwrap_or_else(|| panic!("{} {}", answer.status, answer.page));
    let returned = reqwest::Client::builder().no_proxy().build().unwrap().get(back).send().await.unwrap();
    assert!(returned.status().is_success(), "{returned:?}");
    assert_eq!(running.ended(), Some(0), "{}", running.said);
    running.until("summary", |line| line.contains("✓ authorization-code-grant").then_some(()));
    println!("{}", running.said);
}
