//! The `WWW-Authenticate` values (RFC 6750 section 3, RFC 9728 section 5.1).

use crate::access::{Scope, Scopes};
use crate::config::PublicUrl;

/// Where a client learns how to get a token for `/mcp`: tried first by clients, and the resource they typed.
const METADATA: &str = "/.well-known/oauth-protected-resource/mcp";

/// The challenge of a 401. It names every scope, so that a client asks for all at once and the owner decides.
pub(super) fn unauthorized(public_url: &PublicUrl, error: Option<&str>) -> String {
    let error = error.map(|error| format!("error=\"{error}\", ")).unwrap_or_default();
    format!("Bearer resource_metadata=\"{}\", {error}scope=\"{}\"", public_url.join(METADATA), Scopes::all().joined())
}

/// The challenge inside a tool's answer when the connection lacks a scope: all that this tool needs.
pub(super) fn insufficient_scope(public_url: &PublicUrl, needed: &[Scope]) -> String {
    let scopes = Scopes::of(needed.iter().copied()).joined();
    format!("Bearer resource_metadata=\"{}\", error=\"insufficient_scope\", scope=\"{scopes}\"", public_url.join(METADATA))
}
