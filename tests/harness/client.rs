//! A small OAuth client of our own: PKCE, a loopback return address that really listens, and one MCP request.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;
use url::Url;

/// How long a browser may take to come back on a busy machine.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

/// One authorization of a program on this machine.
pub struct Client {
    origin: String,
    id: String,
    /// Where it wants its user back.
    pub redirect: String,
    /// What browsers asked the return address for.
    returned: Mutex<mpsc::UnboundedReceiver<String>>,
    /// Answers them from the beginning: a driver may hold its click until the page it leads to is there.
    _answering: JoinSet<()>,
    verifier: String,
    state: String,
    http: reqwest::Client,
}

fn random() -> String {
    let mut bytes = [0_u8; 32];
    aws_lc_rs::rand::fill(&mut bytes).unwrap();
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Reads a request and answers it; the path that was asked for, or nothing when none was.
async fn answered(mut browser: TcpStream) -> Option<String> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        request.push(browser.read_u8().await.ok()?);
    }
    let page =
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<p>Connected. You can close this page.</p>";
    browser.write_all(page.as_bytes()).await.ok()?;
    String::from_utf8(request).ok()?.split(' ').nth(1).map(str::to_owned)
}

/// Answers every request and tells its path. Browsers open connections in advance and then use another one: each is read on its own.
async fn answer(listening: TcpListener, asked: mpsc::UnboundedSender<String>) {
    let mut reading = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listening.accept() => drop(reading.spawn(answered(accepted.unwrap().0))),
            Some(Ok(Some(path))) = reading.join_next() => drop(asked.send(path)),
        }
    }
}

impl Client {
    /// The built-in client of the server at `origin`.
    pub async fn new(origin: &str) -> Client {
        let _already = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let listening = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let redirect = format!("http://{}/callback", listening.local_addr().unwrap());
        let (asked, returned) = mpsc::unbounded_channel();
        let mut answering = JoinSet::new();
        answering.spawn(answer(listening, asked));
        Client {
            origin: origin.to_owned(),
            id: format!("{origin}/clients/quarterdeck"),
            redirect,
            returned: Mutex::new(returned),
            _answering: answering,
            verifier: random(),
            state: random(),
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
        }
    }

    /// Where it sends its user.
    pub fn page(&self) -> String {
        let mut url: Url = format!("{}/authorize", self.origin).parse().unwrap();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.id)
            .append_pair("redirect_uri", &self.redirect)
            .append_pair("state", &self.state)
            .append_pair("resource", &format!("{}/mcp", self.origin))
            .append_pair("code_challenge_method", "S256")
            .append_pair("code_challenge", &URL_SAFE_NO_PAD.encode(Sha256::digest(&self.verifier)));
        url.into()
    }

    /// Waits for the browser to come back and answers the code, after the checks every client must make (RFC 9207, RFC 6749 10.12).
    pub async fn code(&self) -> String {
        let mut returned = self.returned.lock().await;
        let path = tokio::time::timeout(PATIENCE, returned.recv()).await.expect("the browser comes back").unwrap();
        let back: Url = format!("http://127.0.0.1{path}").parse().unwrap();
        let value = |name: &str| back.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        assert_eq!(value("state").as_deref(), Some(self.state.as_str()), "{path}");
        assert_eq!(value("iss").as_deref(), Some(self.origin.as_str()), "{path}");
        value("code").unwrap()
    }

    /// Exchanges the code; answers the token endpoint's whole answer.
    pub async fn exchange(&self, code: &str) -> Value {
        let body = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("client_id", &self.id)
            .append_pair("redirect_uri", &self.redirect)
            .append_pair("resource", &format!("{}/mcp", self.origin))
            .append_pair("code_verifier", &self.verifier)
            .finish();
        let sending =
            self.http.post(format!("{}/token", self.origin)).header("content-type", "application/x-www-form-urlencoded");
        sending.body(body).send().await.unwrap().json().await.unwrap()
    }

    /// Asks for the list of tools; answers the status and the names.
    pub async fn tools(&self, token: &str) -> (u16, Vec<String>) {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        let asking = self.http.post(format!("{}/mcp", self.origin)).bearer_auth(token).json(&request);
        let asking = asking.header("accept", "application/json, text/event-stream").header("mcp-protocol-version", "2025-06-18");
        let answer = asking.send().await.unwrap();
        let status = answer.status().as_u16();
        let body: Value = answer.json().await.unwrap();
        let tools = body["result"]["tools"].as_array().cloned().unwrap_or_default();
        (status, tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect())
    }
}
