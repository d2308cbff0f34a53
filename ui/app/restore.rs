//! What a control center remembers from one start to the next: where the owner was looking, and how. Never an overlay, never a question,
//! never anything that was decided. A file that is damaged or of another version gives what it can; with two terminals, the last one wins.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use super::keys::SPLIT;
use super::{Effect, Model};
use crate::input::INTENTS;
use crate::screens::{self, Screen, Size};
use crate::widgets::Field;

/// Its file in the state directory.
pub(crate) const FILE: &str = "terminal.json";
/// Largest file that is read.
const MOST: u64 = 1 << 16;
/// Most characters of a filter that is brought back.
const LONGEST: usize = 500;

/// What is remembered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Remembered {
    #[serde(deserialize_with = "or_nothing")]
    screen: Screen,
    /// By screen, as they were typed.
    #[serde(deserialize_with = "or_nothing")]
    filters: BTreeMap<Screen, String>,
    #[serde(deserialize_with = "or_nothing")]
    splits: Vec<Split>,
    /// The grants that were selected, by screen.
    #[serde(deserialize_with = "or_nothing")]
    selected: BTreeMap<Screen, String>,
    /// The commands that were run last, by name.
    #[serde(deserialize_with = "or_nothing")]
    recent: Vec<String>,
}

/// How much of the width a list has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Split {
    screen: Screen,
    size: Size,
    percent: u16,
}

/// A part that cannot be read is as if it were not there, and takes no other part with it.
fn or_nothing<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(from: D) -> Result<T, D::Error> {
    let value = serde_json::Value::deserialize(from)?;
    Ok(serde_json::from_value(value).unwrap_or_else(|error| {
        tracing::info!(%error, "a part of what the terminal remembered was ignored");
        T::default()
    }))
}

impl Model {
    /// What the next start brings back.
    pub(crate) fn remember(&self) -> Remembered {
        let filters = Screen::ALL.map(|screen| (screen, screens::filter_of(self, screen).to_owned()));
        let selected =
            [(Screen::Overview, self.overview.connections.chosen()), (Screen::Connections, self.connections.grants.chosen())];
        let split = |(&(screen, size), &percent): (&(Screen, Size), &u16)| Split { screen, size, percent };
        Remembered {
            screen: self.screen,
            filters: filters.into_iter().filter(|(_, text)| !text.is_empty()).collect(),
            splits: self.splits.iter().map(split).collect(),
            selected: selected.into_iter().filter_map(|(screen, grant)| Some((screen, grant?.clone()))).collect(),
            recent: self.recent.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    /// Goes back to where the owner was, as far as that is still there. What the screen lacks is asked for.
    pub(crate) fn restore(&mut self, remembered: Remembered) -> Vec<Effect> {
        for (screen, text) in &remembered.filters {
            // The filter of a screen is changed on that screen.
            self.screen = *screen;
            // A field takes only what could have been typed.
            let text = Field::new(LONGEST).holding(text);
            screens::filtered(self, text.text());
        }
        self.screen = remembered.screen;
        let bounded = |split: Split| ((split.screen, split.size), split.percent.clamp(*SPLIT.start(), *SPLIT.end()));
        self.splits = remembered.splits.into_iter().map(bounded).collect();
        for (screen, grant) in &remembered.selected {
            let is = |id: &&String| *id == grant;
            match screen {
                Screen::Overview => self.overview.connections.choose(self.overview.grant_ids(&self.facts).iter().find(is)),
                Screen::Connections => self.connections.grants.choose(self.connections.grant_ids(&self.facts).iter().find(is)),
                Screen::Audit => {}
            }
        }
        let known = |name: &String| INTENTS.iter().find(|entry| entry.name == name).map(|entry| entry.name);
        self.recent = remembered.recent.iter().filter_map(known).collect();
        self.changed = true;
        screens::keep(self)
    }
}

/// What was remembered in `file`: nothing when there is no such file, or it cannot be read.
pub(crate) fn load(file: &Path) -> Remembered {
    let read = || -> io::Result<Remembered> {
        let mut bytes = Vec::new();
        std::fs::File::open(file)?.take(MOST).read_to_end(&mut bytes)?;
        Ok(serde_json::from_slice(&bytes)?)
    };
    read().unwrap_or_else(|error| {
        if error.kind() != ErrorKind::NotFound {
            tracing::info!(%error, "what the terminal remembered was ignored");
        }
        Remembered::default()
    })
}

/// Keeps it in `file`. Written beside and renamed: a kill leaves the old memory or the new one.
pub(crate) fn save(file: &Path, remembered: &Remembered) -> io::Result<()> {
    let fresh = file.with_extension(format!("json.{}", std::process::id()));
    let text = serde_json::to_vec(remembered)?;
    let _left_by_a_kill = std::fs::remove_file(&fresh);
    let mut open = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh)?;
    open.write_all(&text)?;
    std::fs::rename(&fresh, file)
}
