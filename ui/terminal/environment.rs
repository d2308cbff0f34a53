//! What kind of terminal this is, read once from the environment.

use super::rehearsal::{self, Rehearsal};
use crate::theme::Depth;

/// What the environment says about the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Environment {
    /// `TERM=dumb`, or none at all: it cannot move its cursor.
    pub(crate) dumb: bool,
    /// It shows more than ASCII.
    pub(crate) utf8: bool,
    /// `NO_COLOR` is set and not empty.
    pub(crate) no_color: bool,
    pub(crate) depth: Depth,
    /// A fault to show; only ever set by tests.
    pub(crate) rehearsal: Option<Rehearsal>,
}

impl Environment {
    /// Reads it through `get`, which looks up one variable.
    pub(crate) fn read(get: impl Fn(&str) -> Option<String>) -> Environment {
        let set = |name: &str| get(name).filter(|value| !value.is_empty());
        let term = set("TERM").unwrap_or_default();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default().to_ascii_lowercase();
        let unicode = locale.contains("utf-8") || locale.contains("utf8");
        let true_colour = set("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit");
        Environment {
            dumb: term.is_empty() || term == "dumb",
            utf8: unicode && term != "linux",
            no_color: set("NO_COLOR").is_some(),
            depth: match true_colour {
                true => Depth::True,
                false if term.contains("256color") => Depth::Indexed,
                false => Depth::Sixteen,
            },
            rehearsal: set(rehearsal::VARIABLE).and_then(|name| Rehearsal::named(&name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Environment {
        Environment::read(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn the_first_locale_variable_that_is_set_decides() {
        assert!(read(&[("LANG", "en_US.UTF-8"), ("TERM", "xterm")]).utf8);
        assert!(!read(&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8"), ("TERM", "xterm")]).utf8);
        assert!(!read(&[("LANG", "en_US.UTF-8"), ("TERM", "linux")]).utf8);
        assert!(!read(&[("TERM", "xterm")]).utf8);
    }

    #[test]
    fn a_terminal_without_a_name_is_dumb() {
        assert!(read(&[]).dumb);
        assert!(read(&[("TERM", "dumb")]).dumb);
        assert!(!read(&[("TERM", "xterm-256color")]).dumb);
    }

    #[test]
    fn no_color_counts_only_when_it_is_not_empty() {
        assert!(read(&[("NO_COLOR", "1")]).no_color);
        assert!(!read(&[("NO_COLOR", "")]).no_color);
    }

    #[test]
    fn colours_go_from_sixteen_to_all() {
        assert_eq!(read(&[("TERM", "xterm")]).depth, Depth::Sixteen);
        assert_eq!(read(&[("TERM", "xterm-256color")]).depth, Depth::Indexed);
        assert_eq!(read(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]).depth, Depth::True);
    }
}
