//! Overview: what the owner sees first. What to do next until an assistant is connected, what waits, who is connected, what happens.
//!
//! Nothing can be approved here: only a passkey approves. Rows are held by id, and new ones are added below (or, in the activity, above
//! but only while it is followed), so nothing moves under the cursor.

mod layout;
mod rows;
mod start;
#[cfg(test)]
mod tests;

mod update;
mod view;

pub(crate) use update::{oldest, resume, select, step, update};
pub(crate) use view::{counted, view};

use crate::app::Facts;
use crate::screens::{Of, Pane};
use crate::widgets::Selection;

/// What the screen remembers.
#[derive(Clone, Debug)]
pub(crate) struct Overview {
    pub(crate) focus: Pane,
    /// By the waiting authorization's id.
    pub(crate) needs: Selection<String>,
    /// By grant.
    pub(crate) connections: Selection<String>,
    /// By record number. Something is selected only while the activity is not followed.
    pub(crate) activity: Selection<i64>,
    /// An assistant was connected already while this terminal was open: its owner knows how to connect one.
    pub(crate) had_connection: bool,
    /// Not followed: the newest record that is shown.
    pub(crate) paused: Option<i64>,
    /// Only rows with these letters are shown.
    pub(crate) filter: String,
}

impl Overview {
    /// The screen as it starts: the focus is on what most likely matters.
    pub(crate) fn new(facts: &Facts) -> Overview {
        let mut overview = Overview {
            focus: if facts.waiting.is_empty() { Pane::Connections } else { Pane::Needs },
            needs: Selection::default(),
            connections: Selection::default(),
            activity: Selection::default(),
            had_connection: false,
            paused: None,
            filter: String::new(),
        };
        overview.keep(facts);
        overview
    }

    /// Called when the facts changed.
    pub(crate) fn keep(&mut self, facts: &Facts) {
        let (needs, connections) = (waiting_ids(facts), grant_ids(facts));
        self.needs.begin(&needs);
        self.needs.keep(&needs);
        self.connections.begin(&connections);
        self.connections.keep(&connections);
        self.had_connection |= facts.connected();
        self.activity.keep(&self.record_ids(facts));
        let panes = panes(facts);
        if !panes.contains(&self.focus) {
            self.focus = panes.last().copied().unwrap_or(Pane::Activity);
        }
    }

    /// The numbers of the records that are shown, newest first.
    pub(crate) fn record_ids(&self, facts: &Facts) -> Vec<i64> {
        let newest = self.paused.unwrap_or(i64::MAX);
        facts.activity.iter().rev().map(|row| row.seq).filter(|seq| *seq <= newest).collect()
    }

    /// How many records came since the activity is not followed.
    pub(crate) fn unseen(&self, facts: &Facts) -> usize {
        let newest = self.paused.unwrap_or(i64::MAX);
        facts.activity.iter().rev().take_while(|row| row.seq > newest).count()
    }

    /// Whether the focused pane has a selected row.
    pub(crate) fn has_choice(&self) -> bool {
        self.choice().is_some()
    }

    /// What is selected in the focused pane.
    pub(crate) fn choice(&self) -> Option<Of> {
        match self.focus {
            Pane::Needs => self.needs.chosen().cloned().map(Of::Waiting),
            Pane::Connections => self.connections.chosen().cloned().map(Of::Connection),
            _ => self.activity.chosen().copied().map(Of::Record),
        }
    }
}

/// The panes there are, in the order the focus goes through them.
pub(crate) fn panes(facts: &Facts) -> Vec<Pane> {
    let mut panes = Vec::new();
    if shows_needs(facts) {
        panes.push(Pane::Needs);
    }
    if !facts.connections.is_empty() {
        panes.push(Pane::Connections);
    }
    panes.push(Pane::Activity);
    panes
}

/// While getting started, an empty “Needs you” would only take room from the next step.
fn shows_needs(facts: &Facts) -> bool {
    !facts.waiting.is_empty() || !start::shows(facts)
}

fn waiting_ids(facts: &Facts) -> Vec<String> {
    facts.waiting.iter().map(|waiting| waiting.id.clone()).collect()
}

fn grant_ids(facts: &Facts) -> Vec<String> {
    facts.connections.iter().map(|connection| connection.grant.clone()).collect()
}
