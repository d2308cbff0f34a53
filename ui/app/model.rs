//! Everything the screen is drawn from.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::{Timestamp, tz::TimeZone};
use quarterdeck::control::{ConnectionState, Snapshot};

use super::facts::idle_at;
use super::{Facts, HitMap, Link};
use crate::input::{Behind, Burst, Intent, Keymap, Late};
use crate::overlays::{Enroll, Overlay, Toasts};
use crate::screens::audit::Audit;
use crate::screens::connections::Connections;
use crate::screens::overview::Overview;
use crate::screens::{self, Of, Screen, Size};
use crate::terminal::{Attention, Place};

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

/// What a control center is started with, besides what the host says.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) mode: Mode,
    pub(crate) zone: TimeZone,
    pub(crate) keymap: Arc<Keymap>,
    pub(crate) attention: Attention,
    /// Where the terminal is: on this machine or over ssh, in a multiplexer.
    pub(crate) place: Place,
    /// The mouse is taken, and not left to the terminal for selecting text.
    pub(crate) mouse: bool,
    /// A code and its link are drawn only while the terminal has the focus.
    pub(crate) qr_hide_unfocused: bool,
}

/// The model.
pub(crate) struct Model {
    pub(crate) setup: Setup,
    pub(crate) now: Now,
    pub(crate) facts: Facts,
    pub(crate) link: Link,
    pub(crate) screen: Screen,
    pub(crate) overview: Overview,
    pub(crate) connections: Connections,
    pub(crate) audit: Audit,
    /// The focused pane has the whole window.
    pub(crate) zoomed: bool,
    /// Contents are drawn as dots.
    pub(crate) blurred: bool,
    /// How much of the width the list of a screen has, in percent, where the owner changed it.
    pub(crate) splits: BTreeMap<(Screen, Size), u16>,
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
    pub(crate) behind: Behind,
    pub(crate) late: Late,
    /// When ctrl-c was pressed last.
    pub(crate) interrupted: Option<Duration>,
    pub(crate) rang: Option<Duration>,
    /// The person asked for the host, and waits for an answer.
    pub(crate) asked_again: bool,
    /// The names of intents that were run from the palette, the latest first.
    pub(crate) recent: Vec<&'static str>,
    /// Whether anything visible changed since the last frame.
    pub(crate) changed: bool,
}

/// Below this nothing is drawn but what is said about it.
pub(crate) const LEAST: (u16, u16) = (60, 16);

impl Model {
    /// The model a control center starts with.
    pub(crate) fn new(setup: Setup, snapshot: Snapshot, now: Now) -> Model {
        let facts = Facts::of(snapshot);
        Model {
            setup,
            now,
            overview: Overview::new(&facts),
            connections: Connections::new(&facts),
            audit: Audit::default(),
            screen: Screen::default(),
            facts,
            link: Link::Connected,
            zoomed: false,
            blurred: false,
            splits: BTreeMap::new(),
            overlays: Vec::new(),
            kept: None,
            toasts: Toasts::default(),
            size: (80, 24),
            drawn: HitMap::default(),
            focused: true,
            burst: Burst::default(),
            behind: Behind::default(),
            late: Late::default(),
            interrupted: None,
            rang: None,
            asked_again: false,
            recent: Vec::new(),
            changed: true,
        }
    }

    /// Whether the terminal is too small for what it should show: then nothing can be decided on it either.
    pub(crate) fn too_small(&self) -> bool {
        self.size.0 < LEAST.0 || self.size.1 < LEAST.1
    }

    /// Whether an enrollment link is not drawn now: somebody else may look at a terminal its owner has left.
    pub(crate) fn hides_links(&self) -> bool {
        self.setup.qr_hide_unfocused && !self.focused
    }

    /// Whether the host can be asked.
    pub(crate) fn connected(&self) -> bool {
        !matches!(self.link, Link::Lost { .. })
    }

    /// What an intent is about that ends or changes something: what the open detail shows, or else the selected row of the one pane where
    /// it has a meaning.
    pub(crate) fn target(&self, intent: Intent) -> Option<Of> {
        if let Some(Overlay::Detail(detail)) = self.overlays.last() {
            return Some(detail.of.clone());
        }
        match (self.screen, intent) {
            (Screen::Overview, Intent::Deny) => self.overview.needs.chosen().cloned().map(Of::Waiting),
            (Screen::Overview, Intent::Revoke) => self.overview.connections.chosen().cloned().map(Of::Connection),
            (Screen::Connections, Intent::Revoke | Intent::Scopes) => {
                self.connections.grants.chosen().cloned().map(Of::Connection)
            }
            _ => screens::choice(self),
        }
    }

    /// Whether a field is open: then letters are text, and a paste goes there.
    pub(crate) fn takes_text(&self) -> bool {
        self.overlays.last().is_some_and(Overlay::takes_text)
    }

    /// How much of the width the list has, in percent: as the owner set it at this size, or `usual`.
    pub(crate) fn split(&self, usual: u16) -> u16 {
        self.splits.get(&(self.screen, Size::of(self.size.0))).copied().unwrap_or(usual)
    }

    /// A moment as the owner's clock shows it: the time today, the day before that.
    pub(crate) fn clock(&self, at: &str) -> String {
        let Ok(at) = at.parse::<Timestamp>() else { return at.to_owned() };
        let (then, today) =
            (at.to_zoned_datetime(self.setup.zone.clone()), self.now.wall.to_zoned_datetime(self.setup.zone.clone()));
        let format = if then.date() == today.date() { "%H:%M:%S" } else { "%b %d" };
        then.strftime(format).to_string()
    }

    /// A moment in a long list: the time today, day and time before that.
    pub(crate) fn moment(&self, at: &str) -> String {
        let Ok(at) = at.parse::<Timestamp>() else { return at.to_owned() };
        let zone = || self.setup.zone.clone();
        let (then, today) = (at.to_zoned_datetime(zone()), self.now.wall.to_zoned_datetime(zone()));
        let format = match (then.date() == today.date(), then.year() == today.year()) {
            (true, _) => "%H:%M:%S",
            (false, true) => "%b %d %H:%M",
            (false, false) => "%Y-%m-%d",
        };
        then.strftime(format).to_string()
    }

    /// A moment with its day.
    pub(crate) fn full_time(&self, at: &str) -> String {
        let Ok(at) = at.parse::<Timestamp>() else { return at.to_owned() };
        at.to_zoned_datetime(self.setup.zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string()
    }

    /// When something visible changes by itself: `None` when nothing will, and then nothing wakes this program but an event.
    pub(crate) fn next_wake(&self) -> Option<Duration> {
        let counting = self.overlays.iter().filter(|_| !self.hides_links());
        let countdown = counting.filter_map(|overlay| overlay.next_second(&self.now)).min();
        let idle = self.facts.connections.iter().filter(|connection| connection.state == ConnectionState::Live);
        let idle = idle.filter_map(idle_at).min().map(|at| self.tick_at(at));
        let hour = self.facts.next_hour().map(|at| self.tick_at(at));
        let retry = self.link.retry().map(|retry| retry.next);
        let screens = [self.connections.due, self.audit.due];
        [countdown, idle, hour, retry, self.toasts.next_expiry()].into_iter().chain(screens).flatten().min()
    }

    /// The tick at which the wall clock will show `at`, rounded up.
    fn tick_at(&self, at: Timestamp) -> Duration {
        let left = at.duration_since(self.now.wall);
        self.now.tick + Duration::try_from(left).unwrap_or_default() + Duration::from_millis(1)
    }
}
