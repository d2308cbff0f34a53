//! The one way out: lines, with nothing in them that a terminal would obey.

use std::io::{self, Write};

use quarterdeck::text::safe;

/// What is asked with.
const PROMPT: &str = "> ";

/// Writes lines, and the prompt after them.
pub(crate) struct Printer<W> {
    out: W,
    /// Text of others may have more than ASCII in it.
    utf8: bool,
    /// There is a person to prompt.
    prompts: bool,
    /// The prompt is the last thing that was written: what comes next begins on a line of its own.
    open: bool,
}

impl<W: Write> Printer<W> {
    pub(crate) fn new(out: W, utf8: bool, prompts: bool) -> Printer<W> {
        Printer { out, utf8, prompts, open: false }
    }

    /// Prints lines.
    pub(crate) fn say(&mut self, text: &str) -> io::Result<()> {
        self.begin()?;
        for line in text.lines() {
            writeln!(self.out, "{}", plain(line, self.utf8))?;
        }
        self.out.flush()
    }

    /// Prints what is made of escape sequences on purpose.
    pub(crate) fn as_it_is(&mut self, text: &str) -> io::Result<()> {
        self.begin()?;
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// Asks for a line, unless that was done already.
    pub(crate) fn prompt(&mut self) -> io::Result<()> {
        if self.prompts && !self.open {
            self.open = true;
            self.out.write_all(PROMPT.as_bytes())?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// A line was typed: the terminal is at the beginning of the next one.
    pub(crate) fn entered(&mut self) {
        self.open = false;
    }

    fn begin(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.open) { writeln!(self.out) } else { Ok(()) }
    }
}

#[cfg(test)]
impl Printer<Vec<u8>> {
    /// Everything that was printed.
    pub(super) fn written(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }
}

/// A line in ASCII. Of others' text the letters stay where the terminal has them; what hides or steers is a mark.
fn plain(line: &str, utf8: bool) -> String {
    let mut out = String::with_capacity(line.len());
    for c in safe(&line.replace('\t', " ")).chars() {
        match c {
            '⟨' => out.push('<'),
            '⟩' => out.push('>'),
            '“' | '”' => out.push('"'),
            '‘' | '’' => out.push('\''),
            '…' => out.push_str("..."),
            '–' | '—' | '·' => out.push('-'),
            '×' => out.push('x'),
            c if c.is_ascii() || utf8 => out.push(c),
            c => out.push_str(&format!("<U+{:04X}>", u32::from(c))),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(act: impl FnOnce(&mut Printer<Vec<u8>>)) -> String {
        let mut printer = Printer::new(Vec::new(), false, true);
        act(&mut printer);
        printer.written()
    }

    #[test]
    fn nothing_steers_the_terminal_and_our_own_signs_are_ascii() {
        assert_eq!(plain("\u{1b}[31mred\u{9b}\u{202e}", true), "<U+001B>[31mred<U+009B><U+202E>");
        assert_eq!(plain("“needs you” … 5×2 — a · b\tc", true), "\"needs you\" ... 5x2 - a - b c");
    }

    #[test]
    fn letters_of_others_stay_where_the_terminal_has_them() {
        assert_eq!(plain("Zo\u{e9} 日", true), "Zo\u{e9} 日");
        assert_eq!(plain("Zo\u{e9} 日", false), "Zo<U+00E9> <U+65E5>");
    }

    #[test]
    fn an_event_begins_its_own_line_and_the_prompt_comes_again() {
        let said = printed(|printer| {
            printer.prompt().unwrap();
            printer.prompt().unwrap();
            printer.say("an event").unwrap();
            printer.prompt().unwrap();
            printer.entered();
            printer.say("an answer").unwrap();
        });
        assert_eq!(said, "> \nan event\n> an answer\n");
    }
}
