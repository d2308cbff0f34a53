//! Sparklines: numbers over time in one row of cells, as high as the row's own maximum allows.

use crate::theme::Theme;

const BLOCKS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const PLAIN: [&str; 5] = [".", "_", "-", "=", "#"];

/// `numbers` in exactly `cells` cells, the oldest left: with fewer cells than numbers each one is a sum. A zero is an empty cell, and
/// whatever is more than zero can be seen.
pub(crate) fn sparkline(theme: &Theme, numbers: &[u64], cells: usize) -> String {
    let sums = gathered(numbers, cells);
    let most = sums.iter().copied().max().unwrap_or(0);
    let steps: &[&str] = if theme.ascii { &PLAIN } else { &BLOCKS };
    sums.into_iter().map(|sum| height(sum, most, steps)).collect()
}

fn gathered(numbers: &[u64], cells: usize) -> Vec<u64> {
    let sum = |cell: usize| {
        let start = cell * numbers.len() / cells;
        let end = ((cell + 1) * numbers.len() / cells).max(start + 1);
        numbers.get(start..end).unwrap_or_default().iter().fold(0, |sum: u64, one| sum.saturating_add(*one))
    };
    (0..cells).map(sum).collect()
}

fn height<'a>(sum: u64, most: u64, steps: &[&'a str]) -> &'a str {
    let Some(last) = steps.len().checked_sub(1).filter(|_| sum > 0) else { return " " };
    let step = u128::from(sum) * steps.len() as u128;
    let step = step.div_ceil(u128::from(most.max(1))).saturating_sub(1);
    steps.get(usize::try_from(step).unwrap_or(last).min(last)).copied().unwrap_or(" ")
}
