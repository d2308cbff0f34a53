//! The state directory: one owner's files, one host at a time.
//!
//! Everything in it is for the owner's account only, whatever the umask was when it was made. The lock is the kernel's: it ends with the
//! process that holds it, so one left by a host that was killed is no obstacle.

use std::fs::{DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// The store's file in the state directory.
pub(crate) const STORE: &str = "quarterdeck.db";
/// The lock's file; it holds the process number of whoever holds the lock.
const LOCK: &str = "lock";
/// SQLite's two companions of the store's file take its mode when they are made; older ones are corrected.
const FILES: [&str; 3] = [STORE, "quarterdeck.db-wal", "quarterdeck.db-shm"];
/// The owner and nobody else.
const DIR_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;
/// Writable for everybody, as `/tmp`: closing it to everybody else because of a slip would break the machine.
const SHARED: u32 = 0o002;
/// Longest process number.
const PID: u64 = 20;

/// Why the state directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StateError {
    /// It cannot be made, or is somebody else's.
    #[error("the state directory {path} cannot be used: {cause}")]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// Its owner could change everything in it.
    #[error("{} belongs to another user: name another --state-dir", .0.display())]
    Foreign(PathBuf),
    /// Everybody may write in it: it serves others, and who knows what is in it already.
    #[error("{} is for everybody to write in: name a directory of your own with --state-dir", .0.display())]
    Shared(PathBuf),
    /// A file in it cannot be made or kept private.
    #[error("{path} cannot be written: {cause}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// Another host uses it.
    #[error("another Quarterdeck{} uses {path}: attach to it with \"quarterdeck\", or name another --state-dir", process(.pid.as_deref()))]
    Taken {
        /// The directory.
        path: PathBuf,
        /// The other host's process number, if it can be read.
        pid: Option<String>,
    },
}

fn process(pid: Option<&str>) -> String {
    pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
}

/// The right to use a state directory, until it is dropped or the process ends.
#[derive(Debug)]
pub(crate) struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still held, so that it is not the next one's number that is wiped out.
        let _the_kernels_lock_counts = self.0.set_len(0);
    }
}

/// The process that holds the lock, by what it wrote there. One that was killed is still named.
pub(crate) fn holder(dir: &Path) -> Option<u32> {
    pid(&mut File::open(dir.join(LOCK)).ok()?)?.parse().ok()
}

/// Makes the directory, or takes other users' access to it away.
pub(crate) fn prepare(dir: &Path) -> Result<(), StateError> {
    let failed = |cause| StateError::Directory { path: dir.to_owned(), cause };
    DirBuilder::new().recursive(true).mode(DIR_MODE).create(dir).map_err(failed)?;
    let there = std::fs::metadata(dir).map_err(failed)?;
    if there.uid() != rustix::process::geteuid().as_raw() {
        return Err(StateError::Foreign(dir.to_owned()));
    }
    let mode = there.permissions().mode();
    if mode & SHARED != 0 {
        return Err(StateError::Shared(dir.to_owned()));
    }
    if mode & 0o7777 & !DIR_MODE != 0 {
        std::fs::set_permissions(dir, Permissions::from_mode(DIR_MODE)).map_err(failed)?;
    }
    Ok(())
}

/// Takes the lock, and makes sure that the store's files are private before anything is written to them; [`private`] makes new ones so.
pub(crate) fn lock(dir: &Path) -> Result<Lock, StateError> {
    let path = dir.join(LOCK);
    let failed = |cause| StateError::File { path: path.clone(), cause };
    let mut file = private(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(StateError::Taken { path: dir.to_owned(), pid: pid(&mut file) }),
        Err(TryLockError::Error(cause)) => return Err(failed(cause)),
    }
    file.set_len(0).and_then(|()| file.rewind()).and_then(|()| write!(file, "{}", std::process::id())).map_err(failed)?;
    for name in FILES {
        let path = dir.join(name);
        match std::fs::set_permissions(&path, Permissions::from_mode(FILE_MODE)) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => return Err(StateError::File { path, cause }),
            _ => {}
        }
    }
    Ok(Lock(file))
}

/// Opens a file of the owner's own, making it if it is not there.
pub(crate) fn private(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(FILE_MODE).open(path)
}

fn pid(file: &mut File) -> Option<String> {
    let mut text = String::new();
    file.take(PID).read_to_string(&mut text).ok()?;
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_directory_others_could_read_becomes_the_owners_alone() {
        let dir = tempfile::tempdir().unwrap();
        let (fresh, loose) = (dir.path().join("a/b"), dir.path().join("loose"));
        std::fs::create_dir(&loose).unwrap();
        std::fs::set_permissions(&loose, Permissions::from_mode(0o755)).unwrap();
        for path in [&fresh, &loose] {
            prepare(path).unwrap();
            assert_eq!(mode(path), 0o700);
        }
    }

    #[test]
    fn a_directory_for_everybody_is_refused_and_stays_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::set_permissions(dir.path(), Permissions::from_mode(0o1777)).unwrap();
        let refused = prepare(dir.path()).unwrap_err().to_string();
        assert!(refused.ends_with("is for everybody to write in: name a directory of your own with --state-dir"), "{refused}");
        assert_eq!(std::fs::metadata(dir.path()).unwrap().permissions().mode() & 0o7777, 0o1777);
    }

    #[test]
    fn another_users_directory_is_not_trusted() {
        let dir = tempfile::tempdir().unwrap();
        // Only root can give a directory away; anybody else finds one of root's.
        let given = std::os::unix::fs::chown(dir.path(), Some(12_345), None).is_ok();
        let refused = prepare(if given { dir.path() } else { Path::new("/") }).unwrap_err().to_string();
        assert!(refused.ends_with("belongs to another user: name another --state-dir"), "{refused}");
    }

    #[test]
    fn the_stores_files_are_made_private_when_they_were_not() {
        let dir = tempfile::tempdir().unwrap();
        for name in FILES {
            std::fs::write(dir.path().join(name), "").unwrap();
            std::fs::set_permissions(dir.path().join(name), Permissions::from_mode(0o644)).unwrap();
        }
        let _held = lock(dir.path()).unwrap();
        for name in FILES.into_iter().chain([LOCK]) {
            assert_eq!(mode(&dir.path().join(name)), 0o600, "{name}");
        }
    }

    #[test]
    fn a_second_host_is_told_who_has_the_directory_and_a_left_over_lock_is_no_obstacle() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(LOCK), "99999999").unwrap();
        let held = lock(dir.path()).unwrap();
        let refused = lock(dir.path()).unwrap_err().to_string();
        assert!(refused.contains(&format!("(process {})", std::process::id())), "{refused}");
        assert!(refused.contains("attach"), "{refused}");
        drop(held);
        lock(dir.path()).unwrap();
    }
}
