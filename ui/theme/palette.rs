//! A palette: a style for each role, as a file says it, and as a terminal can show it.

use ratatui::style::{Color, Modifier, Style};

use super::role::ROLES;
use super::{Depth, Role, colour};

/// A style for each role.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Palette {
    /// Under everything: the background, and the text of whoever names none.
    base: Style,
    styles: [Style; ROLES.len()],
}

impl Palette {
    /// The terminal's own colours on its own background.
    pub(super) fn terminal() -> Palette {
        let plain = Style::new();
        let mut palette = Palette { base: plain, styles: [plain; ROLES.len()] };
        for (_, role) in ROLES {
            let style = match role {
                Role::Text => plain,
                Role::Muted => plain.add_modifier(Modifier::DIM),
                Role::Accent => plain.fg(Color::Cyan),
                Role::Ok | Role::DiffAdd => plain.fg(Color::Green),
                // Yellow cannot be read on a light terminal.
                Role::Warn => plain.fg(Color::Magenta),
                Role::Danger => plain.fg(Color::Red).add_modifier(Modifier::BOLD),
                Role::DiffDel => plain.fg(Color::Red),
                Role::Title => plain.add_modifier(Modifier::BOLD),
                Role::Selected => plain.add_modifier(Modifier::REVERSED),
            };
            palette.set(role, style);
        }
        palette
    }

    pub(super) fn base(&self) -> Style {
        self.base
    }

    pub(super) fn style(&self, role: Role) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }

    /// The background of text is that of everything: it is painted once, and text drawn on something selected does not paint it again.
    pub(super) fn set(&mut self, role: Role, mut style: Style) {
        if role == Role::Text {
            self.base = Style { fg: style.fg, bg: style.bg, ..Style::new() };
            style.bg = None;
        }
        if let Some(place) = self.styles.get_mut(role as usize) {
            *place = style;
        }
    }

    /// How many colours it is made of.
    pub(super) fn needs(&self) -> Depth {
        let colours = self.styles.iter().chain([&self.base]).flat_map(|style| [style.fg, style.bg]).flatten();
        colours.map(colour::needs).max().unwrap_or(Depth::Sixteen)
    }

    /// Each colour as the nearest of 256.
    pub(super) fn indexed(self) -> Palette {
        self.map(|style| Style { fg: style.fg.map(colour::indexed), bg: style.bg.map(colour::indexed), ..style })
    }

    /// Attributes only. What stood out by its background alone is reversed now.
    pub(super) fn without_colour(self) -> Palette {
        let palette = self.map(|style| {
            let plain = Style { fg: None, bg: None, ..style };
            let stood_out = style.bg.is_some() && style.add_modifier.is_empty();
            if stood_out { plain.add_modifier(Modifier::REVERSED) } else { plain }
        });
        Palette { base: Style::new(), ..palette }
    }

    fn map(self, change: impl Fn(Style) -> Style) -> Palette {
        Palette { base: change(self.base), styles: self.styles.map(change) }
    }
}
