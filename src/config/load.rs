//! Loading: the sources one over the other, then what only the whole can tell.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::given::Given;
use super::key::Key;
use super::{Config, ConfigError, Place, check, environment, file};

/// Where configuration comes from.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The file.
    pub file: PathBuf,
    /// Whether somebody named it (`--config`, `QUARTERDECK_CONFIG`): then it must exist.
    pub file_is_named: bool,
    /// The environment, as it is; only `QUARTERDECK_…` is looked at.
    pub environment: Vec<(OsString, OsString)>,
    /// Variables of that prefix which are not configuration: the terminal reads them itself.
    pub read_elsewhere: &'static [&'static str],
    /// What was typed.
    pub flags: Flags,
    /// The state directory when nobody names one.
    pub default_state_dir: PathBuf,
}

/// What was typed on the command line, as it was typed.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `--state-dir`.
    pub state_dir: Option<PathBuf>,
    /// `--listen`: addresses between commas.
    pub listen: Option<String>,
    /// `--public-url`.
    pub public_url: Option<String>,
}

/// A value for a key, and where it was set.
pub(super) struct Setting {
    pub(super) key: &'static Key,
    pub(super) given: Given,
    pub(super) place: Place,
}

impl Setting {
    fn told(self) -> Set {
        Set { key: self.key.name, value: self.given.line(), place: self.place }
    }
}

/// Where each key was set last.
pub(super) type Places = BTreeMap<&'static str, Place>;

/// A value that was set and is not the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// The key: `limits.connections`.
    pub key: &'static str,
    /// The value, on one line.
    pub value: String,
    /// Where it was set.
    pub place: Place,
}

/// Reads the file and puts the sources together: flag over environment over file over default. Every value is checked, also one that
/// another source overrides.
///
/// # Errors
/// The first thing that is wrong, as one sentence: see [`ConfigError`].
pub fn load(sources: &Sources) -> Result<Config, ConfigError> {
    Ok(load_explained(sources)?.0)
}

/// The same, and what in it is not the default, by key.
///
/// # Errors
/// As [`load`].
pub fn load_explained(sources: &Sources) -> Result<(Config, Vec<Set>), ConfigError> {
    let mut config = Config::new(state_dir(sources)?);
    let (mut places, mut counts) = (Places::new(), BTreeMap::new());
    let from_file = file::settings(&sources.file, sources.file_is_named)?;
    let from_environment = environment::settings(&sources.environment, sources.read_elsewhere)?;
    for setting in from_file.into_iter().chain(from_environment).chain(flags(&sources.flags)) {
        let Setting { key, given, place } = setting;
        if let Err(wrong) = (key.set)(&mut config, &given) {
            return Err(ConfigError::Value { place, key: key.name, problem: wrong.0 });
        }
        places.insert(key.name, place.clone());
        counts.insert(key.name, Setting { key, given, place });
    }
    check::whole(&mut config, &places)?;
    let set = counts.into_values().filter(|setting| differs(setting, &config.state_dir)).map(Setting::told).collect();
    Ok((config, set))
}

/// Whether it changes anything of the defaults.
fn differs(setting: &Setting, state_dir: &Path) -> bool {
    let default = Config::new(state_dir.to_owned());
    let mut changed = default.clone();
    (setting.key.set)(&mut changed, &setting.given).is_ok() && changed != default
}

fn state_dir(sources: &Sources) -> Result<PathBuf, ConfigError> {
    let variable = sources.environment.iter().find(|(name, _)| name == environment::STATE_DIR);
    let (dir, place) = if let Some(dir) = &sources.flags.state_dir {
        (dir.clone(), Place::Flag("--state-dir"))
    } else if let Some((_, dir)) = variable {
        (PathBuf::from(dir), Place::Variable(environment::STATE_DIR.to_owned()))
    } else {
        return Ok(sources.default_state_dir.clone());
    };
    if dir.as_os_str().is_empty() { Err(ConfigError::NoStateDir(place)) } else { Ok(dir) }
}

fn flags(flags: &Flags) -> impl Iterator<Item = Setting> {
    let typed = [
        ("assistants.listen", "--listen", flags.listen.as_deref()),
        ("assistants.public_url", "--public-url", flags.public_url.as_deref()),
    ];
    typed.into_iter().filter_map(|(name, flag, text)| {
        let key = Key::named(name)?;
        Some(Setting { key, given: key.read(text?), place: Place::Flag(flag) })
    })
}
