//! A browser that came in by a name under which passkeys cannot work.

use axum::response::Response;
use http::header::HOST;
use http::{HeaderMap, Uri};
use url::{Host, Url};

use super::answer;
use crate::config::PublicUrl;

/// Carries the fragment over to the link: the server never sees it.
const SCRIPT: &str = include_str!("../../assets/web/elsewhere.js");

/// The page that leads to the same place under the public URL, when that is `http://localhost` and the browser used an address instead
/// (`127.0.0.1`, `[::1]`): a passkey cannot belong to an address. `None` when the browser is at the right place.
///
/// Behind an https public URL nothing is asked: a proxy in front may well name this machine by its address.
pub(crate) fn elsewhere(public_url: &PublicUrl, headers: &HeaderMap, uri: &Uri) -> Option<Response> {
    let asked = headers.get(HOST)?.to_str().ok()?;
    let by_address = match Url::parse(&format!("http://{asked}")).ok()?.host()? {
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
        Host::Domain(_) => false,
    };
    if !public_url.is_loopback() || !by_address {
        return None;
    }
    let link = public_url.join(uri.path_and_query().map_or("/", |path| path.as_str()));
    let text = "Passkeys belong to a name, not to an address, so they cannot work here. Go on under the name of this machine:";
    Some(answer::message_with_script("Open it by its name", text, &link, SCRIPT))
}
