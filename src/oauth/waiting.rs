//! What waits for the owner: pages that were opened and not answered.

use super::Oauth;
use super::model::AuthorizationRequest;
use crate::clock::UnixMs;
use crate::passkeys::CeremonyKind;
use crate::store::Error;

/// An authorization that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Waiting {
    /// Names it when it is denied.
    pub(crate) id: String,
    pub(crate) request: AuthorizationRequest,
    pub(crate) since: UnixMs,
    pub(crate) expires_at: UnixMs,
}

impl Oauth {
    /// How many there are.
    pub(crate) async fn waiting_count(&self) -> Result<usize, Error> {
        let passkeys = self.passkeys.clone();
        self.store.read(move |db| passkeys.count_open(db, CeremonyKind::Authorize)).await
    }

    /// The newest of them, oldest first.
    pub(crate) async fn waiting(&self) -> Result<Vec<Waiting>, Error> {
        let passkeys = self.passkeys.clone();
        let open = self.store.read(move |db| passkeys.open(db, CeremonyKind::Authorize)).await?;
        open.into_iter()
            .map(|one| {
                let request = serde_json::from_value(one.binding)?;
                Ok(Waiting { id: one.id, request, since: one.created_at, expires_at: one.expires_at })
            })
            .collect()
    }
}
