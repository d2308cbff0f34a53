//! Configuration as this program finds it: the platform's directories, the environment, what was typed.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use quarterdeck::config::{self, Config, Flags, Sources};

use crate::args::Options;
use crate::commands::Failure;
use crate::input::Keymap;

/// This program's folder in the platform's directories.
const FOLDER: &str = "quarterdeck";
/// The configuration file.
const FILE: &str = "quarterdeck.toml";
/// The owner's keys, beside the configuration.
const KEYMAP: &str = "keymap.toml";
/// Largest key map that is read.
const MOST: u64 = 1 << 16;
/// The remembered end of the audit, beside the configuration and away from the state.
const HEAD: &str = "head.json";
/// The owner's themes, beside the configuration.
const THEMES: &str = "themes";

/// Names the state directory.
const STATE_DIR: &str = "QUARTERDECK_STATE_DIR";

/// What was found.
pub struct Settings {
    pub config: Config,
    /// The configuration file, whether it exists or not.
    pub file: PathBuf,
    /// What in it is not the default, and where it was set.
    pub set: Vec<config::Set>,
    /// Where the state directory was named; `None` is the platform's own place.
    pub state_dir_from: Option<&'static str>,
    /// `--state-dir` as it was typed.
    pub typed_state_dir: Option<PathBuf>,
    environment: Vec<(OsString, OsString)>,
}

impl Settings {
    /// Loads them. This is the only place that reads the environment.
    pub fn load(options: &Options) -> Result<Settings, Failure> {
        let homes = etcetera::base_strategy::choose_native_strategy()
            .map_err(|_| Failure::new("your home directory is not known: set HOME, or name --config and --state-dir".to_owned()));
        let (named, state) = (options.config.clone(), options.state_dir.clone());
        let (file, default_state_dir) = match (homes, named.clone(), state) {
            (Ok(homes), named, _) => {
                (named.unwrap_or_else(|| homes.config_dir().join(FOLDER).join(FILE)), homes.data_dir().join(FOLDER))
            }
            (Err(_), Some(named), Some(state)) => (named, state),
            (Err(failure), _, _) => return Err(failure),
        };
        let environment: Vec<_> = std::env::vars_os().collect();
        let sources = Sources {
            file: file.clone(),
            file_is_named: named.is_some(),
            environment: environment.clone(),
            read_elsewhere: &[],
            flags: Flags {
                state_dir: options.state_dir.clone(),
                listen: options.listen.clone(),
                public_url: options.public_url.clone(),
            },
            default_state_dir,
        };
        let (mut config, set) = config::load_explained(&sources).map_err(|error| Failure::new(error.to_string()))?;
        config.state_dir = std::path::absolute(&config.state_dir).unwrap_or(config.state_dir);
        let variable = environment.iter().any(|(name, _)| name == STATE_DIR).then_some(STATE_DIR);
        let state_dir_from = options.state_dir.as_ref().map(|_| "--state-dir").or(variable);
        Ok(Settings { config, file, set, state_dir_from, typed_state_dir: options.state_dir.clone(), environment })
    }

    /// The keys: the defaults, with the owner's file over them when there is one.
    pub fn keymap(&self) -> Result<Keymap, Failure> {
        let file = self.file.with_file_name(KEYMAP);
        let name = file.display().to_string();
        let Some(text) = read(&file).map_err(|why| Failure::new(format!("{name} cannot be read: {why}")))? else {
            return Ok(Keymap::default());
        };
        Keymap::load(&text, &name).map_err(|error| Failure::all(error.sentences()))
    }

    /// Where everything is kept.
    pub fn state_dir(&self) -> &Path {
        &self.config.state_dir
    }

    /// What the environment says, about the terminal for example.
    pub fn variable(&self, name: &str) -> Option<String> {
        let (_, value) = self.environment.iter().find(|(key, _)| key == name)?;
        value.clone().into_string().ok()
    }

    /// Where the owner's themes are.
    pub fn themes(&self) -> PathBuf {
        self.file.with_file_name(THEMES)
    }

    /// Where the end of the audit is remembered.
    pub fn head(&self) -> PathBuf {
        self.file.with_file_name(HEAD)
    }
}

/// A small file of text; `None` when it does not exist.
fn read(file: &Path) -> io::Result<Option<String>> {
    match std::fs::metadata(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
        // Looked at before it is opened: opening a pipe would wait for somebody to write into it.
        Ok(found) if !found.is_file() => return Err(io::Error::other("it is no file")),
        Ok(_) => {}
    }
    let mut text = String::new();
    std::fs::File::open(file)?.take(MOST + 1).read_to_string(&mut text)?;
    if u64::try_from(text.len()).unwrap_or(u64::MAX) > MOST {
        return Err(io::Error::other("it is larger than a key map can be"));
    }
    Ok(Some(text))
}
