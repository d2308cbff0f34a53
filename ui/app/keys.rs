//! What a key does: an overlay gets it first, then the screen, then everything else.

use std::time::Duration;

use crossterm::event::KeyEvent;
use quarterdeck::control::Request;

use super::available::open_link;
use super::effect::SecretLink;
use super::update::on_paste;
use super::{Asked, Effect, Exit, Link, Mode, Model, disabled, small};
use crate::input::{self, Entry, Intent, Key, Place};
use crate::overlays::{self, Confirm, Enroll, Help, Overlay, Question, TextPage, Verdict};
use crate::screens::{self, Of, Screen};

/// The board, in the state directory.
const BOARD: &str = "memory/CLAUDE.md";
/// ctrl-c pressed again within this time leaves from anywhere.
const TWICE: Duration = Duration::from_secs(2);

pub(super) fn on_key(model: &mut Model, event: &KeyEvent) -> Vec<Effect> {
    let Some(key) = Key::of(event) else { return Vec::new() };
    if find(model, key, &[Place::Always]).is_some_and(|entry| entry.intent == Intent::Interrupt) {
        return interrupt(model);
    }
    if input::is_repeat(event) && !model.takes_text() {
        return repeat(model, key);
    }
    if !model.takes_text() && model.burst.note(model.now.tick) {
        return on_paste(model, "");
    }
    model.changed |= model.toasts.acknowledge();
    if model.too_small() && !small::asks_to_leave(model) {
        return small::press(model, key);
    }
    let places = places(model);
    if let Some(Overlay::Confirm(confirm)) = model.overlays.last_mut()
        && model.setup.keymap.find(key, &[Place::Always]).is_none()
    {
        let intent = model.setup.keymap.find(key, places).map(|entry| entry.intent);
        let verdict = confirm.hear(intent, model.now.tick);
        if let Some(movement) = intent.filter(|intent| moves(*intent)) {
            model.changed = true;
            return read(model, movement);
        }
        return answer(model, verdict);
    }
    match find(model, key, places) {
        Some(entry) => act(model, entry),
        None if model.takes_text() => overlays::typed(model, event),
        None => Vec::new(),
    }
}

pub(super) fn find(model: &Model, key: Key, places: &[Place]) -> Option<&'static Entry> {
    model.setup.keymap.find(key, places)
}

/// A key that is held down moves, and does nothing else.
fn repeat(model: &mut Model, key: Key) -> Vec<Effect> {
    if let Some(overlay) = model.overlays.last_mut() {
        overlay.disturb(model.now.tick);
    }
    match find(model, key, places(model)) {
        Some(entry) if moves(entry.intent) && !model.too_small() => act(model, entry),
        _ => Vec::new(),
    }
}

pub(super) fn moves(intent: Intent) -> bool {
    use Intent as I;
    matches!(intent, I::Down | I::Up | I::PageDown | I::PageUp | I::HalfDown | I::HalfUp)
}

/// Where a key is looked up now.
pub(crate) fn places(model: &Model) -> &'static [Place] {
    match model.overlays.last() {
        Some(Overlay::Confirm(_)) => Place::IN_QUESTION,
        Some(Overlay::Enroll(_)) => Place::IN_ENROLL,
        Some(Overlay::Help(help)) if help.searching() => Place::IN_FIELD,
        Some(Overlay::Help(_)) => Place::IN_HELP,
        Some(Overlay::Text(_)) => Place::IN_TEXT,
        Some(Overlay::Link(_)) => Place::IN_LINK,
        Some(Overlay::Palette(_)) => Place::IN_PALETTE,
        Some(Overlay::Filter(_) | Overlay::Prompt(_)) => Place::IN_FIELD,
        Some(Overlay::Detail(detail)) => match detail.of {
            Of::Waiting(_) => Place::IN_WAITING,
            Of::Connection(_) => Place::IN_CONNECTION,
            Of::Record(_) => Place::IN_RECORD,
            _ => Place::IN_TEXT,
        },
        None => match model.screen {
            Screen::Overview => Place::ON_OVERVIEW,
            Screen::Connections => Place::ON_CONNECTIONS,
            Screen::Audit => Place::ON_AUDIT,
        },
    }
}

/// Carries out an entry, or says why it cannot be.
pub(crate) fn act(model: &mut Model, entry: &Entry) -> Vec<Effect> {
    model.changed = true;
    if let Some(reason) = disabled(model, entry.intent) {
        let what = entry.short.trim_end_matches('…');
        model.toasts.say(model.now.tick, &format!("{what}: {}", model.setup.keymap.say(reason)));
        return Vec::new();
    }
    match entry.place {
        Place::Enroll => enroll(model, entry.intent),
        Place::Link => overlays::link(model, entry.intent),
        Place::Reading | Place::Question => read(model, entry.intent),
        Place::Help => overlays::search(model),
        Place::Palette | Place::Field => overlays::field(model, entry.intent),
        Place::Everywhere | Place::Always => everywhere(model, entry.intent),
        _ => screens::update(model, entry),
    }
}

fn everywhere(model: &mut Model, intent: Intent) -> Vec<Effect> {
    match intent {
        Intent::Overview => return go_to(model, Screen::Overview),
        Intent::Connections => return go_to(model, Screen::Connections),
        Intent::Audit => return go_to(model, Screen::Audit),
        Intent::Oldest => return screens::overview::oldest(model),
        Intent::Palette => overlays::open_palette(model),
        Intent::Filter => overlays::open_filter(model),
        Intent::Help => model.overlays.push(Overlay::Help(Help::default())),
        Intent::Edit => return vec![Effect::Edit(model.facts.status.state_dir.join(BOARD))],
        Intent::Messages => model.overlays.push(Overlay::Text(TextPage::messages(model))),
        Intent::Keys => model.overlays.push(Overlay::Text(TextPage::keys(model))),
        Intent::Back => back(model),
        Intent::NextPane => screens::turn(model, 1),
        Intent::PreviousPane => screens::turn(model, -1),
        Intent::Zoom => model.zoomed = !model.zoomed,
        Intent::Narrower => split(model, -SPLIT_STEP),
        Intent::Wider => split(model, SPLIT_STEP),
        Intent::Blur => blur(model),
        Intent::Mouse => return mouse(model),
        Intent::Enroll => return open_enroll(model),
        Intent::Retry if model.link == Link::Connected => return screens::again(model),
        Intent::Retry => {
            model.asked_again = true;
            return vec![Effect::Subscribe];
        }
        Intent::Leave => return leave(model),
        Intent::Redraw => return vec![Effect::Redraw],
        Intent::Suspend if model.setup.mode == Mode::InProcess => ask(model, Question::Suspend),
        Intent::Suspend => return vec![Effect::Suspend],
        _ => {}
    }
    Vec::new()
}

/// Shows a screen. What it lacks is asked for.
pub(crate) fn go_to(model: &mut Model, screen: Screen) -> Vec<Effect> {
    model.overlays.retain(|overlay| !matches!(overlay, Overlay::Detail(_)));
    model.screen = screen;
    model.zoomed = false;
    model.changed = true;
    screens::enter(model);
    screens::keep(model)
}

/// First the filter goes, then what is not followed is followed again.
fn back(model: &mut Model) {
    if model.zoomed {
        model.zoomed = false;
    } else if !screens::filter(model).is_empty() {
        screens::filtered(model, "");
    } else {
        screens::resume(model);
    }
    model.toasts.clear();
}

/// By how much the list grows at one key, in percent of the width, and its bounds.
const SPLIT_STEP: i16 = 5;
pub(super) const SPLIT: std::ops::RangeInclusive<u16> = 25..=75;

fn split(model: &mut Model, by: i16) {
    let before = model.split(screens::usual_split(model));
    let after = before.saturating_add_signed(by).clamp(*SPLIT.start(), *SPLIT.end());
    let key = (model.screen, screens::Size::of(model.size.0));
    model.splits.insert(key, after);
}

fn blur(model: &mut Model) {
    model.blurred = !model.blurred;
    let text = if model.blurred { "contents are hidden; names and counts stay" } else { "contents are shown again" };
    model.toasts.say(model.now.tick, text);
}

fn mouse(model: &mut Model) -> Vec<Effect> {
    model.setup.mouse = !model.setup.mouse;
    let text = if model.setup.mouse {
        "the mouse works here again"
    } else {
        "the mouse is the terminal's: select text with it; the same key takes it back"
    };
    model.toasts.say(model.now.tick, text);
    vec![Effect::Mouse(model.setup.mouse)]
}

pub(super) fn leave(model: &mut Model) -> Vec<Effect> {
    if model.setup.mode == Mode::Attached {
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
    if model.overlays.is_empty() && model.setup.mode == Mode::Attached {
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
        Verdict::KeepServing => return vec![Effect::Leave(Exit::KeepServing)],
        Verdict::Confirmed(question) => question,
    };
    model.changed = true;
    let needs_host = question.needs_host();
    if let (true, Some(reason)) = (needs_host, disabled(model, Intent::Confirm)) {
        model.toasts.say(model.now.tick, &model.setup.keymap.say(reason));
        return Vec::new();
    }
    model.overlays.pop();
    if needs_host {
        // It is about what ends now.
        model.overlays.retain(|overlay| !matches!(overlay, Overlay::Detail(_)));
    }
    vec![question.effect_of_yes()]
}

/// The overlay with a link: the one that was closed while it was good, or a fresh one.
pub(crate) fn open_enroll(model: &mut Model) -> Vec<Effect> {
    if let Some(mut kept) = model.kept.take() {
        kept.pass(model.now.wall);
        if kept.link().is_some() {
            model.overlays.push(Overlay::Enroll(kept));
            return Vec::new();
        }
    }
    model.overlays.push(Overlay::Enroll(Enroll::default()));
    vec![Effect::Ask(Asked::EnrollLink, Request::PasskeyAdd)]
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
    let Some(scroll) = model.overlays.last_mut().and_then(Overlay::scroll) else { return Vec::new() };
    *scroll = match intent {
        Intent::Down => *scroll + 1,
        Intent::Up => scroll.saturating_sub(1),
        Intent::PageDown => *scroll + height.max(1),
        Intent::PageUp => scroll.saturating_sub(height.max(1)),
        Intent::First => 0,
        _ => {
            let cleared = if let Some(Overlay::Help(help)) = model.overlays.last_mut() { help.clear() } else { false };
            if !cleared {
                model.overlays.pop();
            }
            return Vec::new();
        }
    }
    .min(last);
    Vec::new()
}
