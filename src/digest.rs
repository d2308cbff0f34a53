//! SHA-256 digests: of tokens (what the store keeps instead of them), of canonical JSON (what a decision names).

use std::fmt;

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// 32 bytes of SHA-256. Compared in constant time; shown in lowercase hexadecimal.
#[derive(Clone, Copy)]
pub(crate) struct Digest(pub(crate) [u8; 32]);

impl Digest {
    /// The digest of `bytes`.
    pub(crate) fn of(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// The digest of the parts one after the other.
    pub(crate) fn of_parts(parts: &[&[u8]]) -> Digest {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part);
        }
        Digest(hash.finalize().into())
    }

    /// The digest of `value` as canonical JSON (RFC 8785): the same value always has the same digest.
    ///
    /// # Errors
    /// When the value cannot be written as JSON, for example a map with keys that are not strings.
    pub(crate) fn of_json(value: &impl Serialize) -> Result<Digest, serde_json::Error> {
        Ok(Digest::of(canonical_json(value)?.as_bytes()))
    }

    /// All 64 hexadecimal characters.
    pub(crate) fn hex(&self) -> String {
        crate::id::hex(&self.0)
    }

    /// The first 16 hexadecimal characters: enough to tell things apart, too short to prove anything.
    pub(crate) fn short(&self) -> String {
        self.hex().chars().take(16).collect()
    }
}

/// The one way of writing `value` as JSON (RFC 8785).
pub(crate) fn canonical_json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json_canonicalizer::to_string(value)
}

impl PartialEq for Digest {
    fn eq(&self, other: &Digest) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for Digest {}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short())
    }
}
