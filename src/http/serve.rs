//! Serving: one task per connection, a bounded number of them, and an end in time.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use super::patience::Patience;
use super::peer::Proxies;
use super::places::{Place, Places};

/// How long open requests may go on after a stop was asked for. What is left of two seconds is for the records of the stop.
const GRACE: Duration = Duration::from_millis(1200);
/// What is kept of a request's head, in bytes: one that is not complete within it, and what one more read brings, is answered 431.
const BUFFER: usize = 64 * 1024;
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
    /// Who may have all of them, and not only a share.
    pub(crate) proxies: Proxies,
    /// How long a request's head may take to arrive.
    pub(crate) head_timeout: Duration,
    /// How long the other side may take nothing of an answer.
    pub(crate) patience: Duration,
}

/// Serves `door` on every socket until `stop`, then lets what is open end for a short while. Answers how many requests did not and were cut
/// off. Dropping the future cuts it off at once.
pub(crate) async fn serve(door: Door, sockets: Vec<TcpListener>, stop: CancellationToken) -> usize {
    let places = Places::new(door.connections, door.proxies.clone());
    let mut accepting = JoinSet::new();
    for socket in sockets {
        accepting.spawn(accept(door.clone(), socket, places.clone(), stop.clone()));
    }
    let mut open = Vec::new();
    while let Some(ended) = accepting.join_next().await {
        open.extend(ended);
    }
    let ended = async {
        for connections in &mut open {
            while connections.join_next().await.is_some() {}
        }
        // Work whose client has left holds its place too.
        places.all_free().await;
    };
    let _in_time = tokio::time::timeout(GRACE, ended).await;
    // A connection without a request has ended by then, so whoever still has a place has one.
    let cut = places.taken();
    if cut > 0 {
        tracing::info!(cut, "some requests did not end in time and were cut off");
    }
    for connections in &mut open {
        connections.shutdown().await;
    }
    cut
}

/// Accepts until `stop`, and answers the connections that are open then.
async fn accept(door: Door, socket: TcpListener, places: Places, stop: CancellationToken) -> JoinSet<()> {
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = socket.accept() => accepted,
            Some(_ended) = connections.join_next() => continue,
            () = stop.cancelled() => return connections,
        };
        match accepted {
            Ok((stream, peer)) => match places.take(peer.ip()) {
                Some(place) => {
                    connections.spawn(connection(door.clone(), (stream, peer), Arc::new(place), stop.clone()));
                }
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

/// One connection. At a stop, the request that is open may end; no other is begun.
async fn connection(door: Door, (stream, peer): (TcpStream, SocketAddr), place: Arc<Place>, stop: CancellationToken) {
    let _best_effort = stream.set_nodelay(true);
    let service = door.routes.map_request(move |request: Request<Incoming>| {
        let mut request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(axum::extract::ConnectInfo(peer));
        request.extensions_mut().insert(Arc::clone(&place));
        request
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(door.head_timeout)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(Patience::with(stream, door.patience)), TowerToHyperService::new(service));
    let mut serving = std::pin::pin!(serving);
    let served = tokio::select! {
        served = serving.as_mut() => served,
        () = stop.cancelled() => {
            serving.as_mut().graceful_shutdown();
            serving.await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a connection ended early");
    }
}
