//! The pages in a real browser with a virtual authenticator, against the real binary: what the owner sees, clicks and types.
//! Pictures of the pages are kept in `artifacts/`.

mod harness;

use harness::browser::Browser;
use harness::client::Client;
use harness::deck::Deck;
use serde_json::{Value, json};
use thirtyfour::Key;

/// The program and its owner's browser.
struct Scene {
    deck: Deck,
    browser: Browser,
}

impl Scene {
    /// `None` when there is no browser on this machine.
    async fn new() -> Option<Scene> {
        let browser = Browser::start().await?;
        Some(Scene { deck: Deck::start(&[]), browser })
    }

    /// The same with an enrolled passkey.
    async fn enrolled() -> Option<Scene> {
        let scene = Scene::new().await?;
        scene.enroll("Laptop").await;
        Some(scene)
    }

    fn link(&self) -> String {
        self.deck.json(&["passkey", "add"])["url"].as_str().unwrap().to_owned()
    }

    async fn enroll(&self, label: &str) {
        self.browser.open(&self.link()).await;
        self.browser.field("Passkey name").await.send_keys(label).await.unwrap();
        self.browser.button("Create passkey").await.click().await.unwrap();
        self.browser.says("Your passkey is ready").await;
    }

    /// A client that has sent its user to the page.
    async fn asked(&self) -> Client {
        let client = Client::new(&self.deck.origin).await;
        self.browser.open(&client.page()).await;
        client
    }

    async fn name(&self, name: &str) {
        let field = self.browser.field("Connection name").await;
        field.clear().await.unwrap();
        field.send_keys(name).await.unwrap();
    }

    async fn press(&self, button: &str) {
        self.browser.button(button).await.click().await.unwrap();
    }

    /// From the page to the token.
    async fn connect(&self, name: &str) -> (Client, String) {
        let client = self.asked().await;
        self.name(name).await;
        self.press("Approve with passkey").await;
        let answer = client.exchange(&client.code().await).await;
        let token = answer["access_token"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        (client, token)
    }

    fn connections(&self) -> Vec<Value> {
        self.deck.json(&["connections"]).as_array().unwrap().clone()
    }

    /// The scopes whose boxes are ticked, in the order of the page.
    async fn ticked(&self) -> Value {
        self.browser.evaluate("[...document.querySelectorAll('input[name=scope]:checked')].map((box) => box.value)").await
    }

    /// What has the focus, by what it is called.
    async fn focus(&self) -> String {
        let named = "document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent";
        self.browser.evaluate(named).await.as_str().unwrap_or_default().trim().to_owned()
    }

    async fn key(&self, keys: impl Into<thirtyfour::common::keys::TypingData>) {
        self.browser.page.active_element().await.unwrap().send_keys(keys).await.unwrap();
    }

    /// Goes on with the tabulator until this has the focus.
    async fn tab_to(&self, name: &str) {
        for _ in 0..30 {
            if self.focus().await == name {
                return;
            }
            self.key(Key::Tab + "").await;
        }
        panic!("{name} is not reached by keyboard; the focus is on {:?}", self.focus().await);
    }

    /// Pictures in both colour schemes.
    async fn pictures(&self, name: &str) {
        for scheme in ["light", "dark"] {
            self.browser.scheme(scheme).await;
            assert!(std::fs::metadata(self.browser.picture(&format!("{name}-{scheme}")).await).unwrap().len() > 5_000);
        }
    }
}

/// A67, A10
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_owner_enrolls_a_passkey_and_lets_a_client_in_without_what_was_unticked() {
    let Some(scene) = Scene::new().await else { return };
    scene.browser.open(&scene.link()).await;
    scene.browser.button("Create passkey").await;
    scene.pictures("enroll").await;
    let hash = scene.browser.evaluate("location.hash").await;
    assert_eq!(hash, "", "the secret does not stay in the address bar");
    scene.enroll("Laptop").await;
    scene.pictures("enrolled").await;
    assert_eq!(scene.deck.json(&["passkey", "list"])[0]["label"], "Laptop");

    let client = scene.asked().await;
    let page = scene.browser.text().await;
    assert!(page.contains(&client.redirect) && page.contains("/clients/quarterdeck"), "{page}");
    scene.pictures("authorize").await;
    let asked_for = scene.ticked().await;
    assert_eq!(asked_for.as_array().unwrap().len(), 6);
    scene.browser.element("input[name=scope][value='memory:read']").await.click().await.unwrap();
    scene.name("laptop").await;
    scene.press("Approve with passkey").await;
    let answer = client.exchange(&client.code().await).await;
    assert_eq!(answer["scope"], "context:read events:read sessions:read sessions:notify experience:write");
    let (status, tools) = client.tools(answer["access_token"].as_str().unwrap()).await;
    assert_eq!((status, tools), (200, ["GetContext", "ReadEvents", "RecordExperience"].map(str::to_owned).to_vec()));
    let connection = &scene.connections()[0];
    assert_eq!((&connection["name"], &connection["state"]), (&json!("laptop"), &json!("live")));
}

/// A11
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deny_answers_the_owner_and_tells_the_client_nothing() {
    let Some(scene) = Scene::enrolled().await else { return };
    scene.asked().await;
    scene.press("Deny").await;
    let url = scene.browser.arrives(|url| !url.contains('?')).await;
    assert_eq!(url, format!("{}/authorize", scene.deck.origin));
    scene.pictures("denied").await;
    assert_eq!(scene.connections(), Vec::<Value>::new());
}

/// A15
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_name_is_explained_and_a_good_one_then_works() {
    let Some(scene) = Scene::enrolled().await else { return };
    let client = scene.asked().await;
    scene.name("owner").await;
    scene.press("Approve with passkey").await;
    let reason = scene.browser.element(".reason").await.text().await.unwrap();
    assert!(reason.contains("owner") && reason.contains("reserved"), "{reason}");
    assert_eq!(scene.browser.field("Connection name").await.prop("value").await.unwrap().as_deref(), Some("owner"));
    scene.pictures("refused").await;
    scene.name("mine").await;
    scene.press("Approve with passkey").await;
    let answer = client.exchange(&client.code().await).await;
    assert_eq!(answer["token_type"], "Bearer");
    assert_eq!(scene.connections()[0]["name"], "mine");
}

/// A33
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn approving_a_name_again_says_so_and_replaces_the_connection_at_the_exchange() {
    let Some(scene) = Scene::enrolled().await else { return };
    let (first, old) = scene.connect("dots").await;
    let again = scene.asked().await;
    scene.name("dots").await;
    scene.press("Approve with passkey").await;
    let link = scene.browser.element(&format!("a[href^='{}']", again.redirect)).await;
    scene.pictures("replaces").await;
    assert_eq!(first.tools(&old).await.0, 200, "nothing has ended yet");
    // A click on a link waits for the page behind it, which is the client's answer.
    let (clicked, code) = tokio::join!(link.click(), again.code());
    clicked.unwrap();
    let answer = again.exchange(&code).await;
    assert_eq!(first.tools(&old).await.0, 401);
    assert_eq!(again.tools(answer["access_token"].as_str().unwrap()).await.0, 200);
    assert_eq!(scene.connections().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoke_takes_effect_on_the_next_call() {
    let Some(scene) = Scene::enrolled().await else { return };
    let (client, token) = scene.connect("dots").await;
    assert_eq!(client.tools(&token).await.0, 200);
    assert!(scene.deck.run(&["revoke", "dots"]).status.success());
    assert_eq!(client.tools(&token).await.0, 401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_owner_changes_what_a_connection_may_do_having_read_what_it_gains_and_loses() {
    let Some(scene) = Scene::enrolled().await else { return };
    let (client, token) = scene.connect("dots").await;
    let address = || scene.deck.json(&["scopes", "dots"])["url"].as_str().unwrap().to_owned();
    let tick = async |scope: &str| scene.browser.element(&format!("input[value='{scope}']")).await.click().await.unwrap();

    scene.browser.open(&address()).await;
    scene.browser.button("Change with passkey").await;
    assert_eq!(scene.browser.evaluate("location.href").await, format!("{}/scopes/open", scene.deck.origin));
    assert_eq!(scene.ticked().await.as_array().unwrap().len(), 6);
    scene.press("Change with passkey").await;
    scene.browser.says("Nothing would change").await;
    for scope in ["memory:read", "sessions:read", "sessions:notify", "experience:write"] {
        tick(scope).await;
    }
    scene.browser.says("It loses").await;
    scene.press("Change with passkey").await;
    scene.browser.says("This counts from its next call on.").await;
    assert_eq!(client.tools(&token).await.1, ["GetContext", "ReadEvents"].map(str::to_owned));

    scene.browser.open(&address()).await;
    scene.browser.button("Change with passkey").await;
    tick("memory:read").await;
    tick("events:read").await;
    let said = scene.browser.element("#difference").await.text().await.unwrap();
    assert_eq!(said, "It gains\nRead your memory files\nIt loses\nRead the journal of what your assistants did");
    scene.pictures("scopes").await;
    let told = announced(&scene).await;
    assert!(told.contains(&("group".to_owned(), "What it may do from now on".to_owned())), "{told:?}");
    assert!(told.contains(&("button".to_owned(), "Change with passkey".to_owned())), "{told:?}");
    scene.browser.phone_sized().await;
    assert!(!scene.browser.scrolls_sideways().await);
    scene.pictures("phone-scopes").await;
    scene.press("Change with passkey").await;
    scene.browser.says("It gained").await;
    scene.pictures("phone-scopes-changed").await;
    assert_eq!(client.tools(&token).await.1, ["GetContext", "ReadMemory"].map(str::to_owned));
    assert_eq!(scene.connections()[0]["scopes"], json!(["context:read", "memory:read"]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_without_its_last_part_says_so_and_the_whole_one_then_opens() {
    let Some(scene) = Scene::enrolled().await else { return };
    let (_client, _token) = scene.connect("dots").await;
    let address = scene.deck.json(&["scopes", "dots"])["url"].as_str().unwrap().to_owned();
    scene.browser.open(&format!("{}/scopes", scene.deck.origin)).await;
    scene.browser.says("Open the whole address").await;
    // In the same window, so that only the part after "#" is another.
    scene.browser.page.goto(&address).await.unwrap();
    scene.browser.button("Change with passkey").await;
    let page = scene.browser.text().await;
    assert!(page.contains("What may dots do?"), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_phone_nothing_sticks_out_and_what_is_touched_is_large_enough() {
    let Some(scene) = Scene::new().await else { return };
    scene.browser.phone_sized().await;
    scene.browser.open(&scene.link()).await;
    scene.browser.button("Create passkey").await;
    let small = "[...document.querySelectorAll('button, input:not([type=hidden])')].filter((one) => one.type !== 'checkbox' && \
        one.getBoundingClientRect().height < 44).map((one) => one.outerHTML)";
    assert!(!scene.browser.scrolls_sideways().await);
    assert_eq!(scene.browser.evaluate(small).await, json!([]));
    scene.pictures("phone-enroll").await;
    scene.enroll("Phone").await;

    let client = scene.asked().await;
    assert!(!scene.browser.scrolls_sideways().await);
    assert_eq!(scene.browser.evaluate(small).await, json!([]));
    scene.pictures("phone-authorize").await;
    scene.name("phone").await;
    scene.press("Approve with passkey").await;
    assert_eq!(client.exchange(&client.code().await).await["token_type"], "Bearer");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_keyboard_alone_enrolls_and_approves() {
    let Some(scene) = Scene::new().await else { return };
    scene.browser.open(&scene.link()).await;
    scene.browser.button("Create passkey").await;
    scene.tab_to("Passkey name").await;
    scene.key("Laptop").await;
    scene.tab_to("Create passkey").await;
    scene.key(Key::Enter + "").await;
    scene.browser.says("Your passkey is ready").await;

    let client = scene.asked().await;
    scene.tab_to("Connection name").await;
    scene.key(Key::Control + "a").await;
    scene.key("typed").await;
    scene.tab_to("Approve with passkey").await;
    scene.key(Key::Enter + "").await;
    assert_eq!(client.exchange(&client.code().await).await["token_type"], "Bearer");
    assert_eq!(scene.connections()[0]["name"], "typed");
}

/// A7: nothing on the pages comes from elsewhere, and nothing was refused by the pages' own policy.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_pages_load_nothing_from_elsewhere_and_run_under_their_own_policy() {
    let Some(scene) = Scene::enrolled().await else { return };
    for page in [scene.link(), scene.asked().await.page()] {
        scene.browser.open(&page).await;
        scene.browser.element("button").await;
        let loaded =
            scene.browser.evaluate("performance.getEntriesByType('resource').map((one) => new URL(one.name).origin)").await;
        let elsewhere: Vec<&Value> =
            loaded.as_array().unwrap().iter().filter(|origin| **origin != scene.deck.origin.as_str()).collect();
        assert!(elsewhere.is_empty(), "{elsewhere:?}");
        assert_eq!(scene.browser.evaluate("document.cookie").await, "");
        let styled = scene.browser.evaluate("getComputedStyle(document.querySelector('button')).cursor").await;
        assert_eq!(styled, "pointer", "the page's own style is not refused");
    }
}

/// What a screen reader is given: role and name of everything that can be operated or that is announced.
async fn announced(scene: &Scene) -> Vec<(String, String)> {
    let tree = scene.browser.page.cdp().send_raw("Accessibility.getFullAXTree", json!({})).await.unwrap();
    let told = ["heading", "textbox", "checkbox", "button", "link", "status", "alert", "group"];
    let nodes = tree["nodes"].as_array().unwrap().iter().filter(|node| node["ignored"] == false);
    let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
    nodes.map(|node| (text(&node["role"]), text(&node["name"]))).filter(|(role, _)| told.contains(&role.as_str())).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_screen_reader_is_told_what_everything_on_the_pages_is() {
    let Some(scene) = Scene::new().await else { return };
    scene.browser.open(&scene.link()).await;
    scene.browser.button("Create passkey").await;
    let enroll = announced(&scene).await;
    for expected in [("textbox", "Passkey name"), ("button", "Create passkey"), ("status", "")] {
        assert!(enroll.iter().any(|(role, name)| (role.as_str(), name.as_str()) == expected), "{expected:?} in {enroll:?}");
    }
    scene.enroll("Laptop").await;
    scene.asked().await;
    let page = announced(&scene).await;
    for expected in [("textbox", "Connection name"), ("button", "Approve with passkey"), ("button", "Deny"), ("status", "")] {
        assert!(page.iter().any(|(role, name)| (role.as_str(), name.as_str()) == expected), "{expected:?} in {page:?}");
    }
    let scopes: Vec<&String> = page.iter().filter(|(role, _)| role == "checkbox").map(|(_, name)| name).collect();
    assert!(scopes.len() == 6 && scopes[0].contains("Read your board"), "{scopes:?}");
    assert!(page.iter().any(|(role, name)| role == "group" && name == "What it may do"), "{page:?}");
    let operable = ["textbox", "checkbox", "button", "link", "heading"];
    let nameless = page.iter().chain(&enroll).find(|(role, name)| operable.contains(&role.as_str()) && name.is_empty());
    assert_eq!(nameless, None);
}
