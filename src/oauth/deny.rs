//! Denying: from the page, or by the owner at a terminal. The client is not told: its return address is not proved.

use serde_json::Value;

use super::Oauth;
use super::model::AuthorizationRequest;
use crate::access::Principal;
use crate::audit::{Draft, Kind};
use crate::passkeys::{CeremonyKind, Sort};
use crate::store::Error;

impl Oauth {
    /// Denies the authorization that waits under this id. `false`: it does not wait any more.
    pub(crate) async fn deny(&self, who: &Principal, id: &str) -> Result<bool, Error> {
        let (oauth, who, id) = (self.clone(), who.clone(), id.to_owned());
        self.store
            .write(move |tx| {
                let Some(binding) = oauth.passkeys.close(tx, CeremonyKind::Authorize, &id)? else { return Ok(false) };
                oauth.audit.append(tx, &who, denied(&read(binding)?)).map(|_seq| true)
            })
            .await
    }

    /// Denies the authorization of the page with this challenge. `false`: it is none, or none any more. Nobody has proved who pressed the
    /// button, so the record names the client; and a stranger can open and deny page after page, so only so many are made.
    pub(crate) async fn deny_on_page(&self, challenge: &str) -> Result<bool, Error> {
        if !self.passkeys.waits(CeremonyKind::Authorize, challenge)? {
            return Ok(false);
        }
        let (oauth, challenge) = (self.clone(), challenge.to_owned());
        self.store
            .write(move |tx| {
                let Some(ceremony) = oauth.passkeys.take(tx, CeremonyKind::Authorize, &challenge)? else { return Ok(false) };
                let request = read(ceremony.binding)?;
                let on_page = Principal::Client { client_id: request.client_id.clone() };
                oauth.passkeys.record_stranger(tx, Sort::Denied, (&on_page, denied(&request))).map(|()| true)
            })
            .await
    }
}

fn read(binding: Value) -> Result<AuthorizationRequest, Error> {
    Ok(serde_json::from_value(binding)?)
}

fn denied(request: &AuthorizationRequest) -> Draft {
    Draft::ok(Kind::AuthorizationDenied).object(&request.client_id).with("redirect_uri", request.redirect_uri.as_str())
}
