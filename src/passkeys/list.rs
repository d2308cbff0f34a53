//! Listing: what the owner sees.

use super::{Listed, Passkeys, store};
use crate::store::Error;

impl Passkeys {
    /// All passkeys, oldest first; those of another public URL too.
    pub(crate) async fn list(&self) -> Result<Vec<Listed>, Error> {
        let site = self.site.clone();
        self.store.read(move |db| store::all(db, site.as_ref().map(|site| site.origin()))).await
    }
}
