//! Callers: each a connection of its own that sends the next call when the last one is answered.

use std::cell::Cell;
use std::time::{Duration, Instant};

use futures::future::join_all;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A request as it is sent, and where to.
pub struct Request {
    address: String,
    bytes: Vec<u8>,
}

impl Request {
    /// `POST /mcp` with these headers, each with its line break.
    pub fn post((address, host): (&str, &str), headers: &str, body: &str) -> Request {
        let length = body.len();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n\
             content-length: {length}\r\n{headers}\r\n"
        );
        Request { address: address.to_owned(), bytes: [head.as_bytes(), body.as_bytes()].concat() }
    }
}

/// Keeps `callers` busy for this long; answers how many calls were answered, and how long it took until the last one was.
#[allow(clippy::disallowed_methods, reason = "measuring is what this is for")]
pub async fn drive(request: &Request, callers: usize, long: Duration) -> (u64, Duration) {
    let mut connections = Vec::new();
    for _ in 0..callers {
        let mut connection = Connection::open(&request.address).await;
        connection.call(&request.bytes).await;
        let answer = String::from_utf8_lossy(&connection.buffer);
        assert!(answer.contains("A line of a note") && !answer.contains("\"error\""), "{answer}");
        connections.push(connection);
    }
    let (answered, started) = (Cell::new(0), Instant::now());
    let calling = connections.iter_mut().map(|connection| async {
        while started.elapsed() < long {
            connection.call(&request.bytes).await;
            answered.set(answered.get() + 1);
        }
    });
    join_all(calling).await;
    (answered.get(), started.elapsed())
}

struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    async fn open(address: &str) -> Connection {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Connection { stream, buffer: Vec::with_capacity(16 * 1024) }
    }

    /// Sends one call and reads its whole answer, which must be a good one.
    async fn call(&mut self, bytes: &[u8]) {
        self.buffer.clear();
        self.stream.write_all(bytes).await.unwrap();
        while !is_whole(&self.buffer) {
            assert_ne!(self.stream.read_buf(&mut self.buffer).await.unwrap(), 0, "the server hung up");
        }
        assert!(self.buffer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&self.buffer));
    }
}

/// Whether the answer is there to its end: as long as its head says, or up to the last chunk.
fn is_whole(buffer: &[u8]) -> bool {
    let Some(head) = buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n").map(|at| at + 4) else { return false };
    let text = std::str::from_utf8(&buffer[..head]).unwrap().to_ascii_lowercase();
    match text.split("content-length: ").nth(1) {
        Some(length) => buffer.len() >= head + length.split("\r\n").next().unwrap().parse::<usize>().unwrap(),
        None => buffer.ends_with(b"\r\n0\r\n\r\n"),
    }
}
