//! Denying: from the page, or by the owner at a terminal. The client is not told: its return address is not proved.

use super::Oauth;
use super::model::AuthorizationRequest;
use crate::access::Principal;
use crate::audit::{Draft, Kind};
use crate::passkeys::CeremonyKind;
use crate::store::Error;

impl Oauth {
    /// Denies the authorization that waits under this id. `false`: it does not wait any more.
    pub(crate) async fn deny(&self, who: &Principal, id: &str) -> Result<bool, Error> {
        let (oauth, who, id) = (self.clone(), who.clone(), id.to_owned());
        self.store
            .write(move |tx| {
                let Some(binding) = oauth.passkeys.close(tx, CeremonyKind::Authorize, &id)? else { return Ok(false) };
                let request: AuthorizationRequest = serde_json::from_value(binding)?;
                let draft = Draft::ok(Kind::AuthorizationDenied)
                    .object(&request.client_id)
                    .with("redirect_uri", request.redirect_uri.as_str());
                oauth.audit.append(tx, &who, draft).map(|_seq| true)
            })
            .await
    }

    /// Denies the authorization of the page with this challenge. `false`: it is none, or none any more. Nobody has proved who pressed the
    /// button, and a stranger can open and deny page after page: it is counted and gets no record of its own.
    pub(crate) async fn deny_on_page(&self, challenge: &str) -> Result<bool, Error> {
        let (oauth, challenge) = (self.clone(), challenge.to_owned());
        let taken = self.store.write(move |tx| oauth.passkeys.take(tx, CeremonyKind::Authorize, &challenge)).await?;
        if taken.is_some() {
            self.audit.count_refused("denied_on_page");
        }
        Ok(taken.is_some())
    }
}
