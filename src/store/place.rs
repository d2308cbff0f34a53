//! Whether the file is still where it was opened. A file that was removed or replaced can be written to as before, and nobody would find
//! it again: what is answered then would be lost at the next start.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::Error;

/// The places of the open file and of its log, in which the newest commits are.
pub(super) struct Place([(PathBuf, Identity); 2]);

/// Which file it is: device and inode. `None` when that could not be learned.
type Identity = Option<(u64, u64)>;

impl Place {
    /// The places of the files that were just opened at `path`.
    pub(super) fn of(path: &Path) -> Place {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        Place([path.to_owned(), log.into()].map(|path| (path.clone(), identity(&path))))
    }

    /// An error while another file is at one of them, or none.
    pub(super) fn check(&self) -> Result<(), Error> {
        let away = self.0.iter().find(|(path, file)| file.is_some() && identity(path) != *file);
        away.map_or(Ok(()), |(path, _)| Err(Error::Moved(path.clone())))
    }
}

fn identity(path: &Path) -> Identity {
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}
