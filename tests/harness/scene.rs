//! A host that is in use: a passkey is enrolled and one client is connected.

use serde_json::json;

use super::attempt::Attempt;
use super::deck::Deck;
use super::owner::Owner;
use super::wire::{Answer, Wire};

/// What the host is known as: behind a tunnel, so that it stays the same while the port changes with every start.
pub const ORIGIN: &str = "https://deck.example.com";

pub struct Scene {
    pub deck: Deck,
    pub wire: Wire,
    pub owner: Owner,
    /// Of the connection `dots`.
    pub token: String,
}

/// Starts a host on `dir` under [`ORIGIN`].
pub fn start_in(dir: tempfile::TempDir) -> Deck {
    Deck::start_in(dir, &["--public-url", ORIGIN])
}

/// The secret of a fresh enrollment link.
pub fn link(deck: &Deck) -> String {
    deck.json(&["passkey", "add"])["url"].as_str().unwrap().split('#').nth(1).unwrap().to_owned()
}

/// The token in an answer of the token endpoint.
pub fn token(answer: &Answer) -> Option<String> {
    answer.json()["access_token"].as_str().map(str::to_owned)
}

impl Scene {
    pub async fn new() -> Scene {
        Scene::of(start_in(tempfile::tempdir().unwrap()), "test").await
    }

    /// The same over a host that was started already; the passkey gets this label.
    pub async fn of(deck: Deck, label: &str) -> Scene {
        let mut scene = Scene::enrolled(deck, label).await;
        scene.token = scene.connect(&Attempt::new(ORIGIN), "dots").await;
        scene
    }

    /// The same without any connection.
    pub async fn enrolled(deck: Deck, label: &str) -> Scene {
        let (wire, mut owner) = (deck.wire(), Owner::new(ORIGIN));
        let secret = link(&deck);
        let offer = wire.json("/enroll/options", &json!({ "secret": secret })).await.unwrap().json();
        let finish = owner.register(&secret, &offer, label);
        assert_eq!(wire.json("/enroll/finish", &finish).await.unwrap().status, 200);
        Scene { deck, wire, owner, token: String::new() }
    }

    /// The host is another process now: what is left is asked of that one.
    pub fn moved(self, restart: impl FnOnce(Deck) -> Deck) -> Scene {
        let deck = restart(self.deck);
        Scene { wire: deck.wire(), deck, ..self }
    }

    /// Approves `attempt` under this name; answers the code.
    pub async fn approve(&mut self, attempt: &Attempt, name: &str) -> String {
        let page = self.wire.get(&attempt.page()).await.unwrap();
        let form = self.owner.sign(&page.body, name);
        let answer = self.wire.form("/authorize", &form).await.unwrap();
        answer.onward("code").unwrap_or_else(|| panic!("{answer:?}"))
    }

    /// Approves and exchanges; answers the token.
    pub async fn connect(&mut self, attempt: &Attempt, name: &str) -> String {
        let code = self.approve(attempt, name).await;
        token(&self.wire.form("/token", &attempt.exchange(&code)).await.unwrap()).unwrap()
    }

    pub async fn tools(&self) -> Answer {
        self.wire.rpc(&self.token, "tools/list", json!({})).await.unwrap()
    }
}
