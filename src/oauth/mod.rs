//! The OAuth 2.1 authorization server: how an assistant gets a token, and only because the owner's passkey said so.
//!
//! A client is known by its `client_id`: the address of its client id metadata document, or a document the owner keeps here. It opens
//! the authorization page; the owner sees who asks, where the answer goes and what it may do, and approves with a passkey. The client
//! gets a code, and for the code a token.
//!
//! Nothing a stranger sends makes this program fetch anything: the client's document is asked for after the passkey, outside any
//! transaction. Nothing refused is ever redirected: a return address is trusted only when its client's document lists it. A challenge and
//! a code are good for one attempt, a client assertion for one use, and each of them survives a restart as used. The page's challenge is
//! the handle of the request it was made for; the passkey's yes covers exactly that request.
//!
//! Uses `passkeys` and writes grants through `access`. Called by the assistants' door and, for what waits and for client documents kept
//! here, by `control`.

mod approve;
mod assertion;
mod authorize;
mod deny;
mod document;
mod exchange;
pub(crate) mod http;
mod local;
mod metadata;
mod model;
mod page;
mod params;
mod redirect;
mod request;
mod revoke;
pub(crate) mod scopes;
mod service;
mod store;
#[cfg(test)]
mod tests;
mod waiting;

pub(crate) use local::{ClientError, LocalClient};
pub(crate) use revoke::void_codes;
pub(crate) use scopes::{ScopesLink, ScopesLinkError};
pub(crate) use service::Oauth;
pub(crate) use waiting::{AllWaiting, Waiting};
