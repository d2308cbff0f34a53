//! Issuing: the grant, its token, and the end of the grant it replaces, in one transaction.

use super::{Access, Grant, Principal, Scopes, store};
use crate::audit::{Draft, Kind, Seq};
use crate::id::GrantId;
use crate::secret::Secret;
use crate::store::{Error, Tx};

/// What the owner approved.
#[derive(Clone, Debug)]
pub(crate) struct NewGrant {
    pub(crate) name: String,
    pub(crate) client_id: String,
    pub(crate) client_name: Option<String>,
    pub(crate) scopes: Scopes,
    pub(crate) resource: String,
    /// The number of the audit's record of the approval.
    pub(crate) approval: Option<Seq>,
}

/// A grant with the only copy of its token.
pub(crate) struct Issued {
    pub(crate) grant: Grant,
    pub(crate) token: Secret<String>,
}

impl Access {
    /// Writes the grant. A grant of the same name and client ends in the same transaction; the name must have passed
    /// [`Access::check_name`] in it.
    pub(crate) fn issue(&self, tx: &mut Tx<'_>, who: &Principal, new: NewGrant) -> Result<Issued, Error> {
        let token = Secret::mint(&self.rng);
        let public_url = self.public_url.as_ref().map(|url| url.origin().to_owned()).unwrap_or_default();
        let grant = Grant {
            id: GrantId::mint(&self.rng),
            name: new.name,
            client_id: new.client_id,
            client_name: new.client_name,
            scopes: new.scopes,
            resource: new.resource,
            public_url,
            created_at: self.clock.now(),
        };
        if let Some(old) = store::by_name(tx, &grant.name)? {
            store::delete(tx, &self.known, &old.id)?;
            self.audit.append(tx, who, Draft::ok(Kind::GrantReplaced).object(&old.name).grant(&old.id))?;
        }
        store::insert(tx, &grant, &token.digest())?;
        let issued = Draft::ok(Kind::GrantIssued)
            .object(&grant.name)
            .grant(&grant.id)
            .with("client_id", grant.client_id.as_str())
            .with("scopes", grant.scopes.joined());
        let issued = new.approval.into_iter().fold(issued, |issued, approval| issued.with("approval", approval));
        self.audit.append(tx, who, issued)?;
        for hook in &self.hooks.approved {
            hook(tx, &grant)?;
        }
        Ok(Issued { grant, token })
    }

    /// Whether issuing this name to this client would end a grant that exists now.
    pub(crate) fn would_replace(&self, db: &crate::store::Reader<'_>, client_id: &str, name: &str) -> Result<bool, Error> {
        Ok(store::by_name(db, name)?.is_some_and(|held| held.client_id == client_id))
    }
}
