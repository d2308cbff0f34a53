//! Looking: the lists a terminal shows, and all of them as one snapshot.

use super::model::{Connection, Passkey, Snapshot, Status};
use super::service::Service;
use super::view;
use crate::store::{Error, Health};

/// Records in a snapshot: more than any screen has lines.
const ACTIVITY: i64 = 200;

impl Service {
    /// Everything, for a subscriber that listens to the bus already. The number is taken first: what changes while the lists are read is
    /// in them, and told again afterwards, which changes nothing.
    pub(super) async fn snapshot(&self) -> Result<Snapshot, Error> {
        let entries = self.base.audit.page(i64::MAX, ACTIVITY).await?;
        Ok(Snapshot {
            seq: entries.last().map_or(0, |newest| newest.seq),
            now: self.base.clock.now().rfc3339(),
            status: self.status().await?,
            connections: self.connections().await?,
            passkeys: self.passkeys().await?,
            waiting: self.waiting().await?,
            activity: entries.iter().map(view::row).collect(),
        })
    }

    pub(super) async fn status(&self) -> Result<Status, Error> {
        let enrolled = self.passkeys.list().await?;
        Ok(Status {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            public_url: self.base.public_url.as_ref().map(ToString::to_string),
            listen: self.listen.iter().map(ToString::to_string).collect(),
            state_dir: self.base.config.state_dir.clone(),
            host: "embedded".to_owned(),
            passkeys: enrolled.iter().filter(|passkey| passkey.here).count(),
            connections: self.access.connections().await?.len(),
            waiting: self.waiting_count().await?,
            uptime_s: self.base.clock.now().since(self.started).as_secs(),
            failing: failing(&self.base.store.health().borrow()),
        })
    }

    pub(super) async fn connections(&self) -> Result<Vec<Connection>, Error> {
        Ok(self.access.connections().await?.into_iter().map(view::connection).collect())
    }

    pub(super) async fn passkeys(&self) -> Result<Vec<Passkey>, Error> {
        Ok(self.passkeys.list().await?.into_iter().map(view::passkey).collect())
    }
}

pub(super) fn failing(health: &Health) -> Option<String> {
    match health {
        Health::Good => None,
        Health::Failing(reason) => Some(view::address(reason)),
    }
}
