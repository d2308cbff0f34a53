//! The service: the memory folder and the journal.

use std::path::{Path, PathBuf};

use crate::Base;
use crate::clock::Clock;
use crate::id::Rng;
use crate::store::Store;

/// The folder of the board and the memory files, in the state directory.
const FOLDER: &str = "memory";

/// Board, memory files and journal; clones share them.
#[derive(Clone)]
pub(crate) struct Knowledge {
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) rng: Rng,
    folder: PathBuf,
}

impl Knowledge {
    /// Over the state directory and the store of `base`. Nothing is touched before [`Knowledge::prepare`].
    pub(crate) fn new(base: &Base) -> Knowledge {
        Knowledge {
            store: base.store.clone(),
            clock: base.clock.clone(),
            rng: base.rng.clone(),
            folder: base.config.state_dir.join(FOLDER),
        }
    }

    /// A fresh conversation id: a random UUID.
    pub(super) fn new_conversation(&self) -> String {
        uuid::Builder::from_random_bytes(self.rng.bytes::<16>()).into_uuid().to_string()
    }

    /// The memory folder: what the owner's editor opens.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}
