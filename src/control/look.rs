//! Looking: the lists a terminal shows, and all of them as one snapshot.

use super::authorizations::Waits;
use super::model::{Connection, Passkey, Snapshot, Status};
use super::service::Service;
use super::view;
use crate::store::{Error, Health};

/// Records in a snapshot: more than any screen has lines.
const ACTIVITY: i64 = 200;

impl Service {
    /// Everything, for a subscriber that listens to the bus already. The number is taken first: what changes while the lists are read is
    /// in them, and told again afterwards, which changes nothing.
    pub(super) async fn snapshot(&self) -> Result<(Snapshot, Waits), Error> {
        let entries = self.base.audit.page(i64::MAX, ACTIVITY).await?;
        let (connections, passkeys, waits) = self.lists().await?;
        let snapshot = Snapshot {
            seq: entries.last().map_or(0, |newest| newest.seq),
            now: self.base.clock.now().rfc3339(),
            status: self.status_of((&connections, &passkeys, &waits)),
            connections,
            passkeys,
            waiting: waits.list.clone(),
            more_waiting: waits.more,
            activity: entries.iter().map(view::row).collect(),
        };
        Ok((snapshot, waits))
    }

    pub(super) async fn status(&self) -> Result<Status, Error> {
        let (connections, passkeys, waits) = self.lists().await?;
        Ok(self.status_of((&connections, &passkeys, &waits)))
    }

    async fn lists(&self) -> Result<(Vec<Connection>, Vec<Passkey>, Waits), Error> {
        Ok((self.connections().await?, self.passkeys_here().await?, self.waiting().await?))
    }

    fn status_of(&self, (connections, passkeys, waits): (&[Connection], &[Passkey], &Waits)) -> Status {
        Status {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            public_url: self.base.public_url.as_ref().map(ToString::to_string),
            listen: self.listen.iter().map(ToString::to_string).collect(),
            state_dir: self.base.config.state_dir.clone(),
            host: "embedded".to_owned(),
            passkeys: passkeys.len(),
            connections: connections.len(),
            waiting: waits.total(),
            uptime_s: self.base.clock.now().since(self.started).as_secs(),
            failing: failing(&self.base.store.health().borrow()),
        }
    }

    pub(super) async fn connections(&self) -> Result<Vec<Connection>, Error> {
        Ok(self.access.connections().await?.into_iter().map(view::connection).collect())
    }

    /// All passkeys, oldest first, also those that count for nothing under the present public URL.
    pub(super) async fn passkeys(&self) -> Result<Vec<Passkey>, Error> {
        Ok(self.passkeys.list().await?.into_iter().map(view::passkey).collect())
    }

    /// Those that can let somebody in.
    pub(super) async fn passkeys_here(&self) -> Result<Vec<Passkey>, Error> {
        Ok(self.passkeys().await?.into_iter().filter(|passkey| passkey.elsewhere.is_none()).collect())
    }
}

pub(super) fn failing(health: &Health) -> Option<String> {
    match health {
        Health::Good => None,
        Health::Failing(reason) => Some(view::address(reason)),
    }
}
