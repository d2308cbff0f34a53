//! The gate: who may come in at all, before a body is read. Origin, host, token, in this order.

use http::header::ORIGIN;
use http::{HeaderMap, Uri};

use super::refused::Refused;
use crate::access::{Access, BearerError, Caller};
use crate::config::PublicUrl;
use crate::http::by_own_name;

/// Lets a request in, or says why not.
pub(super) fn admit(access: &Access, public_url: &PublicUrl, uri: &Uri, headers: &HeaderMap) -> Result<Caller, Refused> {
    let own = |value: &http::HeaderValue| value.as_bytes() == public_url.origin().as_bytes();
    if !headers.get_all(ORIGIN).iter().all(own) {
        return Err(Refused::Origin);
    }
    if !by_own_name(public_url, uri, headers) {
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
