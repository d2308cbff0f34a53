//! Denying: from the page, or by the owner at a terminal. The client is not told: its return address is not proved.

use serde_json::Value;

use super::Oauth;
use super::model::AuthorizationRequest;
use crate::access::Principal;
use crate::audit::{Draft, Kind};
use crate::passkeys::CeremonyKind;
use crate::store::{Error, Tx};
use crate::text;

impl Oauth {
    /// Denies the authorization that waits under this id. `false`: it does not wait any more.
    pub(crate) async fn deny(&self, who: &Principal, id: &str) -> Result<bool, Error> {
        let (oauth, who, id) = (self.clone(), who.clone(), id.to_owned());
        self.store
            .write(move |tx| {
                let Some(binding) = oauth.passkeys.close(tx, CeremonyKind::Authorize, &id)? else { return Ok(false) };
                oauth.record_denial(tx, Some(&who), binding).map(|()| true)
            })
            .await
    }

    /// Denies the authorization of the page with this challenge. `false`: it is none, or none any more.
    pub(crate) async fn deny_on_page(&self, challenge: &str) -> Result<bool, Error> {
        let (oauth, challenge) = (self.clone(), challenge.to_owned());
        self.store
            .write(move |tx| {
                let Some(ceremony) = oauth.passkeys.take(tx, CeremonyKind::Authorize, &challenge)? else { return Ok(false) };
                oauth.record_denial(tx, None, ceremony.binding).map(|()| true)
            })
            .await
    }

    /// Nobody has proved who pressed the button on a page, so there the record names the client, and only so many are made.
    fn record_denial(&self, tx: &mut Tx<'_>, who: Option<&Principal>, binding: Value) -> Result<(), Error> {
        let request: AuthorizationRequest = serde_json::from_value(binding)?;
        let on_page = Principal::Client { client_id: request.client_id.clone() };
        let draft = Draft::ok(Kind::AuthorizationDenied)
            .object(&request.client_id)
            .with("redirect_uri", text::safe(&request.redirect_uri));
        match who {
            Some(who) => self.audit.append(tx, who, draft).map(|_seq| ()),
            None => self.passkeys.record_stranger(tx, &on_page, draft),
        }
    }
}
