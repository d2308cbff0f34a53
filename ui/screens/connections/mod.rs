//! Connections: who may come in, what each may do and does, and how it ends.

mod update;
mod view;

pub(crate) use update::{answered, counted, facts, forget, heard, panes, rested, select, step, update, wants};
pub(crate) use view::view;

use std::time::Duration;

use crate::app::Facts;
use crate::screens::{Of, Pane};
use crate::widgets::Selection;

/// How much of the width the list has, in percent.
pub(crate) const SPLIT: u16 = 54;

/// What the screen remembers.
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    pub(crate) focus: Pane,
    /// By grant.
    pub(crate) grants: Selection<String>,
    /// Only rows with these letters are shown.
    pub(crate) filter: String,
    /// When the cursor has rested long enough on a row for its detail to be asked for.
    pub(crate) due: Option<Duration>,
}

impl Connections {
    /// The screen as it starts.
    pub(crate) fn new(facts: &Facts) -> Connections {
        let mut screen = Connections { focus: Pane::Grants, grants: Selection::default(), filter: String::new(), due: None };
        screen.keep(facts);
        screen
    }

    /// Called when the facts changed.
    pub(crate) fn keep(&mut self, facts: &Facts) {
        let ids = self.grant_ids(facts);
        self.grants.begin(&ids);
        self.grants.keep(&ids);
    }

    /// The grants that are shown.
    pub(crate) fn grant_ids(&self, facts: &Facts) -> Vec<String> {
        let fits = |name: &str| name.contains(self.filter.as_str());
        facts.connections.iter().filter(|one| fits(&one.name)).map(|one| one.grant.clone()).collect()
    }

    /// Selects a connection.
    pub(crate) fn choose(&mut self, facts: &Facts, grant: &str) {
        self.focus = Pane::Grants;
        self.filter.clear();
        self.grants.choose(self.grant_ids(facts).iter().find(|id| *id == grant));
    }

    /// What is selected in the focused pane.
    pub(crate) fn choice(&self) -> Option<Of> {
        self.grants.chosen().cloned().map(Of::Connection)
    }
}
