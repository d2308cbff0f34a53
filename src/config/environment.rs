//! The environment: `QUARTERDECK_<SECTION>_<KEY>` for every key, and no other variable of that prefix.

use std::ffi::OsString;

use super::key::{KEYS, Key};
use super::load::Setting;
use super::nearest::nearest;
use super::{ConfigError, Place};

/// What every variable of this program begins with.
pub(super) const PREFIX: &str = "QUARTERDECK_";
/// The state directory: not a key, because the file may be looked for in it.
pub(super) const STATE_DIR: &str = "QUARTERDECK_STATE_DIR";
/// The file: read by whoever fills in the sources.
const CONFIG: &str = "QUARTERDECK_CONFIG";

/// The settings in `pairs`, in the order of the keys. `elsewhere` are variables that somebody else reads.
pub(super) fn settings(pairs: &[(OsString, OsString)], elsewhere: &[&str]) -> Result<Vec<Setting>, ConfigError> {
    let variables: Vec<(String, &Key)> = KEYS.iter().map(|key| (key.variable(), key)).collect();
    let mut settings = Vec::new();
    for (name, value) in pairs {
        let name = name.to_string_lossy();
        if !name.starts_with(PREFIX) || [CONFIG, STATE_DIR].contains(&&*name) || elsewhere.contains(&&*name) {
            continue;
        }
        let Some((_, key)) = variables.iter().find(|(variable, _)| *variable == name) else {
            let known = variables.iter().map(|(variable, _)| variable.as_str()).chain([CONFIG, STATE_DIR]);
            let nearest = nearest(&name, known.chain(elsewhere.iter().copied())).map(str::to_owned);
            return Err(ConfigError::UnknownVariable { name: name.into_owned(), nearest });
        };
        let value = value.to_str().ok_or_else(|| ConfigError::VariableNotUtf8(name.to_string()))?;
        settings.push(Setting { key, given: key.read(value), place: Place::Variable(name.into_owned()) });
    }
    Ok(settings)
}
