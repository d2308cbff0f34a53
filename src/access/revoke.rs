//! Revoking: immediate and final, by the owner or by the client itself (RFC 7009).

use super::{Access, Grant, Principal, store};
use crate::audit::{Draft, Kind};
use crate::digest::Digest;
use crate::id::GrantId;
use crate::secret::Secret;
use crate::store::{Error, Tx};

/// What ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Revoked {
    /// The grant, when one existed; approvals alone can be voided too.
    pub(crate) grant: Option<Grant>,
    /// How many approvals of the name that were not exchanged yet are void now.
    pub(crate) voided: usize,
}

impl Access {
    /// Ends the connection of this name. With `only`, nothing happens unless it is that grant: an owner who pressed the key on a row must
    /// not end the connection that replaced it meanwhile. `None` when there was nothing to end.
    pub(crate) async fn revoke(&self, who: &Principal, name: &str, only: Option<GrantId>) -> Result<Option<Revoked>, Error> {
        let (access, who, name) = (self.clone(), who.clone(), name.to_owned());
        self.store
            .write(move |tx| {
                let grant = store::by_name(tx, &name)?;
                if only.is_some() && grant.as_ref().map(|grant| &grant.id) != only.as_ref() {
                    return Ok(None);
                }
                let ended = access.end(tx, &who, &name, grant)?;
                Ok((ended.grant.is_some() || ended.voided > 0).then_some(ended))
            })
            .await
    }

    /// Ends the grant this client's token belongs to. A wrong pair changes nothing and is not told from a right one.
    pub(crate) async fn revoke_token(&self, client_id: &str, token: &Secret<String>) -> Result<(), Error> {
        let (access, digest) = (self.clone(), Digest::of(token.expose().as_bytes()));
        // Outside a transaction: a stranger with made-up tokens cannot keep the writer busy.
        if self.store.look(|db| store::by_token(db, &digest))?.is_none() {
            return Ok(());
        }
        let who = Principal::Client { client_id: client_id.to_owned() };
        let client_id = client_id.to_owned();
        self.store
            .write(move |tx| {
                if let Some(grant) = store::by_token(tx, &digest)?.filter(|grant| grant.client_id == client_id) {
                    let name = grant.name.clone();
                    access.end(tx, &who, &name, Some(grant))?;
                }
                Ok(())
            })
            .await
    }

    fn end(&self, tx: &mut Tx<'_>, who: &Principal, name: &str, grant: Option<Grant>) -> Result<Revoked, Error> {
        if let Some(grant) = &grant {
            store::delete(tx, &self.known, &grant.id)?;
        }
        let mut voided = 0;
        for hook in &self.hooks.revoked {
            voided += hook(tx, name)?;
        }
        if grant.is_some() || voided > 0 {
            let draft = Draft::ok(Kind::GrantRevoked).object(name).with("voided_approvals", voided);
            let draft = match &grant {
                Some(grant) => draft.grant(&grant.id),
                None => draft,
            };
            self.audit.append(tx, who, draft)?;
        }
        Ok(Revoked { grant, voided })
    }
}
