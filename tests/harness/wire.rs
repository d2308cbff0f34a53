//! Raw requests: whatever comes back, as it came back. Nothing here expects an answer: the other side may be killed at any moment.

use std::sync::Arc;

use reqwest::header::{HOST, HeaderMap, LOCATION};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use url::Url;

/// What tools are called with when nothing says otherwise.
const PROTOCOL: &str = "2025-06-18";
const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";

/// A way to a host: the address it listens on, and the name it is reached under. Clones share what they count.
#[derive(Clone)]
pub struct Wire {
    address: Url,
    pub host: String,
    http: reqwest::Client,
    /// One permit per request that was begun: who kills the host at the n-th waits for n of them.
    pub begun: Arc<Semaphore>,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    /// The body as JSON; `null` when it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// The parameter `name` of the address this leads to.
    pub fn onward(&self, name: &str) -> Option<String> {
        let to: Url = self.headers.get(LOCATION)?.to_str().ok()?.parse().ok()?;
        to.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    /// What a tool answered.
    pub fn tool(&self) -> Value {
        self.json()["result"]["structuredContent"].clone()
    }
}

impl Wire {
    /// To the host that listens on `address` (`127.0.0.1:1234`) and is known as `origin`.
    pub fn new(address: &str, origin: &str) -> Wire {
        let _already = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let none = reqwest::redirect::Policy::none();
        let origin: Url = origin.parse().unwrap();
        Wire {
            address: format!("http://{address}").parse().unwrap(),
            host: origin[url::Position::BeforeHost..url::Position::AfterPort].to_owned(),
            // A connection per request: after a kill none of them is a left-over.
            http: reqwest::Client::builder().redirect(none).no_proxy().pool_max_idle_per_host(0).build().unwrap(),
            begun: Arc::new(Semaphore::new(0)),
        }
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Option<Answer> {
        self.begun.add_permits(1);
        let answer = request.header(HOST, &self.host).send().await.ok()?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        Some(Answer { status, headers, body: answer.text().await.ok()? })
    }

    fn at(&self, path: &str) -> Url {
        self.address.join(path).unwrap()
    }

    /// `path` may be a whole address: only its path and query count.
    pub async fn get(&self, path: &str) -> Option<Answer> {
        let path = path.parse::<Url>().map_or_else(|_| path.to_owned(), |url| url[url::Position::BeforePath..].to_owned());
        self.send(self.http.get(self.at(&path))).await
    }

    pub async fn form(&self, path: &str, fields: &[(String, String)]) -> Option<Answer> {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.send(self.http.post(self.at(path)).header("content-type", FORM).body(body)).await
    }

    pub async fn json(&self, path: &str, body: &Value) -> Option<Answer> {
        self.send(self.http.post(self.at(path)).header("content-type", JSON).body(body.to_string())).await
    }

    /// A JSON-RPC request.
    pub async fn rpc(&self, token: &str, method: &str, params: Value) -> Option<Answer> {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let asking = self.http.post(self.at("/mcp")).bearer_auth(token).header("content-type", JSON).body(body.to_string());
        self.send(asking.header("accept", "application/json, text/event-stream").header("mcp-protocol-version", PROTOCOL)).await
    }

    pub async fn call(&self, token: &str, tool: &str, arguments: Value) -> Option<Answer> {
        self.rpc(token, "tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// Records a turn whose text is `said`.
    pub async fn record(&self, token: &str, said: &str) -> Option<Answer> {
        let turn = json!({ "conversation": "test", "board_rev": "0", "said": said, "did": "tested", "outcome": "works" });
        self.call(token, "RecordExperience", turn).await
    }
}
