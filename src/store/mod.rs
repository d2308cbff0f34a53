//! The store: one SQLite file, one writer, a few readers.
//!
//! Everything the host must not forget is here. [`Store::write`] runs an operation on the only thread that writes; operations that
//! arrive together are committed together (one fsync for the batch), each behind a savepoint of its own, and every caller is answered
//! after the commit, never before. [`Store::look`] and [`Store::read`] use connections that cannot write. Nothing here knows what the
//! tables mean: the SQL is in each capability's own `store.rs`.

mod backup;
mod check;
mod health;
mod mend;
mod migrate;
mod open;
mod place;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use backup::{BackupError, copy};
pub(crate) use check::{RESTORE, damaged};
pub(crate) use health::Health;
pub(crate) use open::{OpenError, read_only};
pub(crate) use reader::Reader;
pub(crate) use writer::Tx;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::watch;

/// Why the store did not do what was asked. At every edge this is "try again later" (HTTP 503): never "yes", never "no".
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Error {
    /// SQLite refused: full disk, locked or damaged file.
    #[error("{}", check::sentence(.0))]
    Sqlite(Arc<rusqlite::Error>),
    /// A stored value is not what this program writes.
    #[error("the store holds a value that cannot be read: {0}")]
    Damaged(String),
    /// The file is not at its place any more, or another one is.
    #[error("{} was moved, removed or replaced: put it back as it was, or stop the host and start it again", .0.display())]
    Moved(PathBuf),
    /// The operation found out in its transaction that it may not be done any more.
    #[error("this may not be done any more")]
    Withdrawn,
    /// The writer has stopped: the host is shutting down, or an operation panicked.
    #[error("the store is closed")]
    Closed,
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        Error::Sqlite(Arc::new(error))
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Error {
        Error::Damaged(error.to_string())
    }
}

/// A handle on the store; clones share it.
#[derive(Clone)]
pub(crate) struct Store {
    writer: writer::Writer,
    readers: Arc<reader::Readers>,
    health: watch::Receiver<Health>,
    path: Arc<PathBuf>,
}

impl Store {
    /// Runs `operation` in a transaction and answers after the commit. An `Err` from the operation undoes what it did and nothing else.
    ///
    /// An operation that must both change something and refuse (a code that is used up by a wrong request) returns `Ok(Err(refusal))`.
    ///
    /// # Errors
    /// The operation's own error, or the store's when it could not begin or commit.
    pub(crate) async fn write<T, E>(&self, operation: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.writer.run(operation).await
    }

    /// Runs a point look-up right here: microseconds, so it may be called from async code.
    pub(crate) fn look<T, E: From<Error>>(&self, query: impl FnOnce(&Reader<'_>) -> Result<T, E>) -> Result<T, E> {
        self.readers.quick(query)
    }

    /// Runs a query that may take long on a thread that may block.
    pub(crate) async fn read<T, E>(&self, query: impl FnOnce(&Reader<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let readers = Arc::clone(&self.readers);
        match tokio::task::spawn_blocking(move || readers.long(query)).await {
            Ok(answer) => answer,
            Err(_panicked_or_stopping) => Err(E::from(Error::Closed)),
        }
    }

    /// Whether it can be used; every receiver is told what changes from now on.
    pub(crate) fn health(&self) -> watch::Receiver<Health> {
        let mut health = self.health.clone();
        health.mark_unchanged();
        health
    }

    /// Stops the writer after what is queued; later writes answer [`Error::Closed`].
    pub(crate) async fn close(&self) {
        self.writer.close().await;
    }
}
