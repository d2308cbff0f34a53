//! Everything the screen is drawn from.

use std::collections::VecDeque;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use quarterdeck::control::{AuditRow, Connection, ConnectionState, Passkey, Snapshot, Status, Waiting};

use super::HitMap;
use crate::input::{Burst, Intent};
use crate::overlays::{Enroll, Overlay, Toasts};
use crate::screens::overview::{Of, Overview};

/// A moment, on both clocks: durations are measured on the one that never jumps, expiries are compared on the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Now {
    /// Since the start.
    pub(crate) tick: Duration,
    pub(crate) wall: Timestamp,
}

/// Where the host runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// In this process: it ends when this terminal leaves.
    InProcess,
    /// In another process: this terminal may come and go.
    Attached,
}

/// The line to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    Connected,
    /// The host is there, but its notices ended: what is shown gets old until they come again.
    Reading(Retry),
    /// The host is not there: what is shown is old, and nothing can be decided.
    Lost {
        since: Timestamp,
        retry: Retry,
    },
}

impl Link {
    /// When the host is asked again; `None` while its notices come.
    pub(crate) fn retry(&self) -> Option<Retry> {
        match self {
            Link::Connected => None,
            Link::Reading(retry) | Link::Lost { retry, .. } => Some(*retry),
        }
    }
}

/// Asking the host for its notices again, each time with more patience.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Retry {
    tries: u32,
    pub(crate) next: Duration,
}

impl Retry {
    /// The first one, soon.
    pub(super) fn soon(now: Duration) -> Retry {
        Retry { tries: 0, next: now + patience(0) }
    }

    /// The one after this.
    pub(super) fn later(self, now: Duration) -> Retry {
        let tries = self.tries + 1;
        Retry { tries, next: now + patience(tries) }
    }
}

/// How long to wait before the next try to reach the host: 1, 2, 4, 8, then every 15 s.
fn patience(tries: u32) -> Duration {
    Duration::from_secs(1_u64.checked_shl(tries).unwrap_or(15).min(15))
}

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
            Of::Record(_) => false,
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
        let mut changed = false;
        for connection in &mut self.connections {
            if connection.state == ConnectionState::Live && idle_at(connection).is_none_or(|at| at <= wall) {
                connection.state = ConnectionState::Idle;
                changed = true;
            }
        }
        changed
    }
}

/// When a live connection becomes idle if no call comes.
fn idle_at(connection: &Connection) -> Option<Timestamp> {
    let last: Timestamp = connection.last_used_at.as_ref()?.parse().ok()?;
    last.checked_add(LIVE).ok()
}

/// The model.
pub(crate) struct Model {
    pub(crate) mode: Mode,
    pub(crate) zone: TimeZone,
    pub(crate) now: Now,
    pub(crate) facts: Facts,
    pub(crate) link: Link,
    pub(crate) overview: Overview,
    /// The last one is on top and gets the keys.
    pub(crate) overlays: Vec<Overlay>,
    /// The enrollment overlay that was closed while its link was good: opened again, it does not void the link that somebody may have.
    pub(crate) kept: Option<Enroll>,
    pub(crate) toasts: Toasts,
    pub(crate) size: (u16, u16),
    /// What was drawn where in the last frame.
    pub(crate) drawn: HitMap,
    /// Whether the terminal has the focus; `true` when it does not tell.
    pub(crate) focused: bool,
    pub(crate) burst: Burst,
    /// When ctrl-c was pressed last.
    pub(crate) interrupted: Option<Duration>,
    pub(crate) rang: Option<Duration>,
    /// The person asked for the host, and waits for an answer.
    pub(crate) asked_again: bool,
    /// Whether anything visible changed since the last frame.
    pub(crate) changed: bool,
}

/// Below this nothing is drawn but what is said about it.
pub(crate) const LEAST: (u16, u16) = (60, 16);

impl Model {
    /// The model a control center starts with.
    pub(crate) fn new((mode, zone): (Mode, TimeZone), snapshot: Snapshot, now: Now) -> Model {
        let facts = Facts::of(snapshot);
        Model {
            mode,
            zone,
            now,
            overview: Overview::new(&facts),
            facts,
            link: Link::Connected,
            overlays: Vec::new(),
            kept: None,
            toasts: Toasts::default(),
            size: (80, 24),
            drawn: HitMap::default(),
            focused: true,
            burst: Burst::default(),
            interrupted: None,
            rang: None,
            asked_again: false,
            changed: true,
        }
    }

    /// Whether the terminal is too small for what it should show: then nothing can be decided on it either.
    pub(crate) fn too_small(&self) -> bool {
        self.size.0 < LEAST.0 || self.size.1 < LEAST.1
    }

    /// Whether the host can be asked.
    pub(crate) fn connected(&self) -> bool {
        !matches!(self.link, Link::Lost { .. })
    }

    /// What denying or revoking is about: what the open detail shows, or else the selected row of the one pane where it has a meaning.
    pub(crate) fn target(&self, intent: Intent) -> Option<Of> {
        match (self.overlays.last(), intent) {
            (Some(Overlay::Detail(detail)), _) => Some(detail.of.clone()),
            (_, Intent::Deny) => self.overview.needs.chosen().cloned().map(Of::Waiting),
            _ => self.overview.connections.chosen().cloned().map(Of::Connection),
        }
    }

    /// A moment as the owner's clock shows it: the time today, the day before that.
    pub(crate) fn clock(&self, at: &str) -> String {
        let Ok(at) = at.parse::<Timestamp>() else { return at.to_owned() };
        let (then, today) = (at.to_zoned_datetime(self.zone.clone()), self.now.wall.to_zoned_datetime(self.zone.clone()));
        let format = if then.date() == today.date() { "%H:%M:%S" } else { "%b %d" };
        then.strftime(format).to_string()
    }

    /// A moment with its day.
    pub(crate) fn full_time(&self, at: &str) -> String {
        let Ok(at) = at.parse::<Timestamp>() else { return at.to_owned() };
        at.to_zoned_datetime(self.zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string()
    }

    /// When something visible changes by itself: `None` when nothing will, and then nothing wakes this program but an event.
    pub(crate) fn next_wake(&self) -> Option<Duration> {
        let countdown = self.overlays.iter().filter_map(|overlay| overlay.next_second(&self.now)).min();
        let idle = self.facts.connections.iter().filter(|connection| connection.state == ConnectionState::Live);
        let idle = idle.filter_map(idle_at).min().map(|at| self.tick_at(at));
        let retry = self.link.retry().map(|retry| retry.next);
        [countdown, idle, retry, self.toasts.next_expiry()].into_iter().flatten().min()
    }

    /// The tick at which the wall clock will show `at`, rounded up.
    fn tick_at(&self, at: Timestamp) -> Duration {
        let left = at.duration_since(self.now.wall);
        self.now.tick + Duration::try_from(left).unwrap_or_default() + Duration::from_millis(1)
    }
}
