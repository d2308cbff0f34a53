//! Whether an intent can be carried out now, and if not, why: the key bar dims it, pressing it says the reason.

use quarterdeck::control::EnrollLink;

use super::{Link, Model};
use crate::input::{Entry, Intent};
use crate::overlays::Overlay;
use crate::screens::overview::Pane;

const LOST: &str = "not connected to the host: nothing can be changed from here until it is back (r tries now)";

/// Why an intent is disabled; `None` when it is not.
pub(crate) fn disabled(model: &Model, intent: Intent) -> Option<&'static str> {
    match intent {
        Intent::Deny | Intent::Revoke | Intent::Enroll | Intent::NewLink | Intent::Confirm if !model.connected() => Some(LOST),
        Intent::Deny | Intent::Revoke => undecidable(model, intent),
        Intent::Open if !model.overview.has_choice() => Some("no row is selected: choose one with j and k"),
        Intent::Follow if model.overview.focus != Pane::Activity => Some("only in the pane “Activity”: tab goes there"),
        Intent::Enroll if model.facts.status.public_url.is_none() => Some("the door is closed: set assistants.public_url first"),
        Intent::Retry if model.link == Link::Connected => Some("the host is connected: the lists are live"),
        Intent::Bigger | Intent::Invert if model.facts.local_only() => {
            Some("there is no code for an address only this machine reaches")
        }
        Intent::Browse if !model.facts.local_only() => {
            Some("scan the code: the browser of another machine may not be the one you want")
        }
        Intent::Browse if open_link(model).is_none() => Some("there is no link: n makes a new one"),
        _ => None,
    }
}

/// Why there is nothing an intent that ends something could be about.
fn undecidable(model: &Model, intent: Intent) -> Option<&'static str> {
    match (model.target(intent), intent) {
        (Some(of), _) if model.facts.is_gone(&of) => Some("it is gone: there is nothing left to end"),
        (Some(_), _) => None,
        (None, Intent::Deny) => Some("no authorization is selected: choose one in “Needs you”"),
        (None, _) => Some("no connection is selected: choose one in “Connections”"),
    }
}

/// The link in the enrollment overlay.
pub(super) fn open_link(model: &Model) -> Option<&EnrollLink> {
    match model.overlays.last() {
        Some(Overlay::Enroll(enroll)) => enroll.link(),
        _ => None,
    }
}

/// What the key bar calls an entry now.
pub(crate) fn entry_short(model: &Model, entry: &Entry) -> &'static str {
    match entry.intent {
        Intent::Follow if model.overview.paused.is_some() => "follow",
        _ => entry.short,
    }
}
