//! x
mod app;
mod input;
mod overlays;
mod screens;
mod terminal;
mod theme;
mod widgets;
fn main() {}
