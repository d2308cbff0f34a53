//! Horizontal bars: how much of a whole something is.

use crate::theme::Theme;

/// A cell filled from the left by one eighth, two eighths, and so on.
const EIGHTHS: [&str; 7] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A bar of `part` of `whole` in at most `cells` cells. More than nothing can be seen, and more than the whole is a full bar.
pub(crate) fn bar(theme: &Theme, part: u64, whole: u64, cells: usize) -> String {
    if part == 0 || whole == 0 || cells == 0 {
        return String::new();
    }
    let fine = if theme.ascii { 1 } else { 8 };
    let all = cells as u128 * fine;
    let filled = (u128::from(part.min(whole)) * all / u128::from(whole)).max(1);
    let full = usize::try_from(filled / fine).unwrap_or(cells);
    let rest = usize::try_from(filled % fine).unwrap_or(0);
    let mut bar = if theme.ascii { "#" } else { "█" }.repeat(full);
    bar.extend(rest.checked_sub(1).and_then(|place| EIGHTHS.get(place).copied()));
    bar
}
