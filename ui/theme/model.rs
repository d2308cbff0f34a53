//! The theme as whoever draws sees it.

use std::sync::Arc;

use quarterdeck::config::Accent;
use ratatui::style::{Color, Modifier, Style};

use super::Role;
use super::glyphs::{self, Glyphs};
use super::palette::Palette;
use crate::terminal::Environment;

/// How many colours the terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Depth {
    Sixteen,
    Indexed,
    True,
}

/// Everything the drawing needs to know about looks. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Theme {
    pub(crate) glyphs: &'static Glyphs,
    pub(crate) ascii: bool,
    pub(super) colour: bool,
    /// The QR code is coloured whatever `colour` says.
    pub(super) qr_colour: bool,
    pub(super) depth: Depth,
    pub(super) host: Option<Accent>,
    palette: Arc<Palette>,
}

impl Theme {
    /// The terminal's own colours on this terminal; `ascii` asks for plain characters whatever it can do.
    pub(crate) fn of(environment: &Environment, ascii: bool) -> Theme {
        let ascii = ascii || !environment.utf8;
        let theme = Theme {
            glyphs: if ascii { &glyphs::ASCII } else { &glyphs::UNICODE },
            ascii,
            colour: !environment.no_color,
            qr_colour: true,
            depth: environment.depth,
            host: None,
            palette: Arc::new(Palette::terminal()),
        };
        theme.with(Palette::terminal())
    }

    /// The same in the colours of `palette`, as many of them as the terminal has.
    pub(super) fn with(&self, palette: Palette) -> Theme {
        let palette = match self.depth {
            _ if !self.colour => palette.without_colour(),
            Depth::True => palette,
            Depth::Indexed | Depth::Sixteen => palette.indexed(),
        };
        Theme { palette: Arc::new(palette), ..self.clone() }
    }

    /// The style of a role.
    pub(crate) fn style(&self, role: Role) -> Style {
        self.palette.style(role)
    }

    /// What every cell has before anything is drawn: the background, if the theme has one.
    pub(crate) fn base(&self) -> Style {
        self.palette.base()
    }

    /// The style of the host's name, if the owner gave this host a colour: white on it, absolutely, so that it looks the same in every theme.
    pub(crate) fn host(&self) -> Option<Style> {
        let accent = self.host.filter(|_| self.colour)?;
        let name = Style::new().add_modifier(Modifier::BOLD);
        let (own, absolute) = match accent {
            Accent::Red => (Color::Red, 124),
            Accent::Green => (Color::Green, 22),
            Accent::Blue => (Color::Blue, 19),
            Accent::Magenta => (Color::Magenta, 90),
            Accent::Cyan => (Color::Cyan, 23),
        };
        Some(match self.depth {
            Depth::Sixteen => name.fg(own).add_modifier(Modifier::REVERSED),
            Depth::Indexed | Depth::True => name.fg(Color::Indexed(231)).bg(Color::Indexed(absolute)),
        })
    }

    /// The absolute black and white of a QR code; nothing when the owner wants `NO_COLOR` to hold there too.
    pub(crate) fn qr(&self) -> Option<(Color, Color)> {
        match self.depth {
            _ if !self.colour && !self.qr_colour => None,
            Depth::True => Some((Color::Rgb(0, 0, 0), Color::Rgb(255, 255, 255))),
            Depth::Indexed => Some((Color::Indexed(16), Color::Indexed(231))),
            Depth::Sixteen => Some((Color::Black, Color::White)),
        }
    }
}
