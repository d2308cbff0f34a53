//! The few things all screens are drawn with: text that fits, a canvas that clamps, panes, tables, and a selection that follows an id.

mod canvas;
mod field;
mod fuzzy;
mod selection;
mod table;
mod text;

pub(crate) use canvas::{Canvas, Frame};
pub(crate) use field::Field;
pub(crate) use fuzzy::rank;
pub(crate) use selection::Selection;
pub(crate) use table::{Column, Row, Table};
pub(crate) use text::{Cut, fit, has_marks, width, wrap};
