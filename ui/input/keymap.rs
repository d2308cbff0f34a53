//! The key map: which key means which entry of the table. The defaults are embedded; the owner's file overrides single lines.

use std::collections::{BTreeMap, HashMap};

use super::intent::in_place;
use super::keyfile;
use super::problem::KeymapError;
use super::rules::Written;
use super::{Entry, INTENTS, Intent, Key, Place};

/// The defaults: a key for every intent that has one.
pub(super) const DEFAULTS: &str = include_str!("../../assets/keymap.toml");

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
    /// The defaults with the lines of the owner's file over them. `file` is what its errors call it.
    pub(crate) fn load(text: &str, file: &str) -> Result<Keymap, KeymapError> {
        let (lines, mut problems) = keyfile::read(text, file);
        let mut map = Keymap::default();
        let numbers = lines.iter().map(|line| ((line.entry.place, line.entry.intent), line.number)).collect();
        map.keys.extend(lines.into_iter().map(|line| ((line.entry.place, line.entry.intent), line.keys)));
        problems.extend(Written { map: &map, file, numbers: &numbers }.problems());
        problems.sort_by_key(|problem| problem.number());
        if problems.is_empty() { Ok(map) } else { Err(KeymapError(problems)) }
    }

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
        self.keys(entry).first().map(|key| key.sign()).unwrap_or_default()
    }

    /// How the palette is opened: the way to every intent without a key.
    pub(crate) fn palette(&self) -> String {
        in_place(Place::Everywhere)
            .find(|entry| entry.intent == Intent::Palette)
            .map(|entry| self.first(entry))
            .unwrap_or_default()
    }

    /// A sentence with the key of every intent it names in braces, `{down}`. One without a key is found by its name in the palette.
    pub(crate) fn say(&self, sentence: &str) -> String {
        let mut parts = sentence.split('{');
        let mut said = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}').unwrap_or(("", part));
            said.push_str(&self.called(name));
            said.push_str(rest);
        }
        said
    }

    /// What to press for the intent of this name, wherever it has a key.
    fn called(&self, name: &str) -> String {
        let mut entries = INTENTS.iter().filter(|entry| entry.name == name);
        let key = entries.find_map(|entry| self.keys(entry).first());
        key.map_or_else(|| format!("{} {name}", self.palette()), |key| key.sign())
    }

    /// All keys of an entry, as the help shows them.
    pub(crate) fn shown(&self, entry: &Entry) -> String {
        self.keys(entry).iter().map(|key| key.sign()).collect::<Vec<_>>().join(" ")
    }
}
