//! One writer, many callers, and a disk that does not always do what it should.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};

use parking_lot::{Condvar, Mutex};
use rusqlite::Connection;

use super::{BackupError, Error, Health, OpenError, Reader, Store, Tx, read_only};

struct Open {
    store: Store,
    dir: tempfile::TempDir,
}

fn open() -> Open {
    let dir = tempfile::tempdir().unwrap();
    Open { store: Store::open(&dir.path().join("quarterdeck.db")).unwrap(), dir }
}

impl Open {
    fn path(&self) -> PathBuf {
        self.dir.path().join("quarterdeck.db")
    }

    /// A client document of this name: a row in a table without further rules.
    async fn put(&self, name: &str) -> Result<(), Error> {
        let name = name.to_owned();
        self.store.write(move |tx| insert(tx, &name, "[]")).await
    }

    fn count(&self) -> i64 {
        count(&self.path())
    }

    /// Lets the file grow by `pages` and no further.
    async fn limit(&self, pages: i64) {
        self.store
            .write(move |tx| {
                let now: i64 = tx.one("PRAGMA page_count", [], |row| row.get(0))?.unwrap();
                tx.one(&format!("PRAGMA max_page_count = {}", now + pages), [], |row| row.get::<_, i64>(0)).map(|_| ())
            })
            .await
            .unwrap()
    }

    async fn unlimit(&self) {
        self.limit(1_000_000).await;
    }
}

fn insert(tx: &mut Tx<'_>, name: &str, content: &str) -> Result<(), Error> {
    tx.run("INSERT INTO clients (name, redirect_uris, created_at) VALUES (?1, ?2, 0)", [name, content]).map(|_| ())
}

fn count(path: &Path) -> i64 {
    read_only(path).unwrap().query_row("SELECT count(*) FROM clients", [], |row| row.get(0)).unwrap()
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// More than fits into the pages that are left.
fn large() -> String {
    "x".repeat(100_000)
}

#[tokio::test]
async fn writes_that_come_together_are_all_there_and_one_that_fails_undoes_only_itself() {
    let open = open();
    open.put("taken").await.unwrap();
    let writes: Vec<_> = (0..200)
        .map(|n| {
            let store = open.store.clone();
            tokio::spawn(async move {
                store
                    .write(move |tx| {
                        insert(tx, &format!("n{n}"), "[]")?;
                        if n % 10 == 3 { insert(tx, "taken", "[]") } else { Ok(()) }
                    })
                    .await
            })
        })
        .collect();
    let mut failed = 0;
    for write in writes {
        failed += usize::from(write.await.unwrap().is_err());
    }
    assert_eq!(failed, 20);
    assert_eq!(open.count(), 181);
    assert_eq!(*open.store.health().borrow(), Health::Good, "a broken rule is not a broken disk");
}

#[tokio::test]
async fn operations_that_wait_are_committed_together() {
    let open = open();
    let (started, go) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let hold = {
        let (store, started, go) = (open.store.clone(), Arc::clone(&started), Arc::clone(&go));
        tokio::spawn(async move {
            let held = store.write(move |_tx| {
                started.wait();
                go.wait();
                Ok::<_, Error>(())
            });
            held.await
        })
    };
    tokio::task::spawn_blocking(move || started.wait()).await.unwrap();
    // Queued while the writer is busy: all of them go into the next transaction, so each but the last sees an uncommitted row before it.
    let path = open.path();
    let unseen = Arc::new(AtomicUsize::new(0));
    let mut waiting = Vec::new();
    for n in 0..10 {
        let (path, unseen) = (path.clone(), Arc::clone(&unseen));
        let write = open.store.write(move |tx| {
            insert(tx, &format!("n{n}"), "[]")?;
            unseen.fetch_add(usize::from(count(&path) == 0), Ordering::SeqCst);
            Ok::<_, Error>(())
        });
        let mut write = Box::pin(write);
        assert!(futures::poll!(&mut write).is_pending());
        waiting.push(write);
    }
    go.wait();
    hold.await.unwrap().unwrap();
    futures::future::join_all(waiting).await.into_iter().for_each(Result::unwrap);
    assert_eq!(unseen.load(Ordering::SeqCst), 10);
    assert_eq!(open.count(), 10);
}

#[tokio::test]
async fn an_answer_comes_after_the_commit() {
    let open = open();
    for n in 1..=50 {
        open.put(&format!("n{n}")).await.unwrap();
        assert_eq!(open.count(), n, "a second connection sees the row when the answer is there");
    }
}

#[tokio::test]
async fn what_is_told_after_a_commit_is_told_once_and_not_for_what_was_undone() {
    let open = open();
    let told = Arc::new(AtomicUsize::new(0));
    for (ok, expected) in [(true, 1), (false, 1), (true, 2)] {
        let (told, path) = (Arc::clone(&told), open.path());
        let seen = Arc::clone(&told);
        let result = open.store.write(move |tx| {
            insert(tx, &format!("n{expected}{ok}"), "[]")?;
            tx.after_commit(move || {
                assert_eq!(usize::try_from(count(&path)).unwrap(), told.fetch_add(1, Ordering::SeqCst) + 1);
            });
            if ok { Ok(()) } else { Err(Error::Damaged("refused".to_owned())) }
        });
        assert_eq!(result.await.is_ok(), ok);
        assert_eq!(seen.load(Ordering::SeqCst), expected);
    }
}

#[tokio::test]
async fn a_panic_in_an_operation_or_after_a_commit_hurts_nobody_else() {
    let open = open();
    let panicked = open.store.write(|tx| -> Result<(), Error> {
        insert(tx, "half", "[]")?;
        panic!("a bug")
    });
    assert!(matches!(panicked.await, Err(Error::Closed)));
    assert_eq!(open.count(), 0);
    let told = open.store.write(|tx| {
        insert(tx, "whole", "[]")?;
        tx.after_commit(|| panic!("a listener's bug"));
        Ok::<_, Error>(())
    });
    told.await.unwrap();
    open.put("next").await.unwrap();
    assert_eq!(open.count(), 2);
}

#[tokio::test]
async fn a_full_disk_refuses_is_told_and_recovers_when_something_is_written_again() {
    let open = open();
    open.limit(1).await;
    let mut health = open.store.health();
    let result = open.store.write(|tx| insert(tx, "large", &large())).await;
    assert!(matches!(&result, Err(Error::Sqlite(_))), "{result:?}");
    assert!(matches!(&*health.borrow_and_update(), Health::Failing(why) if why.contains("full")));
    assert_eq!(open.count(), 0);

    // Reading goes on, and an operation that writes nothing proves nothing.
    open.store.look(|db| db.one("SELECT 1", [], |_| Ok(()))).unwrap();
    open.store.write(|_tx| Ok::<_, Error>(())).await.unwrap();
    assert!(matches!(&*health.borrow(), Health::Failing(_)));

    open.unlimit().await;
    open.put("small").await.unwrap();
    assert_eq!(*health.borrow_and_update(), Health::Good);
}

#[tokio::test]
async fn a_full_disk_in_the_middle_of_a_batch_tells_everyone_the_truth() {
    let open = open();
    open.limit(4).await;
    let large = open.store.write(|tx| insert(tx, "large", &large()));
    let (before, large, after) = futures::join!(open.put("before"), large, open.put("after"));
    assert!(large.is_err());
    for (name, answer) in [("before", before), ("large", large), ("after", after)] {
        let is_there: i64 = read_only(&open.path())
            .unwrap()
            .query_row("SELECT count(*) FROM clients WHERE name = ?1", [name], |row| row.get(0))
            .unwrap();
        assert_eq!(answer.is_ok(), is_there == 1, "{name}");
        assert!(answer.is_ok() || answer.unwrap_err().to_string().contains("full"), "{name}");
    }
}

#[tokio::test]
async fn a_failing_store_recovers_by_itself_when_nobody_writes() {
    let open = open();
    open.limit(0).await;
    let mut health = open.store.health();
    open.store.write(|tx| insert(tx, "large", &large())).await.unwrap_err();
    health.mark_unchanged();
    open.unlimit().await;
    health.changed().await.unwrap();
    assert_eq!(*health.borrow(), Health::Good);
}

#[tokio::test]
async fn a_transaction_that_cannot_begin_tells_everyone_why() {
    let open = open();
    let other = Connection::open(open.path()).unwrap();
    // The writer would wait for a lock of another process; it has nobody's patience here.
    open.store.write(|tx| tx.one("PRAGMA busy_timeout = 0", [], |_| Ok(())).map(|_| ())).await.unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (one, two) = futures::join!(open.put("one"), open.put("two"));
    assert!(matches!((&one, &two), (Err(Error::Sqlite(_)), Err(Error::Sqlite(_)))), "{one:?} {two:?}");
    assert!(matches!(&*open.store.health().borrow(), Health::Failing(why) if why.contains("locked")));
    other.execute_batch("ROLLBACK").unwrap();
    open.put("three").await.unwrap();
    assert_eq!((open.count(), open.store.health().borrow().clone()), (1, Health::Good));
}

/// What the pages of a failing disk are overwritten with, and put back.
fn overwrite(path: &Path, bytes: &[u8]) {
    use std::io::Write as _;
    std::fs::OpenOptions::new().write(true).open(path).unwrap().write_all(bytes).unwrap();
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_told_is_not_written_to_and_mends_by_itself() {
    for reads in [true, false] {
        let open = open();
        open.put("before").await.unwrap();
        let other = Connection::open(open.path()).unwrap();
        other.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        let good = std::fs::read(open.path()).unwrap();
        // Everything but the first page, which every connection has seen.
        let garbage = [&good[..4096], &vec![0xA5; good.len() - 4096]].concat();
        overwrite(&open.path(), &garbage);
        let mut health = open.store.health();
        if reads {
            let read: Result<_, Error> =
                open.store.look(|db| db.all("SELECT name FROM clients", [], |row| row.get::<_, String>(0)));
            assert!(matches!(read, Err(Error::Sqlite(_))), "{read:?}");
        } else {
            let write = open.store.write(|tx| {
                // What the writer has in memory it would not read again.
                tx.one("PRAGMA shrink_memory", [], |_| Ok(()))?;
                tx.run("UPDATE clients SET created_at = 1", [])
            });
            let written = write.await;
            assert!(matches!(written, Err(Error::Sqlite(_))), "{written:?}");
        }
        assert!(matches!(&*health.borrow_and_update(), Health::Failing(why) if why.contains("malformed")), "{reads}");
        assert!(open.put("meanwhile").await.is_err());
        assert_eq!(std::fs::read(open.path()).unwrap(), garbage);

        overwrite(&open.path(), &good);
        health.changed().await.unwrap();
        assert_eq!(*health.borrow(), Health::Good);
        open.put("after").await.unwrap();
        assert_eq!(open.count(), 2);
    }
}

#[tokio::test]
async fn a_close_while_the_file_cannot_be_read_leaves_it_and_its_log_as_they_are() {
    let open = open();
    open.put("before").await.unwrap();
    let other = Connection::open(open.path()).unwrap();
    other.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    open.put("in the log").await.unwrap();
    let (good, log) = (std::fs::read(open.path()).unwrap(), open.dir.path().join("quarterdeck.db-wal"));
    let garbage = [&good[..4096], &vec![0xA5; good.len() - 4096]].concat();
    overwrite(&open.path(), &garbage);
    let read: Result<_, Error> = open.store.look(|db| db.all("SELECT name FROM grants", [], |row| row.get::<_, String>(0)));
    assert!(matches!(read, Err(Error::Sqlite(_))), "{read:?}");
    let logged = std::fs::read(&log).unwrap();
    open.store.close().await;
    assert!(std::fs::read(open.path()).unwrap() == garbage, "the file was written to");
    assert!(!logged.is_empty() && std::fs::read(&log).unwrap() == logged, "the log is not as it was");
    drop(other);
}

#[tokio::test]
async fn closing_finishes_what_is_queued_and_refuses_what_comes_later() {
    let open = open();
    let (started, go) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let hold = {
        let (started, go) = (Arc::clone(&started), Arc::clone(&go));
        open.store.write(move |_tx| {
            started.wait();
            go.wait();
            Ok::<_, Error>(())
        })
    };
    let mut hold = Box::pin(hold);
    assert!(futures::poll!(&mut hold).is_pending());
    tokio::task::spawn_blocking(move || started.wait()).await.unwrap();
    // Queued behind the one that runs; some of them wait for a place in the queue. The runtime's budget, which a task that is asked so
    // often at once uses up, would leave most of them outside.
    let mut writes = Vec::new();
    for n in 0..1500 {
        let write = open.store.write(move |tx| insert(tx, &format!("n{n}"), "[]"));
        let mut write = Box::pin(tokio::task::unconstrained(write));
        assert!(futures::poll!(&mut write).is_pending());
        writes.push(write);
    }
    let mut closing = Box::pin(open.store.close());
    assert!(futures::poll!(&mut closing).is_pending());
    go.wait();
    // Those that waited get on only while they are asked.
    let (_, answers) = tokio::join!(closing, futures::future::join_all(writes));
    hold.await.unwrap();
    open.store.close().await;
    assert!(matches!(open.put("late").await, Err(Error::Closed)));
    let kept = answers.iter().filter(|answer| answer.is_ok()).count();
    assert!(kept >= 1024, "what was in the queue is done: {kept}");
    assert_eq!(open.count(), i64::try_from(kept).unwrap(), "who was told yes is there, who was told no is not");
    let log = std::fs::metadata(open.dir.path().join("quarterdeck.db-wal")).map_or(0, |file| file.len());
    assert_eq!(log, 0, "the write-ahead log is in the file");
}

#[tokio::test]
async fn a_reader_cannot_write() {
    let open = open();
    open.put("one").await.unwrap();
    let written = open.store.look(|db| db.one("DELETE FROM clients RETURNING 1", [], |_| Ok(())));
    assert!(matches!(written, Err(Error::Sqlite(_))));
    assert_eq!(open.count(), 1);
}

#[tokio::test]
async fn more_queries_than_readers_all_get_their_turn() {
    let open = open();
    open.put("one").await.unwrap();
    let reads = (0..50).map(|_| open.store.read(|db| db.one("SELECT count(*) FROM clients", [], |row| row.get::<_, i64>(0))));
    for read in futures::future::join_all(reads).await {
        assert_eq!(read.unwrap(), Some(1));
    }
}

#[test]
fn the_files_are_for_the_owner_only() {
    let open = open();
    for file in ["quarterdeck.db", "quarterdeck.db-wal", "quarterdeck.db-shm"] {
        assert_eq!(mode(&open.dir.path().join(file)), 0o600, "{file}");
    }
}

#[test]
fn a_store_of_a_later_version_is_refused_and_not_touched() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("quarterdeck.db");
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 1000).unwrap();
    let refused = Store::open(&path).err().unwrap();
    assert!(matches!(refused, OpenError::Newer { found: 1000, .. }));
    assert!(refused.to_string().contains("later version of Quarterdeck"));
    let tables = Connection::open(&path).unwrap().query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
    assert_eq!(tables.unwrap(), 0);
}

#[test]
fn what_is_not_a_database_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("quarterdeck.db");
    std::fs::write(&path, "not a database, but long enough to look like the header of one\n".repeat(100)).unwrap();
    let refused = Store::open(&path).err().unwrap().to_string();
    assert!(refused.contains("quarterdeck.db") && refused.contains("not a database"), "{refused}");
    let refused = Store::open(&path.join("below-a-file.db")).err().unwrap().to_string();
    assert!(refused.contains("below-a-file.db"), "{refused}");
}

/// The file was written by the first released version; it is never written again.
#[tokio::test]
async fn a_store_of_version_1_opens_with_everything_in_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("quarterdeck.db");
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/store-0001.db"), &path).unwrap();
    let found: i64 = Connection::open(&path).unwrap().pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(found, 1);
    let store = Store::open(&path).unwrap();
    let version: i64 = store.look(|db| db.one("PRAGMA user_version", [], |row| row.get(0))).unwrap().unwrap();
    assert_eq!(version, super::migrate::newest());
    let one = |sql: &'static str| store.look(|db| db.one(sql, [], |row| row.get::<_, String>(0))).unwrap();
    assert_eq!(one("SELECT name FROM grants").as_deref(), Some("dots"));
    assert_eq!(one("SELECT label FROM passkeys").as_deref(), Some("laptop"));
    assert_eq!(one("SELECT name FROM clients").as_deref(), Some("helper"));
    assert_eq!(one("SELECT type FROM journal").as_deref(), Some("experience"));
    assert_eq!(one("SELECT cast(count(*) AS TEXT) FROM audit").as_deref(), Some("3"));
    assert_eq!(one("SELECT cast(count(*) AS TEXT) FROM checkpoints").as_deref(), Some("1"));
    let beside = "SELECT cast(count(*) AS TEXT) FROM audit
        WHERE (at, kind) = (record ->> '$.at', record ->> '$.kind') AND grant_id IS (record ->> '$.grant')";
    assert_eq!(one(beside).as_deref(), Some("3"));
    assert_eq!(std::fs::metadata(dir.path().join("quarterdeck.db-wal")).unwrap().len(), 0, "the log of the steps is not kept");
    let free = store.look(|db| db.one("PRAGMA freelist_count", [], |row| row.get::<_, i64>(0))).unwrap();
    assert_eq!(free, Some(0), "what the steps freed is not kept");
    store.write(|tx| insert(tx, "new", "[]")).await.unwrap();
}

#[tokio::test]
async fn a_backup_while_writing_is_whole_private_and_never_over_another_file() {
    let open = open();
    // Larger than one step of the copy, and growing in pairs all the time.
    let content = "x".repeat(10_000);
    let fill = content.clone();
    open.store.write(move |tx| (0..1000).try_for_each(|n| insert(tx, &format!("fill{n}"), &fill))).await.unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let writing = {
        let (store, stop) = (open.store.clone(), Arc::clone(&stop));
        tokio::spawn(async move {
            for n in 0.. {
                if stop.load(Ordering::SeqCst) {
                    return n;
                }
                let pair = store.write(move |tx| {
                    insert(tx, &format!("left{n}"), "[]")?;
                    insert(tx, &format!("right{n}"), "[]")
                });
                pair.await.unwrap();
            }
            0
        })
    };
    let target = open.dir.path().join("copy.db");
    let size = open.store.backup(target.clone()).await.unwrap();
    stop.store(true, Ordering::SeqCst);
    assert!(writing.await.unwrap() > 0);
    assert_eq!((size, mode(&target)), (std::fs::metadata(&target).unwrap().len(), 0o600));
    let copy = read_only(&target).unwrap();
    let one = |sql: &str| copy.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(one("PRAGMA integrity_check"), "ok");
    assert_eq!(
        one("SELECT cast(count(*) AS TEXT) FROM clients WHERE name LIKE 'left%'"),
        one("SELECT cast(count(*) AS TEXT) FROM clients WHERE name LIKE 'right%'")
    );
    let before = std::fs::read(&target).unwrap();
    let again = open.store.backup(target.clone()).await;
    assert!(matches!(again, Err(BackupError::Target { .. })) && std::fs::read(&target).unwrap() == before);
    assert!(open.store.backup(open.dir.path().join("missing/copy.db")).await.is_err());
}

#[tokio::test]
async fn a_look_up_waits_for_no_long_query() {
    let open = open();
    open.put("a").await.unwrap();
    let (started, gate) = (Arc::new(tokio::sync::Semaphore::new(0)), Arc::new((Mutex::new(false), Condvar::new())));
    let long: Vec<_> = (0..4)
        .map(|_| {
            let (store, started, gate) = (open.store.clone(), Arc::clone(&started), Arc::clone(&gate));
            tokio::spawn(async move {
                let held = store.read(move |_db| {
                    started.add_permits(1);
                    gate.1.wait_while(&mut gate.0.lock(), |open| !*open);
                    Ok::<_, Error>(())
                });
                held.await
            })
        })
        .collect();
    started.acquire_many(3).await.unwrap().forget();
    let store = open.store.clone();
    let name = |db: &Reader<'_>| db.one("SELECT name FROM clients", [], |row| row.get::<_, String>(0));
    let looked = tokio::task::spawn_blocking(move || store.look(name));
    let found = tokio::time::timeout(std::time::Duration::from_secs(10), looked).await;
    *gate.0.lock() = true;
    gate.1.notify_all();
    assert_eq!(found.expect("it does not wait").unwrap().unwrap().as_deref(), Some("a"));
    for one in long {
        one.await.unwrap().unwrap();
    }
}
