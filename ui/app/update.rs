//! From a message to effects. No I/O happens here.

use std::time::Duration;

use crossterm::event::KeyEvent;
use quarterdeck::control::Request;

use super::available::open_link;
use super::effect::SecretLink;
use super::{Asked, Effect, Exit, Link, Mode, Model, Msg, Now, disabled, hear, small};
use crate::input::{self, Entry, Intent, Key, Place};
use crate::overlays::{Confirm, Enroll, Help, Overlay, Question, Verdict};
use crate::screens::overview::{self, Of};

/// ctrl-c pressed again within this time leaves from anywhere.
const TWICE: Duration = Duration::from_secs(2);

/// Changes the model by one message and says what is to be done.
pub(crate) fn update(model: &mut Model, msg: Msg, now: Now) -> Vec<Effect> {
    model.now = now;
    match msg {
        Msg::Key(event) => on_key(model, &event),
        Msg::Paste => on_paste(model),
        Msg::Resize(width, height) => {
            model.size = (width, height);
            model.changed = true;
            Vec::new()
        }
        Msg::Focus(focused) => {
            model.focused = focused;
            Vec::new()
        }
        Msg::ThemeChanged(theme) => {
            if let Err(why) = theme {
                model.toasts.fail(&why);
            }
            model.changed = true;
            Vec::new()
        }
        Msg::Continued => vec![Effect::Retake],
        Msg::Terminate => vec![Effect::Leave(Exit::Signal)],
        Msg::Wake => on_wake(model),
        from_host => hear::hear(model, from_host),
    }
}

fn on_paste(model: &mut Model) -> Vec<Effect> {
    for overlay in &mut model.overlays {
        overlay.disturb(model.now.tick);
    }
    model.toasts.say(model.now.tick, "pasted text does nothing here");
    model.changed = true;
    Vec::new()
}

fn on_wake(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    model.changed |= model.toasts.expire(now.tick);
    model.changed |= model.facts.settle(now.wall);
    for overlay in &mut model.overlays {
        model.changed |= overlay.pass(&now);
    }
    match &mut model.link {
        Link::Reading(retry) | Link::Lost { retry, .. } if retry.next <= now.tick => {
            *retry = retry.later(now.tick);
            vec![Effect::Subscribe]
        }
        _ => Vec::new(),
    }
}

fn on_key(model: &mut Model, event: &KeyEvent) -> Vec<Effect> {
    let Some(key) = Key::of(event) else { return Vec::new() };
    if key == Key::ctrl('c') {
        return interrupt(model);
    }
    if input::is_repeat(event) {
        return repeat(model, key);
    }
    let (burst, begins) = model.burst.note(model.now.tick);
    if burst {
        return if begins { on_paste(model) } else { Vec::new() };
    }
    model.changed |= model.toasts.acknowledge();
    if model.too_small() && !small::asks_to_leave(model) {
        return small::press(model, key);
    }
    if let Some(Overlay::Confirm(confirm)) = model.overlays.last_mut()
        && input::find(key, &[Place::Always]).is_none()
    {
        let verdict = confirm.hear(key, model.now.tick);
        return answer(model, verdict);
    }
    match input::find(key, places(model)) {
        Some(entry) => act(model, entry),
        None => Vec::new(),
    }
}

/// A key that is held down moves, and does nothing else.
fn repeat(model: &mut Model, key: Key) -> Vec<Effect> {
    if let Some(overlay @ Overlay::Confirm(_)) = model.overlays.last_mut() {
        overlay.disturb(model.now.tick);
        return Vec::new();
    }
    match input::find(key, places(model)) {
        Some(entry) if moves(entry.intent) && !model.too_small() => act(model, entry),
        _ => Vec::new(),
    }
}

fn moves(intent: Intent) -> bool {
    use Intent as I;
    matches!(intent, I::Down | I::Up | I::PageDown | I::PageUp | I::HalfDown | I::HalfUp)
}

/// Where a key is looked up now.
pub(super) fn places(model: &Model) -> &'static [Place] {
    match model.overlays.last() {
        Some(Overlay::Confirm(_)) => &[Place::Always, Place::Question],
        Some(Overlay::Enroll(_)) => &[Place::Always, Place::Enroll],
        Some(Overlay::Help(_)) => &[Place::Always, Place::Reading],
        Some(Overlay::Detail(detail)) => match detail.of {
            Of::Waiting(_) => &[Place::Always, Place::Reading, Place::WaitingDetail],
            Of::Connection(_) => &[Place::Always, Place::Reading, Place::ConnectionDetail],
            Of::Record(_) => &[Place::Always, Place::Reading],
        },
        None => &[Place::Always, Place::Overview, Place::Lists, Place::Everywhere],
    }
}

fn act(model: &mut Model, entry: &Entry) -> Vec<Effect> {
    model.changed = true;
    if let Some(reason) = disabled(model, entry.intent) {
        let what = entry.short.trim_end_matches('…');
        model.toasts.say(model.now.tick, &format!("{what}: {reason}"));
        return Vec::new();
    }
    match entry.place {
        Place::Overview | Place::Lists | Place::WaitingDetail | Place::ConnectionDetail => overview::update(model, entry.intent),
        Place::Enroll => enroll(model, entry.intent),
        Place::Reading => read(model, entry.intent),
        Place::Everywhere | Place::Always | Place::Question => everywhere(model, entry.intent),
    }
}

fn everywhere(model: &mut Model, intent: Intent) -> Vec<Effect> {
    match intent {
        Intent::Help => model.overlays.push(Overlay::Help(Help::default())),
        Intent::Leave => return leave(model),
        Intent::Redraw => return vec![Effect::Redraw],
        Intent::Suspend if model.mode == Mode::InProcess => ask(model, Question::Suspend),
        Intent::Suspend => return vec![Effect::Suspend],
        other => return overview::update(model, other),
    }
    Vec::new()
}

pub(super) fn leave(model: &mut Model) -> Vec<Effect> {
    if model.mode == Mode::Attached {
        return vec![Effect::Leave(Exit::Quit)];
    }
    ask(model, Question::Leave);
    Vec::new()
}

fn interrupt(model: &mut Model) -> Vec<Effect> {
    let now = model.now.tick;
    if model.interrupted.is_some_and(|before| now.saturating_sub(before) <= TWICE) {
        return vec![Effect::Leave(Exit::Quit)];
    }
    model.interrupted = Some(now);
    model.changed = true;
    if model.overlays.is_empty() && model.mode == Mode::Attached {
        return leave(model);
    }
    model.toasts.say(now, "ctrl-c again leaves");
    if model.overlays.is_empty() { leave(model) } else { Vec::new() }
}

/// Opens a question, unless one is open already.
pub(crate) fn ask(model: &mut Model, question: Question) {
    if !matches!(model.overlays.last(), Some(Overlay::Confirm(_))) {
        model.overlays.push(Overlay::Confirm(Confirm::new(question, model.now.tick)));
        model.changed = true;
    }
}

fn answer(model: &mut Model, verdict: Verdict) -> Vec<Effect> {
    let question = match verdict {
        Verdict::Ignored => return Vec::new(),
        Verdict::Cancelled => {
            model.overlays.pop();
            model.changed = true;
            return Vec::new();
        }
        Verdict::Confirmed(question) => question,
    };
    model.changed = true;
    let needs_host = matches!(question, Question::Revoke { .. } | Question::Deny { .. });
    if let (true, Some(reason)) = (needs_host, disabled(model, Intent::Confirm)) {
        model.toasts.say(model.now.tick, reason);
        return Vec::new();
    }
    model.overlays.pop();
    if needs_host {
        // It is about what ends now.
        model.overlays.retain(|overlay| !matches!(overlay, Overlay::Detail(_)));
    }
    match question {
        Question::Revoke { grant, name, .. } => {
            vec![Effect::Ask(Asked::Revoke { name: name.clone() }, Request::Revoke { name, grant: Some(grant) })]
        }
        Question::Deny { id, client, .. } => vec![Effect::Ask(Asked::Deny { client }, Request::Deny { id })],
        Question::Leave => vec![Effect::Leave(Exit::Quit)],
        Question::Suspend => vec![Effect::Suspend],
    }
}

fn enroll(model: &mut Model, intent: Intent) -> Vec<Effect> {
    let link = open_link(model).map(|link| SecretLink(link.url.clone()));
    let Some(Overlay::Enroll(overlay)) = model.overlays.last_mut() else { return Vec::new() };
    match intent {
        Intent::Bigger => overlay.big = !overlay.big,
        Intent::Invert => overlay.inverted = !overlay.inverted,
        Intent::NewLink => {
            *overlay = Enroll::default();
            return vec![Effect::Ask(Asked::EnrollLink, Request::PasskeyAdd)];
        }
        Intent::Browse => return link.map(Effect::Browse).into_iter().collect(),
        _ => {
            model.kept = Some(std::mem::take(overlay)).filter(|closed| closed.link().is_some());
            model.overlays.pop();
        }
    }
    Vec::new()
}

fn read(model: &mut Model, intent: Intent) -> Vec<Effect> {
    let (lines, height) = model.drawn.reading;
    let last = lines.saturating_sub(height);
    let Some(Overlay::Help(Help { scroll }) | Overlay::Detail(overview::Detail { scroll, .. })) = model.overlays.last_mut()
    else {
        return Vec::new();
    };
    *scroll = match intent {
        Intent::Down => *scroll + 1,
        Intent::Up => scroll.saturating_sub(1),
        Intent::PageDown => *scroll + height.max(1),
        Intent::PageUp => scroll.saturating_sub(height.max(1)),
        Intent::First => 0,
        _ => {
            model.overlays.pop();
            return Vec::new();
        }
    }
    .min(last);
    Vec::new()
}
