//! How plain mode says times, numbers and ids: spelled out, so that they can be listened to.

use jiff::Timestamp;

use crate::app::Model;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// Least characters of an id that are typed or shown in place of all of it.
const LEAST: usize = 4;

/// `1 passkey`, `2 passkeys`.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        0 => format!("no {one}"),
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

/// The largest unit: `2 minutes`.
pub(super) fn spell(seconds: i64) -> String {
    let (number, unit) = match seconds {
        ..MINUTE => (seconds.max(0), "second"),
        MINUTE..HOUR => (seconds / MINUTE, "minute"),
        HOUR..DAY => (seconds / HOUR, "hour"),
        _ => (seconds / DAY, "day"),
    };
    if number == 1 { format!("1 {unit}") } else { format!("{number} {unit}s") }
}

/// `14 milliseconds`, `2 seconds`.
pub(super) fn took(ms: u64) -> String {
    match ms {
        1 => "1 millisecond".to_owned(),
        0 | 2..10_000 => format!("{ms} milliseconds"),
        _ => spell(i64::try_from(ms / 1000).unwrap_or(i64::MAX)),
    }
}

/// A moment as it is said: `today 12:41, 2 minutes ago`.
pub(super) fn when(model: &Model, at: &str) -> String {
    let Ok(then) = at.parse::<Timestamp>() else { return at.to_owned() };
    let seconds = model.now.wall.duration_since(then).as_secs();
    let apart = if seconds < 0 { format!("in {}", spell(-seconds)) } else { format!("{} ago", spell(seconds)) };
    format!("{}, {apart}", day_and_time(model, then))
}

/// The same for what may never have been.
pub(super) fn when_or_never(model: &Model, at: Option<&String>) -> String {
    at.map_or_else(|| "never".to_owned(), |at| when(model, at))
}

fn day_and_time(model: &Model, then: Timestamp) -> String {
    let (then, today) =
        (then.to_zoned_datetime(model.setup.zone.clone()), model.now.wall.to_zoned_datetime(model.setup.zone.clone()));
    let day = match then.date() {
        date if date == today.date() => "today".to_owned(),
        date if today.date().yesterday().is_ok_and(|yesterday| yesterday == date) => "yesterday".to_owned(),
        date => date.to_string(),
    };
    format!("{day} {}", then.strftime("%H:%M"))
}

/// What stands before an event: the time, with its day when that is not today.
pub(super) fn stamp(model: &Model, at: Timestamp) -> String {
    let said = day_and_time(model, at);
    said.strip_prefix("today ").map_or(said.clone(), str::to_owned)
}

/// A hash or an id in groups of four.
pub(super) fn grouped(id: &str) -> String {
    let characters: Vec<char> = id.chars().collect();
    characters.chunks(4).map(|group| group.iter().collect()).collect::<Vec<String>>().join(" ")
}

/// The beginning of an id that no other one has.
pub(super) fn short<'i>(id: &'i str, all: &[&str]) -> &'i str {
    let unique = |start: &&str| all.iter().filter(|other| other.starts_with(*start)).count() < 2;
    let starts = id.char_indices().map(|(at, _)| at).skip(LEAST).filter_map(|end| id.get(..end));
    starts.into_iter().find(unique).unwrap_or(id)
}

/// An id as it was typed: groups belong together.
pub(super) fn ungrouped(typed: &str) -> String {
    typed.split_whitespace().collect()
}

/// Whether what was typed names this id: all of it, or the beginning.
pub(super) fn names(typed: &str, id: &str) -> bool {
    typed == id || (typed.chars().count() >= LEAST && id.starts_with(typed))
}

/// Lines of `label: value`.
pub(super) fn lines(facts: &[(&str, String)]) -> String {
    facts.iter().map(|(label, value)| format!("{label}: {value}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_said_in_their_largest_unit() {
        let said = [-3, 0, 1, 59, 60, 3599, 7200, 86_400, 200_000].map(spell);
        let expected =
            ["0 seconds", "0 seconds", "1 second", "59 seconds", "1 minute", "59 minutes", "2 hours", "1 day", "2 days"];
        assert_eq!(said, expected);
        assert_eq!(
            [0, 1, 14, 9999, 12_000].map(took).join(", "),
            "0 milliseconds, 1 millisecond, 14 milliseconds, 9999 milliseconds, 12 seconds"
        );
    }

    #[test]
    fn ids_are_grouped_to_read_and_short_to_type() {
        assert_eq!(grouped("4f3a9b2c1"), "4f3a 9b2c 1");
        assert_eq!(ungrouped(" 4f3a 9b2c "), "4f3a9b2c");
        assert_eq!(short("4f3a9b2c", &["4f3a9b2c", "77aa0000"]), "4f3a");
        assert_eq!(short("4f3a9b2c", &["4f3a9b2c", "4f3a9000"]), "4f3a9b");
        assert_eq!(short("ab", &["ab"]), "ab");
        assert!(names("4f3a", "4f3a9b2c") && names("ab", "ab"));
        assert!(!names("4f3", "4f3a9b2c") && !names("", "4f3a9b2c") && !names("4f3b", "4f3a9b2c"));
    }

    #[test]
    fn nothing_is_said_as_no() {
        assert_eq!([0, 1, 2].map(|number| count(number, "passkey", "passkeys")), ["no passkey", "1 passkey", "2 passkeys"]);
    }
}
