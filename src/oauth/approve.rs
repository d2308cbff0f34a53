//! Approving: the passkey's yes first, then the client's own document, then a code.
//!
//! Two transactions with the fetch between them: the first uses the challenge up, whatever comes of it; the second looks again at what
//! may have changed meanwhile.

use super::Oauth;
use super::document::DocumentError;
use super::model::{Approval, AuthMethod, AuthorizationRequest, ClientDocument, ClientKind};
use super::page::Form;
use super::{redirect, store};
use crate::access::{NameRefusal, Principal, Scope, Scopes};
use crate::audit::{Draft, Kind};
use crate::passkeys::{AssertionRefusal, CeremonyKind, PasskeyId};
use crate::secret::Secret;
use crate::store::{Error, Tx};

/// What the page submits.
pub(crate) struct Submission {
    pub(crate) challenge: String,
    /// The passkey's answer, as JSON.
    pub(crate) assertion: String,
    pub(crate) name: String,
    /// The scopes that were ticked.
    pub(crate) scopes: Vec<String>,
}

/// What comes of it.
pub(crate) enum Outcome {
    /// To the client, with a code.
    Approved(String),
    /// The same, but only when the owner goes on: the connection of this name ends then.
    Replaces { name: String, onward: String },
    /// The owner can correct it: the page again, over a fresh challenge.
    Again(Box<Form>),
    /// The challenge is none, or none any more.
    Expired,
    /// The passkey's answer was not good.
    Passkey(AssertionRefusal),
    /// The document kept here is gone, or lists another address now.
    ClientGone,
}

/// Why a good passkey was not enough. The owner sees the sentence on the page.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("{0}")]
    Name(#[from] NameRefusal),
    #[error("tick at least one thing it may do, or deny it")]
    NoScope,
    #[error("the page was sent with a scope that does not exist")]
    UnknownScope,
    #[error("the client's document could not be used: {0}")]
    Document(#[from] DocumentError),
    #[error("the client's document does not list this return address, so the answer could go to somebody else")]
    Redirect,
    #[error("a connection of this name was made or ended while you approved: look at it again")]
    Changed,
}

impl Refusal {
    fn reason(&self) -> &'static str {
        match self {
            Refusal::Name(refusal) => refusal.reason(),
            Refusal::NoScope | Refusal::UnknownScope => "scope",
            Refusal::Document(_) => "client_document",
            Refusal::Redirect => "redirect_uri",
            Refusal::Changed => "changed",
        }
    }
}

/// What a passkey said yes to.
struct Consent {
    passkey: PasskeyId,
    who: Principal,
    challenge: String,
    request: AuthorizationRequest,
    name: String,
    scopes: Scopes,
    /// Whether it would end a connection, as the owner was or will be told.
    replaces: bool,
}

/// After the first transaction.
enum Step {
    Ended(Outcome),
    Fetch(Box<Consent>),
}

impl Oauth {
    /// Takes the page's submission to its end.
    pub(crate) async fn approve(&self, submission: Submission) -> Result<Outcome, Error> {
        if !self.passkeys.waits(CeremonyKind::Authorize, &submission.challenge)? {
            return Ok(Outcome::Expired);
        }
        let oauth = self.clone();
        let consent = match self.store.write(move |tx| oauth.decide(tx, &submission)).await? {
            Step::Ended(outcome) => return Ok(outcome),
            Step::Fetch(consent) => consent,
        };
        let document = self.document(&consent.request.client_id).await;
        let oauth = self.clone();
        self.store.write(move |tx| oauth.conclude(tx, *consent, document)).await
    }

    fn decide(&self, tx: &mut Tx<'_>, submission: &Submission) -> Result<Step, Error> {
        let Some(ceremony) = self.passkeys.take(tx, CeremonyKind::Authorize, &submission.challenge)? else {
            return Ok(Step::Ended(Outcome::Expired));
        };
        let passkey = match self.passkeys.check(tx, &ceremony, &submission.assertion)? {
            Ok(passkey) => passkey,
            Err(refusal) => return Ok(Step::Ended(Outcome::Passkey(refusal))),
        };
        let request: AuthorizationRequest = serde_json::from_value(ceremony.binding.clone())?;
        let ticked: Option<Vec<Scope>> = submission.scopes.iter().map(|name| Scope::parse(name)).collect();
        let consent = Consent {
            who: Principal::Passkey { id: passkey.0.clone() },
            passkey,
            challenge: ceremony.challenge_digest(),
            name: submission.name.trim().to_owned(),
            scopes: Scopes::of(ticked.iter().flatten().copied()),
            replaces: false,
            request,
        };
        if !self.still_known(tx, &consent.request)? {
            self.record_refusal(tx, &consent, "client_gone")?;
            return Ok(Step::Ended(Outcome::ClientGone));
        }
        let refusal = match ticked {
            None => Some(Refusal::UnknownScope),
            Some(ticked) if ticked.is_empty() => Some(Refusal::NoScope),
            Some(_) => self.access.check_name(tx, &consent.request.client_id, &consent.name)?.err().map(Refusal::Name),
        };
        match refusal {
            Some(refusal) => self.again(tx, consent, &refusal).map(Step::Ended),
            None => self.proceed(tx, consent),
        }
    }

    /// Kept here: to the code at once. Elsewhere: the document first.
    fn proceed(&self, tx: &mut Tx<'_>, mut consent: Consent) -> Result<Step, Error> {
        consent.replaces = self.access.would_replace(tx, &consent.request.client_id, &consent.name)?;
        let client_name = match &consent.request.client {
            ClientKind::External => return Ok(Step::Fetch(Box::new(consent))),
            ClientKind::Local { name } | ClientKind::BuiltIn { name } => name.clone(),
        };
        self.grant_code(tx, consent, Some(client_name), AuthMethod::None).map(Step::Ended)
    }

    fn conclude(
        &self,
        tx: &mut Tx<'_>,
        consent: Consent,
        document: Result<ClientDocument, DocumentError>,
    ) -> Result<Outcome, Error> {
        if !self.passkeys.is_enrolled(tx, &consent.passkey)? {
            let refusal = AssertionRefusal::Unknown;
            self.record_refusal(tx, &consent, refusal.reason())?;
            return Ok(Outcome::Passkey(refusal));
        }
        let document = match document {
            Ok(document) => document,
            Err(error) => return self.again(tx, consent, &Refusal::Document(error)),
        };
        if !document.redirect_uris.iter().any(|listed| redirect::matches(&consent.request.redirect_uri, listed)) {
            return self.again(tx, consent, &Refusal::Redirect);
        }
        if let Err(refusal) = self.access.check_name(tx, &consent.request.client_id, &consent.name)? {
            return self.again(tx, consent, &Refusal::Name(refusal));
        }
        if self.access.would_replace(tx, &consent.request.client_id, &consent.name)? != consent.replaces {
            return self.again(tx, consent, &Refusal::Changed);
        }
        self.grant_code(tx, consent, document.name, document.auth)
    }

    fn grant_code(
        &self,
        tx: &mut Tx<'_>,
        consent: Consent,
        client_name: Option<String>,
        auth: AuthMethod,
    ) -> Result<Outcome, Error> {
        let draft = Draft::ok(Kind::AuthorizationApproved)
            .object(&consent.name)
            .with("client_id", consent.request.client_id.as_str())
            .with("redirect_uri", consent.request.redirect_uri.as_str())
            .with("scopes", consent.scopes.joined())
            .with("challenge", consent.challenge.clone());
        let record = Some(self.audit.append(tx, &consent.who, draft)?);
        let Consent { passkey, request, name, scopes, replaces, .. } = consent;
        let code = Secret::mint(&self.rng);
        let approval = Approval { passkey, request, name, scopes, client_name, auth, replaces, record };
        let now = self.clock.now();
        store::forget_codes(tx, now)?;
        store::insert_code(tx, &code.digest(), &approval, now.plus(self.code_lifetime))?;
        let onward = self.onward(&approval.request, &code);
        Ok(match replaces {
            true => Outcome::Replaces { name: approval.name, onward },
            false => Outcome::Approved(onward),
        })
    }

    /// The return address with the answer: `iss` says whose it is (RFC 9207).
    fn onward(&self, request: &AuthorizationRequest, code: &Secret<String>) -> String {
        let mut answer = vec![("code", code.expose().as_str())];
        answer.extend(request.state.as_deref().map(|state| ("state", state)));
        answer.push(("iss", self.public_url.origin()));
        redirect::answer(&request.redirect_uri, &answer)
    }

    /// Records the refusal and offers the page once more, with what the owner typed and ticked.
    fn again(&self, tx: &mut Tx<'_>, consent: Consent, refusal: &Refusal) -> Result<Outcome, Error> {
        self.record_refusal(tx, &consent, refusal.reason())?;
        let Some(offer) = self.begin(tx, &consent.request)? else { return Ok(Outcome::Expired) };
        let reason = Some(refusal.to_string());
        let Consent { request, name, scopes, .. } = consent;
        Ok(Outcome::Again(Box::new(Form { request, offer, name, ticked: scopes, reason })))
    }

    fn record_refusal(&self, tx: &mut Tx<'_>, consent: &Consent, reason: &str) -> Result<(), Error> {
        let draft = Draft::refused(Kind::AuthorizationRefused, reason)
            .object(&consent.name)
            .with("client_id", consent.request.client_id.as_str())
            .with("challenge", consent.challenge.clone());
        self.audit.append(tx, &consent.who, draft)?;
        Ok(())
    }
}
