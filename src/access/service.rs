//! The service: what every operation on grants needs, put together.

use std::sync::Arc;
use std::time::Duration;

use super::known::Known;
use super::{Grant, GrantHooks};
use crate::audit::Audit;
use crate::clock::Clock;
use crate::config::PublicUrl;
use crate::id::Rng;
use crate::store::Store;

/// The service; clones share it.
#[derive(Clone)]
pub(crate) struct Access {
    pub(super) store: Store,
    pub(super) audit: Audit,
    pub(super) clock: Clock,
    pub(super) rng: Rng,
    pub(super) public_url: Option<PublicUrl>,
    pub(super) idle_expiry: Option<Duration>,
    pub(super) hooks: Arc<GrantHooks>,
    pub(super) known: Known,
}

impl Access {
    /// Grants under `public_url`; a token unused for `idle_expiry` is refused. `hooks` are the other capabilities' parts.
    pub(crate) fn new(base: &crate::Base, idle_expiry: Option<Duration>, hooks: GrantHooks) -> Access {
        Access {
            store: base.store.clone(),
            audit: base.audit.clone(),
            clock: base.clock.clone(),
            rng: base.rng.clone(),
            public_url: base.public_url.clone(),
            idle_expiry,
            hooks: Arc::new(hooks),
            known: Known::of(&base.store),
        }
    }

    /// Whether the grant was made under the present public URL: otherwise its token is refused.
    pub(super) fn is_here(&self, grant: &Grant) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.origin() == grant.public_url)
    }
}
