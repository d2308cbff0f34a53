//! The control socket: a file only the owner's account can open, and a second look at who did.

use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tokio::net::UnixListener;

/// The socket's name in the state directory.
const FILE: &str = "control.sock";
/// Longest path a socket can have, in bytes: macOS has room for 104 with the closing zero, Linux for 108.
const LONGEST: usize = 103;

/// Why a path cannot be a control socket.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// The system has no room for it.
    #[error("{} is too long for a socket ({} bytes, at most {LONGEST}): choose a shorter --state-dir", .0.display(), .0.as_os_str().len())]
    TooLong(PathBuf),
}

/// Why there is no control socket.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SocketError {
    /// Its path cannot be used.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// Something that is not a socket has its name.
    #[error("{} is in the way and is not a socket: move it away", .0.display())]
    InTheWay(PathBuf),
    /// The system refuses.
    #[error("{}: {cause}", .path.display())]
    Bind {
        /// The socket.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
}

/// The socket of the host on `state_dir`.
pub(super) fn path(state_dir: &Path) -> Result<PathBuf, AddressError> {
    let path = state_dir.join(FILE);
    if path.as_os_str().as_bytes().len() > LONGEST { Err(AddressError::TooLong(path)) } else { Ok(path) }
}

/// Binds the socket. The caller holds the state directory's lock, so a socket that is there already was left by a host that was killed.
pub(super) fn bind(state_dir: &Path) -> Result<UnixListener, SocketError> {
    let path = path(state_dir)?;
    let failed = |cause| SocketError::Bind { path: path.clone(), cause };
    match std::fs::symlink_metadata(&path) {
        Ok(there) if there.file_type().is_socket() => std::fs::remove_file(&path).map_err(failed)?,
        Ok(_) => return Err(SocketError::InTheWay(path)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
        Err(cause) => return Err(failed(cause)),
    }
    // Between these two lines the directory (0700) is what keeps others out.
    let listener = UnixListener::bind(&path).map_err(failed)?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).map_err(failed)?;
    Ok(listener)
}

/// Whether a peer may talk here: only the user this host runs as. Root is another user.
pub(super) fn is_owner(peer: u32, host: u32) -> bool {
    peer == host
}

/// The user this process runs as.
pub(super) fn own_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}
