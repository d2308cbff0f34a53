//! “Getting started”: the exact next step, until an assistant is connected.
//!
//! The pane has no side borders, so that a line can be selected with the mouse as it is.

use crate::app::{Facts, Model};
use crate::theme::{Role, Theme};
use crate::widgets::{width, wrap};

/// A line: how far in it starts, its pieces.
pub(super) type Line = (u16, Vec<(String, Role)>);

/// Whether there is a next step.
pub(super) fn shows(facts: &Facts) -> bool {
    facts.passkeys.is_empty() || !facts.connected()
}

/// The pane's title and lines, made for `cells`.
pub(super) fn lines(model: &Model, theme: &Theme, cells: usize) -> (&'static str, Vec<Line>) {
    let facts = &model.facts;
    let Some(address) = facts.address() else { return ("the door is closed", closed(theme, cells)) };
    if facts.passkeys.is_empty() {
        return ("step 1 of 2", passkey(model, theme, cells, &address));
    }
    if model.overview.had_connection {
        return ("", prose(theme, cells, &format!("No assistant is connected. The address to give one: {address}")));
    }
    ("step 2 of 2", assistant(facts, theme, cells, &address))
}

fn closed(theme: &Theme, cells: usize) -> Vec<Line> {
    let text = "assistants.public_url is empty, so no assistant can come in. Set it in quarterdeck.toml (leave it out for \
                http://localhost:7420) and start again.";
    prose(theme, cells, text)
}

fn passkey(model: &Model, theme: &Theme, cells: usize, address: &str) -> Vec<Line> {
    let mut lines = vec![(
        1,
        vec![
            ("1".to_owned(), Role::Accent),
            ("  Press ".to_owned(), Role::Title),
            (model.setup.keymap.say("{enroll}"), Role::Accent),
            (" to enroll a passkey.".to_owned(), Role::Title),
        ],
    )];
    lines.extend(prose(theme, cells, "It is the only key there is: no assistant gets in without it."));
    lines.push((0, Vec::new()));
    lines.push((1, vec![("2  Connect an assistant. It will be given this address:".to_owned(), Role::Muted)]));
    lines.push((4, vec![(address.to_owned(), Role::Muted)]));
    lines
}

fn assistant(facts: &Facts, theme: &Theme, cells: usize, address: &str) -> Vec<Line> {
    let done = (1, vec![(theme.glyphs.done.to_owned(), Role::Ok), ("  A passkey is enrolled.".to_owned(), Role::Muted)]);
    let ask = (
        1,
        vec![
            ("2".to_owned(), Role::Accent),
            ("  Connect an assistant: give it the address ".to_owned(), Role::Title),
            (address.to_owned(), Role::Accent),
        ],
    );
    let mut lines = vec![done, ask, (0, Vec::new())];
    let quoted = format!("{{\"quarterdeck\":{{\"url\":\"{address}\"}}}}");
    lines.extend(recipe(cells, "Claude Code", &["claude mcp add --transport http quarterdeck", address]));
    lines.extend(recipe(cells, "Codex", &["codex mcp add quarterdeck --url", address]));
    lines.extend(recipe(cells, "Cursor: .cursor/mcp.json", &["{\"mcpServers\":", &format!("{quoted}}}")]));
    let typed = quoted.replace("{\"url\"", "{\"type\":\"http\",\"url\"");
    lines.extend(recipe(cells, "VS Code: .vscode/mcp.json", &["{\"servers\":", &format!("{typed}}}")]));
    lines.push((4, vec![("Claude.ai, ChatGPT".to_owned(), Role::Text)]));
    let web = if facts.local_only() {
        "They need a public https address: set assistants.public_url, see README."
    } else {
        "Add a custom connector with the address above, in their settings."
    };
    lines.extend(prose(theme, cells, web));
    lines.push((4, vec![("If a client complains about dynamic client registration:".to_owned(), Role::Text)]));
    lines.push((4, vec![("quarterdeck client add NAME --redirect http://127.0.0.1/callback".to_owned(), Role::Accent)]));
    lines
}

/// What to type for one client, on one line if it fits.
fn recipe(cells: usize, client: &str, parts: &[&str; 2]) -> Vec<Line> {
    let [first, second] = parts;
    let json = first.starts_with('{');
    let whole = if json { parts.concat() } else { parts.join(" ") };
    let mut lines = vec![(4, vec![(client.to_owned(), Role::Text)])];
    if width(&whole) + 4 <= cells {
        lines.push((4, vec![(whole, Role::Accent)]));
    } else {
        let more = if json { "" } else { " \\" };
        lines.push((4, vec![(format!("{first}{more}"), Role::Accent)]));
        lines.push((6, vec![((*second).to_owned(), Role::Accent)]));
    }
    lines
}

fn prose(theme: &Theme, cells: usize, text: &str) -> Vec<Line> {
    wrap(theme, text, cells.saturating_sub(5)).into_iter().map(|line| (4, vec![(line, Role::Muted)])).collect()
}
