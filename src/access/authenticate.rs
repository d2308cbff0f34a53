//! The bearer: from the headers of a request to the caller behind it.

use http::HeaderMap;
use http::header::AUTHORIZATION;

use super::{Access, Caller, Grant, store};
use crate::digest::Digest;
use crate::secret::Secret;
use crate::store::{Error, Reader};

/// Why a request has no caller.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BearerError {
    /// No token, or none in the form of RFC 6750 section 2.1.
    #[error("this endpoint needs an access token in the Authorization header")]
    Missing,
    /// A token nobody has: never issued, revoked, replaced, expired by disuse, or made under another public URL.
    #[error("this access token is not valid here: it was revoked, replaced, or issued under another address. Authorize again")]
    Unknown,
    /// Not checked: the client must keep its token and try again.
    #[error("the token could not be checked just now; keep it and try again: {0}")]
    Unavailable(#[from] Error),
}

/// What has become of a caller since it was let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It may do all that it was let in for.
    Good,
    /// Its connection lost a scope.
    Narrowed,
    /// Its connection was revoked or replaced.
    Ended,
}

/// A presented token.
struct Bearer(Secret<String>);

impl Bearer {
    /// The token in the `Authorization` header: the scheme is `Bearer`, exactly. Of two headers a proxy may have read the other one, so
    /// neither counts.
    fn from(headers: &HeaderMap) -> Option<Bearer> {
        let mut all = headers.get_all(AUTHORIZATION).iter();
        let value = all.next().filter(|_| all.next().is_none())?.to_str().ok()?;
        let token = value.strip_prefix("Bearer ")?.trim();
        (!token.is_empty()).then(|| Bearer(Secret::new(token.to_owned())))
    }
}

impl Access {
    /// Who presents this token.
    pub(crate) fn authenticate(&self, headers: &HeaderMap) -> Result<Caller, BearerError> {
        let bearer = Bearer::from(headers).ok_or(BearerError::Missing)?;
        let token = Digest::of(bearer.0.expose().as_bytes());
        let turn = match self.known.find(&token) {
            Ok(caller) => return Ok(caller),
            Err(turn) => turn,
        };
        let grant = self.store.look(|db| self.live(db, &token))?.ok_or(BearerError::Unknown)?;
        let caller = Caller { grant: grant.id, name: grant.name, client_id: grant.client_id, scopes: grant.scopes };
        // Where tokens expire by disuse, time alone can end one.
        if self.idle_expiry.is_none() {
            self.known.keep(turn, &token, &caller);
        }
        Ok(caller)
    }

    /// How the caller stands now. In a transaction nothing can come between this and the commit: a call that is recorded with it was done
    /// before its connection ended.
    pub(crate) fn standing(&self, db: &Reader<'_>, caller: &Caller) -> Result<Standing, Error> {
        Ok(match store::scopes_of(db, &caller.grant)? {
            None => Standing::Ended,
            Some(now) if caller.scopes.without(&now).is_empty() => Standing::Good,
            Some(_) => Standing::Narrowed,
        })
    }

    /// The grant of this token, if it counts here and now.
    fn live(&self, db: &Reader<'_>, token: &Digest) -> Result<Option<Grant>, Error> {
        let Some(grant) = store::by_token(db, token)? else { return Ok(None) };
        let live = self.is_here(&grant) && !self.expired(db, &grant)?;
        Ok(live.then_some(grant))
    }

    fn expired(&self, db: &Reader<'_>, grant: &Grant) -> Result<bool, Error> {
        let Some(most) = self.idle_expiry else { return Ok(false) };
        let used = self.audit.last_used_at(db, &grant.id)?.unwrap_or(grant.created_at);
        Ok(self.clock.now().since(used) > most)
    }
}
