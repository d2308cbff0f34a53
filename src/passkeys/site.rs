//! The relying party: who the passkeys are for, and the only calls that make and check WebAuthn messages.

use std::time::Duration;

use webauthn_rs::prelude::{
    AuthenticationResult, DiscoverableAuthentication, PasskeyRegistration, PublicKeyCredential, RegisterPublicKeyCredential,
    Uuid, WebauthnError,
};
use webauthn_rs::{Webauthn, WebauthnBuilder};
use webauthn_rs_proto::{
    AllowCredentials, PublicKeyCredentialCreationOptions, PublicKeyCredentialRequestOptions, ResidentKeyRequirement,
};

use super::model::Enrolled;
use crate::config::PublicUrl;

/// What authenticators show as the name of the site.
const NAME: &str = "Quarterdeck";
/// What password managers show as the name of the account: there is one.
const OWNER: &str = "owner";

/// Why there can be no passkeys under this public URL.
#[derive(Debug, thiserror::Error)]
#[error("passkeys cannot be set up under {public_url}: {cause}")]
pub(crate) struct SetupError {
    public_url: String,
    cause: WebauthnError,
}

/// The relying party: its id is the public URL's host, its origin the public URL's, port included.
pub(super) struct Site {
    public_url: PublicUrl,
    webauthn: Webauthn,
}

impl Site {
    pub(super) fn new(public_url: &PublicUrl, lifetime: Duration) -> Result<Site, SetupError> {
        let webauthn = WebauthnBuilder::new(public_url.host(), public_url.url())
            .and_then(|builder| builder.rp_name(NAME).timeout(lifetime).build())
            .map_err(|cause| SetupError { public_url: public_url.origin().to_owned(), cause })?;
        Ok(Site { public_url: public_url.clone(), webauthn })
    }

    pub(super) fn public_url(&self) -> &PublicUrl {
        &self.public_url
    }

    /// What passkeys and ceremonies are bound to.
    pub(super) fn origin(&self) -> &str {
        self.public_url.origin()
    }

    /// Options for a new passkey of `owner`, not one of `enrolled`. The library requires user verification; it would discourage a
    /// discoverable passkey, which some platforms then hide from their users.
    pub(super) fn start_registration(
        &self,
        owner: Uuid,
        enrolled: &[Enrolled],
    ) -> Result<(PublicKeyCredentialCreationOptions, PasskeyRegistration), WebauthnError> {
        let known = enrolled.iter().map(|one| one.credential.passkey.cred_id().clone()).collect();
        let (made, state) = self.webauthn.start_passkey_registration(owner, OWNER, OWNER, Some(known))?;
        let mut options = made.public_key;
        if let Some(selection) = &mut options.authenticator_selection {
            selection.resident_key = Some(ResidentKeyRequirement::Preferred);
        }
        Ok((options, state))
    }

    pub(super) fn finish_registration(
        &self,
        response: &RegisterPublicKeyCredential,
        state: &PasskeyRegistration,
    ) -> Result<webauthn_rs::prelude::Passkey, WebauthnError> {
        self.webauthn.finish_passkey_registration(response, state)
    }

    /// Options for an assertion by one of `enrolled`. The state holds no credentials (the library's form for discoverable ones, which
    /// requires user verification too), so that what is checked later is the passkey as it is then, with its counter of then.
    pub(super) fn start_assertion(
        &self,
        enrolled: &[Enrolled],
    ) -> Result<(PublicKeyCredentialRequestOptions, DiscoverableAuthentication), WebauthnError> {
        let (made, state) = self.webauthn.start_discoverable_authentication()?;
        let mut options = made.public_key;
        options.extensions = None;
        options.allow_credentials = enrolled.iter().map(allowed).collect();
        Ok((options, state))
    }

    pub(super) fn finish_assertion(
        &self,
        response: &PublicKeyCredential,
        state: DiscoverableAuthentication,
        by: &Enrolled,
    ) -> Result<AuthenticationResult, WebauthnError> {
        self.webauthn.finish_discoverable_authentication_v2(response, state, &by.credential.passkey)
    }
}

fn allowed(one: &Enrolled) -> AllowCredentials {
    AllowCredentials {
        type_: "public-key".to_owned(),
        id: one.credential.passkey.cred_id().to_vec(),
        transports: one.credential.transports.clone(),
    }
}
