//! The file: its bytes, its TOML, and the keys in it in the order of their lines.

use std::io::{ErrorKind, Read as _};
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::given::Given;
use super::key::{KEYS, Key};
use super::load::Setting;
use super::nearest::nearest;
use super::{ConfigError, Place};

/// Largest file that is read.
const MOST: u64 = 1 << 20;

/// The settings in `file`; none when it does not exist and nobody named it.
pub(super) fn settings(file: &Path, named: bool) -> Result<Vec<Setting>, ConfigError> {
    match read(file) {
        Err(ConfigError::Missing(_)) if !named => Ok(Vec::new()),
        Err(error) => Err(error),
        Ok(text) => parse(file, &text),
    }
}

fn read(file: &Path) -> Result<String, ConfigError> {
    let at = |cause: std::io::Error| match cause.kind() {
        ErrorKind::NotFound => ConfigError::Missing(file.to_owned()),
        _ => ConfigError::Unreadable { file: file.to_owned(), cause },
    };
    // Looked at before it is opened: opening a pipe would wait for somebody to write into it.
    if !std::fs::metadata(file).map_err(at)?.is_file() {
        return Err(ConfigError::NotAFile(file.to_owned()));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(file).map_err(at)?.take(MOST + 1).read_to_end(&mut bytes).map_err(at)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > MOST {
        return Err(ConfigError::TooLarge { file: file.to_owned(), most: MOST });
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes().iter().take(valid).filter(|byte| **byte == b'\n').count();
        ConfigError::NotUtf8 { file: file.to_owned(), line }
    })?;
    // Some editors begin a file with a byte order mark; it means nothing in UTF-8.
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

fn parse(file: &Path, text: &str) -> Result<Vec<Setting>, ConfigError> {
    let place = |offset: usize| Place::File {
        file: file.to_owned(),
        line: 1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count(),
    };
    let table = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
        place: place(error.span().map_or(0, |span| span.start)),
        problem: error.message().to_owned(),
    })?;
    let mut found = Vec::new();
    flatten("", table.get_ref(), &mut found);
    found.sort_by_key(|leaf| leaf.offset);
    found
        .into_iter()
        .map(|leaf| {
            let place = place(leaf.offset);
            leaf.setting(place)
        })
        .collect()
}

struct Leaf {
    name: String,
    given: Given,
    offset: usize,
}

impl Leaf {
    fn setting(self, place: Place) -> Result<Setting, ConfigError> {
        if let Some(key) = Key::named(&self.name) {
            return Ok(Setting { key, given: self.given, place });
        }
        match section(&self.name) {
            Some(key) => {
                let problem = format!("must be a table: write [{key}] with its keys below it, found {}", self.given);
                Err(ConfigError::Value { place, key, problem })
            }
            None => {
                let nearest = nearest(&self.name, KEYS.iter().map(|key| key.name)).map(str::to_owned);
                Err(ConfigError::UnknownKey { place, key: self.name, nearest })
            }
        }
    }
}

/// Tables are walked as far as they can hold keys of ours, so that an error names the innermost wrong key.
fn flatten(prefix: &str, table: &DeTable<'_>, into: &mut Vec<Leaf>) {
    for (key, value) in table {
        let name = if prefix.is_empty() { key.get_ref().to_string() } else { format!("{prefix}.{}", key.get_ref()) };
        match value.get_ref() {
            DeValue::Table(inner) if Key::named(&name).is_none() && (section(&name).is_some() || !inner.is_empty()) => {
                flatten(&name, inner, into);
            }
            _ => into.push(Leaf { name, given: given(value), offset: key.span().start }),
        }
    }
}

fn given(value: &Spanned<DeValue<'_>>) -> Given {
    match value.get_ref() {
        DeValue::String(text) => Given::Text(text.to_string()),
        // Written in any radix, or too large for any of our keys.
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).map_or(Given::Other("a number that is too large"), Given::Number)
        }
        DeValue::Float(_) => Given::Other("a fraction"),
        DeValue::Boolean(flag) => Given::Flag(*flag),
        DeValue::Datetime(_) => Given::Other("a date or time"),
        DeValue::Array(items) => Given::List(items.iter().map(given).collect()),
        DeValue::Table(_) => Given::Other("a table"),
    }
}

/// The section of this name, if keys of ours are in one.
fn section(name: &str) -> Option<&'static str> {
    KEYS.iter().filter_map(|key| key.name.split_once('.')).map(|(section, _)| section).find(|section| *section == name)
}
