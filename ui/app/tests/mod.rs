//! What happens, told in keys, notices and effects; and what is drawn above the screen.

mod deciding;
mod enrolling;
mod finding;
mod fuzz;
mod hearing;
mod looks;
mod moving;
mod remembering;
mod small;
