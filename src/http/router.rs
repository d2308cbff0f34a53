//! Every route of the assistants' door, on one page. Reading this is reading the surface.

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use axum::response::Response;
use axum::routing::{any, get, post};
use http::StatusCode;

use crate::mcp::{self, Mcp};
use crate::oauth::{self, Oauth};
use crate::passkeys::{self, Passkeys};

use super::answer;
use super::entry::entered;
use super::limits::{Bounds, Gate, STRANGERS, too_large};
use super::own::only_own_names;
use super::peer::{PeerLimit, per_address};

/// The assistants' endpoint.
const MCP: &str = "/mcp";

/// The capabilities behind the routes.
#[derive(Clone)]
pub(crate) struct Services {
    pub(crate) passkeys: Passkeys,
    pub(crate) oauth: Oauth,
    pub(crate) mcp: Mcp,
    pub(crate) peers: PeerLimit,
}

/// The assistants' door. Without services (the public URL is empty) every path is unknown.
pub(crate) fn assistants(services: Option<Services>, bounds: Bounds) -> Router {
    let gate = gate(services.as_ref().map(|services| services.mcp.clone()));
    let routes = match services {
        Some(services) => open(services),
        None => Router::new(),
    };
    entered(routes.fallback(unknown), bounds, gate)
}

/// Who may send more than a stranger: a connected assistant, to its endpoint.
fn gate(mcp: Option<Mcp>) -> Gate {
    Arc::new(move |parts| match &mcp {
        Some(mcp) if parts.uri.path() == MCP => mcp::http::admit(mcp, &parts.uri, &parts.headers).err(),
        _ => Some(too_large(STRANGERS)),
    })
}

fn open(services: Services) -> Router {
    let public_url = services.mcp.public_url().clone();
    let enroll = Router::new()
        .route("/enroll", get(passkeys::http::page))
        .route("/enroll/options", post(passkeys::http::options))
        .route("/enroll/finish", post(passkeys::http::finish))
        .with_state(services.passkeys);
    let oauth = Router::new()
        .route("/.well-known/oauth-protected-resource", get(oauth::http::origin_metadata))
        .route("/.well-known/oauth-protected-resource/mcp", get(oauth::http::endpoint_metadata))
        .route("/.well-known/oauth-authorization-server", get(oauth::http::server_metadata))
        .route("/authorize", get(oauth::http::page).head(oauth::http::head).post(oauth::http::submit))
        .route("/scopes", get(oauth::scopes::http::page))
        .route("/scopes/open", get(oauth::scopes::http::page).post(oauth::scopes::http::open))
        .route("/scopes/change", get(oauth::scopes::http::page).post(oauth::scopes::http::change))
        .route("/token", post(oauth::http::token))
        .route("/revoke", post(oauth::http::revoke))
        .with_state(services.oauth);
    let mcp = Router::new().route(MCP, any(mcp::http::endpoint)).with_state(services.mcp);
    let tokenless = Router::new()
        .merge(enroll)
        .merge(oauth)
        .route("/register", any(no_registration))
        .layer(middleware::from_fn_with_state(public_url, only_own_names))
        .layer(middleware::from_fn_with_state(services.peers, per_address));
    Router::new().merge(tokenless).merge(mcp)
}

/// Where clients ask that were not told of an endpoint for it (RFC 7591): what a person reads there is what to do instead.
async fn no_registration() -> Response {
    let instead = "clients do not register here: this one needs a client id metadata document of its own, or the owner adds it with \
                   \"quarterdeck client add NAME --redirect URI\" and gives it the client id that prints";
    answer::oauth_error(StatusCode::NOT_FOUND, "not_found", instead)
}

async fn unknown() -> Response {
    answer::refusal(StatusCode::NOT_FOUND, "not_found", "there is nothing at this path")
}
