//! Whether a request was sent to this program by one of its own names. A page of a stranger that gives its own name this machine's address
//! (DNS rebinding) reaches nothing.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{ACCEPT, HOST};
use http::{HeaderMap, StatusCode, Uri};

use super::answer;
use crate::config::PublicUrl;

/// Names under which this machine reaches itself: a client on it, or a tunnel that ends on it.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Whether every name in the request is one of ours: that of the public URL, or this machine's for itself.
pub(crate) fn by_own_name(public_url: &PublicUrl, uri: &Uri, headers: &HeaderMap) -> bool {
    // A whole URL in the request line outranks the header (RFC 9112 section 3.2.2).
    uri.host().is_none_or(|host| is_own(host, public_url))
        && headers.get_all(HOST).iter().all(|value| value.to_str().is_ok_and(|host| is_own(host, public_url)))
}

/// Whether `host` (a name, perhaps with a port) is one of ours. The port says nothing: tunnels and containers map it.
fn is_own(host: &str, public_url: &PublicUrl) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    LOOPBACK.iter().any(|own| name.eq_ignore_ascii_case(own)) || name.eq_ignore_ascii_case(public_url.host())
}

/// Answers 403 to what was sent to another name. For routes that need no token.
pub(super) async fn only_own_names(State(public_url): State<PublicUrl>, request: Request, next: Next) -> Response {
    if by_own_name(&public_url, request.uri(), request.headers()) {
        return next.run(request).await;
    }
    let there = public_url.origin();
    let accepts = |value: &http::HeaderValue| value.to_str().is_ok_and(|value| value.contains("text/html"));
    if request.headers().get_all(ACCEPT).iter().any(accepts) {
        let text = format!("This program goes by another name. Open the same page under {there} instead.");
        return answer::message(StatusCode::FORBIDDEN, "Not at this address", &text);
    }
    let message = format!("the request names another host in its Host header; this is {there}");
    answer::refusal(StatusCode::FORBIDDEN, "forbidden", &message)
}
