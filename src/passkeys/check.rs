//! Checking an assertion: a passkey that is enrolled now, the right challenge and origin, a verified user, a counter that moved on.

use webauthn_rs::prelude::{DiscoverableAuthentication, PublicKeyCredential, WebauthnError};

use super::failures::{Noted, Sort};
use super::model::{Ceremony, Enrolled, PasskeyId};
use super::{Passkeys, store};
use crate::access::Principal;
use crate::audit::{Draft, Kind};
use crate::store::{Error, Tx};

/// Why an assertion was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AssertionRefusal {
    /// Missing, or not what a browser sends.
    #[error("the passkey's answer could not be read")]
    Unreadable,
    /// Of no passkey that is enrolled under this address now.
    #[error("this passkey is not enrolled here")]
    Unknown,
    /// The authenticator did not check who is there.
    #[error("the passkey was used without a fingerprint, face or PIN")]
    NotVerified,
    /// The counter did not rise: there may be a copy of the passkey (WebAuthn 6.1.1).
    #[error("the use counter of the passkey {0} did not rise, as if it had been copied: remove it and enroll a new one")]
    Copied(PasskeyId),
    /// Anything else that makes it worthless: signature, challenge, origin.
    #[error("the passkey's answer does not fit what was asked: {0}")]
    Invalid(String),
}

impl AssertionRefusal {
    /// The short machine-readable reason.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            AssertionRefusal::Unreadable => "assertion_unreadable",
            AssertionRefusal::Unknown => "passkey_unknown",
            AssertionRefusal::NotVerified => "user_not_verified",
            AssertionRefusal::Copied(_) => "passkey_counter",
            AssertionRefusal::Invalid(_) => "assertion_invalid",
        }
    }
}

impl Passkeys {
    /// Checks the browser's `assertion` (JSON) against the ceremony it answers and the passkeys enrolled now. An accepted one is noted at
    /// its passkey: counter and time. A refused one is recorded.
    pub(crate) fn check(
        &self,
        tx: &mut Tx<'_>,
        ceremony: &Ceremony,
        assertion: &str,
    ) -> Result<Result<PasskeyId, AssertionRefusal>, Error> {
        match self.verify(tx, ceremony, assertion)? {
            Ok(enrolled) => {
                store::used(tx, &enrolled, self.clock.now())?;
                Ok(Ok(enrolled.id))
            }
            Err(refusal) => {
                let draft = Draft::refused(Kind::PasskeyRefused, refusal.reason())
                    .with("ceremony", ceremony.kind.name())
                    .with("challenge", ceremony.challenge_digest());
                match &refusal {
                    AssertionRefusal::Copied(id) => {
                        self.record_stranger(tx, Sort::Signed, (&Principal::System, draft.object(&id.0)))?;
                    }
                    _ => self.record_failure(tx, draft)?,
                }
                Ok(Err(refusal))
            }
        }
    }

    /// The passkey that made the assertion, brought up to date.
    fn verify(&self, tx: &Tx<'_>, ceremony: &Ceremony, assertion: &str) -> Result<Result<Enrolled, AssertionRefusal>, Error> {
        let Some(site) = &self.site else { return Ok(Err(AssertionRefusal::Unknown)) };
        let Ok(response) = serde_json::from_str::<PublicKeyCredential>(assertion) else {
            return Ok(Err(AssertionRefusal::Unreadable));
        };
        let state: DiscoverableAuthentication = serde_json::from_str(&ceremony.state)?;
        let id = PasskeyId::of(response.get_credential_id());
        let Some(mut by) = store::enrolled(tx, site.origin())?.into_iter().find(|one| one.id == id) else {
            return Ok(Err(AssertionRefusal::Unknown));
        };
        match site.finish_assertion(&response, state, &by) {
            Ok(result) => {
                by.credential.passkey.update_credential(&result);
                Ok(Ok(by))
            }
            Err(error) => Ok(Err(refusal(&error, id))),
        }
    }

    /// Records a failed attempt of nobody in particular.
    pub(super) fn record_failure(&self, tx: &mut Tx<'_>, draft: Draft) -> Result<(), Error> {
        self.record_stranger(tx, Sort::Unproved, (&Principal::System, draft))
    }

    /// Records what anybody can bring about as often as they like, or counts it when this minute had enough of its sort.
    pub(crate) fn record_stranger(&self, tx: &mut Tx<'_>, sort: Sort, (who, draft): (&Principal, Draft)) -> Result<(), Error> {
        let draft = match self.failures.note(sort, self.clock.now()) {
            Noted::Count => return Ok(()),
            Noted::Record { untold: 0 } => draft,
            Noted::Record { untold } => draft.with("untold", untold),
        };
        self.audit.append(tx, who, draft)?;
        Ok(())
    }
}

fn refusal(error: &WebauthnError, by: PasskeyId) -> AssertionRefusal {
    match error {
        WebauthnError::CredentialNotFound => AssertionRefusal::Unknown,
        WebauthnError::UserNotVerified => AssertionRefusal::NotVerified,
        WebauthnError::CredentialPossibleCompromise => AssertionRefusal::Copied(by),
        other => AssertionRefusal::Invalid(other.to_string()),
    }
}
