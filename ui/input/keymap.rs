//! The key map: which key means which entry of the table. The defaults are embedded; the owner's file overrides single lines.

use std::collections::{BTreeMap, HashMap};

use super::intent::in_place;
use super::{Entry, INTENTS, Intent, Key, Place};

/// The defaults: a key for every intent that has one.
const DEFAULTS: &str = include_str!("../../assets/keymap.toml");

/// Sections, names, keys: as the file is written.
type File = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Which keys mean what.
#[derive(Clone, Debug)]
pub(crate) struct Keymap {
    keys: HashMap<(Place, Intent), Vec<Key>>,
}

impl Default for Keymap {
    fn default() -> Keymap {
        // A test reads every line of it.
        let file: File = toml::from_str(DEFAULTS).unwrap_or_default();
        let keys_of = |entry: &Entry| -> Vec<Key> {
            let names = file.get(entry.place.section()).and_then(|section| section.get(entry.name));
            names.into_iter().flatten().filter_map(|name| Key::parse(name)).collect()
        };
        Keymap { keys: INTENTS.iter().map(|entry| ((entry.place, entry.intent), keys_of(entry))).collect() }
    }
}

impl Keymap {
    /// The entry a key means in the first of `places` where it means something.
    pub(crate) fn find(&self, key: Key, places: &[Place]) -> Option<&'static Entry> {
        places.iter().find_map(|place| in_place(*place).find(|entry| self.keys(entry).contains(&key)))
    }

    /// The keys of an entry, the one that is shown first in front.
    pub(crate) fn keys(&self, entry: &Entry) -> &[Key] {
        self.keys.get(&(entry.place, entry.intent)).map_or(&[], Vec::as_slice)
    }

    /// The key that stands in the key bar; nothing when it has none.
    pub(crate) fn first(&self, entry: &Entry) -> String {
        self.keys(entry).first().map(ToString::to_string).unwrap_or_default()
    }

    /// All keys of an entry, as the help shows them.
    pub(crate) fn shown(&self, entry: &Entry) -> String {
        self.keys(entry).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }
}
