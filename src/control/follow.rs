//! Following: what a subscriber is told after its snapshot.
//!
//! Nothing is queued here: a subscriber that reads slowly makes its own task wait, the bus runs past it, and the next notice says how
//! many were lost. Lists are read again when a record says that they changed, so a notice can only be newer than what it is about.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::authorizations::Waits;
use super::frame::{FrameError, Frames};
use super::look::failing;
use super::model::{Notice, Reply, Request};
use super::service::{Service, refusal};
use super::view;
use crate::audit::{Entry, Kind, Seq};
use crate::events::Event;
use crate::store::{Error, Health};

/// Shortest time between two looks at what waits: anyone can open pages, and however many they open costs four looks a second.
const PAUSE: Duration = Duration::from_millis(250);

/// One subscription.
pub(super) struct Following {
    service: Service,
    events: Receiver<Event>,
    health: watch::Receiver<Health>,
    /// The newest record the snapshot includes.
    seen: Seq,
    /// What waits, as the subscriber was told: the first of it to run out arms the timer.
    waits: Waits,
    /// When what waits was looked at last, and whether it may have changed since.
    looked: Instant,
    stale: bool,
}

enum Heard {
    Event(Event),
    Missed(u64),
    Health,
    /// What waits may have changed, and enough time has passed to look.
    Waiting,
    Stop,
}

/// Sends the snapshot and then notices, until the other side hangs up or the host stops.
pub(super) async fn follow<S>(service: Service, talk: &mut Frames<S>, stop: &CancellationToken) -> Result<(), FrameError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    // Listening begins before the reading: nothing can fall between the snapshot and the first notice.
    let (events, health) = (service.base.bus.listen(), service.base.store.health());
    let (snapshot, waits) = match service.snapshot().await {
        Ok(read) => read,
        Err(error) => return talk.send(&Reply::Refused(refusal(error))).await,
    };
    let (seen, looked) = (snapshot.seq, Instant::now());
    let mut following = Following { service, events, health, seen, waits, looked, stale: false };
    talk.send(&Reply::Snapshot(Box::new(snapshot))).await?;
    loop {
        let heard = tokio::select! {
            heard = following.hear(stop) => heard,
            // A subscriber has nothing more to say: this ends when it hangs up.
            _hung_up = talk.next::<Request>() => return Ok(()),
        };
        let stopping = matches!(heard, Heard::Stop);
        for notice in following.notices(heard).await {
            tell(talk, &notice).await?;
        }
        if stopping {
            return Ok(());
        }
    }
}

/// Sends a notice. One that no frame can hold is lost, and that is said: the conversation goes on.
pub(super) async fn tell<S>(talk: &mut Frames<S>, notice: &Notice) -> Result<(), FrameError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    match talk.send(notice).await {
        Err(FrameError::TooLarge(bytes)) => {
            tracing::warn!(bytes, "a notice was too large for a subscriber");
            talk.send(&Notice::Lagged(1)).await
        }
        sent => sent,
    }
}

impl Following {
    async fn hear(&mut self, stop: &CancellationToken) -> Heard {
        loop {
            let look = self.look_in();
            let event = tokio::select! {
                event = self.events.recv() => event,
                Ok(()) = self.health.changed() => return Heard::Health,
                () = tokio::time::sleep(look.unwrap_or_default()), if look.is_some() => return Heard::Waiting,
                () = stop.cancelled() => return Heard::Stop,
            };
            match event {
                Ok(Event::WaitingChanged) => self.stale = true,
                Ok(event) => return Heard::Event(event),
                Err(RecvError::Lagged(missed)) => return Heard::Missed(missed),
                Err(RecvError::Closed) => return Heard::Stop,
            }
        }
    }

    /// How long until what waits is looked at again: soon when it may have changed, else when the first of it runs out. No timer when
    /// nothing waits and nothing happened.
    fn look_in(&self) -> Option<Duration> {
        let runs_out = self.waits.first_ends.map(|first| first.since(self.service.base.clock.now()));
        let due = if self.stale { Duration::ZERO } else { runs_out? };
        Some(due.max(PAUSE.saturating_sub(self.looked.elapsed())))
    }

    async fn notices(&mut self, heard: Heard) -> Vec<Notice> {
        match heard {
            Heard::Event(Event::Recorded(entry)) => self.recorded(&entry).await,
            Heard::Event(Event::WaitingChanged) | Heard::Waiting => self.waiting_changed().await.into_iter().collect(),
            Heard::Missed(missed) => vec![Notice::Lagged(missed)],
            Heard::Health => vec![Notice::Health(failing(&self.health.borrow_and_update()))],
            Heard::Stop => vec![Notice::Stopping],
        }
    }

    async fn recorded(&mut self, entry: &Arc<Entry>) -> Vec<Notice> {
        if entry.seq <= self.seen {
            return Vec::new();
        }
        let changed = match entry.record.kind {
            Kind::GrantIssued | Kind::GrantReplaced | Kind::GrantRevoked | Kind::GrantScopesChanged => {
                Some(self.service.connections().await.map(Notice::Connections))
            }
            Kind::PasskeyAdded | Kind::PasskeyRemoved => Some(self.service.passkeys_here().await.map(Notice::Passkeys)),
            _ => None,
        };
        std::iter::once(Notice::Recorded(view::row(entry))).chain(changed.map(or_lost)).collect()
    }

    async fn waiting_changed(&mut self) -> Option<Notice> {
        let read = self.service.waiting().await;
        (self.looked, self.stale) = (Instant::now(), false);
        match read {
            Ok(waits) => {
                let before = std::mem::replace(&mut self.waits, waits.clone());
                let told = (&waits.list, waits.more) == (&before.list, before.more);
                (!told).then_some(Notice::Waiting { list: waits.list, more: waits.more })
            }
            Err(error) => {
                self.waits = Waits::default();
                Some(or_lost(Err(error)))
            }
        }
    }
}

/// A list that could not be read is a notice that was lost: the subscriber asks again.
fn or_lost(read: Result<Notice, Error>) -> Notice {
    read.unwrap_or_else(|error| {
        tracing::warn!(%error, "a list could not be read for a subscriber");
        Notice::Lagged(1)
    })
}
