//! Answers: JSON that nobody may cache, errors in the words of OAuth, and pages that can do nothing but what is in them.

use askama::Template;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::StatusCode;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, REFERRER_POLICY, RETRY_AFTER,
    X_CONTENT_TYPE_OPTIONS,
};
use serde::Serialize;
use serde_json::json;

use crate::digest::Digest;

/// The one style of all pages, as it stands in them.
pub(crate) const STYLE: &str = include_str!("../../assets/web/style.css");

/// A page's own script from `assets/web`, and in front of it how it talks to `navigator.credentials`.
macro_rules! webauthn_script {
    ($own:literal) => {
        concat!(
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/web/webauthn.js")),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/web/", $own))
        )
    };
}
pub(crate) use webauthn_script;

/// Seconds after which a client may try a store again that did not answer.
pub(crate) const RETRY: &str = "5";

/// A JSON answer that no cache keeps.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    let headers =
        [(CONTENT_TYPE, HeaderValue::from_static("application/json")), (CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    match serde_json::to_string(body) {
        Ok(text) => (status, headers, text).into_response(),
        Err(error) => {
            tracing::error!(%error, "an answer could not be written as JSON");
            (StatusCode::INTERNAL_SERVER_ERROR, headers, "{}").into_response()
        }
    }
}

/// A refusal of the door itself: a short reason for the program, a sentence for the person.
pub(crate) fn refusal(status: StatusCode, error: &str, message: &str) -> Response {
    json(status, &json!({ "error": error, "message": message }))
}

/// An error as OAuth words it (RFC 6749 section 5.2).
pub(crate) fn oauth_error(status: StatusCode, error: &str, description: &str) -> Response {
    json(status, &json!({ "error": error, "error_description": description }))
}

/// An error of an endpoint that a page's script calls: a short reason for the script, a sentence for the person.
pub(crate) fn problem(status: StatusCode, reason: &str, message: &str) -> Response {
    json(status, &json!({ "reason": reason, "message": message }))
}

/// The same answer with a hint when to try again: for everything the store could not do (503).
pub(crate) fn try_again(mut answer: Response) -> Response {
    answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static(RETRY));
    answer
}

/// A page. `script` is the inline script it carries, byte for byte, if it carries one.
pub(crate) fn page(status: StatusCode, page: &impl Template, script: Option<&str>) -> Response {
    match page.render() {
        Ok(html) => (status, page_headers(script), Body::from(html)).into_response(),
        Err(error) => {
            tracing::error!(%error, "a page could not be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// A page that says one thing: an error, a denial, an end.
#[derive(Template)]
#[template(path = "message.html")]
struct Message<'a> {
    title: &'a str,
    text: &'a str,
    link: Option<&'a str>,
    script: Option<&'static str>,
}

/// Sends the browser on to `path` of the same origin. The address is not kept, by a cache or as a referrer.
pub(crate) fn see_other(path: &str) -> Response {
    let headers = [(LOCATION, path), (CACHE_CONTROL, "no-store"), (REFERRER_POLICY, "no-referrer")];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// A page with a title and a text, both escaped.
pub(crate) fn message(status: StatusCode, title: &str, text: &str) -> Response {
    page(status, &Message { title, text, link: None, script: None }, None)
}

/// [`message`] with the one link that leads on, and a script that may complete it. The caller has checked where it leads: any scheme is
/// written as it is.
pub(super) fn message_with_script(title: &str, text: &str, link: &str, script: &'static str) -> Response {
    page(StatusCode::OK, &Message { title, text, link: Some(link), script: Some(script) }, Some(script))
}

/// `value` for a `<script type="application/json">` block: no `<`, so nothing in it can end the block.
pub(crate) fn json_block(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

fn page_headers(script: Option<&str>) -> [(HeaderName, HeaderValue); 5] {
    let script = script.map_or_else(|| "'none'".to_owned(), source);
    let style = source(STYLE);
    // No form-action: it would also forbid the redirect that takes an approval back to the client.
    let policy = format!(
        "default-src 'none'; script-src {script}; style-src {style}; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    // Base64 and the words above are always a valid header; should that ever change, nothing may run at all.
    let policy = HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
    [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (CONTENT_SECURITY_POLICY, policy),
    ]
}

/// The CSP source expression of an inline element: the hash of its exact bytes.
fn source(inline: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Digest::of(inline.as_bytes()).0))
}
