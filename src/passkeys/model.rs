//! Passkeys, ceremonies, and what is told of them.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use webauthn_rs::prelude::Passkey;
use webauthn_rs_proto::AuthenticatorTransport;

use crate::clock::UnixMs;
use crate::digest::Digest;

/// Names a passkey: the first 16 hexadecimal characters of the SHA-256 of its credential id.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct PasskeyId(pub(crate) String);

impl PasskeyId {
    /// The name of the passkey with this credential id.
    pub(crate) fn of(credential_id: &[u8]) -> PasskeyId {
        PasskeyId(Digest::of(credential_id).short())
    }
}

impl fmt::Display for PasskeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is stored of a passkey's credential: its public half.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Credential {
    pub(super) passkey: Passkey,
    /// How the browser says it reaches the authenticator: a hint for the next time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) transports: Option<Vec<AuthenticatorTransport>>,
    /// Whether the browser says it can be found without being named (`credProps.rk`); not proved by anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) discoverable: Option<bool>,
}

/// A passkey under the present public URL, as assertions need it.
#[derive(Clone, Debug)]
pub(super) struct Enrolled {
    pub(super) id: PasskeyId,
    pub(super) credential: Credential,
}

/// A passkey as the owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) id: PasskeyId,
    /// What the owner called it. Whoever held the link chose it, so it is shown through [`crate::text::safe`].
    pub(crate) label: Option<String>,
    /// The public URL it was made under.
    pub(crate) public_url: String,
    /// Whether that is the present one: otherwise it counts for nothing.
    pub(crate) here: bool,
    pub(crate) created_at: UnixMs,
    pub(crate) last_used_at: Option<UnixMs>,
}

/// What a ceremony is for. A challenge of one kind is not found as another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CeremonyKind {
    /// An assertion that lets a client in.
    Authorize,
    /// The registration of a new passkey.
    Enroll,
    /// The assertion of an enrolled passkey that a further one needs.
    EnrollAssert,
    /// An assertion that changes what a connection may do.
    Scopes,
}

impl CeremonyKind {
    /// The name in the store.
    pub(super) fn name(self) -> &'static str {
        match self {
            CeremonyKind::Authorize => "authorize",
            CeremonyKind::Enroll => "enroll",
            CeremonyKind::EnrollAssert => "enroll-assert",
            CeremonyKind::Scopes => "scopes",
        }
    }
}

/// A ceremony that was begun: what the browser gets.
#[derive(Clone)]
pub(crate) struct Offer {
    /// The WebAuthn challenge, and the handle: whoever submits it takes the ceremony.
    pub(crate) challenge: String,
    /// Names the ceremony to the owner; proves nothing.
    pub(crate) id: String,
    /// `publicKey` of `navigator.credentials.get`.
    pub(crate) options: Value,
    pub(crate) expires_at: UnixMs,
}

/// A ceremony that was taken: it is gone from the store.
pub(crate) struct Ceremony {
    pub(super) challenge: String,
    pub(super) kind: CeremonyKind,
    pub(super) state: String,
    /// What the passkey says yes to.
    pub(crate) binding: Value,
}

impl Ceremony {
    /// What the audit says of the challenge.
    pub(crate) fn challenge_digest(&self) -> String {
        Digest::of(self.challenge.as_bytes()).short()
    }
}

/// What waits, of one kind: many may, so not all of it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenCeremonies {
    /// Oldest first.
    pub(crate) newest: Vec<OpenCeremony>,
    /// How many there are.
    pub(crate) total: usize,
    /// When the first of all of them runs out.
    pub(crate) first_ends: Option<UnixMs>,
}

/// A ceremony that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenCeremony {
    pub(crate) id: String,
    /// What the passkey would say yes to: JSON, as it is stored.
    pub(crate) binding: String,
    pub(crate) created_at: UnixMs,
    pub(crate) expires_at: UnixMs,
}
