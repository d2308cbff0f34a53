//! The service: what the authorization server needs, put together.

use std::sync::Arc;
use std::time::Duration;

use super::scopes::Addresses;
use crate::access::Access;
use crate::audit::Audit;
use crate::clock::Clock;
use crate::config::PublicUrl;
use crate::http::Outbound;
use crate::id::Rng;
use crate::passkeys::Passkeys;
use crate::store::Store;

/// The service; clones share it.
#[derive(Clone)]
pub(crate) struct Oauth {
    pub(super) store: Store,
    pub(super) audit: Audit,
    pub(super) clock: Clock,
    pub(super) rng: Rng,
    pub(super) access: Access,
    pub(super) passkeys: Passkeys,
    pub(super) outbound: Outbound,
    pub(super) public_url: PublicUrl,
    pub(super) code_lifetime: Duration,
    /// Most client assertions that are remembered as used.
    pub(super) most_assertions: usize,
    pub(super) addresses: Arc<Addresses>,
}

impl Oauth {
    /// The authorization server under the base's public URL; without one there is none.
    pub(crate) fn new(base: &crate::Base, access: Access, passkeys: Passkeys, outbound: Outbound) -> Option<Oauth> {
        Some(Oauth {
            store: base.store.clone(),
            audit: base.audit.clone(),
            clock: base.clock.clone(),
            rng: base.rng.clone(),
            access,
            passkeys,
            outbound,
            public_url: base.public_url.clone()?,
            code_lifetime: base.config.limits.code_lifetime,
            most_assertions: base.config.limits.challenges,
            addresses: Arc::default(),
        })
    }
}
