//! Removing a passkey. Grants stay as they are; what they need is that somebody can still answer for them.

use super::{Listed, PasskeyId, Passkeys, store};
use crate::access::Principal;
use crate::audit::{Draft, Kind};
use crate::store::{Error, Reader};
use crate::text;

/// Fewest characters that may stand for a whole id: a slip of one key must not remove anything.
const SHORTEST: usize = 4;
/// Most passkeys that are listed when several are meant.
const LISTED: usize = 8;
/// Longest label in that list.
const LABEL: usize = 32;

/// Why a passkey was not removed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RemoveError {
    /// Too little of an id.
    #[error("give at least {SHORTEST} characters of the passkey's id, or all of it")]
    Short,
    /// The beginning of several ids: these.
    #[error("several passkeys begin so: {}. Give more of the id", .0.join(", "))]
    Ambiguous(Vec<String>),
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
        let mut all = store::all(db, self.site.as_ref().map(|site| site.origin()))?;
        if let Some(whole) = all.iter().position(|one| one.id.0 == id) {
            return Ok(Some(all.swap_remove(whole)));
        }
        if id.chars().count() < SHORTEST {
            return Err(RemoveError::Short);
        }
        all.retain(|one| one.id.0.starts_with(id));
        match all.len() {
            0 | 1 => Ok(all.pop()),
            _ => Err(RemoveError::Ambiguous(all.iter().take(LISTED).map(called).collect())),
        }
    }
}

/// A passkey in a list of several.
fn called(one: &Listed) -> String {
    let label = one.label.as_deref().map(|label| format!(" ({})", text::shorten(&text::safe(label), LABEL)));
    format!("{}{}", one.id, label.unwrap_or_default())
}
