//! Connections and client documents as the owner sees them in lines, with real ones.

mod harness;

use harness::deck::Deck;
use harness::owner::Owner;
use serde_json::{Value, json};

const REDIRECT: &str = "http://127.0.0.1:51731/callback";
/// The S256 challenge of RFC 7636 appendix B, and its verifier.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// Connects `client_id` under `name` and answers the token.
async fn connect(deck: &Deck, owner: &mut Owner, client_id: &str, name: &str) -> String {
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs([
            ("response_type", "code"),
            ("client_id", client_id),
            ("redirect_uri", REDIRECT),
            ("resource", &deck.origin),
        ])
        .extend_pairs([("code_challenge", CHALLENGE), ("code_challenge_method", "S256")])
        .finish();
    let answer = owner.approve(&format!("{}/authorize?{query}", deck.origin), name).await;
    let back = answer.location.unwrap_or_else(|| panic!("{}: {}", answer.status, answer.page));
    let code = back.query_pairs().find(|(key, _)| key == "code").unwrap().1.into_owned();
    let form = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("grant_type", "authorization_code"), ("code", &code), ("client_id", client_id)])
        .extend_pairs([("redirect_uri", REDIRECT), ("resource", &deck.origin), ("code_verifier", VERIFIER)])
        .finish();
    let (status, body) = owner.form("/token", form).await;
    assert_eq!(status, 200, "{body}");
    serde_json::from_str::<Value>(&body).unwrap()["access_token"].as_str().unwrap().to_owned()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A45, A156, A160
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_are_listed_with_their_facts_and_never_a_token() {
    let deck = Deck::start(&[]);
    let mut owner = Owner::new(&deck.origin);
    owner.enroll(deck.json(&["passkey", "add"])["url"].as_str().unwrap()).await;
    let added = deck.run(&["client", "add", "laptop", "--redirect", "http://127.0.0.1/callback"]);
    let (said, client) = (text(&added.stdout), format!("{}/clients/laptop", deck.origin));
    assert!(said.contains(&client) && said.contains(&format!("{}/mcp", deck.origin)), "{said}");

    let tokens = [connect(&deck, &mut owner, &client, "alpha").await, connect(&deck, &mut owner, &client, "beta").await];
    let listed = deck.json(&["connections"]);
    for (row, name) in listed.as_array().unwrap().iter().zip(["alpha", "beta"]) {
        let keys: Vec<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        let documented = [
            "name",
            "grant",
            "client_id",
            "client_name",
            "scopes",
            "created_at",
            "last_used_at",
            "calls_24h",
            "calls_by_hour",
            "state",
        ];
        assert_eq!(keys, documented);
        assert_eq!((&row["name"], &row["client_id"], &row["state"]), (&json!(name), &json!(client), &json!("never_used")));
        assert_eq!((row["grant"].as_str().unwrap().len(), row["scopes"].as_array().unwrap().len()), (32, 6));
    }
    let lines = text(&deck.run(&["connections"]).stdout);
    assert!(lines.contains("alpha") && lines.contains("beta"), "{lines}");
    for token in tokens {
        assert!(!lines.contains(&token) && !listed.to_string().contains(&token));
    }
}

/// A50
#[test]
fn without_a_public_url_client_and_passkey_commands_say_which_key_to_set() {
    let deck = Deck::start(&["--public-url", ""]);
    for arguments in
        [&["client", "add", "laptop", "--redirect", "http://127.0.0.1/callback"][..], &["client", "list"], &["passkey", "add"]]
    {
        let output = deck.run(arguments);
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(1) && said.contains("assistants.public_url"), "{arguments:?}: {output:?}");
    }
}
