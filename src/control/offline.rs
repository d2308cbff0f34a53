//! What works without a running host: looking at the files themselves.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::audit::{self, Finding, Head, Signer};
use crate::digest::Digest;
use crate::state::{self, STORE};
use crate::store::{self, Error, RESTORE};

/// Why nothing was found out, or no copy was made.
#[derive(Debug, thiserror::Error)]
pub enum OfflineError {
    /// No host ever ran there.
    #[error("there is no store in {}: start Quarterdeck once, or name another --state-dir", .0.display())]
    NoStore(PathBuf),
    /// The key the checkpoints are signed with is gone.
    #[error("the key that signs the audit is missing from {}: the audit cannot be checked without it", .0.display())]
    NoKey(PathBuf),
    /// The key cannot be read.
    #[error("{0}")]
    Key(String),
    /// The remembered head cannot be read or written.
    #[error("{}: {cause}", .path.display())]
    Memory {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: io::Error,
    },
    /// The store cannot be read.
    #[error("{0}")]
    Store(String),
    /// The store can be read in part only.
    #[error("the store is damaged ({0}): put a backup in its place; \"quarterdeck doctor\" says how")]
    Damaged(String),
    /// The copy cannot be written there.
    #[error("{0}")]
    Target(String),
}

impl OfflineError {
    /// What to do about it, in more words than its sentence has.
    pub fn next(&self) -> Option<&'static str> {
        match self {
            OfflineError::Damaged(_) => Some(RESTORE),
            _ => None,
        }
    }
}

impl From<Error> for OfflineError {
    fn from(error: Error) -> OfflineError {
        match error.damage() {
            Some(found) => OfflineError::Damaged(found),
            None => OfflineError::Store(error.to_string()),
        }
    }
}

/// What verifying the audit found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum Verified {
    /// Every record is as it was written, up to this one.
    Intact {
        /// The newest record.
        seq: i64,
    },
    /// The record with this number is not what was written, or is missing.
    Broken {
        /// Its number.
        seq: i64,
    },
    /// The end was cut off.
    Truncated {
        /// The newest record there is.
        seq: i64,
        /// The newest record that was seen before.
        remembered: i64,
    },
    /// The checkpoint at this number, or the remembered head, belongs to another key.
    UnknownKey {
        /// Its number.
        seq: i64,
    },
}

/// The heads that were seen last, kept away from the stores: who cuts off an audit's end does not reach this too by the same mistake.
/// By state directory and not by key: a directory whose key was exchanged must not look like one that was never seen.
type Memories = BTreeMap<String, Memory>;

/// The head of one directory.
#[derive(Debug, Serialize, Deserialize)]
struct Memory {
    seq: i64,
    hash: String,
    key: String,
}

/// Checks the audit in `state_dir` against the head remembered for it in the file `memory`. When it is intact, its present end is
/// remembered.
///
/// # Errors
/// [`OfflineError`]: nothing was found out.
pub fn verify(state_dir: &Path, memory: &Path) -> Result<Verified, OfflineError> {
    let (store, signer) = (store_in(state_dir)?, key_in(state_dir)?);
    let mut remembered = Remembered::of(state_dir, memory)?;
    let seen = match remembered.head(signer.id())? {
        Ok(seen) => seen,
        Err(other) => return Ok(Verified::UnknownKey { seq: other }),
    };
    match audit::verify(&store, &signer, seen)? {
        Finding::Intact(end) => {
            remembered.renew(&end, signer.id())?;
            Ok(Verified::Intact { seq: end.seq })
        }
        Finding::Broken(seq) => Ok(Verified::Broken { seq }),
        Finding::Truncated { found, remembered } => Ok(Verified::Truncated { seq: found, remembered }),
        Finding::UnknownKey(seq) => Ok(Verified::UnknownKey { seq }),
    }
}

/// Remembers the present end of the audit in `state_dir` in the file `memory`, without checking what is before it: cheap, for a host that
/// has just stopped. `false`: what was remembered before is not in this audit, and stays remembered.
///
/// # Errors
/// [`OfflineError`]: nothing is remembered.
pub fn remember(state_dir: &Path, memory: &Path) -> Result<bool, OfflineError> {
    let (store, signer) = (store_in(state_dir)?, key_in(state_dir)?);
    let mut remembered = Remembered::of(state_dir, memory)?;
    let Ok(seen) = remembered.head(signer.id())? else { return Ok(false) };
    let (end, kept) = audit::end(&store, seen)?;
    if kept {
        remembered.renew(&end, signer.id())?;
    }
    Ok(kept)
}

/// The process of the host that uses `state_dir`, as it wrote it down there: `None` when the last one stopped in order. One that was killed is
/// still named, so this says who it is and not that it is there.
pub fn process(state_dir: &Path) -> Option<u32> {
    state::holder(state_dir)
}

/// Copies the store in `state_dir` to the new file `target`, and answers its size in bytes. Nobody writes it down: no host runs.
///
/// # Errors
/// [`OfflineError`]: there is no copy.
pub fn backup(state_dir: &Path, target: &Path) -> Result<u64, OfflineError> {
    store::copy(&store_in(state_dir)?, target).map_err(|error| OfflineError::Target(error.to_string()))
}

pub(super) fn store_in(state_dir: &Path) -> Result<PathBuf, OfflineError> {
    let store = state_dir.join(STORE);
    // Opened, not looked for: SQLite would not say why it cannot.
    match File::open(&store) {
        Ok(_it_may_be_read) => Ok(store),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(OfflineError::NoStore(state_dir.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            Err(OfflineError::Store(format!("{}: {error}. Run this as the user Quarterdeck runs as", store.display())))
        }
        Err(error) => Err(OfflineError::Store(format!("{}: {error}", store.display()))),
    }
}

pub(super) fn key_in(state_dir: &Path) -> Result<Signer, OfflineError> {
    match Signer::existing(state_dir) {
        Ok(Some(signer)) => Ok(signer),
        Ok(None) => Err(OfflineError::NoKey(state_dir.to_owned())),
        Err(error) => Err(OfflineError::Key(error.to_string())),
    }
}

/// The file of memories, and which of them is meant.
pub(super) struct Remembered<'p> {
    path: &'p Path,
    all: Memories,
    /// The state directory, by its real name.
    here: String,
}

impl Remembered<'_> {
    pub(super) fn of<'p>(state_dir: &Path, path: &'p Path) -> Result<Remembered<'p>, OfflineError> {
        let failed = |cause| OfflineError::Memory { path: path.to_owned(), cause };
        let all = match std::fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| failed(error.into()))?,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Memories::new(),
            Err(cause) => return Err(failed(cause)),
        };
        let here = std::fs::canonicalize(state_dir).map_err(|error| OfflineError::Store(error.to_string()))?;
        Ok(Remembered { path, all, here: here.to_string_lossy().into_owned() })
    }

    /// The head that was seen last, or (`Err`) its number when it was another key's.
    pub(super) fn head(&self, key: &str) -> Result<Result<Option<Head>, i64>, OfflineError> {
        let Some(seen) = self.all.get(&self.here) else { return Ok(Ok(None)) };
        if seen.key != key {
            return Ok(Err(seen.seq));
        }
        let not_a_hash = || io::Error::new(io::ErrorKind::InvalidData, "its hash is not 64 hexadecimal characters");
        let hash = Digest::parse_hex(&seen.hash).ok_or_else(not_a_hash);
        let hash = hash.map_err(|cause| OfflineError::Memory { path: self.path.to_owned(), cause })?;
        Ok(Ok(Some(Head { seq: seen.seq, hash })))
    }

    /// Keeps `end` in place of an earlier one. Written beside and renamed: a kill leaves the old memory or the new one.
    fn renew(&mut self, end: &Head, key: &str) -> Result<(), OfflineError> {
        if self.all.get(&self.here).is_some_and(|seen| end.seq <= seen.seq) {
            return Ok(());
        }
        let memory = Memory { seq: end.seq, hash: end.hash.hex(), key: key.to_owned() };
        self.all.insert(self.here.clone(), memory);
        let failed = |cause| OfflineError::Memory { path: self.path.to_owned(), cause };
        let fresh = self.path.with_extension(format!("json.{}", std::process::id()));
        let text = serde_json::to_vec(&self.all).map_err(|error| failed(error.into()))?;
        let write = || {
            if let Some(parent) = self.path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
            file.write_all(&text)?;
            file.sync_all()?;
            std::fs::rename(&fresh, self.path)
        };
        write().map_err(failed)
    }
}
