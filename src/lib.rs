//! The host of Quarterdeck: it lets assistants in, keeps what they did, and tells terminals. It owns all state, works without a terminal
//! and prints nothing.
//!
//! Public are [`Host`], [`config`], [`control`] and [`text`]; a terminal can use nothing else.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod access;
mod audit;
mod clock;
pub mod config;
pub mod control;
mod digest;
mod events;
mod host;
mod http;
mod id;
mod knowledge;
mod mcp;
mod oauth;
mod passkeys;
mod secret;
mod state;
mod store;
#[cfg(test)]
mod testing;
pub mod text;

pub use host::{Host, StartError};

use std::sync::Arc;

use crate::config::{Config, PublicUrl};

/// The base modules, started: what every capability is made from.
#[derive(Clone)]
pub(crate) struct Base {
    pub(crate) config: Arc<Config>,
    pub(crate) clock: clock::Clock,
    pub(crate) rng: id::Rng,
    pub(crate) store: store::Store,
    pub(crate) bus: events::Bus,
    pub(crate) audit: audit::Audit,
    /// `None`: the door is closed, no OAuth or MCP route is served.
    pub(crate) public_url: Option<PublicUrl>,
}
