//! The QR code of an enrollment link: the only thing that is printed with colours, because here colour is content.

use crossterm::style::{ResetColor, SetBackgroundColor, SetForegroundColor};
use ratatui::backend::IntoCrossterm as _;

use crate::overlays::code_rows;
use crate::theme::Theme;

/// The code in half blocks, black on white; nothing where the owner wants no colour here either.
pub(super) fn lines(url: &str, theme: &Theme) -> Option<String> {
    let (dark, light) = theme.qr()?;
    let (on, over) = (SetForegroundColor(dark.into_crossterm()), SetBackgroundColor(light.into_crossterm()));
    Some(code_rows(url)?.iter().map(|row| format!("{on}{over}{row}{ResetColor}\n")).collect())
}
