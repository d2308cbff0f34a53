//! A terminal below the least size: it says so, and lets nothing happen whose consequence it cannot show.
//!
//! What is left is leaving, drawing again, looking at what waits the longest, and `esc`. The question whether to leave is asked here too, in its own words; any other question
//! that was open when the terminal became small hears only `esc`.

use ratatui::layout::Rect;

use super::keys::{find, leave};
use super::model::LEAST;
use super::{Effect, Model};
use crate::input::{Intent, Key, Place};
use crate::overlays::{Overlay, Question};
use crate::screens::{self, Detail};
use crate::theme::Role;
use crate::widgets::{Canvas, wrap};

/// What a key does, ctrl-c and an answer to [`asks_to_leave`] aside.
pub(super) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    match find(model, key, &[Place::Always, Place::Everywhere]).map(|entry| entry.intent) {
        Some(Intent::Redraw) => vec![Effect::Redraw],
        Some(Intent::Leave) => leave(model),
        Some(Intent::Oldest) if model.overlays.is_empty() => oldest(model),
        Some(Intent::Back) => {
            model.changed |= model.overlays.pop().is_some();
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// Looks at what waits the longest: selects it as on a larger screen, and tells of it here.
fn oldest(model: &mut Model) -> Vec<Effect> {
    let effects = screens::overview::oldest(model);
    if let Some(of) = model.overview.choice() {
        model.overlays.push(Overlay::Detail(Detail::new(of, &model.facts)));
        model.changed = true;
    }
    effects
}

/// Whether the open question is the one that is shown here.
pub(super) fn asks_to_leave(model: &Model) -> bool {
    matches!(model.overlays.last(), Some(Overlay::Confirm(confirm)) if *confirm.question() == Question::Leave)
}

/// Draws what is said instead of the screen.
pub(super) fn view(model: &Model, canvas: &mut Canvas<'_>, area: Rect) {
    let room = area.width.saturating_sub(1);
    let lines = question(model).or_else(|| detail(model)).unwrap_or_else(|| state(model, area));
    let lines = lines.iter().flat_map(|line| wrap(canvas.theme, line, usize::from(room)));
    for (y, line) in (area.y..area.bottom()).zip(lines) {
        canvas.put((area.x + 1, y), room, &line, canvas.theme.style(Role::Text));
    }
}

fn question(model: &Model) -> Option<Vec<String>> {
    match model.overlays.last() {
        Some(Overlay::Confirm(confirm)) if asks_to_leave(model) => Some(vec![
            Question::Leave.title(),
            confirm.answers(model).join("   "),
            String::new(),
            Question::Leave.effect().to_owned(),
        ]),
        _ => None,
    }
}

/// The facts that are open, as far as there is room. They ask for nothing.
fn detail(model: &Model) -> Option<Vec<String>> {
    let Some(Overlay::Detail(open)) = model.overlays.last() else { return None };
    let (title, facts) = open.facts(model);
    let facts = facts.into_iter().map(|(label, value, _)| if label.is_empty() { value } else { format!("{label}: {value}") });
    Some([format!("{title}   {}", model.setup.keymap.say("{back}  close"))].into_iter().chain(facts).collect())
}

fn state(model: &Model, area: Rect) -> Vec<String> {
    let (waiting, live) = (model.facts.waits(), model.facts.live());
    let keys = match (model.overlays.is_empty(), waiting) {
        (false, _) => "{leave}  leave   {back}  close what is open",
        (true, 0) => "{leave}  leave",
        (true, _) => "{oldest}  oldest waiting   {leave}  leave",
    };
    vec![
        format!("quarterdeck  {waiting} waiting, {live} live"),
        String::new(),
        format!("This terminal is {}×{}.", area.width, area.height),
        format!("quarterdeck needs {}×{}. Still working here:", LEAST.0, LEAST.1),
        String::new(),
        model.setup.keymap.say(keys),
        String::new(),
        "or run: quarterdeck status (plain text)".to_owned(),
    ]
}
