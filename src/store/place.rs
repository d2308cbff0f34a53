//! Whether the file is still where it was opened. A file that was removed or replaced can be written to as before, and nobody would find
//! it again: what is answered then would be lost at the next start.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::Error;

/// The place of the open file.
pub(super) struct Place {
    path: PathBuf,
    /// Which file it is: device and inode. `None` when that could not be learned.
    file: Option<(u64, u64)>,
}

impl Place {
    /// The place of the file that was just opened at `path`.
    pub(super) fn of(path: &Path) -> Place {
        Place { path: path.to_owned(), file: identity(path) }
    }

    /// An error while another file is there, or none.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.file.is_none() || identity(&self.path) == self.file { Ok(()) } else { Err(Error::Moved(self.path.clone())) }
    }
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}
