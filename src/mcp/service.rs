//! The service: what the endpoint needs, put together.

use crate::Base;
use crate::access::Access;
use crate::audit::Audit;
use crate::clock::Clock;
use crate::knowledge::{self, Knowledge};

use super::adapter::Adapter;
use super::registry::Registry;
use crate::config::PublicUrl;

/// The MCP endpoint; clones share it.
#[derive(Clone)]
pub(crate) struct Mcp {
    pub(super) access: Access,
    pub(super) audit: Audit,
    pub(super) clock: Clock,
    /// Largest body, in bytes.
    pub(super) request_bytes: usize,
    /// `None`: the door is closed and nothing is served.
    pub(super) door: Option<Door>,
}

/// What there is when the door is open.
#[derive(Clone)]
pub(super) struct Door {
    pub(super) public_url: PublicUrl,
    pub(super) adapter: Adapter,
}

impl Mcp {
    /// The endpoint over the tools of `knowledge`.
    pub(crate) fn new(base: &Base, access: Access, knowledge: Knowledge) -> Mcp {
        let limits = &base.config.limits;
        let ttl = limits.tools_list_ttl.map(|ttl| u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX)).unwrap_or(0);
        let door = base.public_url.clone().map(|public_url| {
            let registry = Registry::new(knowledge::tools(&knowledge));
            Door { adapter: Adapter::new(registry, public_url.clone(), ttl), public_url }
        });
        Mcp { access, audit: base.audit.clone(), clock: base.clock.clone(), request_bytes: limits.request_bytes, door }
    }
}
