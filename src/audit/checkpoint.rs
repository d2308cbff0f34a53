//! Checkpoints: every hundred records, or a minute after the first uncovered one, the head is signed with a key that only the owner's
//! account can read. A rewritten chain then needs the key too.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use parking_lot::Mutex;
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::append::Audit;
use super::model::{Head, Seq};
use super::store::{self, Checkpoint};
use crate::clock::UnixMs;
use crate::digest::Digest;
use crate::events::Event;
use crate::store::{Error, Tx};

/// Records between two checkpoints, at most.
const EVERY: i64 = 100;
/// How long a record waits for its checkpoint, at most, while the host runs.
const WITHIN: Duration = Duration::from_secs(60);
/// The file in the state directory.
const FILE: &str = "audit.key";

/// What everybody but the owner may do with a file.
const OTHERS: u32 = 0o077;

/// Why there is no signing key.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyError {
    /// The file cannot be read or made.
    #[error("{path}: {cause}")]
    File {
        /// The key file.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The file is not a key.
    #[error(
        "{path} is not an Ed25519 key: move it away and a new one is made (checkpoints signed before can then no longer be checked)"
    )]
    NotAKey {
        /// The key file.
        path: PathBuf,
    },
}

/// The key checkpoints are signed with.
pub(crate) struct Signer {
    pair: Ed25519KeyPair,
    id: String,
    /// It was made just now.
    new: bool,
    /// Its file's mode before it was closed to other users.
    was_open: Option<u32>,
}

impl Signer {
    /// Opens the key in `state_dir`, or makes it (mode 0600) when there is none; one that is open to other users is closed to them.
    pub(crate) fn open(state_dir: &Path) -> Result<Signer, KeyError> {
        let path = state_dir.join(FILE);
        let Some(signer) = Signer::existing(state_dir)? else {
            return Signer::create(path).map(|signer| Signer { new: true, ..signer });
        };
        let was_open = close(&path).map_err(|cause| KeyError::File { path, cause })?;
        Ok(Signer { was_open, ..signer })
    }

    /// Opens the key in `state_dir` if there is one: a verification must not make the key it checks against.
    pub(crate) fn existing(state_dir: &Path) -> Result<Option<Signer>, KeyError> {
        let path = state_dir.join(FILE);
        match std::fs::read(&path) {
            Ok(bytes) => Signer::parse(&bytes).map(Some).ok_or(KeyError::NotAKey { path }),
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(KeyError::File { path, cause }),
        }
    }

    fn create(path: PathBuf) -> Result<Signer, KeyError> {
        use std::io::Write as _;
        use std::os::unix::fs::OpenOptionsExt as _;
        let unusable = |cause: std::io::Error| KeyError::File { path: path.clone(), cause };
        let no_key = || KeyError::NotAKey { path: path.clone() };
        let pair = Ed25519KeyPair::generate().map_err(|_| no_key())?;
        let pkcs8 = pair.to_pkcs8().map_err(|_| no_key())?;
        // Written beside and renamed, so that a kill leaves either no key or a whole one.
        let fresh = path.with_extension("key.new");
        let _left_by_a_kill = std::fs::remove_file(&fresh);
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh).map_err(unusable)?;
        file.write_all(pkcs8.as_ref()).and_then(|()| file.sync_all()).map_err(unusable)?;
        std::fs::rename(&fresh, &path).map_err(unusable)?;
        Signer::parse(pkcs8.as_ref()).ok_or_else(no_key)
    }

    fn parse(pkcs8: &[u8]) -> Option<Signer> {
        let pair = Ed25519KeyPair::from_pkcs8(pkcs8).ok()?;
        let id = Digest::of(pair.public_key().as_ref()).short();
        Some(Signer { pair, id, new: false, was_open: None })
    }

    /// Names the key: the first 16 hexadecimal characters of the SHA-256 of its public half.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Whether there was none before this start.
    pub(super) fn is_new(&self) -> bool {
        self.new
    }

    /// The mode its file had before this start, if others could reach it.
    pub(super) fn was_open(&self) -> Option<u32> {
        self.was_open
    }

    fn sign(&self, head: &Head) -> Vec<u8> {
        self.pair.sign(&message(head)).as_ref().to_vec()
    }

    /// Whether `signature` is this key's over `head`.
    pub(crate) fn signed(&self, head: &Head, signature: &[u8]) -> bool {
        let public = UnparsedPublicKey::new(&ED25519, self.pair.public_key().as_ref());
        public.verify(&message(head), signature).is_ok()
    }
}

/// Takes other users' access to a file away, and answers its mode before if they had any.
fn close(path: &Path) -> std::io::Result<Option<u32>> {
    let mode = std::fs::metadata(path)?.permissions().mode() & 0o777;
    if mode & OTHERS == 0 {
        return Ok(None);
    }
    std::fs::set_permissions(path, Permissions::from_mode(mode & !OTHERS))?;
    Ok(Some(mode))
}

/// What is signed, in the shape of a signed note: origin, size, root.
fn message(head: &Head) -> Vec<u8> {
    format!("quarterdeck audit\n{}\n{}\n", head.seq, head.hash.hex()).into_bytes()
}

/// When no checkpoint is due, as it was found last: so that not every record asks the store. A record that is undone only makes it end
/// sooner than it had to; a transaction that is lost with a checkpoint in it can make the next one late by [`EVERY`] records.
#[derive(Debug, Default)]
pub(super) struct Pace(Mutex<Option<Rest>>);

#[derive(Clone, Copy, Debug)]
struct Rest {
    from: UnixMs,
    to: UnixMs,
    below: Seq,
}

impl Pace {
    /// Whether it is known that none is due. A clock that was set back is no reason to know anything.
    fn rests(&self, head: &Head, now: UnixMs) -> bool {
        self.0.lock().is_some_and(|rest| head.seq < rest.below && rest.from <= now && now < rest.to)
    }

    fn set(&self, rest: Option<Rest>) {
        *self.0.lock() = rest;
    }
}

impl Audit {
    /// Signs `head` when enough records came since the last checkpoint, or the first of them is old enough.
    pub(super) fn checkpoint_if_due(&self, tx: &mut Tx<'_>, head: &Head, now: UnixMs) -> Result<(), Error> {
        if self.pace.rests(head, now) {
            return Ok(());
        }
        let covered = store::last_checkpoint(tx)?.unwrap_or(0);
        let first = store::first_uncovered(tx)?;
        let many = head.seq.saturating_sub(covered) >= EVERY;
        if many || first.is_some_and(|first| now.since(first) >= WITHIN) {
            self.pace.set(None);
            return sign(tx, &self.signer, head, now);
        }
        let rest = |first: UnixMs| Rest { from: now, to: first.plus(WITHIN), below: covered.saturating_add(EVERY) };
        self.pace.set(first.map(rest));
        Ok(())
    }
}

fn sign(tx: &mut Tx<'_>, signer: &Signer, head: &Head, now: UnixMs) -> Result<(), Error> {
    let made = Checkpoint { head: *head, at: now, key_id: signer.id.clone(), signature: signer.sign(head) };
    store::insert_checkpoint(tx, &made)
}

impl Audit {
    /// Signs the present head, whatever its age: at a stop, and from [`Audit::keep_checkpoints`].
    pub(crate) async fn checkpoint(&self) -> Result<(), Error> {
        let audit = self.clone();
        self.store
            .write(move |tx| {
                let head = store::head(tx)?;
                if store::last_checkpoint(tx)?.unwrap_or(0) == head.seq {
                    return Ok(());
                }
                sign(tx, &audit.signer, &head, audit.clock.now())
            })
            .await
    }

    /// Signs the head a minute after the first record that is not covered yet; what an earlier run left uncovered counts from the start.
    /// Waits without a timer while everything is covered.
    pub(crate) async fn keep_checkpoints(self) {
        loop {
            tokio::time::sleep(WITHIN).await;
            // Listened for before it is signed: a record that comes in between is either covered or heard.
            let mut events = self.bus.listen();
            if let Err(error) = self.checkpoint().await {
                tracing::warn!(%error, "no checkpoint was written; the next record tries again");
            }
            if !recorded(&mut events).await {
                return;
            }
        }
    }
}

/// Waits for the next record; `false` when there will be none.
async fn recorded(events: &mut Receiver<Event>) -> bool {
    loop {
        match events.recv().await {
            Ok(Event::Recorded(_)) | Err(RecvError::Lagged(_)) => return true,
            Ok(_) => {}
            Err(RecvError::Closed) => return false,
        }
    }
}
