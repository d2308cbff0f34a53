//! What is known of the host: the newest snapshot, kept up to date by notices.

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};
use quarterdeck::control::{AuditRow, Connection, ConnectionState, Passkey, Snapshot, Status, Waiting};

use crate::screens::Of;

/// What is known of the host.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) seq: i64,
    pub(crate) status: Status,
    /// A new connection is added below, so that no row moves under the cursor.
    pub(crate) connections: Vec<Connection>,
    pub(crate) passkeys: Vec<Passkey>,
    pub(crate) waiting: Vec<Waiting>,
    /// How many wait besides.
    pub(crate) more_waiting: usize,
    /// Newest last.
    pub(crate) activity: VecDeque<AuditRow>,
    /// The hour the calls of which stand last in [`Connection::calls_by_hour`], counted from 1970.
    hour: i64,
}

/// Seconds of an hour.
const HOUR: i64 = 60 * 60;

fn hour_of(at: Timestamp) -> i64 {
    at.as_second().div_euclid(HOUR)
}

/// How many audit records are held: more than any screen shows. The rest is in the store.
pub(crate) const ACTIVITY_KEPT: usize = 500;

/// After this long without a call a connection is idle (the host's own limit).
const LIVE: SignedDuration = SignedDuration::from_secs(60);

impl Facts {
    /// What a snapshot says.
    pub(crate) fn of(snapshot: Snapshot) -> Facts {
        Facts {
            seq: snapshot.seq,
            status: snapshot.status,
            connections: snapshot.connections,
            passkeys: snapshot.passkeys,
            waiting: snapshot.waiting,
            more_waiting: snapshot.more_waiting,
            activity: snapshot.activity.into(),
            hour: snapshot.now.parse().map_or(0, hour_of),
        }
    }

    /// How many authorizations wait, listed or not.
    pub(crate) fn waits(&self) -> usize {
        self.waiting.len().saturating_add(self.more_waiting)
    }

    /// The authorization that waits under this id.
    pub(crate) fn waiting(&self, id: &str) -> Option<&Waiting> {
        self.waiting.iter().find(|waiting| waiting.id == id)
    }

    /// The connection with this grant.
    pub(crate) fn connection(&self, grant: &str) -> Option<&Connection> {
        self.connections.iter().find(|connection| connection.grant == grant)
    }

    /// How many connections made a call just now.
    pub(crate) fn live(&self) -> usize {
        self.connections.iter().filter(|connection| connection.state == ConnectionState::Live).count()
    }

    /// Whether what a row was about does not exist any more. Records stay.
    pub(crate) fn is_gone(&self, of: &Of) -> bool {
        match of {
            Of::Waiting(id) => self.waiting(id).is_none(),
            Of::Connection(grant) => self.connection(grant).is_none(),
            Of::Passkey(id) => self.passkeys.iter().all(|passkey| passkey.id != *id),
            Of::Record(_) | Of::Client(_) | Of::Entry(_) => false,
        }
    }

    /// Whether there is a connection that the present public URL accepts.
    pub(crate) fn connected(&self) -> bool {
        self.connections.iter().any(|connection| connection.state != ConnectionState::WrongUrl)
    }

    /// The address to paste into an assistant.
    pub(crate) fn address(&self) -> Option<String> {
        self.status.public_url.as_ref().map(|url| format!("{}/mcp", url.trim_end_matches('/')))
    }

    /// Whether only this machine can reach the public URL.
    pub(crate) fn local_only(&self) -> bool {
        self.status.public_url.as_ref().is_some_and(|url| url.starts_with("http://"))
    }

    /// Makes connections idle whose last call is long enough ago. Whether one was.
    pub(super) fn settle(&mut self, wall: Timestamp) -> bool {
        let mut changed = self.roll(wall);
        for connection in &mut self.connections {
            if connection.state == ConnectionState::Live && idle_at(connection).is_none_or(|at| at <= wall) {
                connection.state = ConnectionState::Idle;
                changed = true;
            }
        }
        changed
    }
}

impl Facts {
    /// Moves the calls by hour on when an hour has passed. Whether a number that is shown changed.
    pub(super) fn roll(&mut self, wall: Timestamp) -> bool {
        let hours = usize::try_from(hour_of(wall) - self.hour).unwrap_or(0);
        if hours == 0 {
            return false;
        }
        self.hour = hour_of(wall);
        let mut changed = false;
        for connection in &mut self.connections {
            let calls = &mut connection.calls_by_hour;
            changed |= calls.iter().any(|calls| *calls > 0);
            let kept = calls.len().saturating_sub(hours);
            let gone: i64 = calls.drain(..calls.len() - kept).sum();
            calls.resize(kept + hours.min(24), 0);
            connection.calls_24h = (connection.calls_24h - gone).max(0);
        }
        changed
    }

    /// Takes in the connections as they are now, which the host counted in this hour.
    pub(super) fn recount(&mut self, connections: Vec<Connection>, wall: Timestamp) {
        self.connections = connections;
        self.hour = hour_of(wall);
    }

    /// Counts a call of this connection.
    pub(super) fn count_call(&mut self, grant: Option<&String>) {
        if let Some(connection) = self.connections.iter_mut().find(|connection| Some(&connection.grant) == grant) {
            connection.calls_24h += 1;
            if let Some(last) = connection.calls_by_hour.last_mut() {
                *last += 1;
            }
        }
    }

    /// When the next hour begins, if a number that is shown changes then.
    pub(super) fn next_hour(&self) -> Option<Timestamp> {
        let counted = self.connections.iter().any(|connection| connection.calls_by_hour.iter().any(|calls| *calls > 0));
        counted.then(|| Timestamp::from_second((self.hour + 1) * HOUR).ok()).flatten()
    }
}

/// When a live connection becomes idle if no call comes.
pub(super) fn idle_at(connection: &Connection) -> Option<Timestamp> {
    let last: Timestamp = connection.last_used_at.as_ref()?.parse().ok()?;
    last.checked_add(LIVE).ok()
}
