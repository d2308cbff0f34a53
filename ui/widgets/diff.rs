//! What changed between two texts, line by line and complete: nothing is folded away, because somebody decides by it.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::theme::Role;

/// Up to so many lines in both texts together, the smallest difference is looked for; of more, all are taken for changed.
const LOOKED_AT: usize = 4_000;

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Same,
    Gone,
    New,
}

impl Sign {
    pub(crate) fn role(self) -> Role {
        match self {
            Sign::Same => Role::Text,
            Sign::Gone => Role::DiffDel,
            Sign::New => Role::DiffAdd,
        }
    }

    pub(crate) fn symbol(self) -> char {
        match self {
            Sign::Same => ' ',
            Sign::Gone => '-',
            Sign::New => '+',
        }
    }
}

/// A line with what became of it.
type Line<'a> = (Sign, &'a str);

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
}

/// A line feed ends a line: one at the end of a text is a difference like any other.
fn lines(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.split('\n').collect() }
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}
