//! One connection: what it was made from, which tools it uses, what it did last.

use super::detail::{ConnectionDetail, ToolUse};
use super::model::{Refusal, Reply};
use super::service::{Service, refusal, refused};
use super::view;
use crate::access::Grant;
use crate::audit::{Entry, Seq, ToolCalls};
use crate::id::GrantId;
use crate::store::Error;

/// Newest records of a connection.
const RECENT: i64 = 100;

/// What the store says of one grant.
struct Found {
    grant: Grant,
    approval: Option<Entry>,
    tools: Vec<ToolCalls>,
    recent: Vec<Entry>,
}

impl Service {
    pub(super) async fn connection(&self, grant: String) -> Result<Reply, Refusal> {
        match self.found(GrantId(grant)).await.map_err(refusal)? {
            Some(found) => Ok(Reply::Connection(Box::new(self.detail(found).await.map_err(refusal)?))),
            None => Err(refused("not_found", "this connection has ended, or was made anew: look at the list again")),
        }
    }

    async fn found(&self, id: GrantId) -> Result<Option<Found>, Error> {
        let (access, audit, lifetime) = (self.access.clone(), self.base.audit.clone(), self.base.config.limits.code_lifetime);
        let read = move |db: &crate::store::Reader<'_>| {
            let Some(grant) = access.grant(db, &id)? else { return Ok(None) };
            Ok(Some(Found {
                grant,
                approval: audit.approval(db, &id, lifetime)?,
                tools: audit.tools(db, &id)?,
                recent: audit.back(db, Some(&id.0), Seq::MAX, RECENT)?,
            }))
        };
        self.base.store.read(read).await
    }

    async fn detail(&self, found: Found) -> Result<ConnectionDetail, Error> {
        let redirect_uri = found.approval.as_ref().and_then(|approval| approval.record.detail.get("redirect_uri")?.as_str());
        let passkey = found.approval.as_ref().and_then(|approval| approval.record.actor.strip_prefix("passkey:"));
        let approved_by = match passkey {
            Some(id) => Some(self.called(id).await?),
            None => None,
        };
        Ok(ConnectionDetail {
            resource: view::address(&found.grant.resource),
            public_url: view::address(&found.grant.public_url),
            redirect_uri: redirect_uri.map(view::address),
            approved_by,
            tools: found.tools.into_iter().map(tool).collect(),
            recent: found.recent.iter().map(view::row).collect(),
            grant: found.grant.id.0,
        })
    }

    /// What the owner calls this passkey, or its id when it has no label or is gone.
    async fn called(&self, id: &str) -> Result<String, Error> {
        let listed = self.passkeys().await?.into_iter().find(|passkey| passkey.id == id);
        Ok(listed.and_then(|passkey| passkey.label).unwrap_or_else(|| view::name(id)))
    }
}

fn tool(calls: ToolCalls) -> ToolUse {
    ToolUse { name: view::name(&calls.tool), calls: calls.calls, failed: calls.failed }
}
