//! Following: what a subscriber is told after its snapshot.
//!
//! Nothing is queued here: a subscriber that reads slowly makes its own task wait, the bus runs past it, and the next notice says how
//! many were lost. Lists are read again when a record says that they changed, so a notice can only be newer than what it is about.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::frame::{FrameError, Frames};
use super::look::failing;
use super::model::{Notice, Request, Waiting};
use super::service::Service;
use super::view;
use crate::audit::{Entry, Kind, Seq};
use crate::events::Event;
use crate::store::{Error, Health};

/// One subscription.
pub(super) struct Following {
    service: Service,
    events: Receiver<Event>,
    health: watch::Receiver<Health>,
    /// The newest record the snapshot includes.
    seen: Seq,
    /// What waits, as the subscriber was told: the first of it to run out arms the timer.
    waiting: Vec<Waiting>,
}

enum Heard {
    Event(Event),
    Missed(u64),
    Health,
    RanOut,
    Stop,
}

/// Sends the snapshot and then notices, until the other side hangs up or the host stops.
pub(super) async fn follow<S>(service: Service, talk: &mut Frames<S>, stop: &CancellationToken) -> Result<(), FrameError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    // Listening begins before the reading: nothing can fall between the snapshot and the first notice.
    let (events, health) = (service.base.bus.listen(), service.base.store.health());
    let snapshot = match service.snapshot().await {
        Ok(snapshot) => snapshot,
        Err(error) => return talk.send(&super::model::Reply::Refused(super::service::refusal(error))).await,
    };
    let mut following = Following { service, events, health, seen: snapshot.seq, waiting: snapshot.waiting.clone() };
    talk.send(&super::model::Reply::Snapshot(Box::new(snapshot))).await?;
    loop {
        let heard = tokio::select! {
            heard = following.hear(stop) => heard,
            // A subscriber has nothing more to say: this ends when it hangs up.
            _hung_up = talk.next::<Request>() => return Ok(()),
        };
        let stopping = matches!(heard, Heard::Stop);
        for notice in following.notices(heard).await {
            talk.send(&notice).await?;
        }
        if stopping {
            return Ok(());
        }
    }
}

impl Following {
    async fn hear(&mut self, stop: &CancellationToken) -> Heard {
        let runs_out = self.runs_out();
        tokio::select! {
            event = self.events.recv() => match event {
                Ok(event) => Heard::Event(event),
                Err(RecvError::Lagged(missed)) => Heard::Missed(missed),
                Err(RecvError::Closed) => Heard::Stop,
            },
            Ok(()) = self.health.changed() => Heard::Health,
            () = tokio::time::sleep(runs_out.unwrap_or_default()), if runs_out.is_some() => Heard::RanOut,
            () = stop.cancelled() => Heard::Stop,
        }
    }

    /// How long until the first authorization that waits runs out; no timer when none waits.
    fn runs_out(&self) -> Option<Duration> {
        let first = self.waiting.iter().filter_map(|waiting| waiting.expires_at.parse::<jiff::Timestamp>().ok()).min()?;
        let now = self.service.base.clock.now();
        Some(crate::clock::UnixMs(first.as_millisecond()).since(now))
    }

    async fn notices(&mut self, heard: Heard) -> Vec<Notice> {
        match heard {
            Heard::Event(Event::Recorded(entry)) => self.recorded(&entry).await,
            Heard::Event(Event::WaitingChanged) | Heard::RanOut => self.waiting_changed().await.into_iter().collect(),
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
            Kind::GrantIssued | Kind::GrantReplaced | Kind::GrantRevoked => {
                Some(self.service.connections().await.map(Notice::Connections))
            }
            Kind::PasskeyAdded | Kind::PasskeyRemoved => Some(self.service.passkeys().await.map(Notice::Passkeys)),
            _ => None,
        };
        std::iter::once(Notice::Recorded(view::row(entry))).chain(changed.map(or_lost)).collect()
    }

    async fn waiting_changed(&mut self) -> Option<Notice> {
        match self.service.waiting().await {
            Ok(waiting) if waiting == self.waiting => None,
            Ok(waiting) => {
                self.waiting.clone_from(&waiting);
                Some(Notice::Waiting(waiting))
            }
            Err(error) => {
                self.waiting.clear();
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
