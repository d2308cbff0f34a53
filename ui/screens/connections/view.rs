//! How the screen is drawn.

use ratatui::layout::Rect;

use super::layout::{Part, places};
use super::{about, panes};
use crate::app::{HitMap, Model, disabled};
use crate::input::{Entry, INTENTS, Intent, Place};
use crate::screens::{Pane, Size};
use crate::widgets::{Canvas, width};

/// Draws the screen into `body`.
pub(crate) fn view(model: &Model, canvas: &mut Canvas<'_>, body: Rect, hits: &mut HitMap) {
    let beside = body.width - body.width * model.split(super::usual_split(Size::of(body.width))) / 100;
    let wanted = about::heights(model, canvas.theme, beside);
    let all = places(model, body, wanted);
    let alone = all.iter().all(|(part, _)| matches!(part, Part::Pane(_) | Part::Card)) && !model.zoomed;
    for (part, rect) in all {
        if rect.height < 2 {
            continue;
        }
        match part {
            Part::Pane(pane) => {
                let hint = if alone { others(model, rect) } else { own(model, pane) };
                hits.panes.push(panes::draw(model, canvas, (pane, rect), &hint));
            }
            Part::Facts => about::draw_facts(model, canvas, rect),
            Part::Scopes => about::draw_scopes(model, canvas, (rect, &key(model, Intent::Scopes))),
            Part::Tools => about::draw_tools(model, canvas, rect),
            Part::Card => about::draw_card(model, canvas, (rect, &others(model, rect))),
        }
    }
}

/// Where only one pane fits below the list: which others there are.
fn others(model: &Model, rect: Rect) -> String {
    let focus = model.connections.focus;
    let here = |pane: Pane| if pane == Pane::Grants { "facts" } else { panes::short(pane) };
    let name = |pane: Pane| if pane == focus { format!("[{}]", here(pane)) } else { here(pane).to_owned() };
    let panes = super::panes(model);
    let place = panes.iter().position(|pane| *pane == focus).map_or(1, |place| place + 1);
    let tab = key_of(model, Intent::NextPane);
    let names: Vec<String> = panes.iter().map(|pane| name(*pane)).collect();
    let all = format!("{tab} {}", names.join(" "));
    if width(&all) + 6 <= usize::from(rect.width) { all } else { format!("{place} of {}: {tab} goes on", names.len()) }
}

/// The keys a pane has besides those of every list.
fn own(model: &Model, pane: Pane) -> String {
    let keys: &[Intent] = match pane {
        Pane::Asking => &[Intent::Open, Intent::Deny],
        Pane::Passkeys => &[Intent::Enroll, Intent::Remove],
        Pane::Clients => &[Intent::NewClient, Intent::Remove],
        _ => &[],
    };
    let focused = model.connections.focus == pane;
    let usable = keys.iter().filter(|intent| focused && disabled(model, **intent).is_none());
    usable.map(|intent| key(model, *intent)).collect::<Vec<_>>().join("  ")
}

/// A key and what it is called.
fn key(model: &Model, intent: Intent) -> String {
    entry(intent).map(|entry| format!("{} {}", model.setup.keymap.first(entry), entry.short)).unwrap_or_default()
}

fn key_of(model: &Model, intent: Intent) -> String {
    entry(intent).map(|entry| model.setup.keymap.first(entry)).unwrap_or_default()
}

fn entry(intent: Intent) -> Option<&'static Entry> {
    let here = |place| matches!(place, Place::Connections | Place::Lists | Place::Everywhere);
    INTENTS.iter().find(|entry| entry.intent == intent && here(entry.place))
}
