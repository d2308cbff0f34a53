//! Writing an answer: JSON, sentences, aligned columns.

use std::io::{ErrorKind, Write as _};

use quarterdeck::text;
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use super::Failure;

/// Between two columns.
const GAP: &str = "   ";

/// Writes `text` and a line break to standard output. A reader that has gone away (`| head`) is no failure.
pub fn line(text: &str) -> Result<(), Failure> {
    text_as_it_is(&format!("{text}\n")).map(drop)
}

/// Writes `text` to standard output and answers whether somebody still reads.
pub fn text_as_it_is(text: &str) -> Result<bool, Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::new(format!("the answer cannot be written: {error}"))),
    }
}

/// Writes what must be heard though it is no failure to standard error, a line each.
pub fn warnings(sentences: &[String]) {
    for sentence in sentences {
        let _nobody_reads = writeln!(std::io::stderr(), "quarterdeck: {}", text::safe(sentence));
    }
}

/// Writes `value` as one JSON document.
pub fn json(value: &impl Serialize) -> Result<(), Failure> {
    let text =
        serde_json::to_string_pretty(value).map_err(|error| Failure::new(format!("the answer cannot be written: {error}")))?;
    line(&text)
}

/// Rows as aligned columns. The last column is not padded.
pub fn columns(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width());
        }
    }
    let lines: Vec<String> = rows.iter().map(|row| aligned(row, &widths)).collect();
    lines.join("\n")
}

fn aligned(row: &[String], widths: &[usize]) -> String {
    let cells: Vec<String> =
        row.iter().zip(widths).map(|(cell, width)| format!("{cell}{}", " ".repeat(width.saturating_sub(cell.width())))).collect();
    cells.join(GAP).trim_end().to_owned()
}

/// An RFC 3339 time as people read it: to the minute.
pub fn minute(time: &str) -> String {
    match (time.get(..10), time.get(11..16)) {
        (Some(day), Some(minute)) => format!("{day} {minute} UTC"),
        _ => time.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_by_what_is_seen_not_by_bytes() {
        let rows = [["a", "x"], ["日本", "y"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(columns(&rows), "a      x\n日本   y");
    }

    #[test]
    fn a_time_is_shown_to_the_minute() {
        assert_eq!(minute("2026-12-01T09:30:00.000Z"), "2026-12-01 09:30 UTC");
        assert_eq!(minute("?"), "?");
    }
}
