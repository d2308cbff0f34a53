//! Killed at any moment under load, a host starts again on the same directory, and everything it ever answered still holds.
//!
//! A model remembers what was asked and what was answered. After every restart it is compared with the host: an answer binds it, a
//! question without an answer may have happened or not, but never half and never twice.

mod harness;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use harness::attempt::Attempt;
use harness::deck::{Deck, command};
use harness::owner::Owner;
use harness::scene::{ORIGIN, Scene, start_in, token};
use harness::wire::Wire;
use parking_lot::Mutex;
use quarterdeck::control::{Client, Reply, Request};
use serde_json::json;

/// How often a store is killed. Every round compares all that was ever answered, so many rounds are a new store each so often.
const ROUNDS: u32 = 30;

/// How many stores: enough to find what breaks easily, and in CI, with three hundred kills, what breaks rarely.
#[allow(clippy::disallowed_methods, reason = "whether this is CI is known from nowhere else")]
fn stores() -> u32 {
    if std::env::var_os("CI").is_some() { 10 } else { 1 }
}

/// What was asked, and what is known to have come of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// Nobody asked yet.
    Unasked,
    /// Asked, and the answer was lost.
    Unknown,
    Done,
}

/// An approval that became a code, and perhaps a token.
struct Connection {
    name: String,
    attempt: Attempt,
    code: String,
    exchanged: Known,
    token: Option<String>,
    revoked: Known,
}

/// A submission that must never be taken twice: an approval's form, or an enrollment's last step.
struct Submission<B> {
    body: B,
    answered: Known,
}

struct Told {
    token: String,
    said: String,
    /// The id in the receipt.
    event: Option<String>,
}

#[derive(Default)]
struct Model {
    connections: Vec<Connection>,
    approvals: Vec<Submission<Vec<(String, String)>>>,
    enrollments: Vec<Submission<serde_json::Value>>,
    told: Vec<Told>,
    /// What was told in the rounds before, and found in the journal.
    recorded: usize,
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Model>>);

/// A small generator with a fixed beginning: the same schedule in every run.
struct Schedule(u32);

impl Schedule {
    fn below(&mut self, most: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % most
    }
}

static NAMES: AtomicU32 = AtomicU32::new(0);

fn fresh(what: &str) -> String {
    format!("{what}-{}", NAMES.fetch_add(1, Ordering::SeqCst))
}

/// Approves and exchanges one connection after another. Every third time the client forgets to exchange.
async fn connect(wire: Wire, model: Shared, owner: Arc<tokio::sync::Mutex<Owner>>) -> Option<()> {
    loop {
        let name = fresh("c");
        let attempt = Attempt::new(ORIGIN);
        let page = wire.get(&attempt.page()).await?;
        // Held until the answer: a passkey whose counter comes out of order is taken for a copy.
        let mut signing = owner.lock().await;
        let form = signing.sign(&page.body, &name);
        let at = model.submitted(form.clone());
        let code = wire.form("/authorize", &form).await?.onward("code").expect("an approval leads back with a code");
        drop(signing);
        let at = model.approved(
            at,
            Connection {
                name: name.clone(),
                attempt: attempt.clone(),
                code: code.clone(),
                exchanged: Known::Unasked,
                token: None,
                revoked: Known::Unasked,
            },
        );
        if name.ends_with(['3', '6', '9']) {
            continue;
        }
        model.0.lock().connections[at].exchanged = Known::Unknown;
        let token = token(&wire.form("/token", &attempt.exchange(&code)).await?).expect("a fresh code becomes a token");
        let connection = &mut model.0.lock().connections[at];
        (connection.exchanged, connection.token) = (Known::Done, Some(token));
    }
}

/// Enrolls one passkey after another with the links a command prints.
async fn enroll(wire: Wire, client: Client, model: Shared, owner: Arc<tokio::sync::Mutex<Owner>>) -> Option<()> {
    loop {
        let Reply::EnrollLink(link) = client.request(Request::PasskeyAdd).await.ok()? else { panic!("no link") };
        let secret = link.url.split('#').nth(1)?.to_owned();
        let offer = wire.json("/enroll/options", &json!({ "secret": secret })).await?.json();
        let mut signing = owner.lock().await;
        let finish = signing.register_another(&secret, &offer, "another");
        let at = model.enrolling(finish.clone());
        let answer = wire.json("/enroll/finish", &finish).await?;
        drop(signing);
        assert_eq!(answer.status, 200, "{answer:?}");
        model.0.lock().enrollments[at].answered = Known::Done;
    }
}

/// Records one text after another under this token.
async fn record(wire: Wire, model: Shared, token: String) -> Option<()> {
    loop {
        let said = fresh("said");
        let at = {
            let told = &mut model.0.lock().told;
            told.push(Told { token: token.clone(), said: said.clone(), event: None });
            told.len() - 1
        };
        let answer = wire.record(&token, &said).await?;
        let event = answer.tool()["event_id"].as_str().map(str::to_owned);
        assert!(event.is_some() && answer.tool()["duplicate"] == false, "{answer:?}");
        model.0.lock().told[at].event = event;
    }
}

/// Revokes what has a token, oldest first, but for the one that records.
async fn revoke(client: Client, model: Shared) -> Option<()> {
    loop {
        let Some(name) = model.revoking() else {
            tokio::task::yield_now().await;
            // Nothing to revoke yet: a question all the same, which fails when the host is gone.
            client.request(Request::Status).await.ok()?;
            continue;
        };
        match client.request(Request::Revoke { name: name.clone(), grant: None }).await.ok()? {
            Reply::Revoked(_) => model.revoked(&name),
            other => panic!("{name}: {other:?}"),
        }
    }
}

impl Shared {
    fn submitted(&self, form: Vec<(String, String)>) -> usize {
        let approvals = &mut self.0.lock().approvals;
        approvals.push(Submission { body: form, answered: Known::Unknown });
        approvals.len() - 1
    }

    fn approved(&self, submission: usize, connection: Connection) -> usize {
        let model = &mut *self.0.lock();
        model.approvals[submission].answered = Known::Done;
        model.connections.push(connection);
        model.connections.len() - 1
    }

    fn enrolling(&self, finish: serde_json::Value) -> usize {
        let enrollments = &mut self.0.lock().enrollments;
        enrollments.push(Submission { body: finish, answered: Known::Unknown });
        enrollments.len() - 1
    }

    /// The next connection to revoke; from now on nobody knows whether it is.
    fn revoking(&self) -> Option<String> {
        let model = &mut *self.0.lock();
        let ready = model.connections.iter_mut().filter(|one| one.token.is_some() && one.revoked == Known::Unasked);
        // Every other one stays.
        let chosen = ready.into_iter().find(|one| one.name.ends_with(['0', '2', '4', '8']))?;
        chosen.revoked = Known::Unknown;
        Some(chosen.name.clone())
    }

    fn revoked(&self, name: &str) {
        let model = &mut *self.0.lock();
        model.connections.iter_mut().filter(|one| one.name == name).for_each(|one| one.revoked = Known::Done);
    }
}

/// Everything the host ever answered holds; what it did not answer is found out, and holds from then on.
async fn compare(deck: &Deck, wire: &Wire, model: &mut Model) {
    for connection in &mut model.connections {
        resume(wire, connection).await;
    }
    let listed = deck.json(&["connections"]);
    let mut listed: Vec<&str> = listed.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    // A token whose answer was lost is a grant that nobody can use. It is there once at most, like every other.
    let lost = |name: &str| model.connections.iter().any(|one| one.name == name && one.token.is_none());
    listed.retain(|name| !lost(name));
    let alive = model.connections.iter().filter(|one| one.is_alive()).map(|one| one.name.as_str());
    let mut alive: Vec<&str> = alive.chain(["dots"]).collect();
    alive.sort_unstable();
    assert_eq!(listed, alive);

    for approval in &mut model.approvals {
        let first = wire.form("/authorize", &approval.body).await.unwrap();
        assert!(first.status != 302 || approval.answered == Known::Unknown, "an answered challenge was taken again");
        assert_eq!(wire.form("/authorize", &approval.body).await.unwrap().status, 400);
        approval.answered = Known::Done;
    }
    for enrollment in &mut model.enrollments {
        let first = wire.json("/enroll/finish", &enrollment.body).await.unwrap();
        assert!(first.status != 200 || enrollment.answered == Known::Unknown, "an answered link was taken again");
        assert_eq!(wire.json("/enroll/finish", &enrollment.body).await.unwrap().status, 403);
        enrollment.answered = Known::Done;
    }
    for told in &mut model.told {
        let again = wire.record(&told.token, &told.said).await.unwrap().tool();
        assert!(told.event.is_none() || again["duplicate"] == true, "{} was lost: {again}", told.said);
        let event = again["event_id"].as_str().unwrap().to_owned();
        assert_eq!(*told.event.get_or_insert_with(|| event.clone()), event, "{} has two receipts", told.said);
    }
}

impl Connection {
    fn is_alive(&self) -> bool {
        self.token.is_some() && self.revoked != Known::Done
    }
}

/// Uses the code and the token of a connection again.
async fn resume(wire: &Wire, connection: &mut Connection) {
    let exchange = connection.attempt.exchange(&connection.code);
    let first = wire.form("/token", &exchange).await.unwrap();
    let (exchanged, name) = (connection.exchanged, &connection.name);
    match (exchanged, token(&first)) {
        (Known::Unasked, None) => panic!("{name}: the approval was lost: {first:?}"),
        (Known::Done, Some(_)) => panic!("{name}: the code was taken twice"),
        (_, Some(token)) => connection.token = Some(token),
        (_, None) => assert_eq!((first.status, first.json()["error"].as_str()), (400, Some("invalid_grant")), "{name}"),
    }
    connection.exchanged = Known::Done;
    assert_eq!(wire.form("/token", &exchange).await.unwrap().status, 400, "{name}: the code was taken twice");
    let Some(token) = &connection.token else { return };
    let status = wire.rpc(token, "tools/list", json!({})).await.unwrap().status;
    match (connection.revoked, status) {
        (Known::Unasked, 200) | (Known::Done, 401) | (Known::Unknown, 200) => {}
        (Known::Unknown, 401) => connection.revoked = Known::Done,
        other => panic!("{name}: {other:?}"),
    }
    if connection.revoked == Known::Unknown {
        // It was not: it may be asked for again.
        connection.revoked = Known::Unasked;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_moment_nothing_answered_is_lost_and_nothing_is_usable_twice() {
    let mut schedule = Schedule(20_261_201);
    for store in 0..stores() {
        kill_often(store, &mut schedule).await;
    }
}

async fn kill_often(store: u32, schedule: &mut Schedule) {
    let scene = Scene::new().await;
    // It records and is never revoked.
    let writer = scene.token;
    let (owner, model) = (Arc::new(tokio::sync::Mutex::new(scene.owner)), Shared::default());
    let mut dir = scene.deck.kill();
    for round in 0..ROUNDS {
        let deck = start_in(dir);
        let wire = deck.wire();
        let client = Client::connect(deck.dir.path()).await.unwrap();
        let working = [
            tokio::spawn(connect(wire.clone(), model.clone(), owner.clone())),
            tokio::spawn(enroll(wire.clone(), client.clone(), model.clone(), owner.clone())),
            tokio::spawn(record(wire.clone(), model.clone(), writer.clone())),
            tokio::spawn(record(wire.clone(), model.clone(), writer.clone())),
            tokio::spawn(revoke(client, model.clone())),
        ];
        // The moment is that of a request: some are on their way, some half done, some not answered yet.
        let moment = 4 + schedule.below(60);
        wire.begun.acquire_many(moment).await.unwrap().forget();
        dir = deck.kill();
        for worker in working {
            worker.await.unwrap();
        }
        let verified = command(dir.path()).args(["audit", "verify"]).output().unwrap();
        assert_eq!(verified.status.code(), Some(0), "store {store}, round {round}: {verified:?}");
        let deck = start_in(dir);
        let mut found = std::mem::take(&mut *model.0.lock());
        compare(&deck, &deck.wire(), &mut found).await;
        assert_eq!(counted(&deck, &writer).await, found.recorded + found.told.len(), "store {store}, round {round}");
        *model.0.lock() = found.settled();
        dir = deck.kill();
    }
    let model = model.0.lock();
    let exchanged = model.connections.iter().filter(|one| one.token.is_some()).count();
    assert!(exchanged > 10 && model.recorded > 50, "{exchanged} connections, {} records", model.recorded);
}

impl Model {
    /// Without what was found to be over for good: rounds would get longer and longer.
    fn settled(self) -> Model {
        let recorded = self.recorded + self.told.len();
        Model { connections: self.connections, recorded, ..Model::default() }
    }
}

/// How many records the journal holds.
async fn counted(deck: &Deck, token: &str) -> usize {
    let answer = deck.wire().call(token, "ReadEvents", json!({ "interval": "2h", "count_only": true })).await.unwrap();
    let text = answer.json()["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    text.split_whitespace().find_map(|word| word.parse().ok()).unwrap_or_else(|| panic!("{text}"))
}
