//! Opening the page, and what is sent from it: the passkey's yes first, then the rules, then the change.

use serde::{Deserialize, Serialize};

use super::page::Form;
use crate::access::{Fixed, Grant, NewScopes, Principal, RescopeRefusal, Scope, Scopes};
use crate::audit::{Draft, Kind};
use crate::id::GrantId;
use crate::oauth::Oauth;
use crate::passkeys::{AssertionRefusal, CeremonyKind};
use crate::store::{Error, Tx};

/// What the passkey says yes to changing: the grant, and its scopes as they are shown.
#[derive(Serialize, Deserialize)]
struct Shown {
    grant: GrantId,
    scopes: Scopes,
}

/// What the page submits.
pub(super) struct Submission {
    pub(super) challenge: String,
    /// The passkey's answer, as JSON.
    pub(super) assertion: String,
    /// The scopes that were ticked.
    pub(super) scopes: Vec<String>,
}

/// What is shown.
pub(super) enum Outcome {
    /// The page, over a fresh challenge.
    Form(Box<Form>),
    /// It was done; the grant as it was, and its scopes now.
    Changed(Box<Grant>, Scopes),
    /// This connection's scopes cannot be changed any more.
    Fixed(Fixed),
    /// The address is none, or none any more.
    NoAddress,
    /// The challenge is none, or none any more.
    Expired,
    /// The passkey's answer was not good.
    Passkey(AssertionRefusal),
    /// Nobody could say yes: the last passkey is gone.
    NoPasskey,
}

/// Why a good passkey was not enough. The owner sees the sentence on the page.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error(transparent)]
    Rescope(#[from] RescopeRefusal),
    #[error("the page was sent with a scope that does not exist")]
    UnknownScope,
}

impl Refusal {
    fn reason(&self) -> &'static str {
        match self {
            Refusal::Rescope(refusal) => refusal.reason(),
            Refusal::UnknownScope => "scope",
        }
    }

    /// Whether what the owner ticked was ticked over what is still so.
    fn keeps_ticks(&self) -> bool {
        match self {
            Refusal::Rescope(RescopeRefusal::Nothing | RescopeRefusal::Same) => true,
            Refusal::Rescope(RescopeRefusal::Changed | RescopeRefusal::Fixed(_)) | Refusal::UnknownScope => false,
        }
    }
}

impl Oauth {
    /// The page for whoever holds the address that works now.
    pub(super) async fn open_scopes(&self, secret: &str) -> Result<Outcome, Error> {
        // Outside a transaction: a stranger with made-up secrets cannot keep the writer busy.
        let Some(grant) = self.addressed(secret) else { return Ok(Outcome::NoAddress) };
        let oauth = self.clone();
        self.store.write(move |tx| oauth.show(tx, &grant, None)).await
    }

    /// Takes the page's submission to its end. The challenge is used up by it, whatever comes of it.
    pub(super) async fn change_scopes(&self, submission: Submission) -> Result<Outcome, Error> {
        if !self.passkeys.waits(CeremonyKind::Scopes, &submission.challenge)? {
            return Ok(Outcome::Expired);
        }
        let oauth = self.clone();
        self.store.write(move |tx| oauth.decide_scopes(tx, &submission)).await
    }

    fn decide_scopes(&self, tx: &mut Tx<'_>, submission: &Submission) -> Result<Outcome, Error> {
        let Some(ceremony) = self.passkeys.take(tx, CeremonyKind::Scopes, &submission.challenge)? else {
            return Ok(Outcome::Expired);
        };
        let who = match self.passkeys.check(tx, &ceremony, &submission.assertion)? {
            Ok(passkey) => Principal::Passkey { id: passkey.0 },
            Err(refusal) => return Ok(Outcome::Passkey(refusal)),
        };
        let shown: Shown = serde_json::from_value(ceremony.binding.clone())?;
        let ticked: Option<Vec<Scope>> = submission.scopes.iter().map(|name| Scope::parse(name)).collect();
        let new = NewScopes {
            grant: shown.grant,
            before: shown.scopes,
            after: Scopes::of(ticked.iter().flatten().copied()),
            challenge: ceremony.challenge_digest(),
        };
        let refusal = match ticked {
            None => Refusal::UnknownScope,
            Some(_) => match self.access.rescope(tx, &who, &new)? {
                Ok(grant) => return Ok(Outcome::Changed(Box::new(grant), new.after)),
                Err(refusal) => Refusal::Rescope(refusal),
            },
        };
        let draft = Draft::refused(Kind::GrantScopesRefused, refusal.reason()).grant(&new.grant);
        self.audit.append(tx, &who, draft.with("challenge", new.challenge))?;
        let ticked = refusal.keeps_ticks().then_some(new.after);
        self.show(tx, &new.grant, Some((refusal.to_string(), ticked)))
    }

    /// The page over a fresh challenge. When it is shown `again`, it says why, with what was ticked unless that means nothing now.
    fn show(&self, tx: &mut Tx<'_>, grant: &GrantId, again: Option<(String, Option<Scopes>)>) -> Result<Outcome, Error> {
        let grant = match self.access.rescopable(tx, grant)? {
            Ok(grant) => grant,
            Err(fixed) => return Ok(Outcome::Fixed(fixed)),
        };
        let shown = serde_json::to_value(Shown { grant: grant.id.clone(), scopes: grant.scopes.clone() })?;
        let Some(offer) = self.passkeys.begin_assertion(tx, CeremonyKind::Scopes, &shown)? else {
            return Ok(Outcome::NoPasskey);
        };
        let (reason, ticked) = again.map_or((None, None), |(reason, ticked)| (Some(reason), ticked));
        let ticked = ticked.unwrap_or_else(|| grant.scopes.clone());
        Ok(Outcome::Form(Box::new(Form { grant, offer, ticked, reason })))
    }
}
