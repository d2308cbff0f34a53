//! What is wrong with a theme: one sentence that says where and what is allowed.

use std::path::{Path, PathBuf};

use quarterdeck::text::Untrusted;

/// Most characters of a path, a key or a cause in a sentence.
const LONGEST: usize = 200;

/// A line of a theme's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(super) file: PathBuf,
    /// The first is 1.
    pub(super) line: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} line {}", shown(&self.file), self.line)
    }
}

/// Why a theme cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ThemeError {
    /// No theme has this name.
    #[error("{} does not exist, and no shipped theme has this name: those are light, dark and high-contrast", shown(.0))]
    Missing(PathBuf),
    /// A folder, a device, a pipe.
    #[error("{} is not a file", shown(.0))]
    NotAFile(PathBuf),
    /// The system refuses.
    #[error("{} cannot be read: {cause}", shown(.file))]
    Unreadable { file: PathBuf, cause: std::io::Error },
    /// No theme is this large.
    #[error("{} is larger than {most} bytes: it is not a theme", shown(.file))]
    TooLarge { file: PathBuf, most: u64 },
    /// Not TOML.
    #[error("{place}: this is not TOML: {}", one_line(.problem))]
    Syntax { place: Place, problem: String },
    /// A key that is no role.
    #[error("{place}: {} is not a role; the roles are {roles}", one_line(.key))]
    UnknownRole { place: Place, key: String, roles: String },
    /// A key that is no part of a style.
    #[error("{place}: {} is not a part of a style; the parts are fg, bg, bold, dim, italic, underline and reverse", one_line(.key))]
    UnknownPart { place: Place, key: String },
    /// A value that cannot be used.
    #[error("{place}: {key} must be {must}, found {found}")]
    Value { place: Place, key: String, must: &'static str, found: String },
    /// The terminal cannot show it.
    #[error("the theme {0} needs more colours than this terminal's 16: the terminal's own are used")]
    TooManyColours(String),
}

fn shown(path: &Path) -> String {
    one_line(&path.to_string_lossy())
}

pub(super) fn one_line(text: &(impl ToString + ?Sized)) -> String {
    Untrusted::new(text.to_string()).safe_line(LONGEST)
}
