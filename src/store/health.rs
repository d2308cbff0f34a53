//! What the owner is told when the disk is full or the file cannot be read.

use parking_lot::Mutex;
use rusqlite::ErrorCode;
use tokio::sync::watch;

use super::{Error, check};

/// Whether the store can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Health {
    /// The last commit succeeded, and nothing that was read was damaged.
    Good,
    /// It could not be read or written, for this reason. The writer probes until it can.
    Failing(String),
}

/// What the writer knows of the store, and the readers tell it.
pub(super) struct Condition {
    tell: watch::Sender<Health>,
    /// What could not be read. Until it can, nothing is written: it could make the damage worse.
    unreadable: Mutex<Option<Error>>,
}

impl Condition {
    pub(super) fn new(tell: watch::Sender<Health>) -> Condition {
        Condition { tell, unreadable: Mutex::new(None) }
    }

    pub(super) fn is_good(&self) -> bool {
        *self.tell.borrow() == Health::Good
    }

    /// A change is told once.
    pub(super) fn tell(&self, health: Health) {
        self.tell.send_if_modified(|now| std::mem::replace(now, health.clone()) != health);
    }

    /// A write was not taken, or damage was met.
    pub(super) fn failing(&self, fault: &Error) {
        if fault.damage().is_some() {
            *self.unreadable.lock() = Some(fault.clone());
        }
        self.tell(Health::Failing(fault.to_string()));
    }

    /// Something could not be read.
    pub(super) fn unreadable(&self, fault: Error) {
        self.tell(Health::Failing(fault.to_string()));
        *self.unreadable.lock() = Some(fault);
    }

    /// What could not be read, if that is so.
    pub(super) fn damage(&self) -> Option<Error> {
        self.unreadable.lock().clone()
    }

    /// Everything can be read and written again.
    pub(super) fn mended(&self) {
        *self.unreadable.lock() = None;
        self.tell(Health::Good);
    }
}

impl Error {
    /// What is wrong with the file, if it is the file.
    pub(crate) fn damage(&self) -> Option<String> {
        match self {
            Error::Sqlite(error) if check::is_damage(error) => Some(error.to_string()),
            _ => None,
        }
    }
}

/// Whether an error is about the file and its disk, not about what was asked.
pub(super) fn is_fault(error: &rusqlite::Error) -> bool {
    use ErrorCode as E;
    let faults =
        [E::DiskFull, E::SystemIoFailure, E::DatabaseCorrupt, E::NotADatabase, E::CannotOpen, E::ReadOnly, E::OutOfMemory];
    error.sqlite_error_code().is_some_and(|code| faults.contains(&code))
}
