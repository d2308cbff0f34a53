//! Who is calling, and what they may do: principals, grants, scopes. The only owner of the table of grants.
//!
//! A grant is what the owner allowed a client; with its name it is the connection the owner sees. Who a token belongs to is remembered
//! only until anything ends or changes a grant, so a revoke takes effect on the very next request; a store that cannot be read is "try
//! again" (503), never "unknown" (401). Other capabilities take part in what happens to a grant through [`GrantHooks`], inside the same
//! transaction.

mod authenticate;
mod hooks;
mod issue;
mod known;
mod list;
mod model;
mod name;
mod rescope;
mod revoke;
mod scope;
mod service;
mod store;
#[cfg(test)]
mod tests;

pub(crate) use authenticate::{BearerError, Standing};
pub(crate) use hooks::GrantHooks;
pub(crate) use issue::{Issued, NewGrant};
pub(crate) use model::{Caller, Connection, Grant, Principal, State};
pub(crate) use name::{NameRefusal, RESERVED_CLIENTS, well_formed};
pub(crate) use rescope::{Fixed, NewScopes, RescopeRefusal};
pub(crate) use revoke::Revoked;
pub(crate) use scope::{Scope, Scopes};
pub(crate) use service::Access;
