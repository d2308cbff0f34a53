//! Scopes: what a grant allows, in the order every document and challenge lists them.

use serde::{Deserialize, Serialize};

/// One scope. The wire names are those of the tether channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Scope {
    #[serde(rename = "context:read")]
    ContextRead,
    #[serde(rename = "memory:read")]
    MemoryRead,
    #[serde(rename = "events:read")]
    EventsRead,
    #[serde(rename = "sessions:read")]
    SessionsRead,
    #[serde(rename = "sessions:notify")]
    SessionsNotify,
    #[serde(rename = "experience:write")]
    ExperienceWrite,
}

impl Scope {
    /// All scopes in canonical order.
    pub(crate) const ALL: [Scope; 6] = [
        Scope::ContextRead,
        Scope::MemoryRead,
        Scope::EventsRead,
        Scope::SessionsRead,
        Scope::SessionsNotify,
        Scope::ExperienceWrite,
    ];

    /// The wire name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scope::ContextRead => "context:read",
            Scope::MemoryRead => "memory:read",
            Scope::EventsRead => "events:read",
            Scope::SessionsRead => "sessions:read",
            Scope::SessionsNotify => "sessions:notify",
            Scope::ExperienceWrite => "experience:write",
        }
    }

    /// What it allows, in words for the owner.
    pub(crate) fn plain_words(self) -> &'static str {
        match self {
            Scope::ContextRead => "Read your board",
            Scope::MemoryRead => "Read your memory files",
            Scope::EventsRead => "Read the journal of what your assistants did",
            Scope::SessionsRead => "Mail: see who can be reached (needed for mail, with the next)",
            Scope::SessionsNotify => "Mail: send and read (needed for mail, with the one before)",
            Scope::ExperienceWrite => "Add records of its own work to the journal",
        }
    }

    /// The scope with this wire name.
    pub(crate) fn parse(name: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

/// A set of scopes, always in canonical order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Scopes(Vec<Scope>);

impl Scopes {
    /// All of them.
    pub(crate) fn all() -> Scopes {
        Scopes(Scope::ALL.to_vec())
    }

    /// These, in canonical order, each once.
    pub(crate) fn of(some: impl IntoIterator<Item = Scope>) -> Scopes {
        let some: Vec<Scope> = some.into_iter().collect();
        Scopes(Scope::ALL.into_iter().filter(|scope| some.contains(scope)).collect())
    }

    /// A `scope` parameter (RFC 6749 section 3.3): names between spaces. Nothing means all; an unknown name is an error and is answered.
    ///
    /// # Errors
    /// The first name that is not a scope.
    pub(crate) fn parse_requested(text: &str) -> Result<Scopes, String> {
        let mut found = Vec::new();
        for name in text.split_ascii_whitespace() {
            found.push(Scope::parse(name).ok_or_else(|| name.to_owned())?);
        }
        Ok(if found.is_empty() { Scopes::all() } else { Scopes::of(found) })
    }

    /// What the store holds; names it does not know any more are left out, so an old grant never gains by it.
    pub(crate) fn parse_stored(text: &str) -> Scopes {
        Scopes::of(text.split_ascii_whitespace().filter_map(Scope::parse))
    }

    /// Those of these that are not in `other`.
    pub(crate) fn without(&self, other: &Scopes) -> Scopes {
        Scopes(self.0.iter().copied().filter(|scope| !other.has(*scope)).collect())
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each of them.
    pub(crate) fn each(&self) -> impl Iterator<Item = Scope> {
        self.0.iter().copied()
    }

    /// Whether it is there.
    pub(crate) fn has(&self, scope: Scope) -> bool {
        self.0.contains(&scope)
    }

    /// Whether all of `needed` are there.
    pub(crate) fn covers(&self, needed: &[Scope]) -> bool {
        needed.iter().all(|scope| self.has(*scope))
    }

    /// The wire names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|scope| scope.name())
    }

    /// The wire form: names between single spaces.
    pub(crate) fn joined(&self) -> String {
        self.names().collect::<Vec<_>>().join(" ")
    }
}
