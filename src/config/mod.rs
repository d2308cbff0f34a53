//! Configuration: one TOML file, every key optional, every error a sentence that names file, line and key.
//!
//! A flag goes over the environment, the environment over the file, the file over the default. [`Config`] holds validated values only:
//! what it holds can be used as it is. `config.example.toml` lists every key with its default.

mod model;
mod public_url;
#[cfg(test)]
mod tests;

pub use model::{Assistants, Config, HostConfig, HostKind, Limits, Log, Oauth, Outbound, Terminal};
pub use public_url::{PublicUrl, PublicUrlError};
