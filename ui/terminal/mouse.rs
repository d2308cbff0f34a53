//! The mouse: reported to this program, or left to the terminal for selecting text.

use std::io::{self, Write};

use super::{Step, taken};

/// Buttons and the wheel with exact positions. Not movements: nothing here needs them, and each would wake the program.
const CAPTURE: &[u8] = b"\x1b[?1000h\x1b[?1006h";
/// The mouse is the terminal's own again.
pub(super) const RELEASE: &[u8] = b"\x1b[?1006l\x1b[?1000l";

/// Asks the terminal for the mouse, or gives it back. Leaving gives it back too, so whoever takes the terminal again asks again. While
/// the terminal is not held, this does nothing.
///
/// # Errors
/// When the terminal cannot be written to.
pub(crate) fn capture_mouse(on: bool) -> io::Result<()> {
    switch(&mut taken(), &mut io::stdout(), on)
}

fn switch(steps: &mut Vec<Step>, out: &mut impl Write, on: bool) -> io::Result<()> {
    let captured = steps.iter().position(|step| matches!(step, Step::Mouse));
    match captured {
        None if on && !steps.is_empty() => {
            steps.push(Step::Mouse);
            out.write_all(CAPTURE)?;
        }
        Some(place) if !on => {
            steps.remove(place);
            out.write_all(RELEASE)?;
        }
        _ => return Ok(()),
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mouse_is_asked_for_once_and_given_back_once() {
        let (mut steps, mut out) = (vec![Step::Raw], Vec::new());
        switch(&mut steps, &mut out, true).unwrap();
        switch(&mut steps, &mut out, true).unwrap();
        assert_eq!(out, CAPTURE);
        assert!(matches!(steps[..], [Step::Raw, Step::Mouse]));
        out.clear();
        switch(&mut steps, &mut out, false).unwrap();
        switch(&mut steps, &mut out, false).unwrap();
        assert_eq!(out, RELEASE);
        assert!(matches!(steps[..], [Step::Raw]));
    }

    #[test]
    fn a_terminal_that_is_not_held_is_not_written_to() {
        let (mut steps, mut out) = (Vec::new(), Vec::new());
        switch(&mut steps, &mut out, true).unwrap();
        switch(&mut steps, &mut out, false).unwrap();
        assert!(out.is_empty() && steps.is_empty());
    }
}
