//! A consistent copy while running, through SQLite's own online backup.

use std::path::{Path, PathBuf};

use super::{Error, Store, check, open};

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
    /// What was written is not what can be read there, and is gone again.
    #[error("the copy {path} cannot be read back ({found}): make it on another disk")]
    Unreadable {
        /// Where the copy should have gone.
        path: PathBuf,
        /// What is wrong with it.
        found: String,
    },
    /// A copy would be damaged too, and look like one to rely on.
    #[error(
        "the store is damaged ({0}), so no copy was made: put an earlier backup in its place; \"quarterdeck doctor\" says how"
    )]
    Damaged(String),
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
    // One snapshot for the whole copy: without it SQLite begins again after every write of the host, and may never end. It is what is
    // checked, too.
    let snapshot = source.unchecked_transaction().map_err(Error::from)?;
    if let Some(found) = check::damage(&snapshot).map_err(Error::from)? {
        return Err(BackupError::Damaged(found));
    }
    std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(target).map_err(at)?;
    let unfinished = |cause| BackupError::Unfinished { path: target.to_owned(), cause };
    let unreadable = |found| BackupError::Unreadable { path: target.to_owned(), found };
    let whole = fill(&snapshot, target).and_then(|()| check::damage(&open::read_only(target)?)).map_err(unfinished);
    whole.and_then(|found| found.map_or(Ok(()), |found| Err(unreadable(found)))).inspect_err(|_| {
        let _nothing_useful = std::fs::remove_file(target);
    })?;
    Ok(std::fs::metadata(target).map_err(at)?.len())
}

fn fill(source: &rusqlite::Connection, target: &Path) -> rusqlite::Result<()> {
    let mut into = rusqlite::Connection::open(target)?;
    let backup = rusqlite::backup::Backup::new(source, &mut into)?;
    backup.run_to_completion(STEP, std::time::Duration::ZERO, None)?;
    drop(backup);
    into.pragma_update(None, "journal_mode", "delete")?;
    Ok(())
}
