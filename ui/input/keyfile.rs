//! The owner's file: TOML tables of places, in them intents with lists of keys. Every line that is wrong is told, not only the first.

use quarterdeck::config::nearest;
use quarterdeck::text::safe;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::intent::in_place;
use super::problem::{Problem, Spot};
use super::{Entry, Key, Place};

/// One line that is right: an entry and its keys.
pub(super) struct Line {
    pub(super) entry: &'static Entry,
    /// Its number in the file.
    pub(super) number: usize,
    pub(super) keys: Vec<Key>,
}

/// The lines of a file, and what is wrong with the others.
pub(super) fn read(text: &str, file: &str) -> (Vec<Line>, Vec<Problem>) {
    let mut reader = Reader { text, file, lines: Vec::new(), problems: Vec::new() };
    match DeTable::parse(text.strip_prefix('\u{feff}').unwrap_or(text)) {
        Ok(table) => reader.file(table.get_ref()),
        Err(error) => {
            let number = reader.number(error.span().map_or(0, |span| span.start));
            reader.wrong(number, format!("this is not TOML: {}", error.message()));
        }
    }
    (reader.lines, reader.problems)
}

struct Reader<'t> {
    text: &'t str,
    file: &'t str,
    lines: Vec<Line>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn file(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            let (name, number) = (key.get_ref().as_ref(), self.number(key.span().start));
            let place = Place::ALL.into_iter().find(|place| place.section() == name);
            match (place, value.get_ref()) {
                (Some(place), DeValue::Table(section)) => self.section(place, section),
                (Some(_), _) => self.wrong(number, format!("{name} must be a section: write [{name}] with its lines below it")),
                (None, _) => {
                    let known = nearest(name, Place::ALL.iter().map(|place| place.section()));
                    self.wrong(number, format!("there is no section [{}]; {}", safe(name), suggestion(known, ":keys shows all")));
                }
            }
        }
    }

    fn section(&mut self, place: Place, section: &DeTable<'_>) {
        for (key, value) in section {
            let (name, number) = (key.get_ref().as_ref(), self.number(key.span().start));
            let Some(entry) = in_place(place).find(|entry| entry.name == name) else {
                let known = nearest(name, in_place(place).map(|entry| entry.name));
                let all: Vec<&str> = in_place(place).map(|entry| entry.name).collect();
                let hint = suggestion(known, &format!("it has {}", all.join(", ")));
                self.wrong(number, format!("[{}] has no {}; {hint}", place.section(), safe(name)));
                continue;
            };
            if let Some(keys) = self.keys(entry, number, value) {
                self.lines.push(Line { entry, number, keys });
            }
        }
    }

    /// The keys of a line; `None` when it is wrong, so that nothing else is said about it.
    fn keys(&mut self, entry: &Entry, number: usize, value: &Spanned<DeValue<'_>>) -> Option<Vec<Key>> {
        let names = match value.get_ref() {
            DeValue::Array(items) => items.iter().map(|item| item.get_ref().as_str()).collect::<Option<Vec<&str>>>(),
            _ => None,
        };
        let Some(names) = names else {
            self.wrong(number, format!("{} must be a list of keys, as {0} = [\"x\", \"ctrl-d\"]", entry.name));
            return None;
        };
        let unknown: Vec<&&str> = names.iter().filter(|name| Key::parse(name).is_none()).collect();
        for name in &unknown {
            self.wrong(number, format!("\"{}\" is no key: {}", safe(name), Key::allowed()));
        }
        unknown.is_empty().then(|| names.iter().filter_map(|name| Key::parse(name)).collect())
    }

    fn number(&self, offset: usize) -> usize {
        1 + self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
    }

    fn wrong(&mut self, number: usize, problem: String) {
        self.problems.push(Problem::Line { spot: Spot::Line { file: self.file.to_owned(), number }, problem });
    }
}

fn suggestion(known: Option<&str>, otherwise: &str) -> String {
    known.map_or_else(|| otherwise.to_owned(), |known| format!("did you mean {known}?"))
}
