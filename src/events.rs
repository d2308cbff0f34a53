//! The bus: tells whoever listens what was recorded, after it is on disk.
//!
//! It carries the committed audit entries in order of their sequence, and a few pokes that say "ask again" about state that has no
//! audit record of its own. Nothing on it is more than a hint that the store holds something new.
//! It never waits: a listener that falls behind is told how much it missed and asks for a snapshot.

use std::sync::Arc;

use tokio::sync::broadcast;

use crate::audit::Entry;

/// What a listener may lag behind before it is told that it lagged.
const CAPACITY: usize = 1024;

/// One thing to tell.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// An audit record was committed.
    Recorded(Arc<Entry>),
    /// An authorization page was opened, answered or ran out: the list of what waits may be another one.
    WaitingChanged,
}

/// A handle on the bus; clones share it.
#[derive(Clone)]
pub(crate) struct Bus(broadcast::Sender<Event>);

impl Bus {
    /// A bus nobody listens to yet.
    pub(crate) fn new() -> Bus {
        Bus(broadcast::Sender::new(CAPACITY))
    }

    /// Tells everyone who listens now; nobody listening is fine.
    pub(crate) fn tell(&self, event: Event) {
        let _nobody_listens = self.0.send(event);
    }

    /// Everything told from now on.
    pub(crate) fn listen(&self) -> broadcast::Receiver<Event> {
        self.0.subscribe()
    }
}
