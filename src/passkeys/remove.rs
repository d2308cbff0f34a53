//! Removing a passkey. Grants stay as they are; what they need is that somebody can still answer for them.

use super::{Listed, PasskeyId, Passkeys, store};
use crate::access::Principal;
use crate::audit::{Draft, Kind};
use crate::store::{Error, Reader};

/// Why a passkey was not removed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RemoveError {
    /// The beginning of several ids.
    #[error("several passkeys begin with {0}: give more of the id")]
    Ambiguous(String),
    /// Nobody could approve or replace a connection any more.
    #[error("this is the last passkey, and there are connections: revoke them first, or enroll another passkey")]
    Last,
    /// The store could not be used.
    #[error(transparent)]
    Unavailable(#[from] Error),
}

impl Passkeys {
    /// Removes the passkey with this id, or the only one whose id begins so. `None`: there is none. The last one under the present
    /// public URL stays while any grant exists; one of another public URL counts for nothing and can always go.
    pub(crate) async fn remove(&self, who: &Principal, id: &str) -> Result<Option<PasskeyId>, RemoveError> {
        let (passkeys, who, id) = (self.clone(), who.clone(), id.to_owned());
        self.store
            .write(move |tx| {
                let Some(found) = passkeys.find(tx, &id)? else { return Ok(None) };
                if found.here && store::count_under(tx, &found.public_url)? == 1 && passkeys.access.any_grant(tx)? {
                    return Err(RemoveError::Last);
                }
                store::delete(tx, &found.id)?;
                passkeys.audit.append(tx, &who, Draft::ok(Kind::PasskeyRemoved).object(&found.id.0))?;
                Ok(Some(found.id))
            })
            .await
    }

    fn find(&self, db: &Reader<'_>, id: &str) -> Result<Option<Listed>, RemoveError> {
        if id.is_empty() {
            return Ok(None);
        }
        let all = store::all(db, self.site.as_ref().map(|site| site.origin()))?;
        let mut matching = all.into_iter().filter(|one| one.id.0.starts_with(id));
        match (matching.next(), matching.next()) {
            (Some(_), Some(_)) => Err(RemoveError::Ambiguous(id.to_owned())),
            (found, _) => Ok(found),
        }
    }
}
