//! When something begins to wait: the title says how much, and the owner is called when nobody is looking.

use super::{Effect, Model};
use crate::overlays::Overlay;
use crate::terminal::{Moment, signals};

/// What waits, one and several.
const KIND: (&str, &str) = ("authorization", "authorizations");

/// What is done now that so many wait where `before` waited.
pub(super) fn attention(model: &mut Model, before: usize) -> Vec<Effect> {
    let (count, now) = (model.facts.waits(), model.now.tick);
    if count == before {
        return Vec::new();
    }
    let mut effects = vec![Effect::Title(title(count))];
    let moment = Moment {
        waiting: count,
        kind: KIND,
        focused: model.focused,
        deciding: model.overlays.iter().any(|overlay| matches!(overlay, Overlay::Confirm(_))),
        rested: model.rang.map(|rang| now.saturating_sub(rang)),
    };
    let called = signals(&model.setup.attention, &moment, &model.setup.place).filter(|_| count > before);
    if let Some(signals) = called {
        model.rang = Some(now);
        effects.push(Effect::Ring(signals));
    }
    effects
}

/// The terminal's title: a count and no content.
pub(super) fn title(waiting: usize) -> String {
    if waiting == 0 { "quarterdeck".to_owned() } else { format!("({waiting}) quarterdeck") }
}
