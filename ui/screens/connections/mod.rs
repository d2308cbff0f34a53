//! Connections: who may come in, what each may do and does, and how it ends.
//!
//! The list is on the left; what is selected in it is told on the right: its facts, its scopes, its tools, its newest records and what
//! it wrote into the journal. Below the list is what else can come in: authorizations that wait, passkeys, client documents kept here;
//! and what was refused. In a small window the pane that has the focus takes the place of the facts.
//!
//! What the rows do not tell is asked for when the cursor has rested on a row. An answer about another row is dropped.

mod about;
mod layout;
mod list;
mod looked;
mod order;
mod panes;
mod read;
#[cfg(test)]
mod tests;
mod told;
mod update;
mod view;

pub(crate) use super::fetched::{Fetched, Shown};
pub(crate) use layout::usual_split;
pub(crate) use read::{again, answered, failed, forget, heard, rested, wants};
pub(crate) use told::{facts, further};
pub(crate) use update::{counted, enter, filtered, focus, panes, select, step, turned, update};
pub(crate) use view::view;

use std::time::Duration;

use quarterdeck::control::{AuditRow, ClientDocument};

use crate::app::Facts;
use crate::screens::{Of, Pane};
use crate::widgets::Selection;
use looked::Looked;
use order::Sort;

/// What the screen remembers.
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    pub(crate) focus: Pane,
    /// By grant.
    pub(crate) grants: Selection<String>,
    /// By the waiting authorization's id.
    asking: Selection<String>,
    /// By record number.
    calls: Selection<i64>,
    /// By the entry's id.
    journal: Selection<String>,
    /// By the passkey's id.
    passkeys: Selection<String>,
    /// By client id.
    clients: Selection<String>,
    /// By record number.
    refused: Selection<i64>,
    /// Only rows with these letters are shown.
    pub(crate) filter: String,
    sort: Sort,
    /// All grants in the order they are listed in, and of these the ones that fit the filter.
    order: Vec<String>,
    fitting: Vec<String>,
    /// The selected connection.
    looked: Option<Looked>,
    documents: Fetched<Vec<ClientDocument>>,
    /// Newest first.
    refusals: Fetched<Vec<AuditRow>>,
    /// When there is something to ask for or to show that time brings.
    pub(crate) due: Option<Duration>,
}

impl Connections {
    /// The screen as it starts.
    pub(crate) fn new(facts: &Facts) -> Connections {
        let mut screen = Connections {
            focus: Pane::Grants,
            grants: Selection::default(),
            asking: Selection::default(),
            calls: Selection::default(),
            journal: Selection::default(),
            passkeys: Selection::default(),
            clients: Selection::default(),
            refused: Selection::default(),
            filter: String::new(),
            sort: Sort::default(),
            order: Vec::new(),
            fitting: Vec::new(),
            looked: None,
            documents: Fetched::default(),
            refusals: Fetched::default(),
            due: None,
        };
        screen.arrange(facts);
        screen.grants.begin(&screen.fitting);
        screen
    }

    /// Called when the facts changed.
    pub(crate) fn keep(&mut self, facts: &Facts) {
        let first = self.order.is_empty();
        self.reorder(facts);
        if first {
            self.grants.begin(&self.fitting);
        }
        self.asking.keep(&asking_ids(facts));
        self.passkeys.keep(&passkey_ids(facts));
        self.keep_fetched();
    }

    /// A list that is come to is looked at from its first row on.
    fn begin(&mut self, facts: &Facts) {
        match self.focus {
            Pane::Asking => self.asking.begin(&asking_ids(facts)),
            Pane::Calls => self.calls.begin(&self.call_ids()),
            Pane::Journal => self.journal.begin(&self.entry_ids()),
            Pane::Passkeys => self.passkeys.begin(&passkey_ids(facts)),
            Pane::Clients => self.clients.begin(&self.client_ids()),
            Pane::Refused => self.refused.begin(&self.refused_ids()),
            _ => self.grants.begin(&self.fitting),
        }
    }

    /// How many rows the focused list has that was read from the host.
    fn fetched_rows(&self) -> usize {
        match self.focus {
            Pane::Calls => self.call_ids().len(),
            Pane::Journal => self.entry_ids().len(),
            Pane::Clients => self.client_ids().len(),
            Pane::Refused => self.refused_ids().len(),
            _ => 1,
        }
    }

    /// Called when what was read from the host changed.
    fn keep_fetched(&mut self) {
        let (calls, journal) = (self.call_ids(), self.entry_ids());
        self.calls.keep(&calls);
        self.journal.keep(&journal);
        let (clients, refused) = (self.client_ids(), self.refused_ids());
        self.clients.keep(&clients);
        self.refused.keep(&refused);
    }

    /// Selects a connection.
    pub(crate) fn choose(&mut self, facts: &Facts, grant: &str) {
        self.focus = Pane::Grants;
        self.filter.clear();
        self.refit(facts);
        self.grants.choose(self.fitting.iter().find(|id| *id == grant));
    }

    /// What is selected in the focused pane.
    pub(crate) fn choice(&self) -> Option<Of> {
        match self.focus {
            Pane::Asking => self.asking.chosen().cloned().map(Of::Waiting),
            Pane::Calls => self.calls.chosen().copied().map(Of::Record),
            Pane::Journal => self.journal.chosen().cloned().map(Of::Entry),
            Pane::Passkeys => self.passkeys.chosen().cloned().map(Of::Passkey),
            Pane::Clients => self.clients.chosen().cloned().map(Of::Client),
            Pane::Refused => self.refused.chosen().copied().map(Of::Record),
            _ => self.grants.chosen().cloned().map(Of::Connection),
        }
    }

    /// What is known of the connection the cursor is on: nothing of the one it was on before.
    fn looked(&self) -> Option<&Looked> {
        self.looked.as_ref().filter(|looked| Some(&looked.grant) == self.grants.chosen())
    }

    fn call_ids(&self) -> Vec<i64> {
        let detail = self.looked().and_then(|looked| looked.detail.value());
        detail.map(|detail| detail.recent.iter().map(|row| row.seq).collect()).unwrap_or_default()
    }

    fn entry_ids(&self) -> Vec<String> {
        let journal = self.looked().and_then(|looked| looked.journal.value());
        journal.map(|entries| entries.iter().map(|entry| entry.id.clone()).collect()).unwrap_or_default()
    }

    fn client_ids(&self) -> Vec<String> {
        let ids = |list: &Vec<ClientDocument>| list.iter().map(|one| one.client_id.clone()).collect();
        self.documents.value().map(ids).unwrap_or_default()
    }

    fn refused_ids(&self) -> Vec<i64> {
        self.refusals.value().map(|rows| rows.iter().map(|row| row.seq).collect()).unwrap_or_default()
    }
}

fn asking_ids(facts: &Facts) -> Vec<String> {
    facts.waiting.iter().map(|waiting| waiting.id.clone()).collect()
}

fn passkey_ids(facts: &Facts) -> Vec<String> {
    facts.passkeys.iter().map(|passkey| passkey.id.clone()).collect()
}
