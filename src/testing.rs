//! What every in-crate test starts from: real SQLite in a directory of its own, a hand-moved clock, seeded randomness.

mod authenticator;
mod https;

pub(crate) use authenticator::{Authenticator, enroll};
pub(crate) use https::{HttpsServer, http_answer};

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use crate::config::{Config, PublicUrl};
use crate::{Base, audit, clock, events, id, store};

/// 2026-12-01T09:30:00Z.
pub(crate) const START: i64 = 1_796_117_400_000;

/// The base modules over a temporary directory.
pub(crate) struct Fixture {
    pub(crate) base: Base,
    hand: Arc<AtomicI64>,
    pub(crate) dir: tempfile::TempDir,
}

impl Fixture {
    /// Everything at its default, under `http://localhost:7420`.
    pub(crate) fn new() -> Fixture {
        Fixture::with(|_config| {})
    }

    /// The same with some configuration changed.
    pub(crate) fn with(change: impl FnOnce(&mut Config)) -> Fixture {
        let dir = tempfile::tempdir().unwrap();
        let mut config = Config::new(dir.path().to_owned());
        change(&mut config);
        let public_url = match &config.assistants.public_url {
            None => Some(PublicUrl::localhost(7420).unwrap()),
            Some(set) => set.clone(),
        };
        let (clock, hand) = clock::manual(START);
        let store = store::Store::open(&dir.path().join("quarterdeck.db")).unwrap();
        let bus = events::Bus::new();
        let signer = audit::Signer::open(dir.path()).unwrap();
        let audit = audit::Audit::new(store.clone(), clock.clone(), bus.clone(), signer);
        let base = Base { config: Arc::new(config), clock, rng: id::Rng::seeded(7), store, bus, audit, public_url };
        Fixture { base, hand, dir }
    }

    /// Moves the clock on.
    pub(crate) fn pass(&self, time: Duration) {
        self.hand.fetch_add(i64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
    }
}
