//! What a tool call costs: authenticated, with a 2 KB answer, its audit row committed before the answer; beside servers that answer the same
//! bytes with nothing behind them (axum alone, rmcp alone and, where Node and the package are, the TypeScript SDK), in the same run.
//!
//! Each server is a process of its own, so that its processor time can be read. The rounds alternate and the medians are compared, so what
//! else the machine does hits all alike. The figures are told, never asserted. `cargo bench --bench calls` measures the release build;
//! `-- --short` takes fewer and shorter rounds.
#![allow(dead_code, reason = "the harness is compiled in whole, and only some of it is used")]
#![allow(missing_docs)]

#[path = "../../tests/harness/attempt.rs"]
mod attempt;
mod bare;
#[path = "../../tests/harness/deck.rs"]
mod deck;
mod growth;
mod load;
#[path = "../../tests/harness/owner.rs"]
mod owner;
#[path = "../../tests/harness/scene.rs"]
mod scene;
mod server;
#[path = "../../tests/harness/wire.rs"]
mod wire;

use std::time::Duration;

use serde_json::{Value, json};

use load::Request;
use server::Server;

/// Callers at once.
const CALLERS: [usize; 3] = [1, 16, 64];
/// The two eras of the protocol.
const VERSIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];
/// Bytes of the file that is read.
const FILE: usize = 1_900;

/// How much is measured.
struct Plan {
    rounds: usize,
    each: Duration,
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--bare") {
        return bare::serve(&arguments[at + 1], &arguments[at + 2]);
    }
    let plan = match arguments.iter().any(|argument| argument == "--short") {
        true => Plan { rounds: 1, each: Duration::from_millis(300) },
        false => Plan { rounds: 7, each: Duration::from_millis(1500) },
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(measure(&plan));
    let size = match plan.rounds {
        1 => growth::Size { records: 10_000, connections: 100 },
        _ => growth::Size { records: 1_000_000, connections: 1_000 },
    };
    runtime.block_on(growth::measure(&plan, &size));
}

async fn measure(plan: &Plan) {
    let deck = deck::Deck::start(&["--public-url", scene::ORIGIN]);
    let scene = scene::Scene::of(deck, "bench").await;
    note(&scene);
    let answer = scene.wire.call(&scene.token, "ReadMemory", arguments()).await.unwrap().json();
    let result = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(result.path(), answer["result"].to_string()).unwrap();
    let address = scene.deck.json(&["status"])["listen"][0].as_str().unwrap().to_owned();
    let mut servers = vec![
        Server::bare("axum", result.path()),
        Server::bare("rmcp", result.path()),
        Server::running("quarterdeck", &address, scene.deck.pid().as_raw_nonzero().get()),
    ];
    servers.extend(Server::typescript(result.path()));
    println!("\ntools/call with an answer of {} bytes; medians of {} alternating rounds", answer.to_string().len(), plan.rounds);
    for version in VERSIONS {
        for callers in CALLERS {
            let requests: Vec<Request> =
                servers.iter().map(|server| request(server, (&scene.token, version), &scene.wire.host)).collect();
            for _ in 0..plan.rounds {
                for (server, request) in servers.iter_mut().zip(&requests) {
                    server.round(request, callers, plan.each).await;
                }
            }
            tell(&mut servers, version, callers);
        }
    }
}

/// Writes the file that the calls read.
fn note(scene: &scene::Scene) {
    let note = "A line of a note that is read. ".repeat(FILE / 31 + 1);
    std::fs::write(scene.deck.dir.path().join("memory/note.md"), &note[..FILE]).unwrap();
}

fn arguments() -> Value {
    json!({ "path": "note.md" })
}

/// The bytes of a call, as a client of this version sends it.
fn request(server: &Server, (token, version): (&str, &str), host: &str) -> Request {
    let mut params = json!({ "name": "ReadMemory", "arguments": arguments() });
    let mut headers = format!("authorization: Bearer {token}\r\nmcp-protocol-version: {version}\r\n");
    if version == "2026-07-28" {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        headers.push_str("mcp-method: tools/call\r\nmcp-name: ReadMemory\r\n");
    }
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    Request::post((&server.address, server.host.as_deref().unwrap_or(host)), &headers, &body)
}

/// Prints what the rounds came to, with the ratios to the first server, and forgets them.
fn tell(servers: &mut [Server], version: &str, callers: usize) {
    println!("\n| {version}, {callers} at once | calls/s | to axum | to rmcp | processor/call | to rmcp |");
    println!("|---|---:|---:|---:|---:|---:|");
    let medians: Vec<(f64, f64)> = servers.iter_mut().map(Server::median).collect();
    let (axum, rmcp) = (medians[0], medians[1]);
    for (server, (rate, cost)) in servers.iter().zip(&medians) {
        println!(
            "| {} | {rate:.0} | {:.2} | {:.2} | {cost:.1} µs | {:.2} |",
            server.name,
            rate / axum.0,
            rate / rmcp.0,
            cost / rmcp.1
        );
    }
}
