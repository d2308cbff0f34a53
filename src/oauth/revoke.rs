//! Revoking: a client gives its token back (RFC 7009), and codes end with the connection they were for.

use super::{Oauth, store};
use crate::clock::Clock;
use crate::secret::Secret;
use crate::store::{Error, Tx};

impl Oauth {
    /// Ends the grant of this token, if it is this client's. Whether there was one is not told.
    pub(crate) async fn revoke(&self, client_id: &str, token: &Secret<String>) -> Result<(), Error> {
        self.access.revoke_token(client_id, token).await
    }
}

/// What happens to codes when the connection of a name ends: a part of [`crate::access::GrantHooks`].
pub(crate) fn void_codes(clock: Clock) -> impl Fn(&mut Tx<'_>, &str) -> Result<usize, Error> + Send + Sync {
    move |tx, name| store::void_codes(tx, name, clock.now())
}
