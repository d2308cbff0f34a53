//! A proxy that adds a token: for suites that can talk to a server but cannot be given one.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use http::header::{AUTHORIZATION, HOST, ORIGIN};
use http::{HeaderValue, StatusCode};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// A running proxy; it ends when dropped.
pub struct Bearer {
    pub origin: String,
    _serving: JoinSet<()>,
}

#[derive(Clone)]
struct Way {
    /// Where the server is, and what pages of its own have as their origin.
    to: String,
    token: String,
    /// What this proxy's pages have as theirs.
    own: String,
    http: reqwest::Client,
}

impl Bearer {
    /// In front of the server at `to` (`http://localhost:1234`).
    pub async fn start(to: &str, token: &str) -> Bearer {
        let listening = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listening.local_addr().unwrap());
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let way = Way { to: to.to_owned(), token: token.to_owned(), own: origin.clone(), http };
        let router = Router::new().fallback(forward).with_state(way);
        let mut serving = JoinSet::new();
        serving.spawn(async move { axum::serve(listening, router).await.unwrap() });
        Bearer { origin, _serving: serving }
    }
}

/// The request with the token. A page of the proxy counts as one of the server's; what names anybody else stays as it is.
async fn forward(State(way): State<Way>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let ours = |value: &HeaderValue| value.as_bytes() == way.own.as_bytes();
    if parts.headers.get(ORIGIN).is_some_and(ours) {
        parts.headers.insert(ORIGIN, way.to.parse().unwrap());
    }
    parts.headers.insert(AUTHORIZATION, format!("Bearer {}", way.token).parse().unwrap());
    let host = parts.headers.get(HOST).cloned();
    let url = format!("{}{}", way.to, parts.uri.path_and_query().map_or("/", |path| path.as_str()));
    let asking = way.http.request(parts.method, url).headers(parts.headers).body(body);
    let asking = host.into_iter().fold(asking, |asking, host| asking.header(HOST, host));
    match asking.send().await {
        Ok(answer) => {
            let mut response = Response::builder().status(answer.status());
            response.headers_mut().unwrap().extend(answer.headers().clone());
            response.body(Body::from(answer.bytes().await.unwrap_or_default())).unwrap()
        }
        Err(error) => Response::builder().status(StatusCode::BAD_GATEWAY).body(Body::from(error.to_string())).unwrap(),
    }
}
