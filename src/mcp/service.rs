//! The service: what the endpoint needs, put together.

use std::ops::Deref;
use std::sync::Arc;

use super::adapter::Adapter;
use super::registry::Registry;
use crate::Base;
use crate::access::Access;
use crate::audit::Audit;
use crate::clock::Clock;
use crate::config::PublicUrl;
use crate::knowledge::{self, Knowledge};
use crate::store::Store;

/// The MCP endpoint; clones share it. One pointer, because the router clones it several times a request.
#[derive(Clone)]
pub(crate) struct Mcp(Arc<Parts>);

/// What it is made of.
pub(crate) struct Parts {
    pub(super) store: Store,
    pub(super) access: Access,
    pub(super) audit: Audit,
    pub(super) clock: Clock,
    pub(super) public_url: PublicUrl,
    pub(super) adapter: Adapter,
}

impl Deref for Mcp {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Mcp {
    /// The endpoint over the tools of `knowledge` under the base's public URL; without one there is none.
    pub(crate) fn new(base: &Base, access: Access, knowledge: Knowledge) -> Option<Mcp> {
        Mcp::over(base, access, Registry::new(knowledge::tools(&knowledge)))
    }

    /// Where it is reached.
    pub(crate) fn public_url(&self) -> &PublicUrl {
        &self.public_url
    }

    /// The endpoint over these tools.
    pub(super) fn over(base: &Base, access: Access, registry: Registry) -> Option<Mcp> {
        let public_url = base.public_url.clone()?;
        let ttl = base.config.limits.tools_list_ttl.map_or(0, |ttl| u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX));
        let adapter = Adapter::new(registry, public_url.clone(), ttl);
        let (store, audit, clock) = (base.store.clone(), base.audit.clone(), base.clock.clone());
        Some(Mcp(Arc::new(Parts { store, access, audit, clock, public_url, adapter })))
    }
}
