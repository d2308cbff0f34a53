//! Mending: what the writer does while the file cannot be read. What cannot be read is not written to, and everyone is told to try again.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::mpsc::{Receiver, error::TryRecvError};

use super::health::Condition;
use super::writer::{Done, Job, LISTEN, PROBE, close};
use super::{Error, Health, check};

/// Refuses everything until all of the file can be read again. `false` ends the thread.
pub(super) fn mend(
    conn: &mut Connection,
    queue: &mut Receiver<Job>,
    (condition, path): (&Condition, &Path),
    damage: &Error,
) -> bool {
    condition.tell(Health::Failing(damage.to_string()));
    let mut waited = Duration::ZERO;
    loop {
        match queue.try_recv() {
            Ok(Job::Run(operation)) => operation(Err(damage.clone())).1(Err(damage.clone())),
            Ok(Job::Mend) => {}
            Ok(Job::Close(done)) => {
                close(conn, queue, condition, done);
                return false;
            }
            Err(TryRecvError::Disconnected) => return false,
            Err(TryRecvError::Empty) if waited < PROBE => {
                std::thread::sleep(LISTEN);
                waited += LISTEN;
            }
            Err(TryRecvError::Empty) => {
                waited = Duration::ZERO;
                if readable(path).is_ok() && forget(conn).is_ok() && probe(conn).is_ok() {
                    condition.mended();
                    return true;
                }
            }
        }
    }
}

/// Whether all of the file can be read: through a connection of its own, which remembers nothing from before.
fn readable(path: &Path) -> Result<(), Error> {
    match check::damaged(path)? {
        None => Ok(()),
        Some(found) => Err(Error::Damaged(found)),
    }
}

/// Drops the pages in memory: some may have been read while the file was damaged. The commit of a probe makes the readers do the same.
fn forget(conn: &Connection) -> Result<(), Error> {
    Ok(conn.release_memory()?)
}

/// Writes and takes back a page, to learn whether the disk takes it again.
pub(super) fn probe(conn: &mut Connection) -> Result<Done, Error> {
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute_batch("CREATE TABLE probe (x INTEGER) STRICT; DROP TABLE probe;")?;
    tx.commit()?;
    Ok(Done { changed: true, trouble: None })
}
