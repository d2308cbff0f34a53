//! Whether an intent can be carried out now, and if not, why: the key bar dims it, pressing it says the reason.

use quarterdeck::control::EnrollLink;

use super::{Link, Model};
use crate::input::{Entry, Intent, Place};
use crate::overlays::Overlay;
use crate::screens::{self, Of, Pane, Screen, Size};

const LOST: &str = "not connected to the host: nothing can be changed from here until it is back ({retry} tries now)";

/// Why an intent is disabled, as a sentence for [`Keymap::say`](crate::input::Keymap::say); `None` when it is not.
pub(crate) fn disabled(model: &Model, intent: Intent) -> Option<&'static str> {
    if let Some(lost) = unreachable(model, intent) {
        return Some(lost);
    }
    match intent {
        Intent::Deny | Intent::Revoke | Intent::Scopes => undecidable(model, intent),
        Intent::Browse if linked(model).is_some() => {
            (linked(model) == Some(false)).then_some("nothing is served there: it is an id to copy")
        }
        Intent::Open | Intent::Copy | Intent::Pager if !reading(model) && screens::choice(model).is_none() => {
            Some("no row is selected: choose one with {down} and {up}")
        }
        Intent::Follow => unfollowable(model),
        Intent::Oldest if model.facts.waiting.is_empty() => Some("nothing waits for you"),
        Intent::Enroll | Intent::NewClient if model.facts.status.public_url.is_none() => {
            Some("the door is closed: set assistants.public_url first")
        }
        Intent::Retry if model.link == Link::Connected && !screens::failed(model) => {
            Some("the host is connected: the lists are live")
        }
        Intent::Bigger | Intent::Invert if model.facts.local_only() => {
            Some("there is no code for an address only this machine reaches")
        }
        Intent::Browse if !model.facts.local_only() => {
            Some("scan the code: the browser of another machine may not be the one you want")
        }
        Intent::KeepServing if !stops_host(model) => Some("this question has two answers"),
        Intent::Browse if open_link(model).is_none() => Some("there is no link: {new-link} makes a new one"),
        Intent::Sort | Intent::Remove | Intent::Export | Intent::Verify | Intent::Narrower | Intent::Wider => {
            elsewhere(model, intent)
        }
        _ => None,
    }
}

/// Why an intent cannot be carried out on any screen: the host is needed for it, and is not there.
pub(crate) fn unreachable(model: &Model, intent: Intent) -> Option<&'static str> {
    (asks_host(intent) && !model.connected()).then_some(LOST)
}

/// Whether the host is needed for it.
fn asks_host(intent: Intent) -> bool {
    use Intent as I;
    matches!(intent, I::Deny | I::Revoke | I::Scopes | I::Remove | I::NewClient | I::Enroll | I::NewLink | I::Confirm)
}

/// Whether the open question is one about the host in this process.
fn stops_host(model: &Model) -> bool {
    matches!(model.overlays.last(), Some(Overlay::Confirm(confirm)) if confirm.question().can_keep_serving())
}

/// Whether a detail or an address is open: then it is about that one.
fn reading(model: &Model) -> bool {
    matches!(model.overlays.last(), Some(Overlay::Detail(_) | Overlay::Link(_)))
}

/// Whether there is a page at the address that is open.
fn linked(model: &Model) -> Option<bool> {
    match model.overlays.last() {
        Some(Overlay::Link(page)) => Some(page.is_page()),
        _ => None,
    }
}

/// Why there is nothing an intent that ends or changes something could be about.
fn undecidable(model: &Model, intent: Intent) -> Option<&'static str> {
    match (model.target(intent), intent) {
        (Some(of @ Of::Waiting(_)), Intent::Deny) | (Some(of @ Of::Connection(_)), Intent::Revoke | Intent::Scopes) => {
            model.facts.is_gone(&of).then_some("it is gone: there is nothing left to end or change")
        }
        (_, Intent::Deny) => Some("no authorization is selected: choose one in “Needs you”"),
        _ => Some("no connection is selected: choose one in “Connections”"),
    }
}

fn unfollowable(model: &Model) -> Option<&'static str> {
    match (model.screen, screens::focus(model)) {
        (Screen::Audit, _) | (_, Pane::Activity) => None,
        (Screen::Overview, _) => Some("only in the pane “Activity”: {next-pane} goes there"),
        _ => Some("this list is always live"),
    }
}

/// Why an intent that belongs to some screens does nothing on this one.
fn elsewhere(model: &Model, intent: Intent) -> Option<&'static str> {
    match (intent, model.screen, screens::focus(model)) {
        (Intent::Narrower | Intent::Wider, Screen::Overview, _) => Some("the panes of this screen have the width they need"),
        (Intent::Narrower | Intent::Wider, ..) if Size::of(model.size.0) == Size::Small => {
            Some("the panes are one above the other here: a wider window puts them side by side")
        }
        (Intent::Sort, Screen::Connections, Pane::Grants) => None,
        (Intent::Sort, ..) => Some("only the list of connections can be sorted; other lists are in the order things happened"),
        (Intent::Remove, Screen::Connections, Pane::Passkeys | Pane::Clients) if screens::choice(model).is_some() => None,
        (Intent::Remove, ..) => Some("choose a passkey or a client document on the screen Connections first"),
        (Intent::Export, Screen::Overview, _) => Some("the screens Connections and Audit export their lists"),
        (Intent::Verify, Screen::Audit, _) => None,
        (Intent::Verify, ..) => Some("on the screen Audit"),
        _ => None,
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
        intent if entry.place == Place::Question => match model.overlays.last() {
            Some(Overlay::Confirm(confirm)) => confirm.word(intent, entry.short),
            _ => entry.short,
        },
        Intent::Follow if screens::paused(model) => "follow",
        _ => entry.short,
    }
}
