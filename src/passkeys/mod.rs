//! Passkeys: the owner's only key. Enrolled through a one-time link, asserted on the pages, listed and removed at a terminal.
//!
//! A passkey is bound to the public URL it was made under: under another one it is listed and counts for nothing. A ceremony is what
//! waits for a passkey; its WebAuthn challenge is its handle, good for one submit of its own kind, and the row that holds it also holds
//! what the passkey would say yes to ([`CeremonyKind`], binding). User verification is required everywhere. A second passkey needs an
//! assertion of an enrolled one, so a leaked link alone is worth nothing; the last one cannot be removed while a grant exists.
//!
//! Nobody can be locked out, because no limit stands before a valid assertion. Per challenge there is exactly one attempt, and a link is
//! 128 random bits that live ten minutes, so there is nothing to guess. A stranger's failures cost one look-up (and, with a challenge
//! from an open page, one signature check); the first [`failures::FAILURES`] of a sort and a minute are recorded one by one and the rest counted, so they
//! cannot fill the audit either. Open ceremonies are bounded, and the oldest gives way to the newest: no page is ever turned away.
//!
//! Called by `oauth` (assertions), by its own pages (enrollment), and by `control` (link, list, remove).

mod ceremony;
mod check;
mod enroll;
mod failures;
pub(crate) mod http;
mod link;
mod list;
mod model;
mod remove;
mod service;
mod site;
mod store;
#[cfg(test)]
mod tests;
mod ticket;

pub(crate) use check::AssertionRefusal;
pub(crate) use enroll::{EnrollError, Submitted};
pub(crate) use failures::Sort;
pub(crate) use link::{EnrollLink, LinkError};
pub(crate) use list::origins;
#[cfg(test)]
pub(crate) use model::Ceremony;
pub(crate) use model::{CeremonyKind, Listed, Offer, OpenCeremony, PasskeyId};
pub(crate) use remove::RemoveError;
pub(crate) use service::Passkeys;
pub(crate) use site::SetupError;
