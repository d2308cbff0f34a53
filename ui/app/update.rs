//! From a message to effects. No I/O happens here.

use super::{Effect, Exit, Link, Model, Msg, Now, hear, keys, mouse};
use crate::overlays::{self, Overlay};

/// Changes the model by one message and says what is to be done.
pub(crate) fn update(model: &mut Model, msg: Msg, now: Now) -> Vec<Effect> {
    model.now = now;
    model.toasts.wall = now.wall;
    match msg {
        Msg::Key(_) | Msg::Mouse(_) if model.behind.is_deaf(now.tick) => {
            behind_a_paste(model, &msg);
            Vec::new()
        }
        Msg::Key(event) => keys::on_key(model, &event),
        Msg::Paste(text) => on_paste(model, &text),
        Msg::Mouse(event) => mouse::on_mouse(model, &event),
        Msg::Resize(width, height) => {
            model.size = (width, height);
            model.changed = true;
            Vec::new()
        }
        Msg::Focus(focused) => {
            on_focus(model, focused);
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

/// A paste is text for an open field. Anywhere else it does nothing, and it never answers a question.
pub(super) fn on_paste(model: &mut Model, text: &str) -> Vec<Effect> {
    for overlay in &mut model.overlays {
        overlay.disturb(model.now.tick);
    }
    model.behind.begin(model.now.tick);
    model.changed = true;
    if model.takes_text() && !model.too_small() {
        return overlays::paste(model, text);
    }
    model.toasts.say(model.now.tick, "pasted text does nothing here");
    Vec::new()
}

/// Keys that come right behind a paste are the text's and not the person's, who has to press again.
fn behind_a_paste(model: &mut Model, msg: &Msg) {
    let now = model.now.tick;
    if matches!(msg, Msg::Key(_)) && model.behind.keep_out(now) {
        model.toasts.say(now, "keys right behind a paste are not heard: press again");
        model.changed = true;
    }
}

/// A link that is hidden without the focus goes and comes; nothing else looks different.
fn on_focus(model: &mut Model, focused: bool) {
    let hidden = model.hides_links();
    model.focused = focused;
    let linked = model.overlays.iter().any(|overlay| matches!(overlay, Overlay::Enroll(_)));
    if linked && model.hides_links() != hidden {
        count_down(model);
        model.changed = true;
    }
}

fn count_down(model: &mut Model) {
    if model.hides_links() {
        return;
    }
    for overlay in &mut model.overlays {
        model.changed |= overlay.pass(&model.now);
    }
}

fn on_wake(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    model.changed |= model.toasts.expire(now.tick);
    model.changed |= model.facts.settle(now.wall);
    count_down(model);
    let mut effects = crate::screens::connections::rested(model);
    effects.extend(crate::screens::audit::rested(model));
    match &mut model.link {
        Link::Reading(retry) | Link::Lost { retry, .. } if retry.next <= now.tick => {
            *retry = retry.later(now.tick);
            effects.push(Effect::Subscribe);
        }
        _ => {}
    }
    effects
}
