//! A consistent copy while running, through SQLite's own online backup.

use std::path::{Path, PathBuf};

use super::{Error, Store, open};

/// Pages copied per step: 4 MiB, short enough that a writer between two steps is not held up.
const STEP: i32 = 1024;

/// Why no copy was made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BackupError {
    /// The target is there already, or its folder is not.
    #[error("{path}: {cause}")]
    Target {
        /// Where the copy should have gone.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// It was begun and not finished, and is gone again: mostly because there is no room for it.
    #[error("the copy {path} could not be finished: {cause}")]
    Unfinished {
        /// Where the copy should have gone.
        path: PathBuf,
        /// What SQLite says.
        cause: rusqlite::Error,
    },
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] Error),
}

impl Store {
    /// Writes a copy of the database to `target`, which must not exist, and answers its size in bytes. The file is for the owner only
    /// (mode 0600).
    pub(crate) async fn backup(&self, target: PathBuf) -> Result<u64, BackupError> {
        let from = self.path().to_owned();
        match tokio::task::spawn_blocking(move || copy(&from, &target)).await {
            Ok(result) => result,
            Err(_panicked_or_stopping) => Err(Error::Closed.into()),
        }
    }
}

/// Copies the database at `from` to the new file `target`.
pub(crate) fn copy(from: &Path, target: &Path) -> Result<u64, BackupError> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let at = |cause| BackupError::Target { path: target.to_owned(), cause };
    let source = open::read_only(from).map_err(Error::from)?;
    std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(target).map_err(at)?;
    fill(&source, target).map_err(|cause| {
        let _nothing_useful = std::fs::remove_file(target);
        BackupError::Unfinished { path: target.to_owned(), cause }
    })?;
    Ok(std::fs::metadata(target).map_err(at)?.len())
}

fn fill(source: &rusqlite::Connection, target: &Path) -> rusqlite::Result<()> {
    // One snapshot for the whole copy: without it SQLite begins again after every write of the host, and may never end.
    let snapshot = source.unchecked_transaction()?;
    snapshot.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    let mut into = rusqlite::Connection::open(target)?;
    let backup = rusqlite::backup::Backup::new(source, &mut into)?;
    backup.run_to_completion(STEP, std::time::Duration::ZERO, None)?;
    drop(backup);
    into.pragma_update(None, "journal_mode", "delete")?;
    Ok(())
}
