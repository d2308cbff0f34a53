//! From a key to an entry of the table.

use super::{Entry, INTENTS, Key, Place};

/// The entry a key means in the first of `places` where it means something.
pub(crate) fn find(key: Key, places: &[Place]) -> Option<&'static Entry> {
    places.iter().find_map(|place| in_place(*place).find(|entry| entry.keys.contains(&key)))
}

/// All entries of a place, in the order they are shown.
pub(crate) fn in_place(place: Place) -> impl Iterator<Item = &'static Entry> {
    INTENTS.iter().filter(move |entry| entry.place == place)
}
