//! Appending: the record and its hash, in the transaction of what it tells about.

use std::sync::Arc;

use super::checkpoint::Pace;
use super::count::Counter;
use super::model::{Draft, Entry, Record, Seq};
use super::{Signer, store};
use crate::access::Principal;
use crate::clock::Clock;
use crate::events::{Bus, Event};
use crate::store::{Error, Store, Tx};

/// The audit; clones share it.
#[derive(Clone)]
pub(crate) struct Audit {
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) bus: Bus,
    pub(super) signer: Arc<Signer>,
    pub(super) counter: Arc<Counter>,
    pub(super) pace: Arc<Pace>,
}

impl Audit {
    /// An audit over `store`, told to `bus`, its checkpoints signed by `signer`.
    pub(crate) fn new(store: Store, clock: Clock, bus: Bus, signer: Signer) -> Audit {
        Audit { store, clock, bus, signer: Arc::new(signer), counter: Arc::default(), pace: Arc::default() }
    }

    /// Adds a record to the transaction and answers its sequence number. The bus hears of it after the commit.
    pub(crate) fn append(&self, tx: &mut Tx<'_>, who: &Principal, mut draft: Draft) -> Result<Seq, Error> {
        // As the canonical form has them: then it need not be made.
        draft.detail.sort_keys();
        let record = Record {
            at: self.clock.now(),
            kind: draft.kind,
            actor: who.actor(),
            grant: who.grant().cloned().or(draft.grant),
            object: draft.object,
            outcome: draft.outcome,
            reason: draft.reason,
            took_ms: draft.took_ms,
            detail: draft.detail,
        };
        let canonical = record.canonical()?;
        let head = store::head(tx)?.after(&canonical);
        store::insert(tx, &head, (&record, &canonical))?;
        self.checkpoint_if_due(tx, &head, record.at)?;
        let bus = self.bus.clone();
        let entry = Arc::new(Entry { seq: head.seq, record });
        tx.after_commit(move || bus.tell(Event::Recorded(entry)));
        Ok(head.seq)
    }

    /// Adds a record that belongs to no other change, and answers after it is on disk.
    pub(crate) async fn record(&self, who: &Principal, draft: Draft) -> Result<Seq, Error> {
        let (audit, who) = (self.clone(), who.clone());
        self.store.write(move |tx| audit.append(tx, &who, draft)).await
    }
}
