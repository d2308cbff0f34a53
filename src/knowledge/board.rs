//! The board and the memory files: reading them.

use super::Knowledge;
use super::folder::{self, MemoryError};
use crate::digest::Digest;

/// The board's file in the memory folder.
pub(super) const BOARD: &str = "CLAUDE.md";

/// The board as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) text: String,
}

impl Board {
    /// What this text is known by: the first 16 hexadecimal characters of its SHA-256.
    pub(crate) fn rev(&self) -> String {
        Digest::of(self.text.as_bytes()).short()
    }
}

impl Knowledge {
    /// The board; `None` when the owner has removed it.
    pub(crate) async fn board(&self) -> Result<Option<Board>, MemoryError> {
        match self.memory(BOARD.to_owned()).await {
            Ok(text) => Ok(Some(Board { text })),
            Err(MemoryError::Missing(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The memory file at `path`, relative to the memory folder. Read right here: it is small, and on the disk that every call waits for
    /// anyway before it is answered; handing it to a thread costs several times the reading.
    pub(crate) async fn memory(&self, path: String) -> Result<String, MemoryError> {
        folder::read(self.folder(), &path)
    }
}
