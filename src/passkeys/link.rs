//! The enrollment link: 16 random bytes in a fragment, which no server log and no proxy sees. Only its digest is kept.

use std::time::Duration;

use super::{Passkeys, store};
use crate::access::Principal;
use crate::audit::{Draft, Kind};
use crate::clock::UnixMs;
use crate::digest::Digest;
use crate::store::Error;

/// How long a link can be used: time to fetch the phone, not to forget about it.
const LIFETIME: Duration = Duration::from_secs(10 * 60);

/// A link to enroll one passkey. The address is a secret until it is used: no `Debug`.
pub(crate) struct EnrollLink {
    pub(crate) url: String,
    pub(crate) expires_at: UnixMs,
}

/// Why there is no link.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LinkError {
    /// A passkey belongs to an address.
    #[error("no passkey can be enrolled while the door is closed: set assistants.public_url first")]
    NoPublicUrl,
    /// The store could not be used.
    #[error(transparent)]
    Unavailable(#[from] Error),
}

impl Passkeys {
    /// Makes a link, in place of the one before.
    pub(crate) async fn issue_link(&self, who: &Principal) -> Result<EnrollLink, LinkError> {
        let site = self.site.as_ref().ok_or(LinkError::NoPublicUrl)?;
        let secret = self.rng.base64url::<16>();
        let url = site.public_url().join(&format!("/enroll#{secret}"));
        let digest = Digest::of(secret.as_bytes());
        let (passkeys, who) = (self.clone(), who.clone());
        self.store
            .write(move |tx| {
                let now = passkeys.clock.now();
                let expires_at = now.plus(LIFETIME);
                store::set_link(tx, &digest, now, expires_at)?;
                passkeys.audit.append(tx, &who, Draft::ok(Kind::PasskeyLinkIssued).with("expires_at", expires_at.rfc3339()))?;
                Ok(EnrollLink { url, expires_at })
            })
            .await
    }
}
