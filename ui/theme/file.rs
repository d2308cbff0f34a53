//! The file of a theme: TOML with a style for each role, `role = { fg, bg, bold, dim, italic, underline, reverse }`.
//!
//! What it leaves out is as in the terminal's own theme.

use std::io::{ErrorKind, Read as _};
use std::ops::Range;
use std::path::Path;

use ratatui::style::{Color, Modifier, Style};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::colour;
use super::error::{Place, ThemeError, one_line};
use super::palette::Palette;
use super::role::ROLES;

/// Largest file that is read.
const MOST: u64 = 1 << 16;

/// The text of `file`.
pub(super) fn read(file: &Path) -> Result<String, ThemeError> {
    let at = |cause: std::io::Error| match cause.kind() {
        ErrorKind::NotFound => ThemeError::Missing(file.to_owned()),
        _ => ThemeError::Unreadable { file: file.to_owned(), cause },
    };
    // Looked at before it is opened: opening a pipe would wait for somebody to write into it.
    if !std::fs::metadata(file).map_err(at)?.is_file() {
        return Err(ThemeError::NotAFile(file.to_owned()));
    }
    let mut text = String::new();
    std::fs::File::open(file).map_err(at)?.take(MOST + 1).read_to_string(&mut text).map_err(at)?;
    if text.len() as u64 > MOST {
        return Err(ThemeError::TooLarge { file: file.to_owned(), most: MOST });
    }
    Ok(text)
}

/// The palette that `text` describes; `file` is named in errors.
pub(super) fn parse(file: &Path, text: &str) -> Result<Palette, ThemeError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let source = Source { file, text };
    let table = DeTable::parse(text).map_err(|error| ThemeError::Syntax {
        place: source.place(error.span().unwrap_or_default()),
        problem: error.message().to_owned(),
    })?;
    let mut palette = Palette::terminal();
    for (key, value) in in_order(table.get_ref()) {
        let name = key.get_ref();
        let Some((name, role)) = ROLES.into_iter().find(|(role, _)| role == name) else {
            let roles = ROLES.map(|(role, _)| role).join(", ");
            return Err(ThemeError::UnknownRole { place: source.place(key.span()), key: name.to_string(), roles });
        };
        palette.set(role, source.style(name, (key.span(), value.get_ref()))?);
    }
    Ok(palette)
}

type Entry<'t, 'd> = (&'t Spanned<std::borrow::Cow<'d, str>>, &'t Spanned<DeValue<'d>>);

/// The keys of a table as they stand in the file, so that the first mistake is the one that is told.
fn in_order<'t, 'd>(table: &'t DeTable<'d>) -> Vec<Entry<'t, 'd>> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

struct Source<'a> {
    file: &'a Path,
    text: &'a str,
}

impl Source<'_> {
    fn place(&self, span: Range<usize>) -> Place {
        let line = 1 + self.text.bytes().take(span.start).filter(|byte| *byte == b'\n').count();
        Place { file: self.file.to_owned(), line }
    }

    fn style(&self, name: &str, (at, value): (Range<usize>, &DeValue<'_>)) -> Result<Style, ThemeError> {
        let DeValue::Table(parts) = value else {
            let must = r##"a style such as { fg = "#6cb6ff", bold = true }"##;
            return Err(ThemeError::Value { place: self.place(at), key: name.to_owned(), must, found: found(value) });
        };
        let mut style = Style::new();
        for (part, value) in in_order(parts) {
            let (place, key) = (self.place(part.span()), format!("{name}.{}", part.get_ref()));
            match put(&mut style, part.get_ref(), value.get_ref()) {
                Ok(()) => {}
                Err(None) => return Err(ThemeError::UnknownPart { place, key }),
                Err(Some(must)) => return Err(ThemeError::Value { place, key, must, found: found(value.get_ref()) }),
            }
        }
        Ok(style)
    }
}

/// Puts one part into a style; refused with what it must be, or with nothing when there is no such part.
fn put(style: &mut Style, part: &str, value: &DeValue<'_>) -> Result<(), Option<&'static str>> {
    let modifier = match part {
        "fg" | "bg" => {
            let colour = Some(colour(value).ok_or(Some(colour::ALLOWED))?);
            if part == "fg" {
                style.fg = colour
            } else {
                style.bg = colour
            }
            return Ok(());
        }
        "bold" => Modifier::BOLD,
        "dim" => Modifier::DIM,
        "italic" => Modifier::ITALIC,
        "underline" => Modifier::UNDERLINED,
        "reverse" => Modifier::REVERSED,
        _ => return Err(None),
    };
    let DeValue::Boolean(on) = value else { return Err(Some("true or false")) };
    style.add_modifier.set(modifier, *on);
    Ok(())
}

fn colour(value: &DeValue<'_>) -> Option<Color> {
    match value {
        DeValue::String(text) => colour::named(text),
        DeValue::Integer(number) => u8::from_str_radix(number.as_str(), number.radix()).ok().map(colour::numbered),
        _ => None,
    }
}

fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("\"{}\"", one_line(&**text)),
        DeValue::Integer(number) => one_line(number.as_str()),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Float(_) => "a fraction".to_owned(),
        DeValue::Datetime(_) => "a date or time".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
