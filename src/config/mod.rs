//! Configuration: one TOML file, every key optional, every error a sentence that names file, line and key.
//!
//! A flag goes over the environment, the environment over the file, the file over the default. [`Config`] holds validated values only:
//! what it holds can be used as it is. The keys are one table (`key.rs`) that the file, the environment and the suggestions for misspelt
//! names are read from; `config.example.toml` lists every key with its default. [`load()`] reads the file and nothing else of the machine:
//! environment and flags are handed in.

mod check;
mod environment;
mod error;
mod file;
mod given;
mod key;
mod load;
mod model;
mod nearest;
mod public_url;
#[cfg(test)]
mod tests;

pub use error::{ConfigError, Place};
pub use load::{Flags, Set, Sources, load, load_explained};
pub use model::{
    Accent, Assistants, Attention, Config, HostConfig, HostKind, Limits, Log, Oauth, Outbound, Terminal, ThemeChoice,
};
pub use nearest::nearest;
pub use public_url::{PublicUrl, PublicUrlError};
