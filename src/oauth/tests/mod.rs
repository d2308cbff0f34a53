//! Tests of the authorization server, over its routes: what a browser and a client see, and what the store and the audit hold then.

mod approve;
mod authorize;
mod discovery;
mod document_props;
mod external;
mod jwt;
mod local_clients;
mod races;
mod redirect_props;
mod scopes;
mod strangers;
mod terminal;
mod token;

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;
use url::form_urlencoded::Serializer;

use super::{Oauth, void_codes};
use crate::access::{Access, GrantHooks, Principal};
use crate::audit::{Kind, Record};
use crate::config::Config;
use crate::digest::Digest;
use crate::http::{Bounds, Outbound, PeerLimit, Proxies, Services, assistants};
use crate::knowledge::Knowledge;
use crate::mcp::Mcp;
use crate::passkeys::Passkeys;
use crate::testing::{Authenticator, Fixture, HttpsServer, enroll, http_answer};

const ORIGIN: &str = "http://localhost:7420";
const MCP: &str = "http://localhost:7420/mcp";
const VERIFIER: &str = "a-verifier-that-is-long-enough-for-rfc-7636-0123456789";
/// The built-in client, and where it is returned to.
const BUILT_IN: &str = "http://localhost:7420/clients/quarterdeck";
const CALLBACK: &str = "http://127.0.0.1:51730/callback";
/// An external client nobody answers for.
const STRANGER: &str = "https://client.example/oauth/client.json";
const STRANGERS_CALLBACK: &str = "https://client.example/callback";
const SIX: &str = "context:read memory:read events:read sessions:read sessions:notify experience:write";

/// The door with one enrolled passkey.
struct Door {
    fixture: Fixture,
    oauth: Oauth,
    access: Access,
    passkeys: Passkeys,
    owner: Authenticator,
    routes: Router,
}

/// What came back.
#[derive(Debug)]
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Answer {
    fn location(&self) -> Option<&str> {
        self.headers.get(LOCATION).map(|to| to.to_str().unwrap())
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{self:?}"))
    }

    /// A parameter of the address it leads to.
    fn onward(&self, name: &str) -> String {
        parameter(self.location().unwrap_or_else(|| panic!("{self:?}")), name)
    }

    /// The WebAuthn options in the page.
    fn options(&self) -> Value {
        let start = r#"<script type="application/json" id="webauthn-options">"#;
        let block = self.body.split(start).nth(1).unwrap_or_else(|| panic!("{self:?}"));
        serde_json::from_str(block.split("</script>").next().unwrap()).unwrap()
    }

    fn challenge(&self) -> String {
        self.options()["challenge"].as_str().unwrap().to_owned()
    }

    /// The name in the field.
    fn prefill(&self) -> &str {
        let field = self.body.split(r#"<input id="name""#).nth(1).unwrap().split('>').next().unwrap();
        field.split("value=\"").nth(1).unwrap().split('"').next().unwrap()
    }

    fn is_page_again(&self, reason: &str) {
        assert_eq!(self.status, StatusCode::OK, "{self:?}");
        assert!(self.location().is_none());
        assert!(self.body.contains("class=\"reason\" role=\"alert\""), "{self:?}");
        assert!(self.body.contains(reason), "{reason}: {}", self.body);
    }

    fn is_refused(&self, status: u16, error: &str) {
        assert_eq!((self.status.as_u16(), self.json()["error"].as_str()), (status, Some(error)), "{self:?}");
        assert_eq!(self.headers["cache-control"], "no-store");
        assert!(!self.json()["error_description"].as_str().unwrap().is_empty());
    }
}

impl Door {
    async fn new() -> Door {
        Door::with(|_config| {}).await
    }

    async fn with(change: impl FnOnce(&mut Config)) -> Door {
        let mut door = Door::without_passkey(change);
        door.owner = enroll(&door.fixture, &door.passkeys).await;
        door
    }

    fn without_passkey(change: impl FnOnce(&mut Config)) -> Door {
        Door::over(Fixture::with(change))
    }

    /// Everything closed and opened again on the same files.
    async fn restart(&mut self) {
        let fixture = self.fixture.restarted().await;
        let Door { oauth, access, passkeys, routes, fixture, owner: _ } = Door::over(fixture);
        (self.oauth, self.access, self.passkeys, self.routes, self.fixture) = (oauth, access, passkeys, routes, fixture);
    }

    fn over(fixture: Fixture) -> Door {
        let base = &fixture.base;
        let revoked = void_codes(base.clock.clone());
        let hooks = GrantHooks { revoked: vec![Box::new(revoked)], ..GrantHooks::default() };
        let access = Access::new(base, None, hooks);
        let passkeys = Passkeys::new(base, access.clone()).unwrap();
        let oauth = Oauth::new(base, access.clone(), passkeys.clone(), Outbound::new(&base.config)).unwrap();
        let knowledge = Knowledge::new(base);
        knowledge.prepare().unwrap();
        let mcp = Mcp::new(base, access.clone(), knowledge).unwrap();
        let peers = PeerLimit::new(Proxies::new(&base.config.trusted_proxies));
        let services = Services { passkeys: passkeys.clone(), oauth: oauth.clone(), mcp, peers };
        let bounds = Bounds { request_bytes: 1 << 20, request_timeout: Duration::from_secs(5) };
        let routes = assistants(Some(services), bounds);
        let owner = Authenticator::new(ORIGIN, &base.rng);
        Door { oauth, access, passkeys, owner, routes, fixture }
    }

    async fn send(&self, method: Method, uri: &str, form: Option<&[(&str, &str)]>) -> Answer {
        let mut request = Request::builder().method(method).uri(uri).header("host", "localhost:7420");
        let body = match form {
            None => Body::empty(),
            Some(form) => {
                request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
                Body::from(Serializer::new(String::new()).extend_pairs(form).finish())
            }
        };
        self.raw(request.body(body).unwrap()).await
    }

    async fn raw(&self, request: Request<Body>) -> Answer {
        let answer = self.routes.clone().oneshot(request).await.unwrap();
        let (parts, body) = answer.into_parts();
        let body = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    async fn get(&self, uri: &str) -> Answer {
        self.send(Method::GET, uri, None).await
    }

    async fn post(&self, uri: &str, form: &[(&str, &str)]) -> Answer {
        self.send(Method::POST, uri, Some(form)).await
    }

    async fn open(&self, client_id: &str, redirect_uri: &str) -> Answer {
        self.get(&authorize(client_id, redirect_uri, &[])).await
    }

    /// Submits the page with all six scopes.
    async fn approve(&self, page: &Answer, name: &str) -> Answer {
        self.approve_scopes(page, name, SIX).await
    }

    async fn approve_scopes(&self, page: &Answer, name: &str, scopes: &str) -> Answer {
        let assertion = self.owner.assert(&page.options()).to_string();
        self.submit(&page.challenge(), &assertion, name, scopes).await
    }

    async fn submit(&self, challenge: &str, assertion: &str, name: &str, scopes: &str) -> Answer {
        let mut form = vec![("challenge", challenge), ("assertion", assertion), ("name", name)];
        form.extend(scopes.split_whitespace().map(|scope| ("scope", scope)));
        self.post("/authorize", &form).await
    }

    /// A code for the built-in client under `name`.
    async fn code(&self, name: &str) -> String {
        let page = self.open(BUILT_IN, CALLBACK).await;
        code_in(&self.approve(&page, name).await)
    }

    async fn exchange(&self, code: &str) -> Answer {
        self.exchange_with(code, &[]).await
    }

    /// The right request of the built-in client, with some parameters changed, or left out when they are empty.
    async fn exchange_with(&self, code: &str, changed: &[(&str, &str)]) -> Answer {
        let right = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("client_id", BUILT_IN),
            ("redirect_uri", CALLBACK),
            ("resource", MCP),
            ("code_verifier", VERIFIER),
        ];
        self.post("/token", &merged(&right, changed)).await
    }

    /// A connection of the built-in client; answers its token.
    async fn connect(&self, name: &str) -> String {
        let code = self.code(name).await;
        token_in(&self.exchange(&code).await)
    }

    /// What the token is worth at the MCP endpoint.
    async fn call(&self, token: &str) -> StatusCode {
        let request = Request::post("/mcp")
            .header("host", "localhost:7420")
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
        self.raw(request.body(Body::from(body)).unwrap()).await.status
    }

    async fn connections(&self) -> Vec<String> {
        self.access.connections().await.unwrap().into_iter().map(|connection| connection.grant.name).collect()
    }

    async fn records(&self, kind: Kind) -> Vec<Record> {
        let page = self.fixture.base.audit.page(i64::MAX, 1000).await.unwrap();
        page.into_iter().map(|entry| entry.record).filter(|record| record.kind == kind).collect()
    }
}

/// The owner at a terminal.
fn owner() -> Principal {
    Principal::Terminal { tty: "pts/3".to_owned(), ssh: None }
}

fn s256(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Digest::of(verifier.as_bytes()).0)
}

/// The address of the authorization page, with some parameters changed, added, or left out when they are empty.
fn authorize(client_id: &str, redirect_uri: &str, changed: &[(&str, &str)]) -> String {
    let challenge = s256(VERIFIER);
    let right = [
        ("client_id", client_id),
        ("redirect_uri", redirect_uri),
        ("response_type", "code"),
        ("code_challenge_method", "S256"),
        ("code_challenge", challenge.as_str()),
        ("resource", MCP),
        ("state", "a state & more"),
    ];
    format!("/authorize?{}", Serializer::new(String::new()).extend_pairs(merged(&right, changed)).finish())
}

fn merged<'a>(right: &[(&'a str, &'a str)], changed: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = right.iter().filter(|(name, _)| !changed.iter().any(|(other, _)| other == name));
    kept.chain(changed.iter().filter(|(_, value)| !value.is_empty())).copied().collect()
}

fn parameter(address: &str, name: &str) -> String {
    let address = url::Url::parse(address).unwrap();
    address.query_pairs().find(|(of, _)| of == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
}

/// The code in a redirect, or in the one link of the page before a replacement.
fn code_in(answer: &Answer) -> String {
    match answer.location() {
        Some(to) => parameter(to, "code"),
        None => parameter(&link_in(answer), "code"),
    }
}

fn link_in(answer: &Answer) -> String {
    let link = answer.body.split("href=\"").nth(1).unwrap_or_else(|| panic!("{answer:?}"));
    link.split('"').next().unwrap().replace("&#38;", "&").replace("&amp;", "&")
}

fn token_in(answer: &Answer) -> String {
    answer.json()["access_token"].as_str().unwrap_or_else(|| panic!("{answer:?}")).to_owned()
}
