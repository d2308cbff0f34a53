//! Serving: one task per connection, a bounded number of them, and an end within two seconds.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use super::patience::Patience;
use super::places::{Place, Places};

/// How long open requests may go on after a stop was asked for.
const GRACE: Duration = Duration::from_millis(1500);
/// How long to wait after `accept` failed: usually this process is out of file descriptors, and some are about to be closed.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// What a connection beyond the limit reads.
const BUSY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\ncontent-type: application/json\r\n\
    content-length: 74\r\n\r\n{\"error\":\"busy\",\"message\":\"too many open connections; try again shortly\"}\n";

/// What is served, and the bounds that are not about single requests.
#[derive(Clone)]
pub(crate) struct Door {
    pub(crate) routes: Router,
    /// Open connections; one more is answered 503 and closed.
    pub(crate) connections: usize,
    /// How long a request's head may take to arrive.
    pub(crate) head_timeout: Duration,
    /// How long the other side may take nothing of an answer.
    pub(crate) patience: Duration,
}

/// Serves `door` on every socket until `stop`, then lets open requests end for a short while.
pub(crate) async fn serve(door: Door, sockets: Vec<TcpListener>, stop: CancellationToken) {
    let places = Places::new(door.connections);
    let graceful = Arc::new(GracefulShutdown::new());
    let accepting: Vec<_> = sockets
        .into_iter()
        .map(|socket| tokio::spawn(accept(door.clone(), socket, places.clone(), Arc::clone(&graceful), stop.clone())))
        .collect();
    for task in accepting {
        let _ended = task.await;
    }
    if let Some(graceful) = Arc::into_inner(graceful)
        && tokio::time::timeout(GRACE, graceful.shutdown()).await.is_err()
    {
        tracing::info!("some requests did not end in time and were cut off");
    }
}

async fn accept(door: Door, socket: TcpListener, places: Places, graceful: Arc<GracefulShutdown>, stop: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            accepted = socket.accept() => accepted,
            () = stop.cancelled() => return,
        };
        match accepted {
            Ok((stream, peer)) => match places.take(peer.ip()) {
                Some(place) => connection(&door, stream, peer, place, &graceful),
                // The send buffer of a fresh connection is empty: this never waits.
                None => drop(stream.try_write(BUSY)),
            },
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn connection(door: &Door, stream: TcpStream, peer: SocketAddr, place: Place, graceful: &GracefulShutdown) {
    let _best_effort = stream.set_nodelay(true);
    let service = door.routes.clone().map_request(move |request: Request<Incoming>| {
        let mut request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(axum::extract::ConnectInfo(peer));
        request
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(door.head_timeout)
        .serve_connection(TokioIo::new(Patience::with(stream, door.patience)), TowerToHyperService::new(service));
    let serving = graceful.watch(serving);
    tokio::spawn(async move {
        if let Err(error) = serving.await {
            tracing::debug!(%error, "a connection ended early");
        }
        drop(place);
    });
}
