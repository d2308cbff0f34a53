//! What a large store costs: the same calls beside a host with an empty one, in alternating rounds; how long it takes to start; memory.

use std::time::{Duration, Instant};

use rusqlite::{Connection, params};

use super::deck::Deck;
use super::load::Request;
use super::scene::{self, Scene};
use super::server::Server;
use super::{Plan, request};

/// What the larger store has.
pub struct Size {
    pub records: i64,
    pub connections: i64,
}

const CALLERS: usize = 16;
const VERSION: &str = "2026-07-28";

pub async fn measure(plan: &Plan, size: &Size) {
    let (empty, small) = host().await.restart();
    let filled = host().await.stopped(|file| fill(file, size));
    let (large, big) = filled.restart();
    let mut servers = [("empty", &small), ("large", &big)].map(|(name, scene)| {
        let address = scene.deck.json(&["status"])["listen"][0].as_str().unwrap().to_owned();
        Server::running(name, &address, scene.deck.pid().as_raw_nonzero().get())
    });
    let idle = servers.each_ref().map(Server::resident);
    let requests: Vec<Request> = servers
        .iter()
        .zip([&small, &big])
        .map(|(server, scene)| request(server, (&scene.token, VERSION), &scene.wire.host))
        .collect();
    for _ in 0..plan.rounds {
        for (server, request) in servers.iter_mut().zip(&requests) {
            server.round(request, CALLERS, plan.each).await;
        }
    }
    println!("\n| {VERSION}, {CALLERS} at once | calls/s | to empty | start to listening | memory idle | after the load |");
    println!("|---|---:|---:|---:|---:|---:|");
    let rates = servers.each_mut().map(|server| server.median().0);
    let names = ["an empty store".to_owned(), format!("{} records, {} connections", size.records, size.connections)];
    for (at, (name, start)) in names.iter().zip([empty, large]).enumerate() {
        println!(
            "| {name} | {:.0} | {:.2} | {:.0} ms | {:.0} MB | {:.0} MB |",
            rates[at],
            rates[at] / rates[0],
            start.as_secs_f64() * 1000.0,
            idle[at],
            servers[at].resident()
        );
    }
}

async fn host() -> Scene {
    let scene = Scene::of(Deck::start(&["--public-url", scene::ORIGIN]), "bench").await;
    super::note(&scene);
    scene
}

/// A stop and a start, for what is between them.
trait Restart: Sized {
    fn stopped(self, change: impl FnOnce(&Connection)) -> Self;
    /// The median of several starts to listening, and the host as it runs afterwards.
    fn restart(self) -> (Duration, Self);
}

impl Restart for Scene {
    fn stopped(self, change: impl FnOnce(&Connection)) -> Scene {
        self.moved(|mut deck| {
            deck.signal(rustix::process::Signal::TERM);
            let dir = deck.kill();
            change(&Connection::open(dir.path().join("quarterdeck.db")).unwrap());
            scene::start_in(dir)
        })
    }

    #[allow(clippy::disallowed_methods, reason = "measuring is what this is for")]
    fn restart(self) -> (Duration, Scene) {
        let mut took = Vec::new();
        let scene = (0..5).fold(self, |scene, _| {
            scene.moved(|mut deck| {
                deck.signal(rustix::process::Signal::TERM);
                let dir = deck.kill();
                let started = Instant::now();
                let deck = Deck::started(dir, &["--public-url", scene::ORIGIN]);
                took.push(started.elapsed());
                deck.known()
            })
        });
        took.sort();
        (took[took.len() / 2], scene)
    }
}

/// Puts records and connections into a store that nobody has open. The hashes are none: nothing that is measured looks at them.
fn fill(store: &Connection, size: &Size) {
    store.execute_batch("BEGIN").unwrap();
    for one in 0..size.connections {
        let id = format!("{one:032x}");
        store
            .execute(
                "INSERT INTO grants (id, name, token_digest, client_id, scopes, resource, public_url, created_at)
                 SELECT ?1, ?2, ?3, client_id, scopes, resource, public_url, created_at FROM grants LIMIT 1",
                params![id, format!("c-{one}"), sha2_of(one)],
            )
            .unwrap();
    }
    let last: i64 = store.query_row("SELECT max(seq) FROM audit", [], |row| row.get(0)).unwrap();
    let mut insert = store.prepare("INSERT INTO audit VALUES (?1, ?2, zeroblob(32), ?3, 'tool.called', ?4)").unwrap();
    let hash = "0123456789abcdef".repeat(4);
    for one in 1..=size.records {
        let (grant, at) = (one % size.connections, 1_750_000_000_000 + one * 20_000);
        let id = format!("{grant:032x}");
        let record = format!(
            r#"{{"actor":"connection:c-{grant}","at":{at},"detail":{{"args_hash":"{hash}","protocol":"{VERSION}","result_hash":"{hash}","tool":"ReadMemory"}},"grant":"{id}","kind":"tool.called","object":"ReadMemory note.md","outcome":"ok","took_ms":1}}"#
        );
        insert.execute(params![last + one, record, at, id]).unwrap();
    }
    store.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
}

/// A digest of no token.
fn sha2_of(one: i64) -> Vec<u8> {
    use sha2::Digest as _;
    sha2::Sha256::digest(one.to_be_bytes()).to_vec()
}
