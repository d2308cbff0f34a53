//! x
mod app;
mod input;
mod overlays;
mod screens;
mod terminal;
#[cfg(test)]
mod testing;
mod theme;
mod widgets;
fn main() {}
