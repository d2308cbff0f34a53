//! Board, memory files and journal over a real folder and a real store.

mod journal;
mod memory;

use std::time::Duration;

use super::model::Receipt;
use super::selection::Asked;
use super::{Experience, Knowledge};
use crate::access::{Caller, Scopes};
use crate::id::GrantId;
use crate::testing::Fixture;

pub(super) struct Shelf {
    pub(super) fixture: Fixture,
    pub(super) knowledge: Knowledge,
}

impl Shelf {
    pub(super) fn new() -> Shelf {
        let fixture = Fixture::new();
        let knowledge = Knowledge::new(&fixture.base);
        knowledge.prepare().unwrap();
        Shelf { fixture, knowledge }
    }

    pub(super) async fn record(&self, who: &str, told: Experience) -> Receipt {
        self.knowledge.record(&caller(who), told, |_tx, _receipt| Ok(())).await.unwrap()
    }

    /// Records one turn per minute; the outcome is the number.
    pub(super) async fn record_many(&self, who: &str, count: usize) {
        for n in 0..count {
            self.record(who, Experience { outcome: n.to_string(), ..told("c1") }).await;
            self.fixture.pass(Duration::from_secs(1));
        }
    }

    pub(super) async fn read(&self, asked: Asked) -> String {
        self.knowledge.events(asked).await.unwrap()
    }

    pub(super) async fn refused(&self, asked: Asked) -> String {
        self.knowledge.events(asked).await.unwrap_err().to_string()
    }
}

pub(super) fn caller(name: &str) -> Caller {
    Caller {
        grant: GrantId(format!("grant-of-{name}")),
        name: name.to_owned(),
        client_id: "https://claude.example/client.json".to_owned(),
        scopes: Scopes::all(),
    }
}

pub(super) fn told(conversation: &str) -> Experience {
    Experience {
        conversation: conversation.to_owned(),
        board_rev: "0123456789abcdef".to_owned(),
        said: "hello".to_owned(),
        from: None,
        did: "answered".to_owned(),
        outcome: "done".to_owned(),
        artifact: None,
        model: None,
    }
}

pub(super) fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}
