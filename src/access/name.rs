//! Connection names: which may be used, and by whom.

use super::{Access, store};
use crate::store::{Error, Reader};

/// Longest name: it becomes part of addresses.
const LONGEST: usize = 64;
/// Kinds of internal sources in the journal.
const INTERNAL: [&str; 6] = ["cadence", "meta", "system", "runner", "route", "gateway"];
/// Names that begin session keys, name the owner, or mean something to a command.
const RESERVED: [&str; 6] = ["tether", "job", "subconscious", "lark", "help", "owner"];
/// Names of the built-in client documents, of this version and of the channel this one replaces.
pub(crate) const RESERVED_CLIENTS: [&str; 2] = ["quarterdeck", "duoduo-tether"];

/// Why a name cannot be used. The sentence is for the owner.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NameRefusal {
    /// Not of the form.
    #[error(
        "a connection name begins with a lowercase letter and goes on with lowercase letters, digits and hyphens, 64 characters at most"
    )]
    Pattern,
    /// A name the journal uses for itself.
    #[error("“{0}” is a name the journal uses for its own entries: choose another one")]
    Internal(String),
    /// A reserved name.
    #[error("“{0}” is reserved: choose another one")]
    Reserved(String),
    /// Somebody else's.
    #[error("“{name}” is the connection of another client ({holder}): choose another name, or revoke that connection first")]
    Taken {
        /// The name.
        name: String,
        /// What the owner knows its holder by.
        holder: String,
    },
}

impl NameRefusal {
    /// The short machine-readable reason.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            NameRefusal::Pattern => "name_pattern",
            NameRefusal::Internal(_) => "name_internal",
            NameRefusal::Reserved(_) => "name_reserved",
            NameRefusal::Taken { .. } => "name_taken",
        }
    }
}

/// Whether `name` is of the form `^[a-z][a-z0-9-]{0,63}$`.
pub(crate) fn well_formed(name: &str) -> bool {
    name.len() <= LONGEST
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

impl Access {
    /// Whether `client_id` may have a connection of this name, as the grants are now.
    pub(crate) fn check_name(&self, db: &Reader<'_>, client_id: &str, name: &str) -> Result<Result<(), NameRefusal>, Error> {
        let refusal = if !well_formed(name) {
            Some(NameRefusal::Pattern)
        } else if INTERNAL.contains(&name) {
            Some(NameRefusal::Internal(name.to_owned()))
        } else if RESERVED.contains(&name) {
            Some(NameRefusal::Reserved(name.to_owned()))
        } else {
            store::by_name(db, name)?
                .filter(|held| held.client_id != client_id)
                .map(|held| NameRefusal::Taken { name: name.to_owned(), holder: holder(&held.client_name, &held.client_id) })
        };
        Ok(refusal.map_or(Ok(()), Err))
    }
}

fn holder(client_name: &Option<String>, client_id: &str) -> String {
    let host = url::Url::parse(client_id).ok().and_then(|url| url.host_str().map(str::to_owned));
    let known = client_name.clone().or(host).unwrap_or_else(|| client_id.to_owned());
    crate::text::Untrusted::new(known).safe_line(80)
}
