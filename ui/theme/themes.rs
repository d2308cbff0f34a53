//! Which theme the owner wants, and where it comes from: the owner's file in the folder of themes, or a shipped one of that name.

use std::path::{Path, PathBuf};

use quarterdeck::config::{self, ThemeChoice};

use super::error::ThemeError;
use super::palette::Palette;
use super::shipped::shipped;
use super::{Background, Depth, Theme, file};
use crate::terminal::Environment;

/// What to draw in, and what does not change when its file does.
#[derive(Clone, Debug)]
pub(crate) struct Themes {
    /// The terminal's own colours.
    own: Theme,
    /// The theme that was chosen: its name, and the owner's file for it. `None`: the terminal's own colours.
    chosen: Option<(String, PathBuf)>,
}

impl Themes {
    /// As `config` says for a terminal like this; the owner's themes are in `folder`. `ask` asks the terminal for its background and is
    /// only called when the answer decides something.
    pub(crate) fn new(
        config: &config::Terminal,
        folder: &Path,
        environment: &Environment,
        ask: impl FnOnce() -> Option<Background>,
    ) -> Themes {
        let ascii = config.ascii.unwrap_or(!environment.utf8);
        let mut own = Theme::of(environment, ascii);
        (own.qr_colour, own.host) = (config.qr_color, config.accent);
        let name = match &config.theme {
            ThemeChoice::Named(name) => Some(name.clone()),
            ThemeChoice::Auto if own.colour && own.depth > Depth::Sixteen => ask().map(|background| match background {
                Background::Light => "light".to_owned(),
                Background::Dark => "dark".to_owned(),
            }),
            ThemeChoice::Auto | ThemeChoice::Terminal => None,
        };
        let chosen = name.map(|name| {
            let file = file_of(folder, &name);
            (name, file)
        });
        Themes { own, chosen }
    }

    /// Whether the theme that `config` names can be read.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn check(config: &config::Terminal, folder: &Path) -> Result<(), ThemeError> {
        match &config.theme {
            ThemeChoice::Named(name) => palette(name, &file_of(folder, name)).map(drop),
            ThemeChoice::Auto | ThemeChoice::Terminal => Ok(()),
        }
    }

    /// The theme to begin with, and a sentence when it is not the one that was chosen.
    pub(crate) fn first(&self) -> (Theme, Option<String>) {
        match self.load() {
            Ok(theme) => (theme, None),
            Err(error) => (self.own.clone(), Some(error.to_string())),
        }
    }

    /// The theme as its file is now.
    ///
    /// # Errors
    /// What is wrong with it, or that the terminal cannot show it: see [`ThemeError`].
    pub(crate) fn load(&self) -> Result<Theme, ThemeError> {
        let Some((name, file)) = &self.chosen else { return Ok(self.own.clone()) };
        let palette = palette(name, file)?;
        if self.own.colour && self.own.depth == Depth::Sixteen && palette.needs() > Depth::Sixteen {
            return Err(ThemeError::TooManyColours(name.clone()));
        }
        Ok(self.own.with(palette))
    }

    /// The file whose changes show.
    pub(super) fn file(&self) -> Option<&Path> {
        self.chosen.as_ref().map(|(_, file)| file.as_path())
    }
}

fn file_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.toml"))
}

/// The owner's file goes over a shipped theme of the same name.
fn palette(name: &str, file: &Path) -> Result<Palette, ThemeError> {
    match (file::read(file), shipped(name)) {
        (Ok(text), _) => file::parse(file, &text),
        (Err(ThemeError::Missing(_)), Some(text)) => file::parse(Path::new(name), text),
        (Err(error), _) => Err(error),
    }
}
