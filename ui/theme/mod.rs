//! The theme: which style a role has, and which characters the chrome is drawn with.
//!
//! Roles, never widgets: whoever draws says what something means. The default theme uses the terminal's own 16 colours, so it fits a
//! light and a dark terminal alike; text has the default foreground. Other themes are files of colours by role, shipped ones and the
//! owner's, drawn as well as the terminal can: a theme that has a background paints all of it. No meaning is carried by colour alone. With
//! `NO_COLOR` only attributes are left. The one exception is the QR code, where colour is the content: it is black on white, absolutely.

mod background;
mod colour;
mod error;
mod file;
mod glyphs;
mod model;
mod palette;
mod role;
mod shipped;
#[cfg(test)]
mod tests;
mod themes;
mod watch;

pub(crate) use background::{Background, ask};
pub(crate) use glyphs::twin;
pub(crate) use model::{Depth, Theme};
pub(crate) use role::Role;
pub(crate) use themes::Themes;
