//! Ceremonies: begun by a page, taken by its first submit, closed by the owner at a terminal.

use serde_json::Value;
use webauthn_rs::prelude::WebauthnError;

use super::model::{Ceremony, CeremonyKind, Offer, OpenCeremonies};
use super::{Passkeys, store};
use crate::events::Event;
use crate::store::{Error, Reader, Tx};

/// A ceremony's challenge, and what the library has to be given back at its end.
pub(super) struct Begun<'a> {
    pub(super) kind: CeremonyKind,
    pub(super) challenge: &'a str,
    pub(super) state: &'a str,
    pub(super) binding: &'a Value,
}

impl Passkeys {
    /// Begins a ceremony that an assertion of an enrolled passkey ends. `binding` is what the passkey will say yes to. `None` when no
    /// passkey is enrolled. The oldest ceremony gives way when there are too many.
    pub(crate) fn begin_assertion(&self, tx: &mut Tx<'_>, kind: CeremonyKind, binding: &Value) -> Result<Option<Offer>, Error> {
        let Some(site) = &self.site else { return Ok(None) };
        let enrolled = store::enrolled(tx, site.origin())?;
        if enrolled.is_empty() {
            return Ok(None);
        }
        let (options, state) = site.start_assertion(&enrolled).map_err(|error| unusable(&error))?;
        let options = serde_json::to_value(&options)?;
        let challenge = challenge_of(&options)?;
        let state = serde_json::to_string(&state)?;
        self.begin(tx, &Begun { kind, challenge: &challenge, state: &state, binding }).map(|mut offer| {
            offer.options = options;
            Some(offer)
        })
    }

    /// Whether a ceremony of this kind waits under this challenge. Outside a transaction: a stranger with made-up challenges cannot keep
    /// the writer busy.
    pub(crate) fn waits(&self, kind: CeremonyKind, challenge: &str) -> Result<bool, Error> {
        self.store.look(|db| store::waits(db, kind, challenge, self.clock.now()))
    }

    /// Takes the ceremony whose challenge this is, for good. `None`: no such ceremony of this kind, or it has expired.
    pub(crate) fn take(&self, tx: &mut Tx<'_>, kind: CeremonyKind, challenge: &str) -> Result<Option<Ceremony>, Error> {
        let taken = store::take(tx, kind, challenge, self.clock.now())?;
        if taken.is_some() && kind == CeremonyKind::Authorize {
            self.tell(tx);
        }
        Ok(taken)
    }

    /// What waits: the newest `most`, and how much there is.
    pub(crate) fn open(&self, db: &Reader<'_>, kind: CeremonyKind, most: usize) -> Result<OpenCeremonies, Error> {
        store::open(db, kind, self.clock.now(), most)
    }

    /// Ends the ceremony with this public id without a passkey, and answers what it was bound to.
    pub(crate) fn close(&self, tx: &mut Tx<'_>, kind: CeremonyKind, id: &str) -> Result<Option<Value>, Error> {
        let closed = store::close(tx, kind, id, self.clock.now())?;
        if closed.is_some() && kind == CeremonyKind::Authorize {
            self.tell(tx);
        }
        Ok(closed)
    }

    /// Writes a ceremony down; the offer's options are still to be filled in.
    pub(super) fn begin(&self, tx: &mut Tx<'_>, begun: &Begun<'_>) -> Result<Offer, Error> {
        let now = self.clock.now();
        let offer = Offer {
            challenge: begun.challenge.to_owned(),
            id: self.rng.hex::<8>(),
            options: Value::Null,
            expires_at: now.plus(self.lifetime),
        };
        let gone = store::make_room(tx, now, begun.kind, self.most_open)?;
        let row = store::NewCeremony {
            challenge: begun.challenge,
            id: &offer.id,
            kind: begun.kind,
            state: begun.state,
            binding: begun.binding,
            created_at: now,
            expires_at: offer.expires_at,
        };
        store::insert_ceremony(tx, &row)?;
        if gone > 0 || begun.kind == CeremonyKind::Authorize {
            self.tell(tx);
        }
        Ok(offer)
    }

    /// What waits for the owner is another list after this.
    fn tell(&self, tx: &mut Tx<'_>) {
        let bus = self.bus.clone();
        tx.after_commit(move || bus.tell(Event::WaitingChanged));
    }
}

/// The challenge in WebAuthn options.
pub(super) fn challenge_of(options: &Value) -> Result<String, Error> {
    let challenge = options.get("challenge").and_then(Value::as_str);
    challenge.map(str::to_owned).ok_or_else(|| Error::Damaged("WebAuthn options without a challenge".to_owned()))
}

/// The library refused to begin: it does so only for what is stored or configured, never for what a browser sent.
pub(super) fn unusable(error: &WebauthnError) -> Error {
    Error::Damaged(format!("a passkey ceremony could not begin: {error}"))
}
