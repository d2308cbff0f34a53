//! Reading an authorization request: every check a stranger's parameters can fail, in one fixed order, without asking anyone.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use url::Url;

use super::model::{AuthorizationRequest, ClientKind};
use super::params::{Params, ParamsError};
use super::redirect::{self, RedirectError};
use crate::access::{RESERVED_CLIENTS, Scopes};
use crate::config::PublicUrl;
use crate::store::Error;

/// Longest client id.
const LONGEST: usize = 2048;
/// Length of a SHA-256 in base64url.
const CHALLENGE: usize = 43;

/// Why a request gets no page to approve it on. Never told to the return address: nobody has proved yet that it is the client's.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RequestRefusal {
    /// The parameters as such.
    #[error("{0}")]
    Params(#[from] ParamsError),
    /// Nobody to answer, or nobody who asks.
    #[error("the parameter {0} is missing")]
    Missing(&'static str),
    /// Not the address of a client document.
    #[error("client_id {0}")]
    ClientId(&'static str),
    /// Not an address to return to.
    #[error("redirect_uri cannot be used: {0}")]
    Redirect(RedirectError),
    /// Anything but a code.
    #[error("response_type must be code")]
    ResponseType,
    /// Anything but S256.
    #[error("code_challenge_method must be S256")]
    ChallengeMethod,
    /// Not a SHA-256 in base64url.
    #[error("code_challenge must be 43 base64url characters: the SHA-256 of the verifier")]
    Challenge,
    /// Nothing this server gives tokens for.
    #[error("resource must be {0}")]
    Resource(String),
    /// A scope that does not exist.
    #[error("scope names “{0}”, which does not exist here")]
    Scope(String),
    /// No document of that name here, or it does not list the return address; which of the two is not told.
    #[error("no client document kept here has this client_id and this redirect_uri")]
    Local,
    /// Nobody could approve it.
    #[error("no passkey is enrolled")]
    NoPasskey,
    /// The store could not be used.
    #[error("the store does not answer just now; try again")]
    Unavailable(#[from] Error),
}

/// Reads the request in `params`.
pub(super) fn read(public_url: &PublicUrl, params: &Params) -> Result<AuthorizationRequest, RequestRefusal> {
    let client_id = params.get("client_id").ok_or(RequestRefusal::Missing("client_id"))?;
    let redirect_uri = params.get("redirect_uri").ok_or(RequestRefusal::Missing("redirect_uri"))?;
    let client = client(public_url, client_id)?;
    redirect::usable(redirect_uri).map_err(RequestRefusal::Redirect)?;
    if params.get("response_type") != Some("code") {
        return Err(RequestRefusal::ResponseType);
    }
    if params.get("code_challenge_method") != Some("S256") {
        return Err(RequestRefusal::ChallengeMethod);
    }
    let code_challenge = params.text("code_challenge");
    if code_challenge.len() != CHALLENGE || URL_SAFE_NO_PAD.decode(code_challenge).is_err() {
        return Err(RequestRefusal::Challenge);
    }
    let resource = params.text("resource");
    if canonical(public_url, resource).is_none() {
        return Err(RequestRefusal::Resource(public_url.mcp()));
    }
    let scopes = Scopes::parse_requested(params.text("scope"))
        .map_err(|unknown| RequestRefusal::Scope(crate::text::shorten(&crate::text::safe(&unknown), 60)))?;
    Ok(AuthorizationRequest {
        client,
        client_id: client_id.to_owned(),
        redirect_uri: redirect_uri.to_owned(),
        state: params.get("state").map(str::to_owned),
        code_challenge: code_challenge.to_owned(),
        scopes,
        resource: resource.to_owned(),
    })
}

/// The resource a string names: the origin or the MCP endpoint. `None`: neither.
pub(super) fn canonical(public_url: &PublicUrl, resource: &str) -> Option<&'static str> {
    let url = Url::parse(resource).ok()?;
    let bare = url.query().is_none() && url.fragment().is_none() && url.username().is_empty() && url.password().is_none();
    if !bare || url.origin().ascii_serialization() != public_url.origin() {
        return None;
    }
    match url.path() {
        "" | "/" => Some("/"),
        "/mcp" => Some("/mcp"),
        _ => None,
    }
}

/// Who keeps this client's document. A `client_id` under the public URL is never fetched, however it is written.
fn client(public_url: &PublicUrl, client_id: &str) -> Result<ClientKind, RequestRefusal> {
    let not = RequestRefusal::ClientId;
    if client_id.len() > LONGEST {
        return Err(not("is too long"));
    }
    if !client_id.bytes().all(redirect::in_a_uri) {
        return Err(not(
            "must be written in the characters of an address: ASCII, without spaces, quotes, brackets or backslashes",
        ));
    }
    let url = Url::parse(client_id).map_err(|_| not("must be an https address"))?;
    if url.origin().ascii_serialization() == public_url.origin() {
        let name = client_id.strip_prefix(&public_url.join("/clients/")).unwrap_or_default();
        return Ok(match RESERVED_CLIENTS.contains(&name) {
            true => ClientKind::BuiltIn { name: name.to_owned() },
            false => ClientKind::Local { name: name.to_owned() },
        });
    }
    if url.scheme() != "https" || url.host_str().is_none() {
        return Err(not("must be an https address"));
    }
    if !url.username().is_empty() || url.password().is_some() || client_id.contains('#') {
        return Err(not("must not contain a user name, a password or a fragment"));
    }
    if url.path() == "/" {
        return Err(not("must be the address of a document: it has no path"));
    }
    if has_dot_segment(client_id) {
        return Err(not("must be written plainly: without “.” and “..” in its path"));
    }
    if !host_is_plain(client_id, &url) {
        return Err(not("must name its host as it is looked up: in ASCII (xn--… for other letters), right after https://"));
    }
    Ok(ClientKind::External)
}

/// Whether the host stands in the text as it is looked up. Letters of other scripts can look like another host's, and terminals, lists and
/// the audit show the text; the same host written as a number or with escapes says nothing to whoever reads it.
fn host_is_plain(client_id: &str, url: &Url) -> bool {
    let after = client_id.split_at_checked("https://".len()).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("https://"));
    let written = after.zip(url.host_str()).and_then(|((_, rest), host)| Some((rest.split_at_checked(host.len())?, host)));
    written.is_some_and(|((written, rest), host)| written.eq_ignore_ascii_case(host) && rest.starts_with(['/', ':', '?']))
}

/// Whether the path, as written, has a segment that a URL parser would resolve.
fn has_dot_segment(client_id: &str) -> bool {
    let path = client_id.split('?').next().unwrap_or_default();
    path.split('/').any(|segment| matches!(segment.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | ".."))
}
