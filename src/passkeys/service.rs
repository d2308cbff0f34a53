//! The service: what every operation on passkeys needs, put together.

use std::sync::Arc;
use std::time::Duration;

use super::failures::Failures;
use super::model::PasskeyId;
use super::site::{SetupError, Site};
use super::store;
use super::ticket::Tickets;
use crate::access::Access;
use crate::audit::Audit;
use crate::clock::Clock;
use crate::config::PublicUrl;
use crate::events::Bus;
use crate::id::Rng;
use crate::store::{Error, Reader, Store};

/// The service; clones share it.
#[derive(Clone)]
pub(crate) struct Passkeys {
    pub(super) store: Store,
    pub(super) audit: Audit,
    pub(super) access: Access,
    pub(super) clock: Clock,
    pub(super) rng: Rng,
    pub(super) bus: Bus,
    /// Most open ceremonies of one kind.
    pub(super) most_open: usize,
    pub(super) lifetime: Duration,
    pub(super) site: Option<Arc<Site>>,
    pub(super) failures: Arc<Failures>,
    pub(super) tickets: Arc<Tickets>,
}

impl Passkeys {
    /// Passkeys under the base's public URL. Without one there are no ceremonies and no links, only the list.
    pub(crate) fn new(base: &crate::Base, access: Access) -> Result<Passkeys, SetupError> {
        let lifetime = base.config.limits.challenge_lifetime;
        let site = base.public_url.as_ref().map(|url| Site::new(url, lifetime)).transpose()?;
        Ok(Passkeys {
            store: base.store.clone(),
            audit: base.audit.clone(),
            access,
            clock: base.clock.clone(),
            rng: base.rng.clone(),
            bus: base.bus.clone(),
            most_open: base.config.limits.challenges,
            lifetime,
            site: site.map(Arc::new),
            failures: Arc::default(),
            tickets: Arc::default(),
        })
    }

    /// Whether a passkey is enrolled under the present public URL.
    pub(crate) fn any(&self, db: &Reader<'_>) -> Result<bool, Error> {
        match &self.site {
            Some(site) => store::any_under(db, site.origin()),
            None => Ok(false),
        }
    }

    /// Whether this passkey is enrolled now.
    pub(crate) fn is_enrolled(&self, db: &Reader<'_>, id: &PasskeyId) -> Result<bool, Error> {
        store::exists(db, id)
    }

    /// Where the pages are.
    pub(crate) fn public_url(&self) -> Option<&PublicUrl> {
        self.site.as_ref().map(|site| site.public_url())
    }
}
