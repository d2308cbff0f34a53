//! The door over real sockets. Time is tokio's, paused: it moves on when everybody waits.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::post;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::http::detached::detached;
use crate::http::entry::entered;
use crate::http::limits::{Bounds, Gate, STRANGERS};
use crate::http::peer::Proxies;
use crate::http::{Door, Listeners, answer, assistants, serve};

const BOUNDS: Bounds = Bounds { request_bytes: 64, request_timeout: Duration::from_secs(5) };

struct Served {
    address: std::net::SocketAddr,
    stop: CancellationToken,
    ended: tokio::task::JoinHandle<usize>,
}

async fn served(routes: Router, connections: usize) -> Served {
    let listeners = Listeners::bind(&["127.0.0.1:0".parse().unwrap()]).await.unwrap();
    let address = listeners.addresses[0];
    let stop = CancellationToken::new();
    let proxies = Proxies::new(&[]);
    let door = Door { routes, connections, proxies, head_timeout: Duration::from_secs(5), patience: Duration::from_secs(5) };
    let ended = tokio::spawn(serve(door, listeners.sockets, stop.clone()));
    Served { address, stop, ended }
}

/// Lets nobody send more than a stranger.
fn nobody() -> Gate {
    Arc::new(|_head| Some(answer::refusal(http::StatusCode::UNAUTHORIZED, "unauthorized", "who are you")))
}

fn echo() -> Router {
    entered(Router::new().route("/echo", post(|body: String| async move { body })), BOUNDS, nobody())
}

/// Sends `request` as it is and reads until the other side closes.
async fn exchange(address: std::net::SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    read(stream).await
}

async fn read(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    let _reset_after_answer = stream.read_to_end(&mut answer).await;
    String::from_utf8(answer).unwrap()
}

#[tokio::test]
async fn a_body_within_the_bounds_arrives_whole() {
    let door = served(echo(), 8).await;
    let answer =
        exchange(door.address, "POST /echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 5\r\n\r\nhello").await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("hello"), "{answer}");
}

/// A80: the limit comes before everything else.
#[tokio::test]
async fn a_declared_body_over_the_limit_is_413_without_being_read() {
    let door = served(echo(), 8).await;
    let answer = exchange(door.address, "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 65\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("64 bytes"), "{answer}");
}

#[tokio::test]
async fn a_chunked_body_over_the_limit_is_413() {
    let door = served(echo(), 8).await;
    let chunk = "a".repeat(65);
    let request = format!("POST /echo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n41\r\n{chunk}\r\n0\r\n\r\n");
    let answer = exchange(door.address, &request).await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}

/// A large body is begun to be read, and its head decides whether it is read to the end. A small one is not held up by the question.
#[tokio::test]
async fn the_gate_is_asked_once_and_only_about_a_large_body() {
    let asked = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let gate: Gate = Arc::new(move |head| {
        count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        (head.headers["host"] != "known").then(|| answer::refusal(http::StatusCode::UNAUTHORIZED, "unauthorized", "who are you"))
    });
    let length = Router::new().route("/length", post(|body: String| async move { body.len().to_string() }));
    let bounds = Bounds { request_bytes: 1 << 20, ..BOUNDS };
    let door = served(entered(length, bounds, gate), 8).await;
    let ask = |host: &str, declared: usize, sent: usize| {
        let body = "a".repeat(sent);
        let request =
            format!("POST /length HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {declared}\r\n\r\n{body}");
        async move { exchange(door.address, &request).await }
    };
    assert!(ask("stranger", STRANGERS, STRANGERS).await.ends_with("65536"));
    assert_eq!(asked.load(std::sync::atomic::Ordering::SeqCst), 0);
    // What is missing is not waited for.
    let refused = ask("stranger", 1 << 20, STRANGERS + 1).await;
    assert!(refused.starts_with("HTTP/1.1 401") && refused.contains("connection: close"), "{refused}");
    assert!(ask("known", 1 << 20, 1 << 20).await.ends_with("1048576"));
    assert_eq!(asked.load(std::sync::atomic::Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_head_of_200_kib_is_431_and_not_held() {
    let door = served(echo(), 8).await;
    let long = "a".repeat(200 * 1024);
    let answer = exchange(door.address, &format!("GET /echo HTTP/1.1\r\nhost: x\r\nx-long: {long}\r\n\r\n")).await;
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
}

#[tokio::test]
async fn a_body_that_breaks_off_is_400_and_not_served() {
    let door = served(echo(), 8).await;
    let mut stream = TcpStream::connect(door.address).await.unwrap();
    stream.write_all(b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nhe").await.unwrap();
    stream.shutdown().await.unwrap();
    let answer = read(stream).await;
    assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("broke off"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_body_that_drips_is_408() {
    let door = served(echo(), 8).await;
    let answer = exchange(door.address, "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nhe").await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_head_that_never_ends_is_closed() {
    let door = served(echo(), 8).await;
    let answer = exchange(door.address, "POST /echo HTTP/1.1\r\nhost: x\r\nx-slow: ").await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
}

#[tokio::test]
async fn one_connection_too_many_is_told_and_closed_and_the_others_go_on() {
    let door = served(echo(), 1).await;
    let mut first = TcpStream::connect(door.address).await.unwrap();
    first.write_all(b"POST /echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\nh").await.unwrap();
    // The place is taken once the first connection was accepted: connections are accepted in order.
    let busy = read(TcpStream::connect(door.address).await.unwrap()).await;
    assert!(busy.starts_with("HTTP/1.1 503") && busy.contains("retry-after: 1"), "{busy}");
    let length: usize = busy.split("content-length: ").nth(1).unwrap().split("\r\n").next().unwrap().parse().unwrap();
    assert_eq!(busy.split("\r\n\r\n").nth(1).unwrap().len(), length);
    first.write_all(b"i").await.unwrap();
    assert!(read(first).await.ends_with("hi"));
}

/// The kernel keeps a connection alive whose other side reads nothing: without a bound it would keep its place for ever.
#[tokio::test(start_paused = true)]
async fn whoever_does_not_read_the_answer_loses_the_connection() {
    let long = Router::new().route("/long", axum::routing::get(|| async { "a".repeat(64 << 20) }));
    let door = served(long.route("/short", axum::routing::get(|| async { "short" })), 1).await;
    let mut deaf = TcpStream::connect(door.address).await.unwrap();
    deaf.write_all(b"GET /long HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let short = "GET /short HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    assert!(exchange(door.address, short).await.starts_with("HTTP/1.1 503"));
    for _second in 0..60 {
        if exchange(door.address, short).await.starts_with("HTTP/1.1 200") {
            return;
        }
        tokio::time::advance(Duration::from_secs(1)).await;
    }
    panic!("the place is still taken");
}

#[tokio::test]
async fn an_unknown_path_is_404_json_and_a_closed_door_knows_no_path() {
    let door = served(assistants(None, BOUNDS), 8).await;
    for path in ["/", "/mcp", "/authorize", "/.well-known/oauth-protected-resource", "/rpc"] {
        let answer = exchange(door.address, &format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 404") && answer.contains(r#"{"error":"not_found""#), "{path}: {answer}");
    }
}

#[tokio::test]
async fn a_stop_ends_idle_connections_at_once() {
    let door = served(echo(), 8).await;
    let idle = TcpStream::connect(door.address).await.unwrap();
    door.stop.cancel();
    assert_eq!(door.ended.await.unwrap(), 0, "nothing was cut off");
    assert_eq!(read(idle).await, "");
}

#[tokio::test(start_paused = true)]
async fn a_stop_does_not_wait_for_a_request_that_never_ends() {
    let door = served(echo(), 8).await;
    let mut open = TcpStream::connect(door.address).await.unwrap();
    open.write_all(b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nhe").await.unwrap();
    tokio::task::yield_now().await;
    let begun = tokio::time::Instant::now();
    door.stop.cancel();
    assert_eq!(door.ended.await.unwrap(), 1, "it is counted");
    assert!(begun.elapsed() < Duration::from_secs(2));
    assert_eq!(read(open).await, "", "it is cut off, not left behind");
}

#[tokio::test]
async fn a_host_that_is_dropped_cuts_off_what_is_open() {
    let door = served(echo(), 8).await;
    let mut open = TcpStream::connect(door.address).await.unwrap();
    open.write_all(b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nhe").await.unwrap();
    door.ended.abort();
    assert_eq!(read(open).await, "");
}

/// A route that says when it was reached, waits for a word, and says when it is done.
fn slow() -> (Router, Arc<Semaphore>, Arc<Semaphore>, Arc<Semaphore>) {
    let [reached, go, done] = [(); 3].map(|()| Arc::new(Semaphore::new(0)));
    let (at, word, end) = (Arc::clone(&reached), Arc::clone(&go), Arc::clone(&done));
    let route = post(move || {
        let (at, word, end) = (Arc::clone(&at), Arc::clone(&word), Arc::clone(&end));
        async move {
            at.add_permits(1);
            word.acquire().await.unwrap().forget();
            end.add_permits(1);
        }
    });
    let routes = Router::new().route("/slow", route).layer(axum::middleware::from_fn(detached));
    (routes, reached, go, done)
}

const SLOW: &[u8] = b"POST /slow HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n";

#[tokio::test]
async fn what_was_begun_is_finished_when_the_client_leaves_and_holds_its_place_until_then() {
    let (routes, reached, go, done) = slow();
    let door = served(routes, 1).await;
    let mut client = TcpStream::connect(door.address).await.unwrap();
    client.write_all(SLOW).await.unwrap();
    reached.acquire().await.unwrap().forget();
    drop(client);
    let busy = read(TcpStream::connect(door.address).await.unwrap()).await;
    assert!(busy.starts_with("HTTP/1.1 503"), "{busy}");
    go.add_permits(2);
    done.acquire().await.unwrap().forget();
    let again = async {
        while !exchange(door.address, "POST /slow HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.contains(" 200 ") {}
    };
    tokio::time::timeout(Duration::from_secs(10), again).await.expect("the place is free again");
}

#[tokio::test]
async fn a_stop_waits_a_while_for_work_whose_client_left() {
    let (routes, reached, go, done) = slow();
    let door = served(routes, 8).await;
    let mut client = TcpStream::connect(door.address).await.unwrap();
    client.write_all(SLOW).await.unwrap();
    reached.acquire().await.unwrap().forget();
    drop(client);
    door.stop.cancel();
    go.add_permits(1);
    door.ended.await.unwrap();
    assert_eq!(done.available_permits(), 1);
}

#[tokio::test]
async fn a_panic_is_answered_500_and_ends_nothing_else() {
    async fn broken() {
        panic!("on purpose");
    }
    let door = served(entered(Router::new().route("/broken", post(broken)), BOUNDS, nobody()), 8).await;
    let answer = exchange(door.address, "POST /broken HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 500"), "{answer}");
}
