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

use quarterdeck::control::{AuditRow, Connection, Waiting};

use crate::app::Facts;
use crate::screens::words::state_word;
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
    /// How many rows wait and how many are connected, as last seen.
    counted: (usize, usize),
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
            counted: (0, 0),
        };
        overview.keep(facts);
        overview
    }

    /// Called when the facts changed.
    pub(crate) fn keep(&mut self, facts: &Facts) {
        let (needs, connections) = (self.waiting_ids(facts), self.grant_ids(facts));
        self.needs.keep(&needs);
        self.connections.keep(&connections);
        // A list that was empty begins with its first row. A row that vanished gives its place to no other.
        let before = std::mem::replace(&mut self.counted, (needs.len(), connections.len()));
        if before.0 == 0 {
            self.needs.begin(&needs);
        }
        if before.1 == 0 {
            self.connections.begin(&connections);
        }
        self.had_connection |= facts.connected();
        self.activity.keep(&self.record_ids(facts));
        let panes = panes(facts);
        if !panes.contains(&self.focus) {
            self.focus = panes.last().copied().unwrap_or(Pane::Activity);
        }
    }

    /// Shows only rows with these letters. A list whose selected row does not fit selects another.
    pub(crate) fn refilter(&mut self, text: &str, facts: &Facts) {
        text.clone_into(&mut self.filter);
        self.keep(facts);
        let (needs, connections) = (self.waiting_ids(facts), self.grant_ids(facts));
        if self.needs.chosen().is_none() {
            self.needs.step(&needs, 0, 1);
        }
        if self.connections.chosen().is_none() {
            self.connections.step(&connections, 0, 1);
        }
    }

    /// The ids of what waits and fits the filter.
    pub(crate) fn waiting_ids(&self, facts: &Facts) -> Vec<String> {
        let fits = |one: &&Waiting| self.fits(&[&one.client_id, &one.redirect_uri]);
        facts.waiting.iter().filter(fits).map(|waiting| waiting.id.clone()).collect()
    }

    /// The grants that fit the filter.
    pub(crate) fn grant_ids(&self, facts: &Facts) -> Vec<String> {
        let fits = |one: &&Connection| self.fits(&[&one.name, &one.client_id, state_word(one.state)]);
        facts.connections.iter().filter(fits).map(|connection| connection.grant.clone()).collect()
    }

    /// The numbers of the records that are shown, newest first.
    pub(crate) fn record_ids(&self, facts: &Facts) -> Vec<i64> {
        self.records(facts).map(|row| row.seq).collect()
    }

    /// The records that are shown, newest first.
    pub(crate) fn records<'a>(&'a self, facts: &'a Facts) -> impl Iterator<Item = &'a AuditRow> {
        let newest = self.paused.unwrap_or(i64::MAX);
        let fits = move |row: &&AuditRow| {
            let object = row.object.as_deref().unwrap_or_default();
            row.seq <= newest
                && self.fits(&[&row.actor, &row.kind, object, &row.outcome, row.reason.as_deref().unwrap_or_default()])
        };
        facts.activity.iter().rev().filter(fits)
    }

    /// Whether one of these texts has the letters of the filter, whatever their case.
    fn fits(&self, texts: &[&str]) -> bool {
        let wanted = self.filter.to_lowercase();
        wanted.is_empty() || texts.iter().any(|text| text.to_lowercase().contains(&wanted))
    }

    /// How many records came since the activity is not followed.
    pub(crate) fn unseen(&self, facts: &Facts) -> usize {
        let newest = self.paused.unwrap_or(i64::MAX);
        facts.activity.iter().rev().take_while(|row| row.seq > newest).count()
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
