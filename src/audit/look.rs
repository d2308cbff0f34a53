//! Looking at a long audit: backwards in steps, at one record, at what one grant did. Each takes as long in an audit of a million records
//! as in one of a thousand.

use std::time::Duration;

use super::append::Audit;
use super::model::{Entry, Head, Kind, Link, Seq, ToolCalls};
use super::store;
use crate::id::GrantId;
use crate::store::{Error, Reader};

/// Approvals looked at for the one a grant came from. Each took the owner's passkey.
const APPROVALS: i64 = 64;
/// How far back the use of tools is counted, over how many calls at most, and how many tools are told: a client may make up names.
const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);
const CALLS: i64 = 20_000;
const TOOLS: i64 = 50;

impl Audit {
    /// How many records there are.
    pub(crate) fn total(&self, db: &Reader<'_>) -> Result<Seq, Error> {
        Ok(store::head(db)?.seq)
    }

    /// The newest `most` entries before `before` (all of them: [`Seq::MAX`]), newest first; only those of a grant, when one is named.
    pub(crate) fn back(&self, db: &Reader<'_>, grant: Option<&str>, before: Seq, most: i64) -> Result<Vec<Entry>, Error> {
        match grant {
            None => store::back(db, before, most),
            Some(grant) => store::back_of(db, grant, before, most),
        }
    }

    /// The record with this number and its place in the chain.
    pub(crate) fn link(&self, db: &Reader<'_>, seq: Seq) -> Result<Option<Link>, Error> {
        let Some((entry, hash, previous)) = store::with_previous(db, seq)? else { return Ok(None) };
        match previous {
            Some(previous) => Ok(Some(Link { entry, hash, previous })),
            None if seq == 1 => Ok(Some(Link { entry, hash, previous: Head::EMPTY.hash })),
            None => Err(Error::Damaged(format!("the record before record {seq} is missing"))),
        }
    }

    /// The approval that `grant` came from, as far as the audit tells. A grant of an older version does not say which one that is, so it is
    /// the newest one of the same name and client, within `lifetime` of a code before the grant was issued; when the owner gave several such
    /// approvals and they differ, nothing is told rather than something that may be wrong.
    pub(crate) fn approval(&self, db: &Reader<'_>, grant: &GrantId, lifetime: Duration) -> Result<Option<Entry>, Error> {
        let Some(issued) = store::issued(db, grant)? else { return Ok(None) };
        if let Some(approval) = issued.record.detail.get("approval").and_then(serde_json::Value::as_i64) {
            let told = store::with_previous(db, approval)?.map(|(entry, ..)| entry);
            return Ok(told.filter(|entry| entry.record.kind == Kind::AuthorizationApproved));
        }
        let client = |entry: &Entry| entry.record.detail.get("client_id").cloned();
        let mut may_be = store::approvals(db, issued.seq, APPROVALS)?;
        may_be.retain(|approval| {
            approval.record.object == issued.record.object
                && client(approval) == client(&issued)
                && approval.record.at.plus(lifetime) >= issued.record.at
        });
        let tells = |entry: &Entry| (entry.record.actor.clone(), entry.record.detail.get("redirect_uri").cloned());
        let agree = may_be.windows(2).all(|pair| matches!(pair, [one, other] if tells(one) == tells(other)));
        Ok(may_be.into_iter().next().filter(|_| agree))
    }

    /// The tools `grant` called in the last seven days, the most used first: at most fifty, counted over its newest 20,000 calls.
    pub(crate) fn tools(&self, db: &Reader<'_>, grant: &GrantId) -> Result<Vec<ToolCalls>, Error> {
        store::tools(db, grant, self.clock.now().minus(WEEK), (CALLS, TOOLS))
    }
}
