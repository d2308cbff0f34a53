//! Enrollment: the link's secret opens it, an enrolled passkey (if there is one) allows it, a verified registration ends it.

use serde_json::{Value, json};
use webauthn_rs::prelude::{PasskeyRegistration, RegisterPublicKeyCredential, Uuid};
use webauthn_rs_proto::AuthenticatorTransport;

use super::ceremony::{Begun, challenge_of, unusable};
use super::model::{Ceremony, CeremonyKind, Credential, Listed, PasskeyId};
use super::site::Site;
use super::{AssertionRefusal, Passkeys, store};
use crate::access::Principal;
use crate::audit::{Draft, Kind};
use crate::digest::Digest;
use crate::store::{Error, Reader, Tx};
use crate::text;

/// Longest label: one line of a list.
const LABEL: usize = 64;

/// What the enrollment page gets.
pub(crate) struct EnrollOffer {
    /// `publicKey` of `navigator.credentials.create`.
    pub(crate) options: Value,
    /// `publicKey` of `navigator.credentials.get`, when an enrolled passkey has to allow it.
    pub(crate) assertion: Option<Value>,
}

/// What the enrollment page sends back.
pub(crate) struct Submitted {
    pub(crate) secret: String,
    /// The challenge of the registration.
    pub(crate) challenge: String,
    pub(crate) label: Option<String>,
    /// The registration, as the browser has it.
    pub(crate) response: Value,
    /// The challenge of the assertion, and the assertion as JSON text.
    pub(crate) assertion: Option<(String, String)>,
}

/// Why nothing was enrolled. Only [`EnrollError::Link`] means that a new link is needed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EnrollError {
    /// Not the live link: used, replaced, expired or never issued.
    #[error("this link was used, was replaced by a newer one, or has expired: ask for a new one in the terminal")]
    Link,
    /// An enrolled passkey has to allow it, and none did.
    #[error("a passkey that is already enrolled has to allow a new one")]
    AssertionMissing,
    /// One was tried and refused.
    #[error("the enrolled passkey did not allow it: {0}")]
    Assertion(#[from] AssertionRefusal),
    /// The page was open for too long, or was submitted before.
    #[error("this page waited too long: try again")]
    Expired,
    /// What the authenticator made cannot be accepted.
    #[error("the new passkey cannot be accepted: {0}")]
    Registration(String),
    /// The store could not be used.
    #[error("the store does not answer just now; try again")]
    Unavailable(#[from] Error),
}

impl EnrollError {
    /// The short machine-readable reason.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            EnrollError::Link => "link",
            EnrollError::AssertionMissing => "assertion_missing",
            EnrollError::Assertion(refusal) => refusal.reason(),
            EnrollError::Expired => "expired",
            EnrollError::Registration(_) => "registration",
            EnrollError::Unavailable(_) => "unavailable",
        }
    }
}

impl Passkeys {
    /// Begins an enrollment for whoever holds the live link.
    pub(crate) async fn enroll_options(&self, secret: &str) -> Result<EnrollOffer, EnrollError> {
        let (passkeys, digest) = (self.clone(), self.refuse_strangers(secret)?);
        self.store.write(move |tx| passkeys.offer(tx, &digest)).await
    }

    /// Ends an enrollment: the passkey is stored and the link is used up. Both challenges are used up by any attempt; the link only by
    /// success.
    pub(crate) async fn enroll(&self, submitted: Submitted) -> Result<PasskeyId, EnrollError> {
        let (passkeys, digest) = (self.clone(), self.refuse_strangers(&submitted.secret)?);
        // A refusal uses the challenges up, so it is a result of the transaction and not its failure.
        self.store.write(move |tx| passkeys.finish(tx, &digest, &submitted)).await?
    }

    /// The digest of the live link, if `secret` is its secret. Outside a transaction, so that a stranger cannot keep the writer busy.
    fn refuse_strangers(&self, secret: &str) -> Result<Digest, EnrollError> {
        let digest = Digest::of(secret.as_bytes());
        if self.store.look(|db| self.is_live(db, &digest))? {
            return Ok(digest);
        }
        self.audit.count_refused("enroll_link");
        Err(EnrollError::Link)
    }

    pub(super) fn is_live(&self, db: &Reader<'_>, digest: &Digest) -> Result<bool, Error> {
        Ok(store::live_link(db, self.clock.now())?.is_some_and(|live| live == *digest))
    }

    fn offer(&self, tx: &mut Tx<'_>, digest: &Digest) -> Result<EnrollOffer, EnrollError> {
        let site = self.site.as_ref().ok_or(EnrollError::Link)?;
        if !self.is_live(tx, digest)? {
            return Err(EnrollError::Link);
        }
        let owner = self.user_handle(tx)?;
        let enrolled = store::enrolled(tx, site.origin())?;
        let (options, state) = site.start_registration(owner, &enrolled).map_err(|error| unusable(&error))?;
        let options = serde_json::to_value(&options).map_err(Error::from)?;
        let state = serde_json::to_string(&state).map_err(Error::from)?;
        let challenge = challenge_of(&options)?;
        let binding = json!({ "link": digest.hex() });
        self.begin(tx, &Begun { kind: CeremonyKind::Enroll, challenge: &challenge, state: &state, binding: &binding })?;
        let allows = json!({ "registration": challenge });
        let assertion = self.begin_assertion(tx, CeremonyKind::EnrollAssert, &allows)?;
        Ok(EnrollOffer { options, assertion: assertion.map(|offer| offer.options) })
    }

    fn finish(
        &self,
        tx: &mut Tx<'_>,
        digest: &Digest,
        submitted: &Submitted,
    ) -> Result<Result<PasskeyId, EnrollError>, EnrollError> {
        let site = self.site.as_ref().ok_or(EnrollError::Link)?;
        if !self.is_live(tx, digest)? {
            return Err(EnrollError::Link);
        }
        let registration = self
            .take(tx, CeremonyKind::Enroll, &submitted.challenge)?
            .filter(|taken| taken.binding == json!({ "link": digest.hex() }));
        let allowed_by = match self.allowed_by(tx, submitted)? {
            Ok(allowed_by) => allowed_by,
            Err(refusal) => return Ok(Err(refusal)),
        };
        match self.registered(tx, site, registration, &submitted.response)? {
            Ok(credential) => Ok(Ok(self.add(tx, submitted, credential, allowed_by)?)),
            Err(refusal) => {
                self.record_failure(tx, Draft::refused(Kind::PasskeyRefused, refusal.reason()).with("ceremony", "enroll"))?;
                Ok(Err(refusal))
            }
        }
    }

    /// The enrolled passkey that allows this enrollment; `None` when there is none yet, so that the link alone is enough.
    fn allowed_by(&self, tx: &mut Tx<'_>, submitted: &Submitted) -> Result<Result<Option<PasskeyId>, EnrollError>, EnrollError> {
        let taken = match &submitted.assertion {
            Some((challenge, _)) => self.take(tx, CeremonyKind::EnrollAssert, challenge)?,
            None => None,
        };
        if !self.any(tx)? {
            return Ok(Ok(None));
        }
        // An assertion allows the registration it was offered with and no other.
        let allows = json!({ "registration": submitted.challenge });
        match (taken.filter(|taken| taken.binding == allows), &submitted.assertion) {
            (Some(ceremony), Some((_, assertion))) => {
                Ok(self.check(tx, &ceremony, assertion)?.map(Some).map_err(EnrollError::from))
            }
            _ => {
                let refusal = EnrollError::AssertionMissing;
                self.record_failure(tx, Draft::refused(Kind::PasskeyRefused, refusal.reason()).with("ceremony", "enroll"))?;
                Ok(Err(refusal))
            }
        }
    }

    fn registered(
        &self,
        db: &Reader<'_>,
        site: &Site,
        ceremony: Option<Ceremony>,
        response: &Value,
    ) -> Result<Result<Credential, EnrollError>, Error> {
        let Some(ceremony) = ceremony else { return Ok(Err(EnrollError::Expired)) };
        let state: PasskeyRegistration = serde_json::from_str(&ceremony.state)?;
        let refused = |cause: &dyn std::fmt::Display| Ok(Err(EnrollError::Registration(cause.to_string())));
        let response: RegisterPublicKeyCredential = match serde_json::from_value(response.clone()) {
            Ok(response) => response,
            Err(_) => return refused(&"it could not be read"),
        };
        let passkey = match site.finish_registration(&response, &state) {
            Ok(passkey) => passkey,
            Err(error) => return refused(&error),
        };
        if store::exists(db, &PasskeyId::of(passkey.cred_id()))? {
            return refused(&"it is enrolled already");
        }
        let transports = response.response.transports.map(|all| all.into_iter().filter(is_hint).collect());
        let discoverable = response.extensions.cred_props.and_then(|properties| properties.rk);
        Ok(Ok(Credential { passkey, transports, discoverable }))
    }

    fn add(
        &self,
        tx: &mut Tx<'_>,
        submitted: &Submitted,
        credential: Credential,
        allowed_by: Option<PasskeyId>,
    ) -> Result<PasskeyId, Error> {
        let label = submitted.label.as_deref().map(str::trim).filter(|label| !label.is_empty());
        let new = Listed {
            id: PasskeyId::of(credential.passkey.cred_id()),
            label: label.map(|label| text::shorten(label, LABEL)),
            public_url: self.site.as_ref().map(|site| site.origin().to_owned()).unwrap_or_default(),
            here: true,
            created_at: self.clock.now(),
            last_used_at: None,
        };
        store::insert(tx, &new, &credential)?;
        store::delete_link(tx)?;
        let who = allowed_by.map_or(Principal::System, |id| Principal::Passkey { id: id.0 });
        let mut draft = Draft::ok(Kind::PasskeyAdded).object(&new.id.0);
        if let Some(label) = &new.label {
            draft = draft.with("label", label.as_str());
        }
        self.audit.append(tx, &who, draft)?;
        Ok(new.id)
    }

    /// The owner's WebAuthn user handle: random, made once, the same for every passkey, so that a password manager sees one account.
    fn user_handle(&self, tx: &mut Tx<'_>) -> Result<Uuid, Error> {
        if let Some(stored) = store::user_handle(tx)? {
            return Uuid::parse_str(&stored).map_err(|error| Error::Damaged(format!("the owner's user handle: {error}")));
        }
        // Version 4: one with a time in it would tell when the owner began, for life.
        let handle = uuid::Builder::from_random_bytes(self.rng.bytes::<16>()).into_uuid();
        store::set_user_handle(tx, &handle.to_string())?;
        Ok(handle)
    }
}

/// Whether a browser may be given it back.
fn is_hint(transport: &AuthenticatorTransport) -> bool {
    !matches!(transport, AuthenticatorTransport::Unknown | AuthenticatorTransport::Test)
}
