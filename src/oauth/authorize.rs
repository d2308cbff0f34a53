//! Opening the authorization page: the request is checked and kept under a fresh challenge. Nothing is fetched.

use super::Oauth;
use super::local::Registered;
use super::model::{AuthorizationRequest, ClientKind};
use super::page::Form;
use super::params::Params;
use super::redirect;
use super::request::{self, RequestRefusal};
use crate::passkeys::{CeremonyKind, Offer};
use crate::store::{Error, Reader, Tx};
use crate::text;

/// Longest prefilled name: that of a connection name.
const NAME: usize = 64;

impl Oauth {
    /// The page for the request in `params`.
    pub(crate) async fn open(&self, params: &Params) -> Result<Form, RequestRefusal> {
        let asked = request::read(&self.public_url, params)?;
        let (known, passkey) = self.store.look(|db| Ok::<_, Error>((self.still_known(db, &asked)?, self.passkeys.any(db)?)))?;
        if !known {
            return Err(RequestRefusal::Local);
        }
        if !passkey {
            return Err(RequestRefusal::NoPasskey);
        }
        let (oauth, begun) = (self.clone(), asked.clone());
        let offer = self.store.write(move |tx| oauth.begin(tx, &begun)).await?.ok_or(RequestRefusal::NoPasskey)?;
        let name = prefill(&asked, params);
        Ok(Form { ticked: asked.scopes.clone(), request: asked, offer, name, reason: None })
    }

    /// Keeps the request under a fresh challenge. `None`: there is no passkey to approve it.
    pub(super) fn begin(&self, tx: &mut Tx<'_>, request: &AuthorizationRequest) -> Result<Option<Offer>, Error> {
        self.passkeys.begin_assertion(tx, CeremonyKind::Authorize, &serde_json::to_value(request)?)
    }

    /// Whether the client's document is kept here now and lists the return address. True of external clients, whose document is not
    /// looked at before the passkey.
    pub(super) fn still_known(&self, db: &Reader<'_>, request: &AuthorizationRequest) -> Result<bool, Error> {
        Ok(match self.registered(db, &request.client)? {
            Registered::Elsewhere => true,
            Registered::Unknown => false,
            Registered::Here { redirect_uris } => {
                redirect_uris.iter().any(|listed| redirect::matches(&request.redirect_uri, listed))
            }
        })
    }
}

/// A first proposal for the connection's name; never one that is taken from the store.
fn prefill(request: &AuthorizationRequest, params: &Params) -> String {
    match &request.client {
        ClientKind::BuiltIn { .. } => text::shorten(&text::safe(params.text("name")), NAME),
        ClientKind::Local { name } => name.clone(),
        ClientKind::External => slug(&request.client_id),
    }
}

/// The host of a client id as a name: `chatgpt-com`.
fn slug(client_id: &str) -> String {
    let host = url::Url::parse(client_id).ok().and_then(|url| url.host_str().map(str::to_ascii_lowercase)).unwrap_or_default();
    let mut name = String::new();
    for c in host.chars() {
        match c {
            'a'..='z' => name.push(c),
            _ if name.is_empty() => {}
            '0'..='9' | '-' => name.push(c),
            _ if !name.ends_with('-') => name.push('-'),
            _ => {}
        }
    }
    name.truncate(NAME);
    name
}
