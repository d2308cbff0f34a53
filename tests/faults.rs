//! A disk that is full, a store that cannot be read: the host says so, refuses, decides nothing, and recovers by itself.
#![cfg(target_os = "linux")] // only there can the limits of another process be changed while it runs

mod harness;

use std::time::Duration;

use harness::attempt::Attempt;
use harness::deck::{Deck, command};
use harness::scene::{ORIGIN, Scene, link, start_in};
use harness::wire::Answer;
use quarterdeck::control::{Client, Notice, Notices};
use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
use serde_json::json;

/// How long what must happen may take: the store waits five seconds for a lock, and a failing one is tried again every second.
const PATIENCE: Duration = Duration::from_secs(30);

/// "Not just now": nothing that tells a client to throw its token away.
#[track_caller]
fn unavailable(what: &str, answer: &Answer) {
    assert_eq!(answer.status, 503, "{what}: {answer:?}");
    assert!(answer.headers.contains_key("retry-after"), "{what}: {answer:?}");
    assert!(!answer.headers.contains_key("www-authenticate"), "{what}: {answer:?}");
}

/// Until the store's health changes: why it fails, or `None`.
async fn health(notices: &mut Notices) -> Option<String> {
    let heard = async {
        loop {
            match notices.next().await.expect("the host goes on") {
                Notice::Health(reason) => return reason,
                _other => {}
            }
        }
    };
    tokio::time::timeout(PATIENCE, heard).await.expect("the health is told")
}

/// Changes what the host may use while it runs; `None` is as much as this process may. The hard limit, which only root may raise, stays.
fn limit(deck: &Deck, resource: Resource, most: Option<u64>) {
    let own = getrlimit(resource);
    prlimit(Some(deck.pid()), resource, Rlimit { current: most.or(own.current), ..own }).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[allow(clippy::too_many_lines, reason = "one story")]
async fn on_a_full_disk_everything_is_refused_for_now_and_comes_back_by_itself() {
    let mut scene = Scene::new().await;
    let client = Client::connect(scene.deck.dir.path()).await.unwrap();
    let (snapshot, mut notices) = client.subscribe().await.unwrap();
    assert_eq!(snapshot.status.failing, None);
    let attempt = Attempt::new(ORIGIN);
    let code = scene.approve(&attempt, "later").await;
    let page = scene.wire.get(&Attempt::new(ORIGIN).page()).await.unwrap();
    let form = scene.owner.sign(&page.body, "other");
    let link = link(&scene.deck);

    // No file may grow: as on a full disk, every write is an error of the system.
    limit(&scene.deck, Resource::Fsize, Some(1));
    unavailable("a listing", &scene.tools().await);
    unavailable("a record", &scene.wire.record(&scene.token, "lost?").await.unwrap());
    unavailable("the page", &scene.wire.get(&attempt.page()).await.unwrap());
    unavailable("an exchange", &scene.wire.form("/token", &attempt.exchange(&code)).await.unwrap());
    unavailable("an approval", &scene.wire.form("/authorize", &form).await.unwrap());
    unavailable("an enrollment", &scene.wire.json("/enroll/options", &json!({ "secret": link })).await.unwrap());
    let ours = [("client_id".to_owned(), attempt.client_id.clone()), ("token".to_owned(), scene.token.clone())];
    unavailable("a revocation", &scene.wire.form("/revoke", &ours).await.unwrap());
    let revoke = scene.deck.run(&["revoke", "dots"]);
    let said = String::from_utf8(revoke.stderr).unwrap();
    assert_eq!((revoke.status.code(), said.trim_end().lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains("the store could not be used"), "{said}");
    assert!(scene.deck.json(&["status"])["failing"].as_str().unwrap().contains("the store could not be used"));
    let status = String::from_utf8(scene.deck.run(&["status"]).stdout).unwrap();
    assert!(status.contains("failing        the store could not be used"), "{status}");
    let copy = scene.deck.dir.path().join("copy.db");
    let backup = String::from_utf8(scene.deck.run(&["backup", copy.to_str().unwrap()]).stderr).unwrap();
    assert!(backup.contains("copy.db") && !copy.exists(), "{backup}");
    assert!(health(&mut notices).await.is_some());
    let (snapshot, _) = client.subscribe().await.unwrap();
    assert!(snapshot.status.failing.is_some());

    limit(&scene.deck, Resource::Fsize, None);
    assert_eq!(health(&mut notices).await, None);
    assert!(scene.deck.json(&["status"]).get("failing").is_none());
    assert_eq!(scene.tools().await.status, 200);
    let recorded = scene.wire.record(&scene.token, "lost?").await.unwrap().tool();
    assert_eq!(recorded["duplicate"], false, "a refused record was kept");
    assert!(scene.wire.form("/authorize", &form).await.unwrap().onward("code").is_some(), "a refused approval was used up");
    assert_eq!(scene.wire.form("/token", &attempt.exchange(&code)).await.unwrap().status, 200, "a refused code was used up");
    assert_eq!(scene.wire.json("/enroll/options", &json!({ "secret": link })).await.unwrap().status, 200);
    assert_eq!(scene.deck.json(&["connections"]).as_array().unwrap().len(), 2);
    assert_eq!(scene.deck.run(&["audit", "verify"]).status.code(), Some(0));
}

/// A disk that becomes read-only while its switch is on. Made of the C compiler that building needs anyway.
struct Disk {
    dir: tempfile::TempDir,
}

impl Disk {
    fn new() -> Disk {
        let dir = tempfile::tempdir().unwrap();
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/read_only.c");
        let mut compiler = std::process::Command::new("cc");
        let made = compiler.args(["-shared", "-fPIC", "-o"]).arg(dir.path().join("read_only.so")).arg(source).status();
        assert!(made.expect("a C compiler, cc").success());
        Disk { dir }
    }

    fn below(&self, command: &mut std::process::Command) {
        command.env("LD_PRELOAD", self.dir.path().join("read_only.so")).env("READ_ONLY_WHEN", self.switch());
    }

    fn switch(&self) -> std::path::PathBuf {
        self.dir.path().join("read-only")
    }

    fn set_read_only(&self, on: bool) {
        if on { std::fs::write(self.switch(), "").unwrap() } else { std::fs::remove_file(self.switch()).unwrap() }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_disk_that_becomes_read_only_nothing_is_answered_that_is_not_written_and_it_comes_back_by_itself() {
    let disk = Disk::new();
    let dir = tempfile::tempdir().unwrap();
    let started = Deck::try_start_with(dir, &["--public-url", ORIGIN], |command| disk.below(command));
    let mut scene = Scene::of(started.unwrap_or_else(|(said, _)| panic!("{said}")), "test").await;
    let (_, mut notices) = Client::connect(scene.deck.dir.path()).await.unwrap().subscribe().await.unwrap();
    let attempt = Attempt::new(ORIGIN);
    let code = scene.approve(&attempt, "later").await;

    disk.set_read_only(true);
    unavailable("a listing", &scene.tools().await);
    unavailable("a record", &scene.wire.record(&scene.token, "lost?").await.unwrap());
    unavailable("an exchange", &scene.wire.form("/token", &attempt.exchange(&code)).await.unwrap());
    let revoke = scene.deck.run(&["revoke", "dots"]);
    let said = String::from_utf8(revoke.stderr).unwrap();
    assert!(revoke.status.code() == Some(1) && said.contains("the store could not be used"), "{said}");
    assert!(health(&mut notices).await.is_some());

    disk.set_read_only(false);
    assert_eq!(health(&mut notices).await, None);
    assert_eq!(scene.tools().await.status, 200);
    assert_eq!(scene.wire.record(&scene.token, "lost?").await.unwrap().tool()["duplicate"], false, "a refused record was kept");
    assert_eq!(scene.wire.form("/token", &attempt.exchange(&code)).await.unwrap().status, 200, "a refused code was used up");
    assert_eq!(scene.deck.run(&["audit", "verify"]).status.code(), Some(0));
}

#[test]
fn on_a_read_only_disk_a_host_does_not_start_and_says_why() {
    let disk = Disk::new();
    let mut first = Deck::start(&[]);
    first.signal(rustix::process::Signal::TERM);
    let dir = first.kill();
    let before = std::fs::read(dir.path().join("quarterdeck.db")).unwrap();
    disk.set_read_only(true);
    let Err((said, dir)) = Deck::try_start_with(dir, &[], |command| disk.below(command)) else { panic!("it started") };
    assert!(said.contains("Read-only file system") && said.contains(dir.path().to_str().unwrap()), "{said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    disk.set_read_only(false);
    assert_eq!(std::fs::read(dir.path().join("quarterdeck.db")).unwrap(), before);
    Deck::start_in(dir, &[]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_another_process_holds_is_waited_for_and_then_refused_for_now() {
    let scene = Scene::new().await;
    let (_, mut notices) = Client::connect(scene.deck.dir.path()).await.unwrap().subscribe().await.unwrap();
    let other = rusqlite::Connection::open(scene.deck.dir.path().join("quarterdeck.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    unavailable("a listing", &scene.tools().await);
    assert!(health(&mut notices).await.is_some());
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(health(&mut notices).await, None);
    assert_eq!(scene.tools().await.status, 200);
}

#[test]
#[allow(clippy::disallowed_methods, reason = "how long a stop really takes is what is tested")]
fn a_stop_does_not_wait_for_a_store_that_another_process_holds() {
    let mut deck = Deck::start(&[]);
    let other = rusqlite::Connection::open(deck.dir.path().join("quarterdeck.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let begun = std::time::Instant::now();
    assert_eq!(deck.signal(rustix::process::Signal::TERM).code(), Some(0));
    // Less than one wait for the lock.
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_free_file_handle_callers_wait_and_are_answered_later() {
    let scene = Scene::new().await;
    // Those below are in use, so that there is no number for another one; those above stay open.
    limit(&scene.deck, Resource::Nofile, Some(3));
    let asking = scene.tools();
    tokio::pin!(asking);
    assert!(tokio::time::timeout(Duration::from_millis(500), &mut asking).await.is_err(), "a connection was accepted");
    limit(&scene.deck, Resource::Nofile, None);
    assert_eq!(asking.await.status, 200);
    assert!(scene.deck.run(&["status"]).status.success());
}

/// A file that is gone can be written to as before, and nobody would find what was written.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_state_directory_that_is_moved_away_takes_no_answer_with_it_and_comes_back_by_itself() {
    let scene = Scene::new().await;
    let (_, mut notices) = Client::connect(scene.deck.dir.path()).await.unwrap().subscribe().await.unwrap();
    let (place, elsewhere) = (scene.deck.dir.path().to_owned(), tempfile::tempdir().unwrap());
    let away = elsewhere.path().join("state");
    std::fs::rename(&place, &away).unwrap();
    unavailable("a listing", &scene.tools().await);
    unavailable("a record", &scene.wire.record(&scene.token, "lost?").await.unwrap());
    let why = health(&mut notices).await.unwrap();
    assert!(why.contains("was moved, removed or replaced: put it back"), "{why}");

    // Another store in its place is not the one that is open.
    std::fs::create_dir(&place).unwrap();
    std::fs::copy(away.join("quarterdeck.db"), place.join("quarterdeck.db")).unwrap();
    unavailable("a listing", &scene.tools().await);
    std::fs::remove_dir_all(&place).unwrap();

    std::fs::rename(&away, &place).unwrap();
    assert_eq!(health(&mut notices).await, None);
    assert_eq!(scene.tools().await.status, 200);
    let recorded = scene.wire.record(&scene.token, "lost?").await.unwrap().tool();
    assert_eq!(recorded["duplicate"], false, "a refused record was kept");
    assert_eq!(scene.deck.run(&["audit", "verify"]).status.code(), Some(0));
}

/// In it is what was answered last.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_is_removed_takes_no_further_answer_and_a_stop_saves_what_was_answered() {
    let mut scene = Scene::new().await;
    assert_eq!(scene.wire.record(&scene.token, "before").await.unwrap().tool()["duplicate"], false);
    std::fs::remove_file(scene.deck.dir.path().join("quarterdeck.db-wal")).unwrap();
    unavailable("a record", &scene.wire.record(&scene.token, "after").await.unwrap());
    let failing = scene.deck.json(&["status"])["failing"].as_str().unwrap().to_owned();
    assert!(failing.contains("quarterdeck.db-wal was moved, removed or replaced"), "{failing}");
    scene.deck.signal(rustix::process::Signal::TERM);
    let scene = scene.moved(|deck| start_in(deck.kill()));
    assert_eq!(scene.wire.record(&scene.token, "before").await.unwrap().tool()["duplicate"], true);
    assert_eq!(scene.wire.record(&scene.token, "after").await.unwrap().tool()["duplicate"], false);
    assert_eq!(scene.deck.run(&["audit", "verify"]).status.code(), Some(0));
}

/// A77
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_store_is_no_answer_about_a_token_and_heals_when_it_is_put_back() {
    let stopped = |mut deck: Deck| {
        deck.signal(rustix::process::Signal::TERM);
        start_in(deck.kill())
    };
    // Stopped in order, so that everything is in the file and nothing in the log beside it; then nothing of it is in memory.
    let scene = Scene::new().await.moved(stopped);
    let (_, mut notices) = Client::connect(scene.deck.dir.path()).await.unwrap().subscribe().await.unwrap();
    let file = scene.deck.dir.path().join("quarterdeck.db");
    let good = std::fs::read(&file).unwrap();
    overwrite(&file, &vec![0xA5; good.len()]);
    unavailable("a listing", &scene.tools().await);
    assert!(health(&mut notices).await.is_some());
    unavailable("a listing", &scene.tools().await);

    overwrite(&file, &good);
    assert_eq!(health(&mut notices).await, None);
    assert_eq!(scene.tools().await.status, 200);
    assert_eq!(scene.deck.run(&["audit", "verify"]).status.code(), Some(0));
}

#[test]
fn a_host_does_not_start_on_a_store_it_cannot_read_and_changes_nothing_in_it() {
    let dir = Deck::start(&[]).kill();
    let file = dir.path().join("quarterdeck.db");
    std::fs::remove_file(dir.path().join("quarterdeck.db-wal")).unwrap();
    let garbage = vec![0xA5; 64 * 1024];
    std::fs::write(&file, &garbage).unwrap();
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["audit", "verify"], &["backup", "copy.db"]] {
        let output = command(dir.path()).args(arguments).current_dir(dir.path()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.trim_end().lines().count()), (Some(1), 1), "{arguments:?}: {said}");
        assert!(said.contains("not a database"), "{arguments:?}: {said}");
    }
    assert_eq!(std::fs::read(&file).unwrap(), garbage);
    assert!(!dir.path().join("copy.db").exists());
}

/// In place, as a failing disk would.
fn overwrite(file: &std::path::Path, bytes: &[u8]) {
    use std::io::Write as _;
    std::fs::OpenOptions::new().write(true).open(file).unwrap().write_all(bytes).unwrap();
}
