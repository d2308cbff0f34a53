//! What no key map may do, whoever wrote it: a key means one thing at a time, and no question is answered by accident or without a way out.

use std::collections::HashMap;

use crossterm::event::KeyCode;

use super::problem::{Problem, Spot, named};
use super::{Entry, INTENTS, Intent, Key, Keymap, Place};

/// A key map, and which of its lines the owner wrote.
pub(super) struct Written<'a> {
    pub(super) map: &'a Keymap,
    pub(super) file: &'a str,
    pub(super) numbers: &'a HashMap<(Place, Intent), usize>,
}

impl Written<'_> {
    /// Everything that is wrong with it as a whole.
    pub(super) fn problems(&self) -> Vec<Problem> {
        let mut problems = self.twice();
        problems.extend(INTENTS.iter().filter_map(|entry| Some((entry, self.why(entry)?))).map(|(entry, why)| Problem::Unsafe {
            at: self.spot(entry),
            one: named(entry),
            why,
        }));
        problems
    }

    fn spot(&self, entry: &Entry) -> Spot {
        match self.numbers.get(&(entry.place, entry.intent)) {
            Some(number) => Spot::Line { file: self.file.to_owned(), number: *number },
            None => Spot::Default,
        }
    }

    /// Keys that mean two things where both are looked up. The line the owner wrote is named first, the later one when both are theirs.
    fn twice(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = Vec::new();
        for places in Place::TOGETHER {
            let mut seen: HashMap<Key, &Entry> = HashMap::new();
            let keys = INTENTS.iter().filter(|entry| places.contains(&entry.place));
            for (entry, key) in keys.flat_map(|entry| self.map.keys(entry).iter().map(move |key| (entry, *key))) {
                let Some(other) = seen.insert(key, entry).filter(|other| !std::ptr::eq(*other, entry)) else { continue };
                let number = |entry: &Entry| self.numbers.get(&(entry.place, entry.intent));
                let (one, other) = if number(entry) > number(other) { (entry, other) } else { (other, entry) };
                let problem =
                    Problem::Twice { key, one: named(one), at: self.spot(one), other: named(other), there: self.spot(other) };
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
        }
        problems
    }

    /// Why an entry cannot have the keys it has.
    fn why(&self, entry: &Entry) -> Option<String> {
        let keys = self.map.keys(entry);
        match (entry.place, entry.intent) {
            (Place::Question, Intent::Confirm | Intent::KeepServing) => self.answers(entry),
            (Place::Question, Intent::Close) if !keys.contains(&Key::named(KeyCode::Esc)) => {
                Some("esc must be among its keys: it always says no".to_owned())
            }
            (Place::Always, Intent::Interrupt) if !keys.contains(&Key::ctrl('c')) => {
                Some("ctrl-c must be among its keys: twice, it always leaves".to_owned())
            }
            (_, Intent::Close) if keys.is_empty() => Some("it needs a key: there would be no way out".to_owned()),
            (Place::Always | Place::Palette | Place::Field, _) => {
                let letter = keys.iter().find(|key| key.prints())?;
                Some(format!("{letter} cannot be its key: it is text where something is typed"))
            }
            _ => None,
        }
    }

    /// Yes is a key of its own: none that opens a question, so that pressing one twice answers nothing, and none that hands press blindly.
    fn answers(&self, entry: &Entry) -> Option<String> {
        let keys = self.map.keys(entry);
        if keys.is_empty() && entry.intent == Intent::Confirm {
            return Some("it needs a key: no question could be answered".to_owned());
        }
        let blind = [Key::named(KeyCode::Enter), Key::named(KeyCode::Char(' '))];
        if let Some(key) = keys.iter().find(|key| blind.contains(key)) {
            return Some(format!("{key} cannot be its key: enter and space never answer a question"));
        }
        let opens = INTENTS.iter().filter(|other| asks(other));
        let mut opens = opens.flat_map(|other| self.map.keys(other).iter().map(move |key| (other, key)));
        let (other, key) = opens.find(|(_, key)| keys.contains(key))?;
        Some(format!(
            "{key} cannot be its key: it opens a question in {} ({}), and pressing a key twice must not answer",
            named(other),
            self.spot(other)
        ))
    }
}

/// Whether an entry opens a question, at least in one mode.
pub(super) fn asks(entry: &Entry) -> bool {
    let leaves = matches!(entry.intent, Intent::Leave | Intent::Interrupt | Intent::Suspend);
    leaves || entry.short.ends_with('…')
}
