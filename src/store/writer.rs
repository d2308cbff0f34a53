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
const PROBE: Duration = Duration::from_secs(5);

type AfterCommit = Box<dyn FnOnce() + Send>;
type Answer = Box<dyn FnOnce(Result<(), Error>) + Send>;
type Operation = Box<dyn FnOnce(&mut Tx<'_>) -> (Outcome, Answer) + Send>;

enum Outcome {
    Keep,
    Undo,
}

enum Job {
    Run(Operation),
    Close(oneshot::Sender<()>),
}

/// A transaction: everything a [`Reader`] can ask, and changes.
pub(crate) struct Tx<'c> {
    reader: Reader<'c>,
    after_commit: Vec<AfterCommit>,
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
        Ok(self.reader.0.prepare_cached(sql)?.execute(params)?)
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
            let result = operation(tx);
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
        let state = match commit(conn, batch, failing) {
            Ok(()) => Health::Good,
            Err(error) => Health::Failing(error.to_string()),
        };
        health.send_if_modified(|now| std::mem::replace(now, state.clone()) != state);
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
    let deadline = std::time::Duration::from_millis(50);
    let mut waited = Duration::ZERO;
    loop {
        match queue.try_recv() {
            Ok(job) => return Some(Some(job)),
            Err(mpsc::error::TryRecvError::Disconnected) => return None,
            Err(mpsc::error::TryRecvError::Empty) if waited >= PROBE => return Some(None),
            Err(mpsc::error::TryRecvError::Empty) => {
                std::thread::sleep(deadline);
                waited += deadline;
            }
        }
    }
}

/// Runs the batch in one transaction and answers everyone with what became of it.
fn commit(conn: &mut Connection, batch: Vec<Operation>, probe: bool) -> Result<(), Error> {
    let mut answers = Vec::with_capacity(batch.len());
    let result = transact(conn, batch, probe, &mut answers);
    for answer in answers {
        answer(result.clone());
    }
    result
}

fn transact(conn: &mut Connection, batch: Vec<Operation>, probe: bool, answers: &mut Vec<Answer>) -> Result<(), Error> {
    // When this fails the operations are dropped unrun, and with them their reply channels: the callers read `Closed`, which is the
    // same "try again later".
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if probe {
        tx.execute_batch("CREATE TABLE probe (x) STRICT; DROP TABLE probe;").ok();
    }
    let mut work = Tx { reader: Reader(&tx), after_commit: Vec::new() };
    for operation in batch {
        work.reader.0.prepare_cached("SAVEPOINT operation")?.execute([])?;
        let told = work.after_commit.len();
        match std::panic::catch_unwind(AssertUnwindSafe(|| operation(&mut work))) {
            Ok((Outcome::Keep, answer)) => answers.push(answer),
            Ok((Outcome::Undo, answer)) => {
                answers.push(answer);
                undo(&mut work, told)?;
            }
            Err(_panic) => undo(&mut work, told)?,
        }
        work.reader.0.prepare_cached("RELEASE operation")?.execute([])?;
    }
    let after = std::mem::take(&mut work.after_commit);
    tx.commit()?;
    for then in after {
        then();
    }
    Ok(())
}

fn undo(work: &mut Tx<'_>, told: usize) -> Result<(), Error> {
    work.after_commit.truncate(told);
    work.reader.0.prepare_cached("ROLLBACK TO operation")?.execute([])?;
    Ok(())
}
