//! When something begins to wait: the title says how much, and the terminal rings when nobody is looking.

use std::time::Duration;

use quarterdeck::config::Attention;

use super::{Effect, Model};
use crate::overlays::Overlay;

/// The bell rings at most once in this time.
const PAUSE: Duration = Duration::from_secs(10);

/// What is done now that so many wait where `before` waited.
pub(super) fn attention(model: &mut Model, before: usize) -> Vec<Effect> {
    let (count, now) = (model.facts.waits(), model.now.tick);
    if count == before {
        return Vec::new();
    }
    let mut effects = vec![Effect::Title(title(count))];
    let wanted = match model.setup.attention {
        Attention::Unfocused => !model.focused,
        Attention::Always => true,
        Attention::Never => false,
    };
    let rested = model.rang.is_none_or(|rang| now.saturating_sub(rang) >= PAUSE);
    let deciding = model.overlays.iter().any(|overlay| matches!(overlay, Overlay::Confirm(_)));
    if count > before && wanted && rested && !deciding {
        model.rang = Some(now);
        effects.push(Effect::Ring { waiting: count });
    }
    effects
}

/// The terminal's title: a count and no content.
pub(super) fn title(waiting: usize) -> String {
    if waiting == 0 { "quarterdeck".to_owned() } else { format!("({waiting}) quarterdeck") }
}
