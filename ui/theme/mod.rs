//! The theme: which style a role has, and which characters the chrome is drawn with.
//!
//! Roles, never widgets: whoever draws says what something means. The default theme uses the terminal's own 16 colours, so it fits a
//! light and a dark terminal alike; text has the default foreground. No meaning is carried by colour alone. With `NO_COLOR` only
//! attributes are left. The one exception is the QR code, where colour is the content: it is black on white, absolutely.

mod glyphs;

pub(crate) use glyphs::{Glyphs, twin};

use ratatui::style::{Color, Modifier, Style};

use crate::terminal::Environment;

/// What a piece of text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Text,
    Muted,
    Accent,
    Ok,
    /// Magenta: yellow cannot be read on a light terminal.
    Warn,
    Danger,
    Title,
    Selected,
}

/// How many colours the terminal has, for the QR code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    Sixteen,
    Indexed,
    True,
}

/// Everything the drawing needs to know about looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    pub(crate) glyphs: &'static Glyphs,
    pub(crate) ascii: bool,
    pub(crate) colour: bool,
    pub(crate) depth: Depth,
}

impl Theme {
    /// The theme for this terminal; `ascii` asks for plain characters whatever it can do.
    pub(crate) fn of(environment: &Environment, ascii: bool) -> Theme {
        let ascii = ascii || !environment.utf8;
        let glyphs = if ascii { &glyphs::ASCII } else { &glyphs::UNICODE };
        Theme { glyphs, ascii, colour: !environment.no_color, depth: environment.depth }
    }

    /// The style of a role.
    pub(crate) fn style(&self, role: Role) -> Style {
        let plain = Style::new();
        let style = match role {
            Role::Text => plain,
            Role::Muted => plain.add_modifier(Modifier::DIM),
            Role::Accent => plain.fg(Color::Cyan),
            Role::Ok => plain.fg(Color::Green),
            Role::Warn => plain.fg(Color::Magenta),
            Role::Danger => plain.fg(Color::Red).add_modifier(Modifier::BOLD),
            Role::Title => plain.add_modifier(Modifier::BOLD),
            Role::Selected => plain.add_modifier(Modifier::REVERSED),
        };
        if self.colour { style } else { Style { fg: None, bg: None, ..style } }
    }

    /// The absolute black and white of a QR code.
    pub(crate) fn qr(&self) -> (Color, Color) {
        match self.depth {
            Depth::True => (Color::Rgb(0, 0, 0), Color::Rgb(255, 255, 255)),
            Depth::Indexed => (Color::Indexed(16), Color::Indexed(231)),
            Depth::Sixteen => (Color::Black, Color::White),
        }
    }
}
