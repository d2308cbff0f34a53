//! Changing what a connection may do, without a new token: the next call is held to the new scopes.

use super::{Access, Grant, Principal, Scopes, store};
use crate::audit::{Draft, Kind};
use crate::id::GrantId;
use crate::store::{Error, Reader, Tx};

/// What the owner said yes to.
#[derive(Clone, Debug)]
pub(crate) struct NewScopes {
    pub(crate) grant: GrantId,
    /// The scopes as the owner was shown them.
    pub(crate) before: Scopes,
    pub(crate) after: Scopes,
    /// The digest of the passkey's challenge, for the audit.
    pub(crate) challenge: String,
}

/// Why a grant's scopes cannot be changed at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fixed {
    /// Revoked or replaced.
    #[error("this connection has ended")]
    Gone,
    /// Every call of it is refused here.
    #[error("this connection was made under another public URL and is refused here: revoke it and connect again")]
    Elsewhere,
}

/// Why the scopes stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RescopeRefusal {
    #[error(transparent)]
    Fixed(#[from] Fixed),
    /// The owner decided over something that is not so any more.
    #[error("what it may do was changed after this page was opened: look again")]
    Changed,
    /// A connection that may do nothing is better ended.
    #[error("one thing at least has to stay: to take everything away, revoke the connection instead")]
    Nothing,
    /// The passkey would have been used for nothing.
    #[error("nothing would change: tick or untick something")]
    Same,
}

impl RescopeRefusal {
    /// The short machine-readable reason.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            RescopeRefusal::Fixed(Fixed::Gone) => "grant_gone",
            RescopeRefusal::Fixed(Fixed::Elsewhere) => "wrong_url",
            RescopeRefusal::Changed => "changed",
            RescopeRefusal::Nothing => "scope",
            RescopeRefusal::Same => "same",
        }
    }
}

impl Access {
    /// The grant, if its scopes can be changed here.
    pub(crate) fn rescopable(&self, db: &Reader<'_>, id: &GrantId) -> Result<Result<Grant, Fixed>, Error> {
        Ok(match store::by_id(db, id)? {
            None => Err(Fixed::Gone),
            Some(grant) if !self.is_here(&grant) => Err(Fixed::Elsewhere),
            Some(grant) => Ok(grant),
        })
    }

    /// Changes the scopes, if they are what the owner was shown. Answers the grant as it was before. Nothing is written for a refusal.
    pub(crate) fn rescope(
        &self,
        tx: &mut Tx<'_>,
        who: &Principal,
        new: &NewScopes,
    ) -> Result<Result<Grant, RescopeRefusal>, Error> {
        let grant = match self.rescopable(tx, &new.grant)? {
            Ok(grant) => grant,
            Err(fixed) => return Ok(Err(fixed.into())),
        };
        if grant.scopes != new.before {
            return Ok(Err(RescopeRefusal::Changed));
        }
        if new.after.is_empty() {
            return Ok(Err(RescopeRefusal::Nothing));
        }
        if new.after == new.before {
            return Ok(Err(RescopeRefusal::Same));
        }
        store::set_scopes(tx, &self.known, (&grant.id, &new.after))?;
        let draft = Draft::ok(Kind::GrantScopesChanged)
            .object(&grant.name)
            .grant(&grant.id)
            .with("before", new.before.joined())
            .with("after", new.after.joined())
            .with("challenge", new.challenge.as_str());
        self.audit.append(tx, who, draft)?;
        Ok(Ok(grant))
    }
}
