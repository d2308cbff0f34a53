//! Where the terminal is: at this machine or another one, and behind what.

use super::Multiplexer;

/// What lies between this program and the person's eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The person sits at another machine.
    pub(crate) remote: bool,
    pub(crate) multiplexer: Multiplexer,
}

impl Place {
    /// Reads it through `get`, which looks up one variable of the environment.
    pub(crate) fn read(get: impl Fn(&str) -> Option<String>) -> Place {
        let set = |name: &str| get(name).is_some_and(|value| !value.is_empty());
        let multiplexer = match (set("TMUX"), set("STY")) {
            (true, _) => Multiplexer::Tmux,
            (false, true) => Multiplexer::Screen,
            (false, false) => Multiplexer::None,
        };
        Place { remote: set("SSH_CONNECTION") || set("SSH_TTY"), multiplexer }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_known_by_variables_that_are_not_empty() {
        for (variables, remote, multiplexer) in [
            (&[][..], false, Multiplexer::None),
            (&[("SSH_TTY", "/dev/pts/1")], true, Multiplexer::None),
            (&[("SSH_CONNECTION", "a 1 b 2")], true, Multiplexer::None),
            (&[("TMUX", "/run/socket,1,0"), ("STY", "1.a")], false, Multiplexer::Tmux),
            (&[("STY", "1.a")], false, Multiplexer::Screen),
            (&[("TMUX", ""), ("SSH_TTY", "")], false, Multiplexer::None),
        ] {
            let place = Place::read(|name| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()));
            assert_eq!(place, Place { remote, multiplexer }, "{variables:?}");
        }
    }
}
