//! The token endpoint: a code, once, by the client it was made for, becomes a token.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq as _;

use super::assertion::{AssertionError, Expected, Proof, TYPE};
use super::model::{Approval, AuthMethod};
use super::params::Params;
use super::{Oauth, request, store};
use crate::access::{Issued, NameRefusal, NewGrant, Principal};
use crate::audit::{Draft, Kind};
use crate::digest::Digest;
use crate::store::{Error, Tx};

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TokenError {
    /// Something else than a code.
    #[error("grant_type must be authorization_code")]
    GrantType,
    /// No code at all.
    #[error("the parameter code is missing")]
    NoCode,
    /// Never given out, used, or too old.
    #[error("this code is unknown, was used before, or has expired: start a new authorization")]
    Code,
    /// The client did not prove itself.
    #[error("{0}. The code is used up: start a new authorization")]
    Client(#[from] AssertionError),
    /// It is not the request the code was made for.
    #[error("missing, or not what the code was made for: {0}. The code is used up: start a new authorization")]
    Mismatch(String),
    /// The passkey that approved it is not enrolled any more.
    #[error("the passkey that approved this was removed. The code is used up: start a new authorization")]
    Passkey,
    /// The name is not free any more. Whose it is now is for the owner alone.
    #[error("the connection cannot have its name any more. The code is used up: start a new authorization")]
    Name(NameRefusal),
    /// It would end a connection of its own that was made after the owner said yes, and the owner was not told.
    #[error("a connection of this name was made meanwhile. The code is used up: start a new authorization")]
    Replaces,
    /// The store could not be used.
    #[error("the store does not answer just now; try again")]
    Unavailable(#[from] Error),
}

impl TokenError {
    /// For the audit.
    fn reason(&self) -> &'static str {
        match self {
            TokenError::GrantType => "grant_type",
            TokenError::NoCode | TokenError::Code => "code",
            TokenError::Client(_) => "client_assertion",
            TokenError::Mismatch(_) => "mismatch",
            TokenError::Passkey => "passkey_unknown",
            TokenError::Name(refusal) => refusal.reason(),
            TokenError::Replaces => "replaces",
            TokenError::Unavailable(_) => "unavailable",
        }
    }
}

/// What has to be the same as in the authorization, as the token request has it.
struct Presented {
    client_id: String,
    redirect_uri: String,
    resource: String,
    verifier: String,
}

impl Oauth {
    /// Exchanges the code in `params`. A code is used up by the first attempt, whatever comes of it.
    pub(crate) async fn exchange(&self, params: &Params) -> Result<Issued, TokenError> {
        if params.get("grant_type") != Some("authorization_code") {
            return Err(TokenError::GrantType);
        }
        let digest = Digest::of(params.get("code").ok_or(TokenError::NoCode)?.as_bytes());
        // Outside a transaction: a stranger with a made-up code cannot keep the writer busy, nor make anything be fetched.
        let Some(approval) = self.store.look(|db| store::code(db, &digest, self.clock.now()))? else {
            self.audit.count_refused("code");
            return Err(TokenError::Code);
        };
        let proof = self.authenticate(params, &approval).await;
        let presented = Presented {
            client_id: params.text("client_id").to_owned(),
            redirect_uri: params.text("redirect_uri").to_owned(),
            resource: params.text("resource").to_owned(),
            verifier: params.text("code_verifier").to_owned(),
        };
        let oauth = self.clone();
        // A refusal uses the code up, so it is a result of the transaction and not its failure.
        self.store.write(move |tx| oauth.finish(tx, &digest, proof, &presented)).await?
    }

    /// The client's proof, when its document demands one.
    async fn authenticate(&self, params: &Params, approval: &Approval) -> Result<Option<Proof>, AssertionError> {
        let AuthMethod::PrivateKeyJwt { jwks_uri, algorithm } = &approval.auth else { return Ok(None) };
        if params.get("client_assertion_type") != Some(TYPE) {
            return Err(AssertionError::Missing);
        }
        let assertion = params.get("client_assertion").ok_or(AssertionError::Missing)?;
        let expected = Expected { client_id: &approval.request.client_id, jwks_uri, algorithm: *algorithm };
        self.prove(assertion, &expected).await.map(Some)
    }

    fn finish(
        &self,
        tx: &mut Tx<'_>,
        digest: &Digest,
        proof: Result<Option<Proof>, AssertionError>,
        presented: &Presented,
    ) -> Result<Result<Issued, TokenError>, Error> {
        let Some(approval) = store::take_code(tx, digest, self.clock.now())? else { return Ok(Err(TokenError::Code)) };
        let who = Principal::Client { client_id: approval.request.client_id.clone() };
        if let Err(refusal) = self.permit(tx, proof, presented, &approval)? {
            let draft = Draft::refused(Kind::TokenRefused, refusal.reason()).object(&approval.name);
            self.audit.append(tx, &who, draft)?;
            return Ok(Err(refusal));
        }
        let new = NewGrant {
            name: approval.name,
            client_id: approval.request.client_id,
            client_name: approval.client_name,
            scopes: approval.scopes,
            resource: approval.request.resource,
            approval: approval.record,
        };
        Ok(Ok(self.access.issue(tx, &who, new)?))
    }

    fn permit(
        &self,
        tx: &mut Tx<'_>,
        proof: Result<Option<Proof>, AssertionError>,
        presented: &Presented,
        approval: &Approval,
    ) -> Result<Result<(), TokenError>, Error> {
        let spent = match proof {
            Ok(None) => Ok(()),
            Ok(Some(proof)) => self.spend(tx, &proof)?,
            Err(error) => Err(error),
        };
        if let Err(error) = spent {
            return Ok(Err(TokenError::Client(error)));
        }
        let wrong = self.mismatches(presented, approval);
        if !wrong.is_empty() {
            return Ok(Err(TokenError::Mismatch(wrong.join(", "))));
        }
        self.stands(tx, approval)
    }

    /// Whether the owner's yes still covers it.
    fn stands(&self, tx: &Tx<'_>, approval: &Approval) -> Result<Result<(), TokenError>, Error> {
        let client_id = &approval.request.client_id;
        if !self.passkeys.is_enrolled(tx, &approval.passkey)? {
            return Ok(Err(TokenError::Passkey));
        }
        if let Err(refusal) = self.access.check_name(tx, client_id, &approval.name)? {
            return Ok(Err(TokenError::Name(refusal)));
        }
        let unforeseen = !approval.replaces && self.access.would_replace(tx, client_id, &approval.name)?;
        Ok(if unforeseen { Err(TokenError::Replaces) } else { Ok(()) })
    }

    /// The names of all parameters that are not what they were.
    fn mismatches(&self, presented: &Presented, approval: &Approval) -> Vec<&'static str> {
        let request = &approval.request;
        let resource = request::canonical(&self.public_url, &presented.resource);
        let verifier = URL_SAFE_NO_PAD.encode(Digest::of(presented.verifier.as_bytes()).0);
        let same = [
            ("client_id", presented.client_id == request.client_id),
            ("redirect_uri", presented.redirect_uri == request.redirect_uri),
            ("resource", resource.is_some() && resource == request::canonical(&self.public_url, &request.resource)),
            ("code_verifier", verifier.as_bytes().ct_eq(request.code_challenge.as_bytes()).into()),
        ];
        same.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect()
    }
}
