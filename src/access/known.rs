//! The tokens that counted when they were looked up, so that not every request asks the store for what it said a moment ago.
//!
//! Whatever ends or changes a grant forgets all of them between its commit and its answer: see [`Known::forget_after`]. A store that cannot
//! be used knows nobody, and what it said before may not be what it says when it is mended.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::watch;

use super::Caller;
use crate::digest::Digest;
use crate::store::{Health, Store, Tx};

/// What is known; clones share it.
#[derive(Clone)]
pub(super) struct Known(Arc<Mutex<Inner>>);

struct Inner {
    health: watch::Receiver<Health>,
    turn: Turn,
    /// By the digest of the token. Only of grants that exist, so there are no more of them.
    callers: HashMap<[u8; 32], Caller>,
}

/// How often everything was forgotten: a caller that was looked up before the last time is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn(u64);

impl Known {
    /// Nobody is known of this store yet.
    pub(super) fn of(store: &Store) -> Known {
        Known(Arc::new(Mutex::new(Inner { health: store.health(), turn: Turn(0), callers: HashMap::new() })))
    }

    /// Whose token this is; or the turn in which that is now to be looked up.
    pub(super) fn find(&self, token: &Digest) -> Result<Caller, Turn> {
        let mut inner = self.0.lock();
        if inner.health.has_changed().unwrap_or(true) {
            inner.health.mark_unchanged();
            inner.forget();
        }
        inner.callers.get(&token.0).cloned().ok_or(inner.turn)
    }

    /// Remembers what was looked up in `turn`.
    pub(super) fn keep(&self, turn: Turn, token: &Digest, caller: &Caller) {
        let mut inner = self.0.lock();
        let good = *inner.health.borrow() == Health::Good;
        if inner.turn == turn && good {
            inner.callers.insert(token.0, caller.clone());
        }
    }

    /// Forgets everyone once `tx` is on disk, before its caller is answered.
    pub(super) fn forget_after(&self, tx: &mut Tx<'_>) {
        let known = self.clone();
        tx.after_commit(move || known.0.lock().forget());
    }
}

impl Inner {
    fn forget(&mut self) {
        self.turn.0 += 1;
        self.callers.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Scopes;
    use crate::id::GrantId;

    const TOKEN: Digest = Digest([7; 32]);

    fn known() -> (watch::Sender<Health>, Known) {
        let (tell, health) = watch::channel(Health::Good);
        (tell, Known(Arc::new(Mutex::new(Inner { health, turn: Turn(0), callers: HashMap::new() }))))
    }

    fn caller() -> Caller {
        Caller { grant: GrantId("a".repeat(32)), name: "dots".to_owned(), client_id: "c".to_owned(), scopes: Scopes::all() }
    }

    #[test]
    fn what_was_looked_up_before_a_grant_ended_is_not_kept_after_it() {
        let (_tell, known) = known();
        let turn = known.find(&TOKEN).unwrap_err();
        known.0.lock().forget();
        known.keep(turn, &TOKEN, &caller());
        let turn = known.find(&TOKEN).unwrap_err();
        known.keep(turn, &TOKEN, &caller());
        assert_eq!(known.find(&TOKEN), Ok(caller()));
        assert!(known.find(&Digest([8; 32])).is_err(), "another token is another caller");
    }

    #[test]
    fn a_store_that_fails_knows_nobody_also_once_it_is_mended() {
        let (tell, known) = known();
        known.keep(Turn(0), &TOKEN, &caller());
        tell.send_replace(Health::Failing("the disk is full".to_owned()));
        tell.send_replace(Health::Good);
        assert!(known.find(&TOKEN).is_err());
        tell.send_replace(Health::Failing("the disk is full".to_owned()));
        let turn = known.find(&TOKEN).unwrap_err();
        known.keep(turn, &TOKEN, &caller());
        assert!(known.find(&TOKEN).is_err(), "nothing is kept of a store that fails");
    }
}
