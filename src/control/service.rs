//! Answering: each request is one operation of one capability, done when the answer is given.

use std::net::SocketAddr;
use std::path::PathBuf;

use tokio_util::sync::CancellationToken;

use super::model::{Refusal, Reply, Request, SecretUrl};
use super::view;
use crate::Base;
use crate::access::{Access, Principal};
use crate::audit::{Draft, Kind};
use crate::clock::UnixMs;
use crate::id::GrantId;
use crate::knowledge::Knowledge;
use crate::oauth::Oauth;
use crate::passkeys::{LinkError, Passkeys, RemoveError};
use crate::store::{BackupError, Error};

/// What is behind the control socket; clones share it.
#[derive(Clone)]
pub(crate) struct Service {
    pub(super) base: Base,
    pub(super) access: Access,
    pub(super) passkeys: Passkeys,
    pub(super) knowledge: Knowledge,
    /// `None`: the door is closed.
    pub(super) oauth: Option<Oauth>,
    pub(super) listen: Vec<SocketAddr>,
    pub(super) started: UnixMs,
    /// Cancelled when somebody asked for a stop and was answered.
    pub(super) asked: CancellationToken,
}

impl Service {
    /// A service over the host's capabilities; `listen` are the addresses it listens on.
    pub(crate) fn new(base: &Base, access: Access, passkeys: Passkeys, listen: Vec<SocketAddr>) -> Service {
        Service {
            base: base.clone(),
            access,
            passkeys,
            knowledge: Knowledge::new(base),
            oauth: None,
            listen,
            started: base.clock.now(),
            asked: CancellationToken::new(),
        }
    }

    /// The same with the authorization server, which only an open door has.
    pub(crate) fn with_oauth(self, oauth: Option<Oauth>) -> Service {
        Service { oauth, ..self }
    }

    /// Tells the host that somebody asked for a stop.
    pub(crate) fn asked_to_stop(&self) -> CancellationToken {
        self.asked.clone()
    }

    /// Does what is asked, for `who`.
    pub(super) async fn answer(&self, who: &Principal, request: Request) -> Reply {
        let answered = match request {
            // Served before: it is a conversation that goes on, not one answer.
            Request::Subscribe => Err(refused("invalid_request", "a subscription is a conversation of its own")),
            Request::Status => self.status().await.map(Reply::Status).map_err(refusal),
            Request::Connections => self.connections().await.map(Reply::Connections).map_err(refusal),
            Request::Revoke { name, grant } => self.revoke(who, &name, grant).await,
            Request::PasskeyAdd => self.passkey_add(who).await,
            Request::EnrollTicket { url } => self.enroll_ticket(who, &url.0).await,
            Request::PasskeyList => self.passkeys().await.map(Reply::Passkeys).map_err(refusal),
            Request::PasskeyRemove { id } => self.passkey_remove(who, &id).await,
            Request::Stop => self.stop(who).await,
            Request::Backup { path } => self.backup(who, path).await,
            Request::Audit { filter, before, most } => self.audit(filter, before, most).await,
            Request::Record { seq } => self.record(seq).await,
            Request::Connection { grant } => self.connection(grant).await,
            Request::Journal(query) => self.journal(query).await,
            Request::ScopesPage { grant } => self.scopes_page(grant).await,
            Request::Deny { id } => self.deny(who, &id).await,
            Request::ClientAdd { name, redirect_uris } => self.client_add(who, &name, redirect_uris).await,
            Request::ClientList => self.client_list().await,
            Request::ClientRemove { name } => self.client_remove(who, &name).await,
        };
        answered.unwrap_or_else(Reply::Refused)
    }

    async fn revoke(&self, who: &Principal, name: &str, only: Option<String>) -> Result<Reply, Refusal> {
        match self.access.revoke(who, name, only.map(GrantId)).await.map_err(refusal)? {
            Some(ended) => Ok(Reply::Revoked(view::revoked(name, ended))),
            None => Err(refused("not_found", &format!("there is no connection named {}", view::name(name)))),
        }
    }

    async fn passkey_add(&self, who: &Principal) -> Result<Reply, Refusal> {
        match self.passkeys.issue_link(who).await {
            Ok(link) => Ok(Reply::EnrollLink(view::link(link))),
            Err(error @ LinkError::NoPublicUrl) => Err(refused("no_public_url", &error.to_string())),
            Err(LinkError::Unavailable(error)) => Err(refusal(error)),
        }
    }

    async fn enroll_ticket(&self, who: &Principal, url: &str) -> Result<Reply, Refusal> {
        match self.passkeys.ticket(who, url).await.map_err(refusal)? {
            Some(url) => Ok(Reply::Ticket { url: SecretUrl(url) }),
            None => Err(refused("not_found", "this link was used, was replaced, or has expired: make a new one")),
        }
    }

    async fn passkey_remove(&self, who: &Principal, id: &str) -> Result<Reply, Refusal> {
        match self.passkeys.remove(who, id).await {
            Ok(Some(_removed)) => Ok(Reply::Done),
            Ok(None) => Err(refused("not_found", &format!("there is no passkey {}", view::name(id)))),
            Err(error @ RemoveError::Last) => Err(refused("last_passkey", &error.to_string())),
            Err(error @ RemoveError::Ambiguous(_)) => Err(refused("ambiguous", &error.to_string())),
            Err(error @ RemoveError::Short) => Err(refused("invalid_request", &error.to_string())),
            Err(RemoveError::Unavailable(error)) => Err(refusal(error)),
        }
    }

    /// Written down and answered first: whoever serves the conversation begins the stop after the answer was sent.
    async fn stop(&self, who: &Principal) -> Result<Reply, Refusal> {
        self.base.audit.record(who, Draft::ok(Kind::HostStopRequested)).await.map_err(refusal)?;
        Ok(Reply::Done)
    }

    async fn backup(&self, who: &Principal, path: PathBuf) -> Result<Reply, Refusal> {
        if path.is_relative() {
            return Err(refused("invalid_request", "the path of a backup must be absolute"));
        }
        let bytes = match self.base.store.backup(path.clone()).await {
            Ok(bytes) => bytes,
            Err(BackupError::Store(error)) => return Err(refusal(error)),
            Err(error @ BackupError::Damaged(_)) => return Err(refused("damaged", &view::address(&error.to_string()))),
            Err(error) => return Err(refused("target", &view::address(&error.to_string()))),
        };
        let draft = Draft::ok(Kind::BackupWritten).object(&path.to_string_lossy()).with("bytes", bytes);
        self.base.audit.record(who, draft).await.map_err(refusal)?;
        Ok(Reply::BackedUp { path, bytes })
    }
}

/// Something that was not done, with a reason of ours.
pub(super) fn refused(reason: &str, message: &str) -> Refusal {
    Refusal { reason: reason.to_owned(), message: message.to_owned() }
}

/// The store could not be used: try again.
pub(super) fn refusal(error: Error) -> Refusal {
    tracing::warn!(%error, "a control request could not be answered");
    refused("unavailable", &view::address(&error.to_string()))
}
