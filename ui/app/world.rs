//! What comes in from outside: notices, keys, signals. Each is read by a task of its own and goes into the one queue.

use crossterm::event::{Event, EventStream};
use futures::{FutureExt, StreamExt};
use quarterdeck::control::{ClientError, Notices};
use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::{Msg, Silence};
use crate::terminal;

pub(crate) async fn listen(mut notices: Notices, queue: mpsc::Sender<Msg>) {
    while let Some(notice) = notices.next().await {
        if queue.send(Msg::Notice(Box::new(notice))).await.is_err() {
            return;
        }
    }
    let _ = queue.send(Msg::Silent(Silence::Ended)).await;
}

pub(crate) fn silence(error: &ClientError) -> Silence {
    match error {
        ClientError::Refused(refusal) => Silence::Refused(refusal.message.clone()),
        ClientError::Stopped => Silence::Unreachable(None),
        other => Silence::Unreachable(Some(other.to_string())),
    }
}

/// From here on keys and changes of the size are heard, though what comes of them only when the answer is awaited: whoever asks for the size
/// afterwards misses none.
pub(super) fn read_keys(queue: mpsc::Sender<Msg>) -> impl Future<Output = ()> {
    let mut events = EventStream::new();
    async move {
        while let Some(event) = events.next().await {
            let msg = match event {
                Ok(Event::Key(key)) => Msg::Key(key),
                Ok(Event::Paste(text)) => Msg::Paste(text),
                Ok(Event::Resize(width, height)) => Msg::Resize(width, height),
                Ok(Event::FocusGained) => Msg::Focus(true),
                Ok(Event::FocusLost) => Msg::Focus(false),
                Ok(Event::Mouse(event)) => Msg::Mouse(event),
                Err(error) => {
                    tracing::error!(%error, "the terminal cannot be read any more");
                    Msg::Terminate
                }
            };
            if queue.send(msg).await.is_err() {
                return;
            }
        }
        let _ = queue.send(Msg::Terminate).await;
    }
}

/// From here on signals are heard, though what comes of them only when the answer is awaited: none may end this program while it holds the
/// terminal.
pub(super) fn watch_signals(queue: mpsc::Sender<Msg>) -> impl Future<Output = ()> {
    let kinds =
        [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt(), SignalKind::from_raw(Signal::CONT.as_raw())];
    let streams: Vec<_> = kinds.into_iter().filter_map(|kind| signal(kind).ok().map(|stream| (kind, stream))).collect();
    let watch = move |(kind, mut stream): (SignalKind, tokio::signal::unix::Signal)| {
        let queue = queue.clone();
        async move {
            while stream.recv().await.is_some() {
                // ctrl-c in a pager is for the pager.
                if kind == SignalKind::interrupt() && terminal::is_lent() {
                    continue;
                }
                let continued = kind == SignalKind::from_raw(Signal::CONT.as_raw());
                let msg = if continued { Msg::Continued } else { Msg::Terminate };
                if queue.send(msg).await.is_err() {
                    return;
                }
            }
        }
    };
    futures::future::join_all(streams.into_iter().map(watch)).map(drop)
}
