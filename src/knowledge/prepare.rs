//! Preparing: the memory folder and a board that explains itself, on the first start.

use std::fs::DirBuilder;
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use super::Knowledge;
use super::board::BOARD;

/// What a fresh board says.
const FRESH: &str = include_str!("../../assets/board.md");

/// Why there is no memory folder.
#[derive(Debug, thiserror::Error)]
#[error("the memory folder {path} could not be made: {cause}")]
pub(crate) struct PrepareError {
    path: PathBuf,
    cause: std::io::Error,
}

impl Knowledge {
    /// Makes the memory folder with a fresh board when there is none. A folder that exists is left as it is: a board the owner removed
    /// stays removed. The folder appears whole or not at all, so a start that is cut off is simply repeated.
    pub(crate) fn prepare(&self) -> Result<(), PrepareError> {
        let at = |cause| PrepareError { path: self.folder().to_owned(), cause };
        if self.folder().try_exists().map_err(at)? {
            return Ok(());
        }
        let making = self.folder().with_extension("new");
        if making.try_exists().map_err(at)? {
            std::fs::remove_dir_all(&making).map_err(at)?;
        }
        fill(&making).map_err(at)?;
        std::fs::rename(&making, self.folder()).map_err(at)
    }
}

fn fill(folder: &Path) -> std::io::Result<()> {
    let mut private = DirBuilder::new();
    private.mode(0o700);
    for each in [folder.to_owned(), folder.join("entities"), folder.join("topics")] {
        private.create(each)?;
    }
    let board = folder.join(BOARD);
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(board)?;
    file.write_all(FRESH.as_bytes())?;
    file.sync_all()
}
