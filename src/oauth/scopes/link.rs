//! The address of the page: asked for at a terminal, and worth something for a short time only.

use std::time::Duration;

use parking_lot::Mutex;

use crate::access::Fixed;
use crate::clock::UnixMs;
use crate::digest::Digest;
use crate::id::GrantId;
use crate::oauth::Oauth;
use crate::store::Error;

/// How long an address can be used: time to fetch the phone, not to forget about it.
const LIFETIME: Duration = Duration::from_secs(10 * 60);

/// The one address that is out. In memory only: a restart voids it.
#[derive(Default)]
pub(crate) struct Addresses(Mutex<Option<Address>>);

struct Address {
    digest: Digest,
    grant: GrantId,
    until: UnixMs,
}

/// Where the page is. The address holds a secret: no `Debug`.
pub(crate) struct ScopesLink {
    pub(crate) url: String,
    pub(crate) expires_at: UnixMs,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScopesLinkError {
    /// Not a connection of here and now.
    #[error(transparent)]
    Fixed(#[from] Fixed),
    /// Nobody could say yes.
    #[error("no passkey is enrolled, and only a passkey can change what a connection may do: enroll one first")]
    NoPasskey,
    /// The store could not be used.
    #[error(transparent)]
    Unavailable(#[from] Error),
}

impl Oauth {
    /// Makes an address for the page of this grant, in place of the one before. It changes nothing and shows nothing that a list of
    /// connections does not, so it is not recorded.
    pub(crate) async fn scopes_page(&self, grant: GrantId) -> Result<ScopesLink, ScopesLinkError> {
        let (oauth, asked) = (self.clone(), grant.clone());
        let looked = self.store.read(move |db| Ok::<_, Error>((oauth.access.rescopable(db, &asked)?, oauth.passkeys.any(db)?)));
        let (rescopable, passkey) = looked.await?;
        rescopable?;
        if !passkey {
            return Err(ScopesLinkError::NoPasskey);
        }
        let secret = self.rng.base64url::<16>();
        let until = self.clock.now().plus(LIFETIME);
        let digest = Digest::of(secret.as_bytes());
        *self.addresses.0.lock() = Some(Address { digest, grant, until });
        Ok(ScopesLink { url: self.public_url.join(&format!("/scopes#{secret}")), expires_at: until })
    }

    /// The grant this secret is about, while its address works.
    pub(super) fn addressed(&self, secret: &str) -> Option<GrantId> {
        let digest = Digest::of(secret.as_bytes());
        let now = self.clock.now();
        let out = self.addresses.0.lock();
        out.as_ref().filter(|address| address.digest == digest && now < address.until).map(|address| address.grant.clone())
    }
}
