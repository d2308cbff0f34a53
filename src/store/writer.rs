//! Writing: one thread drains its queue into a batch, runs each operation behind a savepoint, commits once and answers everyone.

use std::ops::Deref;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use rusqlite::{Connection, Params, TransactionBehavior};
use tokio::sync::{mpsc, oneshot, watch};

use super::{Error, Health, Reader};

/// Operations that may wait; a caller beyond that waits for a place.
const QUEUE: usize = 1024;
/// Operations in one commit: keeps the first caller's wait short when the queue is long.
const BATCH: usize = 256;
/// How often a failing store is tried again when nobody writes. No timer runs while the store is good.
const PROBE: Duration = Duration::from_secs(1);
/// How often the writer of a failing store looks into its queue while it waits for the next probe.
const LISTEN: Duration = Duration::from_millis(50);

type AfterCommit = Box<dyn FnOnce() + Send>;
type Answer = Box<dyn FnOnce(Result<(), Error>) + Send>;
/// Runs in the transaction, or is told why there is none.
type Operation = Box<dyn FnOnce(Result<&mut Tx<'_>, Error>) -> (Outcome, Answer) + Send>;

enum Outcome {
    Keep,
    Undo,
}

/// What a commit tells about the store itself.
struct Done {
    /// Rows of an operation that was kept were changed: the disk took them.
    changed: bool,
    /// An operation was undone because the store, not the operation, was at fault.
    trouble: Option<Error>,
}

enum Job {
    Run(Operation),
    Close(oneshot::Sender<()>),
}

/// A transaction: everything a [`Reader`] can ask, and changes.
pub(crate) struct Tx<'c> {
    reader: Reader<'c>,
    after_commit: Vec<AfterCommit>,
    trouble: Option<Error>,
}

impl<'c> Deref for Tx<'c> {
    type Target = Reader<'c>;

    fn deref(&self) -> &Reader<'c> {
        &self.reader
    }
}

impl Tx<'_> {
    /// Executes one statement and answers how many rows it changed.
    pub(crate) fn run(&mut self, sql: &str, params: impl Params) -> Result<usize, Error> {
        let changed = self.reader.0.prepare_cached(sql).and_then(|mut statement| statement.execute(params));
        changed.map_err(|error| {
            let fault = is_fault(&error);
            let error = Error::from(error);
            if fault {
                self.trouble = Some(error.clone());
            }
            error
        })
    }

    /// Does `then` once the batch is on disk: telling the bus. It runs on the writer's thread, so it must not block.
    pub(crate) fn after_commit(&mut self, then: impl FnOnce() + Send + 'static) {
        self.after_commit.push(Box::new(then));
    }
}

#[derive(Clone)]
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
}

impl Writer {
    pub(super) fn start(mut conn: Connection, health: watch::Sender<Health>) -> Writer {
        let (jobs, queue) = mpsc::channel(QUEUE);
        // A thread of its own: SQLite blocks, and the runtime must not.
        std::thread::spawn(move || work(&mut conn, queue, &health));
        Writer { jobs }
    }

    pub(super) async fn run<T, E>(&self, operation: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job: Operation = Box::new(move |tx| {
            let result = tx.map_err(E::from).and_then(operation);
            let outcome = if result.is_ok() { Outcome::Keep } else { Outcome::Undo };
            let finish: Answer = Box::new(move |commit| {
                let result = match commit {
                    Ok(()) => result,
                    Err(error) => result.and_then(|_| Err(E::from(error))),
                };
                // The caller may have gone away; what it asked for is committed all the same.
                let _gone = reply.send(result);
            });
            (outcome, finish)
        });
        self.jobs.send(Job::Run(job)).await.map_err(|_| E::from(Error::Closed))?;
        answer.await.unwrap_or_else(|_| Err(E::from(Error::Closed)))
    }

    pub(super) async fn close(&self) {
        let (done, closed) = oneshot::channel();
        if self.jobs.send(Job::Close(done)).await.is_ok() {
            let _closed = closed.await;
        }
    }
}

fn work(conn: &mut Connection, mut queue: mpsc::Receiver<Job>, health: &watch::Sender<Health>) {
    loop {
        let failing = *health.borrow() != Health::Good;
        let Some(first) = next(&mut queue, failing) else { break };
        let mut batch = Vec::new();
        let mut closing = None;
        for job in std::iter::once(first).flatten().chain(std::iter::from_fn(|| queue.try_recv().ok())) {
            match job {
                Job::Run(operation) => batch.push(operation),
                Job::Close(done) => closing = Some(done),
            }
            if closing.is_some() || batch.len() >= BATCH {
                break;
            }
        }
        let mut answers = Vec::with_capacity(batch.len());
        let done = if batch.is_empty() && closing.is_none() { probe(conn) } else { commit(conn, batch, &mut answers) };
        let told = done.as_ref().map(|_done| ()).map_err(Clone::clone);
        let state = match done {
            Ok(Done { trouble: Some(error), .. }) | Err(error) => Health::Failing(error.to_string()),
            // Nothing was written, so nothing is known about the disk.
            Ok(Done { changed: false, .. }) => health.borrow().clone(),
            Ok(_) => Health::Good,
        };
        health.send_if_modified(|now| std::mem::replace(now, state.clone()) != state);
        for answer in answers {
            answer(told.clone());
        }
        if let Some(done) = closing {
            queue.close();
            let _checkpointed = conn.pragma_update(None, "wal_checkpoint", "TRUNCATE");
            let _gone = done.send(());
            break;
        }
    }
}

/// The next job; `Some(None)` is a probe of a failing store; `None` ends the thread.
fn next(queue: &mut mpsc::Receiver<Job>, failing: bool) -> Option<Option<Job>> {
    if !failing {
        return queue.blocking_recv().map(Some);
    }
    let mut waited = Duration::ZERO;
    loop {
        match queue.try_recv() {
            Ok(job) => return Some(Some(job)),
            Err(mpsc::error::TryRecvError::Disconnected) => return None,
            Err(mpsc::error::TryRecvError::Empty) if waited >= PROBE => return Some(None),
            Err(mpsc::error::TryRecvError::Empty) => {
                std::thread::sleep(LISTEN);
                waited += LISTEN;
            }
        }
    }
}

/// Runs the batch in one transaction. Everyone in it has an answer then, also those whose turn did not come.
fn commit(conn: &mut Connection, batch: Vec<Operation>, answers: &mut Vec<Answer>) -> Result<Done, Error> {
    let mut waiting = batch.into_iter();
    let result = transact(conn, &mut waiting, answers);
    if let Err(error) = &result {
        answers.extend(waiting.map(|operation| operation(Err(error.clone())).1));
    }
    result
}

fn transact(
    conn: &mut Connection,
    batch: &mut impl Iterator<Item = Operation>,
    answers: &mut Vec<Answer>,
) -> Result<Done, Error> {
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut work = Tx { reader: Reader(&tx), after_commit: Vec::new(), trouble: None };
    let mut changed = false;
    for operation in batch {
        work.reader.0.prepare_cached("SAVEPOINT operation")?.execute([])?;
        let (told, before) = (work.after_commit.len(), work.reader.0.total_changes());
        let outcome = match std::panic::catch_unwind(AssertUnwindSafe(|| operation(Ok(&mut work)))) {
            Ok((outcome, answer)) => {
                answers.push(answer);
                outcome
            }
            Err(_panic) => {
                tracing::error!("an operation on the store panicked and was undone; its caller is told to try again");
                Outcome::Undo
            }
        };
        if work.reader.0.is_autocommit()
            && let Some(fault) = work.trouble.take()
        {
            // A full disk can make SQLite give up the whole transaction: what ran before in it is lost too, and everyone is told.
            return Err(fault);
        }
        match outcome {
            Outcome::Keep => changed |= work.reader.0.total_changes() != before,
            Outcome::Undo => undo(&mut work, told)?,
        }
        work.reader.0.prepare_cached("RELEASE operation")?.execute([])?;
    }
    let Tx { after_commit, trouble, .. } = work;
    tx.commit()?;
    for then in after_commit {
        // The one thread that writes must outlive whoever listens.
        if std::panic::catch_unwind(AssertUnwindSafe(then)).is_err() {
            tracing::error!("telling of a commit panicked");
        }
    }
    Ok(Done { changed, trouble })
}

fn undo(work: &mut Tx<'_>, told: usize) -> Result<(), Error> {
    work.after_commit.truncate(told);
    work.reader.0.prepare_cached("ROLLBACK TO operation")?.execute([])?;
    Ok(())
}

/// Writes and takes back a page, to learn whether the disk takes it again.
fn probe(conn: &mut Connection) -> Result<Done, Error> {
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute_batch("CREATE TABLE probe (x INTEGER) STRICT; DROP TABLE probe;")?;
    tx.commit()?;
    Ok(Done { changed: true, trouble: None })
}

/// Whether an error is about the file and its disk, not about what was asked.
fn is_fault(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode as E;
    let faults =
        [E::DiskFull, E::SystemIoFailure, E::DatabaseCorrupt, E::NotADatabase, E::CannotOpen, E::ReadOnly, E::OutOfMemory];
    error.sqlite_error_code().is_some_and(|code| faults.contains(&code))
}
