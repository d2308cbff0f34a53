//! Configuration as this program finds it: the platform's directories, the environment, what was typed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use quarterdeck::config::{self, Config, Flags, Sources};

use crate::args::Options;
use crate::commands::Failure;

/// This program's folder in the platform's directories.
const FOLDER: &str = "quarterdeck";
/// The configuration file.
const FILE: &str = "quarterdeck.toml";
/// The remembered end of the audit, beside the configuration and away from the state.
const HEAD: &str = "head.json";
/// The owner's themes, beside the configuration.
const THEMES: &str = "themes";

/// What was found.
pub struct Settings {
    pub config: Config,
    /// The configuration file, whether it exists or not.
    pub file: PathBuf,
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
        let mut config = config::load(&sources).map_err(|error| Failure::new(error.to_string()))?;
        config.state_dir = std::path::absolute(&config.state_dir).unwrap_or(config.state_dir);
        Ok(Settings { config, file, environment })
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
