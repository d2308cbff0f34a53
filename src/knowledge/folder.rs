//! Reading a file of the memory folder, and nothing outside it.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat};
use rustix::io::Errno;

/// Largest file, in bytes: far more than a model can read, and little enough to hold in memory.
pub(super) const LARGEST: u64 = 1024 * 1024;
/// How often a path is tried while files are being moved.
#[cfg(target_os = "linux")]
const TRIES: usize = 16;
/// Never waits for a named pipe, never becomes a terminal, not handed to child processes.
const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// Why a memory file could not be read. The sentences name the path as it was asked for, never where it is on the machine.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MemoryError {
    /// It begins at the root of the machine.
    #[error("the path must be relative to the memory folder, as in topics/travel.md")]
    Absolute,
    /// It leads out, by `..` or through a link.
    #[error("{0} leads out of the memory folder")]
    Outside(String),
    /// There is none.
    #[error("there is no memory file {0}")]
    Missing(String),
    /// It is a folder.
    #[error("{0} is a folder: name a file in it")]
    Folder(String),
    /// A pipe, a socket, a device.
    #[error("{0} is not a regular file")]
    NotAFile(String),
    /// Larger than [`LARGEST`].
    #[error("{0} is larger than 1 MiB, which is more than this tool reads")]
    TooLarge(String),
    /// Not UTF-8.
    #[error("{0} is not a text file (it is not UTF-8)")]
    NotText(String),
    /// The system refused for another reason: it goes into the log, not to the assistant.
    #[error("{0} could not be read")]
    Unreadable(String),
}

/// The text of the file at `path` below `folder`.
pub(super) fn read(folder: &Path, path: &str) -> Result<String, MemoryError> {
    if path.starts_with('/') {
        return Err(MemoryError::Absolute);
    }
    let shown = || crate::text::shorten(&crate::text::safe(path), 120);
    let file = open(folder, path).map_err(|errno| match errno {
        Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG | Errno::INVAL => MemoryError::Missing(shown()),
        Errno::XDEV | Errno::LOOP => MemoryError::Outside(shown()),
        Errno::NXIO => MemoryError::NotAFile(shown()),
        other => {
            tracing::warn!(error = %other, "a memory file could not be opened");
            MemoryError::Unreadable(shown())
        }
    })?;
    let stat = fstat(&file).map_err(|_| MemoryError::Unreadable(shown()))?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => {}
        FileType::Directory => return Err(MemoryError::Folder(shown())),
        _ => return Err(MemoryError::NotAFile(shown())),
    }
    let mut bytes = Vec::with_capacity(usize::try_from(stat.st_size).unwrap_or(0).min(LARGEST as usize) + 1);
    // One byte more than allowed shows that there is more; the size on record may be out of date.
    File::from(file).take(LARGEST + 1).read_to_end(&mut bytes).map_err(|_| MemoryError::Unreadable(shown()))?;
    if bytes.len() as u64 > LARGEST {
        return Err(MemoryError::TooLarge(shown()));
    }
    String::from_utf8(bytes).map_err(|_| MemoryError::NotText(shown()))
}

/// Opens `path` below `folder`; `XDEV` or `LOOP` when it leads out. On Linux the kernel resolves the whole path and refuses to leave the
/// folder at any step, so nothing can be swapped between a check and the opening.
fn open(folder: &Path, path: &str) -> Result<OwnedFd, Errno> {
    let root = openat(CWD, folder, READ | OFlags::DIRECTORY, Mode::empty())?;
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{ResolveFlags, openat2};
        let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        for _ in 0..TRIES {
            match openat2(&root, path, READ, Mode::empty(), beneath) {
                // Something was moved while the kernel looked: it cannot tell whether the path stayed inside.
                Err(Errno::AGAIN) => {}
                // An old kernel, or a container that forbids the call.
                Err(Errno::NOSYS | Errno::PERM) => return walk(root, path),
                done => return done,
            }
        }
        Err(Errno::AGAIN)
    }
    #[cfg(not(target_os = "linux"))]
    walk(root, path)
}

/// The same without the kernel's help: one component after the other, following no link at all.
pub(super) fn walk(root: OwnedFd, path: &str) -> Result<OwnedFd, Errno> {
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if parts.contains(&"..") {
        return Err(Errno::XDEV);
    }
    let mut at = root;
    for (i, part) in parts.iter().enumerate() {
        let last = i + 1 == parts.len();
        let folder = if last { OFlags::empty() } else { OFlags::DIRECTORY };
        at = openat(&at, *part, READ | OFlags::NOFOLLOW | folder, Mode::empty())?;
    }
    Ok(at)
}
