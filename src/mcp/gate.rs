//! The gate: who may come in at all, before a body is read. Origin, host, token, in this order.

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, Uri};

use super::refused::Refused;
use crate::access::{Access, BearerError, Caller};
use crate::config::PublicUrl;

/// Names under which this machine reaches itself: a client on it, or a tunnel that ends on it.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Lets a request in, or says why not.
pub(super) fn admit(access: &Access, public_url: &PublicUrl, uri: &Uri, headers: &HeaderMap) -> Result<Caller, Refused> {
    let own = |value: &http::HeaderValue| value.as_bytes() == public_url.origin().as_bytes();
    if !headers.get_all(ORIGIN).iter().all(own) {
        return Err(Refused::Origin);
    }
    // A whole URL in the request line outranks the header (RFC 9112 section 3.2.2).
    if uri.host().is_some_and(|host| !served_as(host, public_url)) {
        return Err(Refused::Host);
    }
    if !headers.get_all(HOST).iter().all(|value| value.to_str().is_ok_and(|host| served_as(host, public_url))) {
        return Err(Refused::Host);
    }
    access.authenticate(headers).map_err(|error| match error {
        BearerError::Missing => Refused::NoToken,
        BearerError::Unknown => Refused::UnknownToken,
        BearerError::Unavailable(error) => {
            tracing::warn!(%error, "a token could not be checked");
            Refused::Unavailable
        }
    })
}

/// Whether `host` (a name, perhaps with a port) is one of ours. The port says nothing: tunnels and containers map it.
fn served_as(host: &str, public_url: &PublicUrl) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    LOOPBACK.iter().any(|own| name.eq_ignore_ascii_case(own)) || name.eq_ignore_ascii_case(public_url.host())
}
