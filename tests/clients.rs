//! Real clients, as their users have them, through the passkey page in a real browser: each is let in, lists tools, calls one, and is told
//! clearly when its owner has revoked it. In both eras of the protocol, by a client document kept here and by one that is fetched.

mod harness;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use harness::browser::Browser;
use harness::deck::Deck;
use harness::https::{HttpsServer, http_answer};
use harness::program::{self, Program};
use harness::sdk::{self, Asking, eras};
use rmcp::transport::auth::AuthorizationRequest;
use serde_json::json;

const TOOLS: &str = "GetContext,ReadEvents,ReadMemory,RecordExperience";
/// Where the clients want their users back; each takes a port of its own.
const REDIRECTS: [&str; 3] = ["http://127.0.0.1/callback", "http://127.0.0.1/oauth/callback", "http://localhost/oauth/callback"];

/// Both eras of the protocol, and both ways of being known.
const EVERY: [(&str, Known); 3] = [("auto", Known::Kept), ("legacy", Known::Fetched), ("auto", Known::Fetched)];

/// How a client is known to the server.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// By a document kept here (`quarterdeck client add`).
    Kept,
    /// By a client id metadata document that the server fetches.
    Fetched,
    /// The same, and it proves with a key that it is the one (`private_key_jwt`).
    Signed,
}

/// A host on this machine, its owner's browser with a passkey, and where clients' documents are.
struct World {
    deck: Deck,
    browser: Browser,
    /// Where a client's document is fetched, and one whose keys count.
    fetched: [String; 2],
    /// Where the keys of that one are put.
    keys: PathBuf,
}

impl World {
    /// `None` when something of what it takes is not installed here.
    async fn new() -> Option<World> {
        if !program::are_installed() {
            return None;
        }
        let browser = Browser::start().await?;
        let dir = tempfile::tempdir().unwrap();
        let keys = dir.path().join("keys.json");
        let fetched = documents(dir.path(), keys.clone());
        let config = dir.path().join("deck.toml").to_str().unwrap().to_owned();
        let deck = Deck::start_in(dir, &["--config", &config]);
        let link = deck.json(&["passkey", "add"])["url"].as_str().unwrap().to_owned();
        browser.open(&link).await;
        browser.field("Passkey name").await.send_keys("Laptop").await.unwrap();
        browser.button("Create passkey").await.click().await.unwrap();
        browser.says("Your passkey is ready").await;
        Some(World { deck, browser, fetched, keys })
    }

    fn url(&self) -> String {
        format!("{}/mcp", self.deck.origin)
    }

    /// The client id of a client known so, and the two arguments by which our own programs take it.
    fn client(&self, known: Known) -> [String; 2] {
        match known {
            Known::Fetched => ["document".to_owned(), self.fetched[0].clone()],
            Known::Signed => ["signed".to_owned(), self.fetched[1].clone()],
            Known::Kept => {
                let redirects = REDIRECTS.iter().flat_map(|redirect| ["--redirect", redirect]);
                let added = self.deck.run(&["client", "add", "kept", "--json"].into_iter().chain(redirects).collect::<Vec<_>>());
                assert!(added.status.success(), "{added:?}");
                ["id".to_owned(), format!("{}/clients/kept", self.deck.origin)]
            }
        }
    }

    /// Gives the page what its owner would.
    async fn approve(&self, page: &str, name: &str) {
        self.browser.open(page).await;
        let field = self.browser.field("Connection name").await;
        field.clear().await.unwrap();
        field.send_keys(name).await.unwrap();
        self.browser.button("Approve with passkey").await.click().await.unwrap();
    }

    fn revoke(&self, name: &str) {
        let revoked = self.deck.run(&["revoke", name]);
        assert!(revoked.status.success(), "{revoked:?}");
    }
}

/// A server with clients' documents and the file `keys`; `dir` gets a configuration with which a host may fetch them.
fn documents(dir: &Path, keys: PathBuf) -> [String; 2] {
    let origin = Arc::new(OnceLock::<String>::new());
    let known = Arc::clone(&origin);
    let server = HttpsServer::start(dir, move |path| {
        let origin = known.get()?;
        let document = |method: &str| {
            json!({
                "client_id": format!("{origin}{path}"), "client_name": "A client", "token_endpoint_auth_method": method,
                "redirect_uris": REDIRECTS,
            })
        };
        let body = match path {
            "/keys.json" => std::fs::read_to_string(&keys).ok()?,
            "/signed.json" => {
                let mut signed = document("private_key_jwt");
                signed["jwks_uri"] = json!(format!("{origin}/keys.json"));
                signed.to_string()
            }
            _ => document("none").to_string(),
        };
        http_answer("200 OK", "content-type: application/json\r\n", &body)
    });
    let allow = format!("[outbound]\nallow = [\"127.0.0.0/8\", \"::1/128\"]\nca_file = {:?}\n", server.ca_file);
    std::fs::write(dir.join("deck.toml"), allow).unwrap();
    let origin = origin.get_or_init(|| server.url("localhost", "").as_str().trim_end_matches('/').to_owned());
    ["client.json", "signed.json"].map(|name| format!("{origin}/{name}"))
}

/// One of our small programs around somebody's client library, in both eras and known both ways.
async fn library(program: &Path, script: &str, tries: &[(&str, Known)]) {
    let Some(world) = World::new().await else { return };
    for (mode, known) in tries.iter().copied() {
        let name = format!("{mode}-{}", format!("{known:?}").to_lowercase());
        let mut command = Command::new(program);
        command
            .current_dir(program::place())
            .arg(script)
            .args([world.url().as_str(), mode])
            .args(world.client(known))
            .env("KEYS", &world.keys);
        command.env("HOME", world.deck.dir.path());
        let mut client = Program::start(command);
        let page = client.page();
        world.approve(&page, &name).await;
        assert_eq!(client.says("TOOLS"), TOOLS, "{script} {name}");
        assert!(client.says("CALLED").contains(&name), "{script} {name}: {}", client.said);
        world.revoke(&name);
        client.tell("again");
        // An error it shows, or the page on which its owner may let it in again.
        client.until("end", |line| (line.starts_with("ENDED ") || line.starts_with("OPEN ")).then_some(()));
        assert!(!client.said.contains("UNENDED"), "{script} {name}: {}", client.said);
        let _done = world.deck.run(&["client", "remove", "kept"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_python_sdk_comes_in_works_and_is_told_that_it_was_revoked() {
    library(&program::python(), "python_sdk.py", &EVERY).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fastmcp_comes_in_works_and_is_told_that_it_was_revoked() {
    library(&program::python(), "fast_mcp.py", &EVERY).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_typescript_sdk_comes_in_works_and_is_told_that_it_was_revoked() {
    library(&program::node(), "typescript.mjs", &[&EVERY[..], &[("auto", Known::Signed)]].concat()).await;
}

/// `tests/door.rs` tries it with the built-in client.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_rust_sdk_comes_in_works_and_is_told_that_it_was_revoked() {
    let Some(world) = World::new().await else { return };
    for ((era, lifecycle), known) in eras().into_iter().zip([Known::Kept, Known::Fetched]) {
        let [_, client] = world.client(known);
        let request = AuthorizationRequest::new(sdk::REDIRECT);
        let request = match known {
            Known::Kept => request.with_preregistered_client(client),
            _ => request.with_client_metadata_url(client),
        };
        let asking = Asking::begin_with(&world.deck.origin, request).await;
        world.approve(&asking.page().await, era).await;
        let back = world.browser.arrives(|url| url.starts_with(sdk::REDIRECT)).await;
        let client = asking.finish(&back, lifecycle).await;
        assert_eq!(client.tools().await.join(","), TOOLS);
        assert_eq!(client.call("GetContext", json!({})).await.unwrap().is_error, Some(false));
        world.revoke(era);
        client.is_out().await;
    }
}

/// The official Inspector on its command line: a process for every request, which keeps its token in its home.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_inspector_comes_in_works_and_is_told_that_it_was_revoked() {
    let Some(world) = World::new().await else { return };
    for (era, known) in [("modern", Known::Kept), ("legacy", Known::Fetched)] {
        let home = tempfile::tempdir().unwrap();
        let [_, client_id] = world.client(known);
        let named = if matches!(known, Known::Kept) { "--client-id" } else { "--client-metadata-url" };
        let inspect = |arguments: &[&str]| {
            let mut command = Command::new(program::node());
            command.arg(program::place().join("node_modules/.bin/mcp-inspector")).args(["--cli", "--server-url", &world.url()]);
            command.args(["--transport", "http", named, &client_id, "--protocol-era", era, "--format", "json"]).args(arguments);
            command.env("HOME", home.path()).env("MCP_INSPECTOR_SECRET_STORE", "file").env("MCP_AUTO_OPEN_ENABLED", "true");
            // It finds no browser to open by itself.
            command.env("PATH", home.path());
            Program::start(command)
        };
        let mut listing = inspect(&["--method", "tools/list"]);
        world.approve(&listing.page(), era).await;
        listing.until("list", |line| line.contains("RecordExperience").then_some(()));
        assert_eq!(listing.ended(), Some(0), "{}", listing.said);
        let mut calling = inspect(&["--method", "tools/call", "--tool-name", "GetContext"]);
        calling.until("answer", |line| line.contains("You are the connection").then_some(()));
        assert_eq!(calling.ended(), Some(0), "{}", calling.said);
        world.revoke(era);
        let mut refused = inspect(&["--method", "tools/list", "--stored-auth-only"]);
        // What it ends with when its user must come in again.
        assert_eq!(refused.ended(), Some(3), "{}", refused.said);
        let _done = world.deck.run(&["client", "remove", "kept"]);
    }
}

/// The bridge for clients that can only talk to a program.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mcp_remote_comes_in_works_and_is_told_that_it_was_revoked() {
    let Some(world) = World::new().await else { return };
    for (mode, known) in [("auto", Known::Fetched), ("legacy", Known::Kept)] {
        let home = tempfile::tempdir().unwrap();
        let [_, client_id] = world.client(known);
        let (named, value) = match known {
            Known::Fetched | Known::Signed => ("--client-metadata-url", client_id),
            Known::Kept => ("--static-oauth-client-info", json!({ "client_id": client_id }).to_string()),
        };
        let mut command = Command::new(program::node());
        command.arg(program::place().join("node_modules/.bin/mcp-remote")).args([
            &world.url(),
            named,
            &value,
            "--protocol",
            mode,
        ]);
        command.env("HOME", home.path()).env("MCP_REMOTE_CONFIG_DIR", home.path());
        let mut client = Program::start(command);
        let page = client.page();
        world.approve(&page, mode).await;
        let asks = |id: u8, method: &str, params: serde_json::Value| {
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
        };
        let hello =
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        client.tell(&asks(1, "initialize", hello));
        client.until("handshake", |line| line.contains("\"serverInfo\"").then_some(()));
        client.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        client.tell(&asks(2, "tools/list", json!({})));
        client.until("list", |line| line.contains("RecordExperience").then_some(()));
        client.tell(&asks(3, "tools/call", json!({ "name": "GetContext", "arguments": {} })));
        client.until("answer", |line| line.contains("You are the connection").then_some(()));
        world.revoke(mode);
        client.tell(&asks(4, "tools/call", json!({ "name": "GetContext", "arguments": {} })));
        // An error in its answer, or the page on which its owner may let it in again.
        client.until("end", |line| {
            ((line.contains("\"id\":4") && line.contains("\"error\"")) || line.contains("/authorize?")).then_some(())
        });
        let _done = world.deck.run(&["client", "remove", "kept"]);
    }
}
