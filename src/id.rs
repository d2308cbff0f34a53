//! Randomness as an argument, and the identifiers made from it.

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

/// Fills a slice with random bytes.
type Fill = dyn Fn(&mut [u8]) + Send + Sync;

/// Where random bytes come from: the operating system in the product, a seeded generator in tests.
#[derive(Clone)]
pub(crate) struct Rng(Arc<Fill>);

impl Rng {
    /// The operating system's generator.
    #[allow(clippy::disallowed_methods, reason = "the one place that asks the system for randomness")]
    pub(crate) fn system() -> Rng {
        Rng(Arc::new(|into| rand::Rng::fill_bytes(&mut rand::rng(), into)))
    }

    /// `N` fresh random bytes.
    pub(crate) fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut out = [0_u8; N];
        (self.0)(&mut out);
        out
    }

    /// `N` random bytes as unpadded base64url: 32 bytes make 43 characters, 16 make 22.
    pub(crate) fn base64url<const N: usize>(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.bytes::<N>())
    }

    /// `N` random bytes in lowercase hexadecimal.
    pub(crate) fn hex<const N: usize>(&self) -> String {
        hex(&self.bytes::<N>())
    }

    /// The same bytes in every run: for tests only.
    #[cfg(test)]
    pub(crate) fn seeded(seed: u64) -> Rng {
        use rand::SeedableRng as _;
        let state = parking_lot::Mutex::new(rand::rngs::StdRng::seed_from_u64(seed));
        Rng(Arc::new(move |into| rand::Rng::fill_bytes(&mut *state.lock(), into)))
    }
}

impl fmt::Debug for Rng {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rng")
    }
}

/// Lowercase hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(bytes)
}

/// Names a grant for its whole life: 32 lowercase hexadecimal characters (16 random bytes).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct GrantId(pub(crate) String);

impl GrantId {
    /// A fresh id.
    pub(crate) fn mint(rng: &Rng) -> GrantId {
        GrantId(rng.hex::<16>())
    }
}

impl fmt::Display for GrantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
