//! What waits for the owner: pages that were opened and not answered.

use super::Oauth;
use super::model::AuthorizationRequest;
use crate::clock::UnixMs;
use crate::passkeys::{CeremonyKind, OpenCeremony};
use crate::store::Error;

/// What waits. Anyone can open a page, so it may be a lot: the newest of it, and facts about all.
pub(crate) struct AllWaiting {
    /// Oldest first.
    pub(crate) newest: Vec<Waiting>,
    /// How many wait.
    pub(crate) total: usize,
    /// When the first of all of them runs out.
    pub(crate) first_ends: Option<UnixMs>,
}

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
    /// The newest `most` of what waits, and how much there is. One that cannot be read hides no other.
    pub(crate) async fn waiting(&self, most: usize) -> Result<AllWaiting, Error> {
        let passkeys = self.passkeys.clone();
        let open = self.store.read(move |db| passkeys.open(db, CeremonyKind::Authorize, most)).await?;
        let newest = open.newest.into_iter().filter_map(read).collect();
        Ok(AllWaiting { newest, total: open.total, first_ends: open.first_ends })
    }
}

fn read(open: OpenCeremony) -> Option<Waiting> {
    match serde_json::from_str(&open.binding) {
        Ok(request) => Some(Waiting { id: open.id, request, since: open.created_at, expires_at: open.expires_at }),
        Err(error) => {
            tracing::warn!(%error, id = open.id, "an authorization that waits cannot be read and is not listed");
            None
        }
    }
}
