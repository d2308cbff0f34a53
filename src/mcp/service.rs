//! The service: what the endpoint needs, put together.

use super::adapter::Adapter;
use super::registry::Registry;
use crate::Base;
use crate::access::Access;
use crate::audit::Audit;
use crate::clock::Clock;
use crate::config::PublicUrl;
use crate::knowledge::{self, Knowledge};

/// The MCP endpoint; clones share it.
#[derive(Clone)]
pub(crate) struct Mcp {
    pub(super) access: Access,
    pub(super) audit: Audit,
    pub(super) clock: Clock,
    pub(super) public_url: PublicUrl,
    pub(super) adapter: Adapter,
}

impl Mcp {
    /// The endpoint over the tools of `knowledge` under the base's public URL; without one there is none.
    pub(crate) fn new(base: &Base, access: Access, knowledge: Knowledge) -> Option<Mcp> {
        let public_url = base.public_url.clone()?;
        let ttl = base.config.limits.tools_list_ttl.map_or(0, |ttl| u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX));
        let adapter = Adapter::new(Registry::new(knowledge::tools(&knowledge)), public_url.clone(), ttl);
        Some(Mcp { access, audit: base.audit.clone(), clock: base.clock.clone(), public_url, adapter })
    }
}
