//! Values that must not be printed: tokens, codes, links. No `Debug`, no `Display`, wiped when dropped.

use zeroize::Zeroize;

use crate::digest::Digest;
use crate::id::Rng;

/// A value that can be used but not shown by accident.
pub(crate) struct Secret<T: Zeroize>(T);

impl<T: Zeroize> Secret<T> {
    /// Wraps a value that came from outside.
    pub(crate) fn new(value: T) -> Secret<T> {
        Secret(value)
    }

    /// The value, at the one place that has to hand it out.
    pub(crate) fn expose(&self) -> &T {
        &self.0
    }
}

impl Secret<String> {
    /// 32 fresh random bytes as 43 base64url characters: an access token, an authorization code.
    pub(crate) fn mint(rng: &Rng) -> Secret<String> {
        Secret(rng.base64url::<32>())
    }

    /// What the store keeps instead. 256 random bits need no salt and no slow hash.
    pub(crate) fn digest(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }
}

impl<T: Zeroize> Drop for Secret<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}
