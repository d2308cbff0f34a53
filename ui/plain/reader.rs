//! Lines from standard input, on a thread of their own: reading one waits as long as a person does.

use std::io::{BufRead, Read as _};
use std::thread;

use tokio::sync::mpsc;

use super::model::Typed;
use crate::app::Clock;

/// Lines that wait. One is read when there is a place for it.
const WAITING: usize = 64;
/// Longest line: what a terminal takes itself.
const LONGEST: usize = 4096;

/// Reads until the end, which closes the channel. A line that is too long is an empty one: part of a command is none.
pub(super) fn start(clock: Clock) -> mpsc::Receiver<Typed> {
    let (lines, receiver) = mpsc::channel(WAITING);
    thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        while let Some(text) = line(&mut input) {
            let typed = Typed { text, at: clock.now().tick };
            if lines.blocking_send(typed).is_err() {
                return;
            }
        }
    });
    receiver
}

fn line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let most = u64::try_from(LONGEST).unwrap_or(u64::MAX);
    let read = input.take(most).read_until(b'\n', &mut bytes).ok()?;
    if read == 0 {
        return None;
    }
    if read == LONGEST && bytes.last() != Some(&b'\n') {
        skip(input)?;
        return Some(String::new());
    }
    Some(String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// Reads over the rest of a line.
fn skip(input: &mut impl BufRead) -> Option<()> {
    loop {
        let buffer = input.fill_buf().ok()?;
        let (end, length) = (buffer.iter().position(|byte| *byte == b'\n'), buffer.len());
        input.consume(end.map_or(length, |at| at + 1));
        if end.is_some() || length == 0 {
            return Some(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_by_one_and_one_that_is_too_long_is_no_command() {
        let text = format!("overview\r\n{}\nleave", "revoke ".repeat(2000));
        let mut input = text.as_bytes();
        let lines: Vec<_> = std::iter::from_fn(|| line(&mut input)).collect();
        assert_eq!(lines, ["overview", "", "leave"]);
    }
}
