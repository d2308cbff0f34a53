//! What changed between two texts, line by line and complete: nothing is folded away, because somebody decides by it.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

use super::text::drawable;
use super::width;
use crate::theme::{Role, Theme};

/// From this width on the two texts stand side by side.
const SIDE_BY_SIDE: usize = 100;
/// Up to so many lines in both texts together, the smallest difference is looked for; of more, all are taken for changed.
const LOOKED_AT: usize = 4_000;
/// Cells of the sign in front of a line.
const SIGN: usize = 2;

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Same,
    Gone,
    New,
}

impl Sign {
    fn role(self) -> Role {
        match self {
            Sign::Same => Role::Text,
            Sign::Gone => Role::Danger,
            Sign::New => Role::Ok,
        }
    }

    fn symbol(self) -> char {
        match self {
            Sign::Same => ' ',
            Sign::Gone => '-',
            Sign::New => '+',
        }
    }
}

/// A line with what became of it.
type Line<'a> = (Sign, &'a str);

/// Pieces of one row, for [`super::Canvas::put_all`].
pub(crate) type Pieces = Vec<(String, Role)>;

/// The difference between two texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diff {
    /// Lines that stayed, or lines that went and the lines that came instead.
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Same(Vec<String>),
    Other { gone: Vec<String>, new: Vec<String> },
}

impl Diff {
    /// Compares two texts.
    pub(crate) fn of(before: &str, after: &str) -> Diff {
        let (before, after) = (lines(before), lines(after));
        if before.len() + after.len() > LOOKED_AT && before != after {
            return Diff { parts: vec![Part::Other { gone: owned(&before), new: owned(&after) }] };
        }
        let part = |op: &DiffOp| {
            let old = owned(before.get(op.old_range()).unwrap_or_default());
            let new = owned(after.get(op.new_range()).unwrap_or_default());
            if matches!(op, DiffOp::Equal { .. }) { Part::Same(old) } else { Part::Other { gone: old, new } }
        };
        Diff { parts: capture_diff_slices(Algorithm::Myers, &before, &after).iter().map(part).collect() }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Same(_)))
    }

    /// Each line with its sign, what went before what came.
    pub(crate) fn lines<'a>(&'a self) -> Vec<Line<'a>> {
        let mut signed = Vec::new();
        let mut sign = |sign, lines: &'a [String]| signed.extend(lines.iter().map(|line| (sign, line.as_str())));
        for part in &self.parts {
            match part {
                Part::Same(lines) => sign(Sign::Same, lines),
                Part::Other { gone, new } => {
                    sign(Sign::Gone, gone);
                    sign(Sign::New, new);
                }
            }
        }
        signed
    }

    /// The rows to draw in `cells` cells: long lines are broken, never cut.
    pub(crate) fn rows(&self, theme: &Theme, cells: usize) -> Vec<Pieces> {
        if cells < SIDE_BY_SIDE {
            return self.lines().into_iter().flat_map(|line| broken(theme, line, cells)).map(|piece| vec![piece]).collect();
        }
        let bar = format!(" {} ", theme.glyphs.light.vertical);
        let half = (cells - width(&bar)) / 2;
        let row = |(left, right): ((String, Role), (String, Role))| {
            let padding = " ".repeat(half.saturating_sub(width(&left.0)));
            vec![(left.0 + &padding, left.1), (bar.clone(), Role::Muted), right]
        };
        self.pairs()
            .into_iter()
            .flat_map(|(left, right)| beside(broken_or_none(theme, left, half), broken_or_none(theme, right, half)))
            .map(row)
            .collect()
    }

    /// What stands left and what stands right.
    fn pairs(&self) -> Vec<(Option<Line<'_>>, Option<Line<'_>>)> {
        let mut pairs = Vec::new();
        for part in &self.parts {
            match part {
                Part::Same(lines) => {
                    pairs.extend(lines.iter().map(|line| (Some((Sign::Same, line.as_str())), Some((Sign::Same, line.as_str())))))
                }
                Part::Other { gone, new } => {
                    let left = |place: usize| gone.get(place).map(|line| (Sign::Gone, line.as_str()));
                    let right = |place: usize| new.get(place).map(|line| (Sign::New, line.as_str()));
                    pairs.extend((0..gone.len().max(new.len())).map(|place| (left(place), right(place))));
                }
            }
        }
        pairs
    }
}

/// A line feed ends a line: one at the end of a text is a difference like any other.
fn lines(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.split('\n').collect() }
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

fn broken_or_none(theme: &Theme, line: Option<Line<'_>>, cells: usize) -> Vec<(String, Role)> {
    line.map(|line| broken(theme, line, cells)).unwrap_or_default()
}

/// A line in rows of at most `cells`. Each has the sign, so that no rest of a line passes for a line of its own that stayed.
fn broken(theme: &Theme, (sign, line): Line<'_>, cells: usize) -> Vec<(String, Role)> {
    let room = cells.saturating_sub(SIGN).max(1);
    let row = |gap: &str| format!("{}{gap}", sign.symbol());
    let mut rows = vec![row(" ")];
    let mut used = 0;
    for grapheme in drawable(theme, line).graphemes(true) {
        let needs = width(grapheme);
        if used > 0 && used + needs > room {
            rows.push(row(if theme.ascii { "." } else { "·" }));
            used = 0;
        }
        used += needs;
        if let Some(last) = rows.last_mut() {
            last.push_str(grapheme);
        }
    }
    rows.into_iter().map(|row| (row, sign.role())).collect()
}

/// Two columns of rows; the shorter one is filled with empty ones.
fn beside(left: Vec<(String, Role)>, right: Vec<(String, Role)>) -> Vec<((String, Role), (String, Role))> {
    let rows = left.len().max(right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let empty = || (String::new(), Role::Text);
    (0..rows).map(|_| (left.next().unwrap_or_else(empty), right.next().unwrap_or_else(empty))).collect()
}
