//! What every in-crate test starts from: real SQLite in a directory of its own, a hand-moved clock, seeded randomness.

mod authenticator;
mod https;

pub(crate) use authenticator::{Authenticator, enroll};
pub(crate) use https::{HttpsServer, http_answer};

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use serde_json::Value;

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
    /// The same host after a restart: its store was closed, and is opened again from the same file. Nothing else is left of it.
    pub(crate) async fn restarted(&mut self) -> Fixture {
        self.base.store.close().await;
        let dir = std::mem::replace(&mut self.dir, tempfile::tempdir().unwrap());
        let Base { config, clock, public_url, .. } = self.base.clone();
        Fixture { base: base(&dir, config, (clock, 8), public_url), hand: Arc::clone(&self.hand), dir }
    }

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
        Fixture { base: base(&dir, Arc::new(config), (clock, 7), public_url), hand, dir }
    }

    /// Moves the clock on.
    pub(crate) fn pass(&self, time: Duration) {
        self.hand.fetch_add(i64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
    }

    /// Somebody sets the clock back.
    pub(crate) fn set_back(&self, time: Duration) {
        self.hand.fetch_sub(i64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
    }
}

/// The base over what is in `dir`. No two runs have the same randomness.
fn base(dir: &tempfile::TempDir, config: Arc<Config>, (clock, seed): (clock::Clock, u64), public_url: Option<PublicUrl>) -> Base {
    let store = store::Store::open(&dir.path().join("quarterdeck.db")).unwrap();
    let bus = events::Bus::new();
    let signer = audit::Signer::open(dir.path()).unwrap();
    let audit = audit::Audit::new(store.clone(), clock.clone(), bus.clone(), signer);
    Base { config, clock, rng: id::Rng::seeded(seed), store, bus, audit, public_url }
}

/// Any JSON value without parts; its texts are these.
pub(crate) fn any_scalar(texts: impl Strategy<Value = String> + 'static) -> impl Strategy<Value = Value> + Clone {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        texts.prop_map(Value::from),
    ]
    .boxed()
}
