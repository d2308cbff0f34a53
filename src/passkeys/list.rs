//! Listing: what the owner sees.

use std::path::Path;

use super::{Listed, Passkeys, store};
use crate::store::{Error, Reader, read_only};

/// The public URL each passkey in the database at `path` was made under, oldest first: also when no host runs.
pub(crate) fn origins(path: &Path) -> Result<Vec<String>, Error> {
    let conn = read_only(path)?;
    let listed = store::all(&Reader::on(&conn), None)?;
    Ok(listed.into_iter().map(|one| one.public_url).collect())
}

impl Passkeys {
    /// All passkeys, oldest first; those of another public URL too.
    pub(crate) async fn list(&self) -> Result<Vec<Listed>, Error> {
        let site = self.site.clone();
        self.store.read(move |db| store::all(db, site.as_ref().map(|site| site.origin()))).await
    }
}
