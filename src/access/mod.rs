//! Who is calling, and what they may do: principals, grants, scopes. The only owner of the table of grants.
//!
//! A grant is what the owner allowed a client; with its name it is the connection the owner sees. A token is looked up on every request,
//! so a revoke takes effect on the very next one; a store that cannot be read is "try again" (503), never "unknown" (401). Other
//! capabilities take part in what happens to a grant through [`GrantHooks`], inside the same transaction.

mod authenticate;
mod hooks;
mod issue;
mod list;
mod model;
mod name;
mod revoke;
mod scope;
mod store;
#[cfg(test)]
mod tests;

pub(crate) use authenticate::BearerError;
pub(crate) use hooks::GrantHooks;
pub(crate) use issue::{Issued, NewGrant};
pub(crate) use model::{Caller, Connection, Grant, Principal, State};
pub(crate) use name::{NameRefusal, RESERVED_CLIENTS, well_formed};
pub(crate) use revoke::Revoked;
pub(crate) use scope::{Scope, Scopes};

use std::sync::Arc;
use std::time::Duration;

use crate::audit::Audit;
use crate::clock::Clock;
use crate::config::PublicUrl;
use crate::id::Rng;
use crate::store::Store;

/// The service; clones share it.
#[derive(Clone)]
pub(crate) struct Access {
    store: Store,
    audit: Audit,
    clock: Clock,
    rng: Rng,
    public_url: Option<PublicUrl>,
    idle_expiry: Option<Duration>,
    hooks: Arc<GrantHooks>,
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
        }
    }
}
