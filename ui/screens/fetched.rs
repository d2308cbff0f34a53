//! Something that is read from the host when it is needed: not yet, being read, there, or not, and why.

use std::time::Duration;

/// A reading that takes no longer than this is not announced: it would only flicker.
const QUIET: Duration = Duration::from_millis(200);

/// Something that is read from the host.
#[derive(Clone, Debug)]
pub(crate) struct Fetched<T> {
    /// The newest there is. It stays while it is read again.
    value: Option<T>,
    state: State,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Wanted,
    /// Since when, and whether it was outdated since.
    Asked {
        since: Duration,
        outdated: bool,
    },
    Fresh,
    Failed(String),
}

/// What can be shown of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shown<'a, T> {
    There(&'a T),
    /// Why it could not be read.
    Failed(&'a str),
    /// It takes a while.
    Loading,
    /// It was not asked for, or only just now.
    Nothing,
}

impl<T> Default for Fetched<T> {
    fn default() -> Self {
        Fetched { value: None, state: State::Wanted }
    }
}

impl<T> Fetched<T> {
    /// Whether it is to be asked for; then it is being read from now on.
    pub(crate) fn ask(&mut self, now: Duration) -> bool {
        let wanted = self.state == State::Wanted;
        if wanted {
            self.state = State::Asked { since: now, outdated: false };
        }
        wanted
    }

    /// Whether it is to be asked for.
    pub(crate) fn is_wanted(&self) -> bool {
        self.state == State::Wanted
    }

    /// Whether it is being read.
    pub(crate) fn is_asked(&self) -> bool {
        matches!(self.state, State::Asked { .. })
    }

    /// It was read.
    pub(crate) fn fill(&mut self, value: T) {
        self.value = Some(value);
        let outdated = matches!(self.state, State::Asked { outdated: true, .. });
        self.state = if outdated { State::Wanted } else { State::Fresh };
    }

    /// It could not be read. What is known stays unshown: it may be wrong.
    pub(crate) fn fail(&mut self, why: &str) {
        self.state = State::Failed(why.to_owned());
    }

    /// It may be different now: it is to be read again.
    pub(crate) fn outdate(&mut self) {
        match &mut self.state {
            State::Asked { outdated, .. } => *outdated = true,
            state => *state = State::Wanted,
        }
    }

    /// An answer that is still to come is not waited for: the line to the host broke.
    pub(crate) fn forget(&mut self) {
        self.state = State::Wanted;
    }

    /// Whether it could not be read.
    pub(crate) fn is_failed(&self) -> bool {
        matches!(self.state, State::Failed(_))
    }

    /// When it is to be said that it takes a while.
    pub(crate) fn announced(&self) -> Option<Duration> {
        match self.state {
            State::Asked { since, .. } if self.value.is_none() => Some(since + QUIET),
            _ => None,
        }
    }

    /// What can be shown.
    pub(crate) fn shown(&self, now: Duration) -> Shown<'_, T> {
        match (&self.state, &self.value) {
            (State::Failed(why), _) => Shown::Failed(why),
            (_, Some(value)) => Shown::There(value),
            (State::Asked { since, .. }, None) if now >= *since + QUIET => Shown::Loading,
            _ => Shown::Nothing,
        }
    }

    /// The newest there is.
    pub(crate) fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// The same, to be changed.
    pub(crate) fn value_mut(&mut self) -> Option<&mut T> {
        self.value.as_mut()
    }
}
