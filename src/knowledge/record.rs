//! Recording: one entry per turn, attributed by the grant, once.

use serde_json::{Map, Value, json};

use super::model::RECORD;
use super::{Event, Experience, Knowledge, Receipt, store};
use crate::access::Caller;
use crate::store::{Error, Tx};

impl Knowledge {
    /// Adds what `who` tells to the journal, or finds that it is there. `settle` runs in the same transaction: the caller's audit record.
    pub(crate) async fn record(
        &self,
        who: &Caller,
        told: Experience,
        settle: impl FnOnce(&mut Tx<'_>, &Receipt) -> Result<(), Error> + Send + 'static,
    ) -> Result<Receipt, Error> {
        let session_key = format!("{}:{}", who.name, told.conversation);
        let dedup = format!("{session_key}:{}", told.dedup_key());
        let clock = self.clock.clone();
        let (id, source, payload) = (format!("evt_{}", self.rng.hex::<16>()), who.name.clone(), payload(who, told));
        let event = move |at| Event { n: 0, id, at, kind: RECORD.to_owned(), session_key, source, payload };
        self.store
            .write(move |tx| {
                let receipt = match store::by_dedup(tx, &dedup)? {
                    Some((event_id, at)) => Receipt { event_id, at, duplicate: true },
                    None => {
                        // Now, and not when it was asked for: whoever reads on after the newest entry must not miss one that waited.
                        let event = event(clock.now());
                        store::insert(tx, &event, &dedup)?;
                        Receipt { event_id: event.id, at: event.at, duplicate: false }
                    }
                };
                settle(tx, &receipt)?;
                Ok(receipt)
            })
            .await
    }
}

/// What is kept. Who it was is the grant's word, not the assistant's.
fn payload(who: &Caller, told: Experience) -> Map<String, Value> {
    let mut payload = Map::new();
    let mut keep = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            payload.insert(key.to_owned(), Value::String(value));
        }
    };
    keep("text", Some(told.said));
    keep("from", told.from);
    keep("did", Some(told.did));
    keep("outcome", Some(told.outcome));
    keep("artifact", told.artifact);
    keep("model", told.model);
    keep("board_rev", Some(told.board_rev));
    payload.insert("client".to_owned(), json!({ "id": who.client_id, "grant": who.grant }));
    payload
}
