//! What is known of the selected connection: its facts, its scopes, its tools.

use quarterdeck::control::{Connection, ConnectionDetail, ToolUse};
use ratatui::layout::Rect;

use super::Shown;
use super::list::{again, say};
use super::panes::selected;
use crate::app::Model;
use crate::screens::Fact;
use crate::screens::words::{SCOPES, bare, scope_words, state_role, state_word};
use crate::theme::{Role, Theme};
use crate::widgets::{Canvas, Cut, Frame, bar, fit, has_marks, wrap};

/// Cells of a label, the one after it included.
const LABEL: u16 = 13;

/// The facts of the selected connection; those the host was asked for when they are there.
fn facts(model: &Model, one: &Connection) -> Vec<Fact> {
    let shown = detail(model);
    let asked = |value: fn(&ConnectionDetail) -> Option<String>| match &shown {
        Shown::There(detail) => (value(detail).unwrap_or_else(|| "the audit does not tell".to_owned()), Role::Text),
        Shown::Failed(_) => (model.setup.keymap.say("not read: {retry} asks again"), Role::Danger),
        Shown::Loading => ("…".to_owned(), Role::Muted),
        Shown::Nothing if !model.connected() => ("not read: no host".to_owned(), Role::Muted),
        Shown::Nothing => (String::new(), Role::Muted),
    };
    let (returns, returns_role) = asked(|detail| detail.redirect_uri.clone());
    let (by, by_role) = asked(|detail| detail.approved_by.clone());
    let (resource, resource_role) = asked(|detail| Some(detail.resource.clone()));
    let seen = one.last_used_at.as_ref().map_or_else(|| "never".to_owned(), |at| model.full_time(at));
    let mut facts = vec![
        ("state", state_word(one.state).to_owned(), state_role(one.state)),
        ("client", one.client_id.clone(), Role::Text),
        ("calls itself", one.client_name.clone().unwrap_or_else(|| "(no name)".to_owned()), Role::Text),
        ("returns to", returns, returns_role),
        ("approved", model.full_time(&one.created_at), Role::Text),
        ("by passkey", by, by_role),
        ("resource", resource, resource_role),
        ("last call", seen, Role::Text),
        ("grant", one.grant.clone(), Role::Muted),
    ];
    for (_, value, role) in &mut facts {
        if has_marks(value) {
            *role = Role::Warn;
        }
    }
    facts
}

fn detail(model: &Model) -> Shown<'_, ConnectionDetail> {
    model.connections.looked().map_or(Shown::Nothing, |looked| looked.detail.shown(model.now.tick))
}

/// Most lines of one fact; the detail tells it whole.
const LINES: usize = 3;

type Line = (&'static str, String, Role);

/// The facts as lines of `cells`.
fn whole(model: &Model, theme: &Theme, cells: u16) -> Vec<Line> {
    let room = usize::from(cells.saturating_sub(LABEL + 2));
    let all = selected(model).map(|one| facts(model, one)).unwrap_or_default();
    let lines = all.into_iter().flat_map(|(label, value, role)| {
        let value = fit(theme, &value, room * LINES, Cut::Host);
        let parts = wrap(theme, &value, room).into_iter().take(LINES).enumerate();
        parts.map(move |(place, part)| (if place == 0 { label } else { "" }, part, role)).collect::<Vec<_>>()
    });
    lines.collect()
}

/// The rows the facts and the tools want at this width, their borders included.
pub(super) fn heights(model: &Model, theme: &Theme, width: u16) -> (u16, u16) {
    let rows = |count: usize| u16::try_from(count.max(1) + 2).unwrap_or(u16::MAX);
    let tools = if let Shown::There(detail) = detail(model) { detail.tools.len().min(8) } else { 1 };
    (rows(whole(model, theme, width.saturating_sub(2)).len()).min(16), rows(tools))
}

fn title(model: &Model) -> &str {
    let none = if model.facts.connections.is_empty() { "How an assistant connects" } else { "Nothing selected" };
    selected(model).map_or(none, |one| &one.name)
}

/// Draws the facts.
pub(super) fn draw_facts(model: &Model, canvas: &mut Canvas<'_>, rect: Rect) {
    let title = title(model);
    let right = selected(model).map(|one| format!("since {}", model.clock(&one.created_at))).unwrap_or_default();
    let inside = canvas.frame(rect, &Frame { title, right: &right, ..Frame::default() });
    if model.facts.connections.is_empty() {
        return first(model, canvas, inside);
    }
    if selected(model).is_none() {
        say(canvas, inside, (&unselected(model), Role::Muted));
        return;
    }
    let lines = whole(model, canvas.theme, inside.width);
    for (y, line) in (inside.y..inside.bottom()).zip(lines) {
        draw_line(canvas, (inside.x + 1, y), inside.width.saturating_sub(2), &line);
    }
}

/// What happens when an assistant connects, while none has.
fn first(model: &Model, canvas: &mut Canvas<'_>, inside: Rect) {
    let text = "An assistant that was given the address opens a page in the browser. There you choose what it may do, and your \
                passkey approves it. This is what it can be allowed:";
    let used = say(canvas, inside, (text, Role::Text));
    let rows = inside.y.saturating_add(used + 1)..inside.bottom();
    for (y, (_, name)) in rows.zip(scope_lines(model)) {
        canvas.put((inside.x + 4, y), 18, &name, canvas.theme.style(Role::Text));
        canvas.put((inside.x + 22, y), inside.width.saturating_sub(23), scope_words(&name), canvas.theme.style(Role::Muted));
    }
}

pub(super) fn unselected(model: &Model) -> String {
    let text = if model.facts.connections.is_empty() {
        "What a connection is and does is told here."
    } else {
        "No connection is selected: choose one with {down} and {up}."
    };
    model.setup.keymap.say(text)
}

fn draw_line(canvas: &mut Canvas<'_>, (x, y): (u16, u16), room: u16, (label, value, role): &Line) {
    canvas.put((x, y), LABEL.min(room), label, canvas.theme.style(Role::Muted));
    let style = canvas.theme.style(*role);
    let cut = if *label == TOOLS { Cut::End } else { Cut::Host };
    canvas.put_cut((x + LABEL, y), room.saturating_sub(LABEL), (value, cut), style);
}

/// Draws facts and scopes side by side, each fact in one line.
pub(super) fn draw_card(model: &Model, canvas: &mut Canvas<'_>, (rect, hint): (Rect, &str)) {
    let title = title(model);
    let by = if let Shown::There(detail) = detail(model) { detail.approved_by.as_deref() } else { None };
    let since = selected(model).map(|one| format!("since {}", model.clock(&one.created_at)));
    let right = [since, by.map(|by| format!("passkey {by}"))].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let inside = canvas.frame(rect, &Frame { title, right: &right, bottom: hint, ..Frame::default() });
    if model.facts.connections.is_empty() {
        return first(model, canvas, inside);
    }
    let Some(one) = selected(model) else {
        say(canvas, inside, (&unselected(model), Role::Muted));
        return;
    };
    if inside.width < BESIDE {
        return stacked(model, canvas, inside);
    }
    let checks = CHECKS;
    let room = inside.width.saturating_sub(checks + 3);
    let shown = facts(model, one).into_iter().filter(|(label, ..)| *label != "by passkey");
    let mut lines: Vec<Line> = shown.map(|(label, value, role)| (label, bare(&value), role)).collect();
    if let Shown::There(detail) = detail(model) {
        let tools: Vec<String> = detail.tools.iter().map(|tool| format!("{} {}", tool.name, tool.calls)).collect();
        let tools = if tools.is_empty() { "none".to_owned() } else { tools.join(", ") };
        lines.insert(lines.len() - 1, (TOOLS, tools, Role::Text));
    }
    for (y, line) in (inside.y..inside.bottom()).zip(&lines) {
        draw_line(canvas, (inside.x + 1, y), room, line);
    }
    let x = inside.right().saturating_sub(checks + 1);
    for (y, line) in (inside.y..inside.bottom()).zip(scope_lines(model)) {
        draw_scope(canvas, (x, y), checks, &line);
    }
}

/// The label of the tools in the card.
const TOOLS: &str = "tools, 7 d";

/// From this width on the card has room for facts and scopes side by side.
const BESIDE: u16 = 74;

/// The facts and below them, as far as there is room, the scopes.
fn stacked(model: &Model, canvas: &mut Canvas<'_>, inside: Rect) {
    let room = inside.width.saturating_sub(2);
    let lines = whole(model, canvas.theme, inside.width);
    let mut rows = inside.y..inside.bottom();
    for (line, y) in lines.iter().zip(&mut rows) {
        draw_line(canvas, (inside.x + 1, y), room, line);
    }
    for (line, y) in scope_lines(model).iter().zip(rows.skip(1)) {
        draw_scope(canvas, (inside.x + 1, y), room, line);
    }
}

/// Cells of a scope and its words in the card.
const CHECKS: u16 = 38;

/// Each scope there is, and whether the selected connection has it.
pub(super) fn scope_lines(model: &Model) -> Vec<(bool, String)> {
    let has: &[String] = selected(model).map_or(&[], |one| &one.scopes);
    let known = SCOPES.iter().map(|(name, _)| (has.iter().any(|scope| scope == name), (*name).to_owned()));
    let others = has.iter().filter(|scope| SCOPES.iter().all(|(name, _)| name != scope));
    known.chain(others.map(|scope| (true, scope.clone()))).collect()
}

fn draw_scope(canvas: &mut Canvas<'_>, (x, y): (u16, u16), room: u16, (has, name): &(bool, String)) {
    const NAME: u16 = 17;
    let (mark, role) = if *has { (canvas.theme.glyphs.done, Role::Text) } else { (" ", Role::Muted) };
    let style = canvas.theme.style(role);
    let sign = canvas.theme.style(if *has { Role::Ok } else { Role::Muted });
    canvas.put((x, y), 3.min(room), &format!("[{mark}]"), sign);
    canvas.put((x + 4, y), room.saturating_sub(4).min(NAME), name, style);
    canvas.put((x + 4 + NAME, y), room.saturating_sub(4 + NAME), scope_words(name), canvas.theme.style(Role::Muted));
}

/// Draws the scopes.
pub(super) fn draw_scopes(model: &Model, canvas: &mut Canvas<'_>, (rect, hint): (Rect, &str)) {
    let lines = scope_lines(model);
    let right = format!("{} of {}", lines.iter().filter(|(has, _)| *has).count(), lines.len());
    let right = if selected(model).is_some() { right } else { String::new() };
    let inside = canvas.frame(rect, &Frame { title: "Scopes", right: &right, bottom: hint, ..Frame::default() });
    for (y, line) in (inside.y..inside.bottom()).zip(&lines) {
        draw_scope(canvas, (inside.x + 1, y), inside.width.saturating_sub(2), line);
    }
}

/// Draws the tools it used, as bars.
pub(super) fn draw_tools(model: &Model, canvas: &mut Canvas<'_>, rect: Rect) {
    let shown = detail(model);
    let tools: &[ToolUse] = if let Shown::There(detail) = &shown { &detail.tools } else { &[] };
    let total: i64 = tools.iter().map(|tool| tool.calls).sum();
    let right = if total > 0 { total.to_string() } else { String::new() };
    let inside = canvas.frame(rect, &Frame { title: "Tools used, 7 days", right: &right, ..Frame::default() });
    let text = match shown {
        Shown::There(_) => "It called no tool in seven days.".to_owned(),
        Shown::Failed(why) => again(model, why),
        Shown::Loading => "…".to_owned(),
        Shown::Nothing => String::new(),
    };
    if tools.is_empty() {
        let role = if matches!(detail(model), Shown::Failed(_)) { Role::Danger } else { Role::Muted };
        say(canvas, inside, (&text, role));
        return;
    }
    let most = tools.iter().map(|tool| tool.calls).max().unwrap_or(0);
    for (y, tool) in (inside.y..inside.bottom()).zip(tools) {
        draw_tool(canvas, Rect { y, height: 1, ..inside }, (tool, most));
    }
}

fn draw_tool(canvas: &mut Canvas<'_>, line: Rect, (tool, most): (&ToolUse, i64)) {
    const NAME: u16 = 20;
    const CALLS: u16 = 7;
    let theme = canvas.theme;
    let positive = |number: i64| u64::try_from(number).unwrap_or(0);
    canvas.put((line.x + 1, line.y), NAME, &tool.name, theme.style(Role::Text));
    let end = (line.x + 1 + NAME + CALLS).min(line.right());
    canvas.put_right(line.y, (line.x + 1 + NAME, end), &tool.calls.to_string(), theme.style(Role::Text));
    let failed = if tool.failed > 0 { format!("{} failed", tool.failed) } else { String::new() };
    let room = line.right().saturating_sub(end + 2);
    let bars = room.saturating_sub(11);
    let drawn = bar(theme, positive(tool.calls), positive(most), usize::from(bars));
    canvas.put((end + 1, line.y), bars, &drawn, theme.style(Role::Accent));
    canvas.put_right(line.y, (end + 1 + bars, line.right().saturating_sub(1)), &failed, theme.style(Role::Warn));
}
