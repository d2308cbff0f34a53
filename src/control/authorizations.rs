//! What needs the authorization server: authorizations that wait, scopes that are to change, and client
//! documents kept here. With the door closed there is none.

use super::model::{ClientDocument, Refusal, Reply, Waiting};
use super::service::{Service, refusal, refused};
use super::view;
use crate::access::{Fixed, Principal};
use crate::clock::UnixMs;
use crate::id::GrantId;
use crate::oauth::{self, ClientError, LocalClient, Oauth, ScopesLinkError};
use crate::store::Error;

/// Authorizations that are listed: a page the owner has open is among the newest. Strangers open as many as they like, and every terminal
/// is sent the list whenever it changes: it must stay small enough to send and to read.
pub(super) const LISTED: usize = 50;

/// What waits for the owner.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Waits {
    /// The newest, oldest first.
    pub(super) list: Vec<Waiting>,
    /// How many wait besides.
    pub(super) more: usize,
    /// When the first of all of them runs out.
    pub(super) first_ends: Option<UnixMs>,
}

impl Waits {
    pub(super) fn total(&self) -> usize {
        self.list.len().saturating_add(self.more)
    }
}

impl Service {
    fn oauth(&self) -> Result<&Oauth, Refusal> {
        let closed = || refused("no_public_url", "the door is closed: set assistants.public_url first");
        self.oauth.as_ref().ok_or_else(closed)
    }

    /// What waits for the owner.
    pub(super) async fn waiting(&self) -> Result<Waits, Error> {
        match &self.oauth {
            Some(oauth) => Ok(waits(oauth.waiting(LISTED).await?)),
            None => Ok(Waits::default()),
        }
    }

    pub(super) async fn deny(&self, who: &Principal, id: &str) -> Result<Reply, Refusal> {
        if self.oauth()?.deny(who, id).await.map_err(refusal)? {
            Ok(Reply::Done)
        } else {
            Err(refused("not_found", "this authorization does not wait any more"))
        }
    }

    /// Where the passkey changes what a connection may do.
    pub(super) async fn scopes_page(&self, grant: String) -> Result<Reply, Refusal> {
        let reason = match self.oauth()?.scopes_page(GrantId(grant)).await {
            Ok(link) => return Ok(Reply::ScopesPage(view::scopes_page(link))),
            Err(ScopesLinkError::Unavailable(error)) => return Err(refusal(error)),
            Err(ScopesLinkError::Fixed(Fixed::Gone)) => ("not_found", Fixed::Gone.to_string()),
            Err(ScopesLinkError::Fixed(Fixed::Elsewhere)) => ("wrong_url", Fixed::Elsewhere.to_string()),
            Err(error @ ScopesLinkError::NoPasskey) => ("no_passkey", error.to_string()),
        };
        Err(refused(reason.0, &reason.1))
    }

    pub(super) async fn client_add(&self, who: &Principal, name: &str, redirect_uris: Vec<String>) -> Result<Reply, Refusal> {
        let sentence = |error: ClientError| view::address(&error.to_string());
        match self.oauth()?.client_add(who, name, redirect_uris).await {
            Ok(added) => Ok(Reply::Client(document(added))),
            Err(ClientError::Unavailable(error)) => Err(refusal(error)),
            Err(error @ ClientError::Exists(_)) => Err(refused("exists", &sentence(error))),
            Err(error @ (ClientError::Name(_) | ClientError::BuiltIn(_))) => Err(refused("invalid_name", &sentence(error))),
            Err(error @ (ClientError::NoRedirect | ClientError::Redirect(_))) => {
                Err(refused("invalid_redirect", &sentence(error)))
            }
        }
    }

    pub(super) async fn client_list(&self) -> Result<Reply, Refusal> {
        let kept = self.oauth()?.client_list().await.map_err(refusal)?;
        Ok(Reply::Clients(kept.into_iter().map(document).collect()))
    }

    pub(super) async fn client_remove(&self, who: &Principal, name: &str) -> Result<Reply, Refusal> {
        if self.oauth()?.client_remove(who, name).await.map_err(refusal)? {
            Ok(Reply::Done)
        } else {
            Err(refused("not_found", &format!("there is no client document named {}", view::name(name))))
        }
    }
}

fn waits(all: oauth::AllWaiting) -> Waits {
    let more = all.total.saturating_sub(all.newest.len());
    Waits { list: all.newest.into_iter().map(waiting).collect(), more, first_ends: all.first_ends }
}

fn waiting(waiting: oauth::Waiting) -> Waiting {
    let request = waiting.request;
    Waiting {
        id: waiting.id,
        client_id: view::address(&request.client_id),
        redirect_uri: view::address(&request.redirect_uri),
        scopes: request.scopes.names().map(str::to_owned).collect(),
        since: waiting.since.rfc3339(),
        expires_at: waiting.expires_at.rfc3339(),
    }
}

fn document(kept: LocalClient) -> ClientDocument {
    ClientDocument { client_id: kept.client_id, redirect_uris: kept.redirect_uris.iter().map(|uri| view::address(uri)).collect() }
}
