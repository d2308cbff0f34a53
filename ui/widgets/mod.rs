//! The few things all screens are drawn with: text that fits, a canvas that clamps, panes, tables, a selection that follows an id, a field
//! to type in, small charts, differences, and the ranking of a fuzzy search.

mod bars;
mod canvas;
mod diff;
mod field;
mod fuzzy;
mod selection;
mod sparkline;
mod table;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use bars::bar;
pub(crate) use canvas::{Canvas, Frame};
pub(crate) use diff::{Diff, Sign};
pub(crate) use field::{Field, Typed};
pub(crate) use fuzzy::rank;
pub(crate) use selection::Selection;
pub(crate) use sparkline::sparkline;
#[cfg(test)]
pub(crate) use table::BUILT;
pub(crate) use table::{Column, Row, Table};
pub(crate) use text::{Cut, fit, has_marks, width, wrap};
