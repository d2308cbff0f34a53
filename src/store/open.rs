//! Opening: the file with its pragmas, the writer's thread, the readers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use tokio::sync::watch;

use crate::state;

use super::check::{self, RESTORE};
use super::{Health, Store, migrate, reader::Readers, writer::Writer};

/// How long a connection waits for another process's lock (a backup, an `audit verify`) before it gives up.
const BUSY: Duration = Duration::from_secs(5);
/// Statements kept prepared per connection: more than the host has.
const PREPARED: usize = 128;
/// Pages of 4 KiB in the write-ahead log before they are copied into the file: a page that is written again and again is copied once.
const LOGGED: i64 = 4_000;
/// Readers for queries that may take long, beside the one for look-ups.
const LONG: usize = 3;

/// Why the store could not be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    /// The file cannot be made or read.
    #[error("{path}: {cause}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The file cannot be opened.
    #[error("{path}: {cause}")]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        cause: rusqlite::Error,
    },
    /// The file is not a database, or not a whole one.
    #[error("{path} is damaged ({cause}): {RESTORE}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        cause: rusqlite::Error,
    },
    /// The file was written by a later version.
    #[error(
        "{path} was written by a later version of Quarterdeck (store version {found}, this one knows {known}): start that version"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: i64,
        /// The newest version this program has a migration for.
        known: i64,
    },
}

impl OpenError {
    /// What SQLite says about the file at `path`.
    pub(super) fn of(path: &Path, cause: rusqlite::Error) -> OpenError {
        let path = path.to_owned();
        if check::is_damage(&cause) { OpenError::Damaged { path, cause } } else { OpenError::Sqlite { path, cause } }
    }
}

impl Store {
    /// Opens or creates `path` and brings it to the newest version.
    ///
    /// # Errors
    /// [`OpenError`] names the file and the cause.
    pub(crate) fn open(path: &Path) -> Result<Store, OpenError> {
        let sqlite = |cause| OpenError::of(path, cause);
        // A new file is the owner's alone; SQLite gives its side files the same mode.
        state::private(path).map(drop).map_err(|cause| OpenError::File { path: path.to_owned(), cause })?;
        let mut writing = Connection::open(path).map_err(sqlite)?;
        prepare(&writing).map_err(sqlite)?;
        writing.pragma_update(None, "journal_mode", "wal").map_err(sqlite)?;
        writing.pragma_update(None, "synchronous", "full").map_err(sqlite)?;
        writing.pragma_update(None, "foreign_keys", true).map_err(sqlite)?;
        writing.pragma_update(None, "wal_autocheckpoint", LOGGED).map_err(sqlite)?;
        migrate::run(&mut writing, path)?;
        let quick = read_only(path).map_err(sqlite)?;
        let long: Vec<Connection> = (0..LONG).map(|_| read_only(path)).collect::<Result<_, _>>().map_err(sqlite)?;
        let (tell, health) = watch::channel(Health::Good);
        let writer = Writer::start(writing, path.to_owned(), tell);
        Ok(Store {
            readers: Arc::new(Readers::new((quick, long), writer.clone())),
            writer,
            health,
            path: Arc::new(path.to_owned()),
        })
    }

    /// The database file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// A connection on `path` that cannot write.
pub(crate) fn read_only(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    prepare(&conn)?;
    conn.pragma_update(None, "query_only", true)?;
    Ok(conn)
}

fn prepare(conn: &Connection) -> rusqlite::Result<()> {
    conn.busy_timeout(BUSY)?;
    conn.set_prepared_statement_cache_capacity(PREPARED);
    Ok(())
}
