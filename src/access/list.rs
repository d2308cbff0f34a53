//! Listing: what the owner sees.

use super::model::LIVE;
use super::{Access, Connection, Grant, State, store};
use crate::clock::UnixMs;
use crate::id::GrantId;
use crate::store::{Error, Reader};

impl Access {
    /// All connections, by name.
    pub(crate) async fn connections(&self) -> Result<Vec<Connection>, Error> {
        let access = self.clone();
        self.store.read(move |db| store::all(db)?.into_iter().map(|grant| access.connection(db, grant)).collect()).await
    }

    /// The grant with this id, while it lives.
    pub(crate) fn grant(&self, db: &Reader<'_>, id: &GrantId) -> Result<Option<Grant>, Error> {
        store::by_id(db, id)
    }

    /// Whether there is any grant.
    pub(crate) fn any_grant(&self, db: &Reader<'_>) -> Result<bool, Error> {
        store::any(db)
    }

    /// How many grants a client has.
    pub(crate) fn grants_of(&self, db: &Reader<'_>, client_id: &str) -> Result<i64, Error> {
        store::count_by_client(db, client_id)
    }

    fn connection(&self, db: &Reader<'_>, grant: Grant) -> Result<Connection, Error> {
        let last_used_at = self.audit.last_used_at(db, &grant.id)?;
        let calls_24h = self.audit.calls_24h(db, &grant.id)?;
        let calls_by_hour = self.audit.calls_by_hour(db, &grant.id)?;
        let state = self.state(&grant, last_used_at);
        Ok(Connection { grant, last_used_at, calls_24h, calls_by_hour, state })
    }

    fn state(&self, grant: &Grant, last_used_at: Option<UnixMs>) -> State {
        match last_used_at {
            _ if !self.is_here(grant) => State::WrongUrl,
            None => State::NeverUsed,
            Some(at) if self.clock.now().since(at) < LIVE => State::Live,
            Some(_) => State::Idle,
        }
    }
}
