//! In which order the connections are listed, and which of them fit the filter.
//!
//! The order is made when the screen is entered and when its key is pressed. In between no row moves: what is new is added below.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use quarterdeck::control::Connection;

use super::Connections;
use crate::app::Facts;
use crate::screens::words::state_word;

/// What the list is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sort {
    #[default]
    Name,
    /// The last call first.
    Seen,
    /// The most calls first.
    Calls,
    /// The newest first.
    Approved,
}

impl Sort {
    fn next(self) -> Sort {
        match self {
            Sort::Name => Sort::Seen,
            Sort::Seen => Sort::Calls,
            Sort::Calls => Sort::Approved,
            Sort::Approved => Sort::Name,
        }
    }

    /// As the frame says it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Sort::Name => "by name",
            Sort::Seen => "by last call",
            Sort::Calls => "by calls",
            Sort::Approved => "by approval",
        }
    }

    fn sort(self, list: &mut [&Connection]) {
        match self {
            Sort::Name => list.sort_by_key(|one| &one.name),
            Sort::Seen => list.sort_by_key(|one| (Reverse(&one.last_used_at), &one.name)),
            Sort::Calls => list.sort_by_key(|one| (Reverse(one.calls_24h), &one.name)),
            Sort::Approved => list.sort_by_key(|one| (Reverse(&one.created_at), &one.name)),
        }
    }
}

impl Connections {
    /// Sorts by the next column.
    pub(super) fn sort_next(&mut self, facts: &Facts) {
        self.sort = self.sort.next();
        self.arrange(facts);
    }

    /// Sorts all rows.
    pub(super) fn arrange(&mut self, facts: &Facts) {
        let mut list: Vec<&Connection> = facts.connections.iter().collect();
        self.sort.sort(&mut list);
        self.order = list.into_iter().map(|one| one.grant.clone()).collect();
        self.refit(facts);
    }

    /// Takes out what is gone and adds what is new below.
    pub(super) fn reorder(&mut self, facts: &Facts) {
        let there: HashSet<&str> = facts.connections.iter().map(|one| one.grant.as_str()).collect();
        self.order.retain(|grant| there.contains(grant.as_str()));
        let known: HashSet<&str> = self.order.iter().map(String::as_str).collect();
        let new = facts.connections.iter().map(|one| &one.grant).filter(|grant| !known.contains(grant.as_str()));
        let new: Vec<String> = new.cloned().collect();
        self.order.extend(new);
        self.refit(facts);
    }

    /// Finds again which rows fit the filter.
    pub(super) fn refit(&mut self, facts: &Facts) {
        let filter = self.filter.to_lowercase();
        if filter.is_empty() {
            self.fitting.clone_from(&self.order);
        } else {
            let all: HashMap<&str, &Connection> = facts.connections.iter().map(|one| (one.grant.as_str(), one)).collect();
            let fits = |grant: &&String| all.get(grant.as_str()).is_some_and(|one| fits(one, &filter));
            self.fitting = self.order.iter().filter(fits).cloned().collect();
        }
        self.grants.keep(&self.fitting);
    }
}

/// Whether a part of what the list tells about a connection is `filter`, in small letters.
fn fits(connection: &Connection, filter: &str) -> bool {
    let named = [&connection.name, &connection.client_id].into_iter().chain(&connection.client_name);
    let words = named.map(String::as_str).chain([state_word(connection.state)]);
    words.map(str::to_lowercase).any(|text| text.contains(filter)) || connection.scopes.join(" ").contains(filter)
}
