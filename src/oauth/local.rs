//! Client documents kept here: for clients that have no address of their own. Nothing is served at their `client_id`.

use super::model::ClientKind;
use super::{Oauth, redirect, store};
use crate::access::{NameRefusal, Principal, RESERVED_CLIENTS, well_formed};
use crate::audit::{Draft, Kind};
use crate::clock::UnixMs;
use crate::store::{Error, Reader};

/// Where the built-in clients are returned to, on any port.
const BUILT_IN: &str = "http://127.0.0.1/callback";

/// A document kept here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocalClient {
    pub(crate) name: String,
    pub(crate) client_id: String,
    pub(crate) redirect_uris: Vec<String>,
    pub(crate) created_at: UnixMs,
    /// How many connections it has.
    pub(crate) connections: i64,
}

/// Why a document was not added.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClientError {
    /// Not of the form of a connection name.
    #[error("{0}")]
    Name(#[from] NameRefusal),
    /// The name of a client that is always there.
    #[error("“{0}” is built in: choose another name")]
    BuiltIn(String),
    /// Nowhere to return to.
    #[error("a client needs at least one return address")]
    NoRedirect,
    /// Not on this machine. Quoted as JSON, so that every character of it can be seen.
    #[error("{} is not a return address on this machine: it must be http on 127.0.0.1, localhost or [::1]", serde_json::json!(.0))]
    Redirect(String),
    /// There is one already.
    #[error("there is a client document named “{0}” already: remove it first")]
    Exists(String),
    /// The store could not be used.
    #[error("the store does not answer just now; try again")]
    Unavailable(#[from] Error),
}

/// Where a client's document is, and what it allows.
pub(super) enum Registered {
    Elsewhere,
    Unknown,
    Here { redirect_uris: Vec<String> },
}

impl Oauth {
    /// Keeps a document for a client of this name that is returned to one of these loopback addresses, on any port.
    pub(crate) async fn client_add(
        &self,
        who: &Principal,
        name: &str,
        redirect_uris: Vec<String>,
    ) -> Result<LocalClient, ClientError> {
        let redirect_uris = acceptable(name, redirect_uris)?;
        let (oauth, who, name) = (self.clone(), who.clone(), name.to_owned());
        self.store
            .write(move |tx| {
                if store::kept(tx, &name)?.is_some() {
                    return Err(ClientError::Exists(name));
                }
                let new = store::Kept { name, redirect_uris, created_at: oauth.clock.now() };
                store::keep(tx, &new)?;
                oauth.audit.append(tx, &who, Draft::ok(Kind::ClientAdded).object(&new.name))?;
                Ok(oauth.local(tx, new)?)
            })
            .await
    }

    /// All documents the owner added, by name.
    pub(crate) async fn client_list(&self) -> Result<Vec<LocalClient>, Error> {
        let oauth = self.clone();
        self.store.read(move |db| store::all_kept(db)?.into_iter().map(|kept| oauth.local(db, kept)).collect()).await
    }

    /// Forgets a document: its connections stay, and no new ones are made. `false` when there was none.
    pub(crate) async fn client_remove(&self, who: &Principal, name: &str) -> Result<bool, Error> {
        let (oauth, who, name) = (self.clone(), who.clone(), name.to_owned());
        self.store
            .write(move |tx| {
                let removed = store::forget(tx, &name)?;
                if removed {
                    oauth.audit.append(tx, &who, Draft::ok(Kind::ClientRemoved).object(&name))?;
                }
                Ok(removed)
            })
            .await
    }

    /// What is known here of a client.
    pub(super) fn registered(&self, db: &Reader<'_>, client: &ClientKind) -> Result<Registered, Error> {
        Ok(match client {
            ClientKind::External => Registered::Elsewhere,
            ClientKind::BuiltIn { .. } => Registered::Here { redirect_uris: vec![BUILT_IN.to_owned()] },
            ClientKind::Local { name } => match store::kept(db, name)? {
                Some(kept) => Registered::Here { redirect_uris: kept.redirect_uris },
                None => Registered::Unknown,
            },
        })
    }

    fn local(&self, db: &Reader<'_>, kept: store::Kept) -> Result<LocalClient, Error> {
        let client_id = self.public_url.join(&format!("/clients/{}", kept.name));
        let connections = self.access.grants_of(db, &client_id)?;
        let store::Kept { name, redirect_uris, created_at } = kept;
        Ok(LocalClient { name, client_id, redirect_uris, created_at, connections })
    }
}

/// The addresses, each once, when name and addresses can be used.
fn acceptable(name: &str, redirect_uris: Vec<String>) -> Result<Vec<String>, ClientError> {
    if !well_formed(name) {
        return Err(ClientError::Name(NameRefusal::Pattern));
    }
    if RESERVED_CLIENTS.contains(&name) {
        return Err(ClientError::BuiltIn(name.to_owned()));
    }
    let mut all: Vec<String> = Vec::new();
    for uri in redirect_uris {
        if !redirect::is_loopback(&uri) || redirect::usable(&uri).is_err() {
            return Err(ClientError::Redirect(uri));
        }
        if !all.contains(&uri) {
            all.push(uri);
        }
    }
    if all.is_empty() { Err(ClientError::NoRedirect) } else { Ok(all) }
}
