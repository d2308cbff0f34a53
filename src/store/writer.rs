//! Writing: one thread runs what is in its queue, each operation behind a savepoint, commits once when the queue is empty, and answers
//! everyone.

use std::ops::Deref;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Params, TransactionBehavior};
use tokio::sync::{mpsc, oneshot, watch};

use super::health::Condition;
use super::mend::{mend, probe};
use super::place::Place;
use super::{Error, Health, Reader};

/// Operations that may wait; a caller beyond that waits for a place.
const QUEUE: usize = 1024;
/// Operations in one commit: keeps the first caller's wait short when the queue is long.
const BATCH: usize = 256;
/// How often a failing store is tried again when nobody writes. No timer runs while the store is good.
pub(super) const PROBE: Duration = Duration::from_secs(1);
/// How often the writer of a failing store looks into its queue while it waits for the next probe.
pub(super) const LISTEN: Duration = Duration::from_millis(50);

type AfterCommit = Box<dyn FnOnce() + Send>;
pub(super) type Answer = Box<dyn FnOnce(Result<(), Error>) + Send>;
/// Runs in the transaction, or is told why there is none.
pub(super) type Operation = Box<dyn FnOnce(Result<&mut Tx<'_>, Error>) -> (Outcome, Answer) + Send>;

pub(super) enum Outcome {
    Keep,
    Undo,
}

/// What a commit tells about the store itself.
pub(super) struct Done {
    /// Rows of an operation that was kept were changed: the disk took them.
    pub(super) changed: bool,
    /// An operation was undone because the store, not the operation, was at fault.
    pub(super) trouble: Option<Error>,
}

pub(super) enum Job {
    Run(Operation),
    /// Something could not be read: look after it.
    Mend,
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
        self.reader.noted(self.reader.conn.prepare_cached(sql).and_then(|mut statement| statement.execute(params)))
    }

    /// Does `then` once the batch is on disk: telling the bus. It runs on the writer's thread, so it must not block.
    pub(crate) fn after_commit(&mut self, then: impl FnOnce() + Send + 'static) {
        self.after_commit.push(Box::new(then));
    }
}

#[derive(Clone)]
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
    condition: Arc<Condition>,
}

impl Writer {
    pub(super) fn start(mut conn: Connection, path: PathBuf, health: watch::Sender<Health>) -> Writer {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let condition = Arc::new(Condition::new(health));
        let writer = Writer { jobs, condition: Arc::clone(&condition) };
        // A thread of its own: SQLite blocks, and the runtime must not.
        std::thread::spawn(move || work(&mut conn, queue, &condition, &path));
        writer
    }

    /// A reader met this: it is told, and the writer looks after it.
    pub(super) fn unreadable(&self, fault: Error) {
        self.condition.unreadable(fault);
        // Full: the writer is awake and sees it by itself.
        let _awake = self.jobs.try_send(Job::Mend);
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

fn work(conn: &mut Connection, mut queue: mpsc::Receiver<Job>, condition: &Condition, path: &Path) {
    let place = Place::of(path);
    loop {
        if let Some(damage) = condition.damage() {
            match mend(conn, &mut queue, (condition, path), &damage) {
                true => continue,
                false => break,
            }
        }
        let Some(first) = next(&mut queue, !condition.is_good()) else { break };
        let probing = first.is_none();
        let mut batch = Batch::of(first, &mut queue);
        let mut answers = Vec::new();
        let done = match place.check() {
            Err(moved) => refuse(&mut batch, &moved, &mut answers),
            Ok(()) if probing => probe(conn),
            Ok(()) => commit(conn, &mut batch, &mut answers),
        };
        let closing = batch.closing.take();
        let told = done.as_ref().map(|_done| ()).map_err(Clone::clone);
        match &done {
            Ok(Done { trouble: Some(error), .. }) | Err(error) => condition.failing(error),
            // Nothing was written, so nothing is known about the disk.
            Ok(Done { changed: false, .. }) => {}
            Ok(_) => condition.tell(Health::Good),
        }
        for answer in answers {
            answer(told.clone());
        }
        if let Some(done) = closing {
            close(conn, &mut queue, condition, done);
            break;
        }
    }
}

/// The operations of one commit: the first, and what has come by the time the one before is done.
struct Batch<'q> {
    first: Option<Job>,
    queue: &'q mut mpsc::Receiver<Job>,
    taken: usize,
    /// Asked to close: nothing after it is taken.
    closing: Option<oneshot::Sender<()>>,
}

impl Batch<'_> {
    fn of(first: Option<Job>, queue: &mut mpsc::Receiver<Job>) -> Batch<'_> {
        Batch { first, queue, taken: 0, closing: None }
    }
}

impl Iterator for Batch<'_> {
    type Item = Operation;

    fn next(&mut self) -> Option<Operation> {
        while self.taken < BATCH && self.closing.is_none() {
            match self.first.take().or_else(|| self.queue.try_recv().ok())? {
                Job::Run(operation) => {
                    self.taken += 1;
                    return Some(operation);
                }
                Job::Mend => {}
                Job::Close(done) => self.closing = Some(done),
            }
        }
        None
    }
}

/// Ends the writing, with everything in the file; while it cannot be read, its log stays beside it: copying it in would write to what may be
/// put back.
pub(super) fn close(conn: &Connection, queue: &mut mpsc::Receiver<Job>, condition: &Condition, done: oneshot::Sender<()>) {
    queue.close();
    if condition.damage().is_some() {
        let _kept = conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    } else {
        let _checkpointed = conn.pragma_update(None, "wal_checkpoint", "TRUNCATE");
    }
    let _gone = done.send(());
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

/// Tells everyone why nothing was done.
fn refuse(batch: &mut Batch<'_>, why: &Error, answers: &mut Vec<Answer>) -> Result<Done, Error> {
    answers.extend(batch.map(|operation| operation(Err(why.clone())).1));
    Err(why.clone())
}

/// Runs the batch in one transaction. Everyone in it has an answer then, also those whose turn did not come.
fn commit(conn: &mut Connection, batch: &mut Batch<'_>, answers: &mut Vec<Answer>) -> Result<Done, Error> {
    transact(conn, batch, answers).or_else(|error| refuse(batch, &error, answers))
}

fn transact(conn: &mut Connection, batch: &mut Batch<'_>, answers: &mut Vec<Answer>) -> Result<Done, Error> {
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut work = Tx { reader: Reader::on(&tx), after_commit: Vec::new() };
    let mut changed = false;
    for operation in batch {
        changed |= attempt(&mut work, operation, answers)?;
    }
    let Tx { after_commit, reader } = work;
    let trouble = reader.trouble.take();
    tx.commit()?;
    for then in after_commit {
        // The one thread that writes must outlive whoever listens.
        if std::panic::catch_unwind(AssertUnwindSafe(then)).is_err() {
            tracing::error!("telling of a commit panicked");
        }
    }
    Ok(Done { changed, trouble })
}

/// Runs one operation behind a savepoint, and answers whether it changed anything. `Err`: the whole transaction is lost.
fn attempt(work: &mut Tx<'_>, operation: Operation, answers: &mut Vec<Answer>) -> Result<bool, Error> {
    work.reader.conn.prepare_cached("SAVEPOINT operation")?.execute([])?;
    let (told, before) = (work.after_commit.len(), work.reader.conn.total_changes());
    let outcome = match std::panic::catch_unwind(AssertUnwindSafe(|| operation(Ok(&mut *work)))) {
        Ok((outcome, answer)) => {
            answers.push(answer);
            outcome
        }
        Err(_panic) => {
            tracing::error!("an operation on the store panicked and was undone; its caller is told to try again");
            Outcome::Undo
        }
    };
    if work.reader.conn.is_autocommit()
        && let Some(fault) = work.reader.trouble.take()
    {
        // A full disk can make SQLite give up the whole transaction: what ran before in it is lost too, and everyone is told.
        return Err(fault);
    }
    let changed = match outcome {
        Outcome::Keep => work.reader.conn.total_changes() != before,
        Outcome::Undo => {
            undo(work, told)?;
            false
        }
    };
    work.reader.conn.prepare_cached("RELEASE operation")?.execute([])?;
    Ok(changed)
}

fn undo(work: &mut Tx<'_>, told: usize) -> Result<(), Error> {
    work.after_commit.truncate(told);
    work.reader.conn.prepare_cached("ROLLBACK TO operation")?.execute([])?;
    Ok(())
}
