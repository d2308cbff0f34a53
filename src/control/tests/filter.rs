//! What an owner types for records, and which records fit.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use proptest::prelude::*;

use super::super::{AuditFilter, AuditRow, FilterError, since};

const NOW: &str = "2026-12-01T09:30:00Z";

fn filter(text: &str) -> AuditFilter {
    AuditFilter::parse(text, NOW.parse().unwrap(), &TimeZone::UTC).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused(text: &str) -> String {
    AuditFilter::parse(text, NOW.parse().unwrap(), &TimeZone::UTC).unwrap_err().to_string()
}

fn row() -> AuditRow {
    AuditRow {
        seq: 7,
        at: "2026-12-01T09:00:00.000Z".to_owned(),
        actor: "connection:Dots".to_owned(),
        kind: "tool.called".to_owned(),
        object: Some("GetMemory topics/Tea.md".to_owned()),
        outcome: "refused".to_owned(),
        reason: Some("insufficient_scope".to_owned()),
        grant: Some("ab12".to_owned()),
        took_ms: None,
        detail: serde_json::Map::new(),
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn every_term_narrows_and_letters_are_compared_without_their_case() {
    for fits in [
        "",
        "   ",
        "who:dots",
        "WHO:DOTS",
        "who:connection:dots",
        "what:tool.called",
        "kind:Tool.Called",
        "what:tool.*",
        "what:*",
        "what:grant.* what:tool.*",
        "object:tea",
        "object:\"getmemory topics\"",
        "outcome:refused",
        "outcome:ref",
        "grant:AB12",
        "since:09:00",
        "since:1h",
        "scope",
        "tool.called",
        "dots tea scope",
        "\"GetMemory topics\"",
        "who:nobody who:dots",
    ] {
        assert!(filter(fits).matches(&row()), "{fits}");
    }
    for other in [
        "who:other",
        "what:tool",
        "what:grant.*",
        "object:coffee",
        "outcome:ok",
        "grant:ab",
        "since:09:01",
        "since:29m",
        "authorization.refused",
        "dots coffee",
        "https://client.example/id",
        "who:dots outcome:ok",
        "\"who:dots\"",
    ] {
        assert!(!filter(other).matches(&row()), "{other}");
    }
    let bare = AuditRow { object: None, reason: None, grant: None, ..row() };
    assert!(!filter("object:tea").matches(&bare) && !filter("grant:ab12").matches(&bare) && filter("who:dots").matches(&bare));
}

#[test]
fn words_that_only_look_like_terms_are_looked_for_as_they_are() {
    for (typed, words) in [
        ("https://client.example/id", vec!["https://client.example/id"]),
        ("10:00 note: a.b:c", vec!["10:00", "note:", "a.b:c"]),
        ("\"connection:dots\"", vec!["connection:dots"]),
        ("a\"b c\"d", vec!["ab cd"]),
        (":x 日本:y", vec![":x", "日本:y"]),
    ] {
        assert_eq!(filter(typed).text, words, "{typed}");
    }
    assert_eq!(filter("object:\"a: b\"").object, ["a: b"]);
    assert_eq!(filter("object:https://a.example").object, ["https://a.example"]);
}

#[test]
fn a_mistake_is_a_sentence_that_says_what_to_type() {
    for (typed, says) in [
        ("connection:dots", "no filter is named \"connection\": use who: what: object: outcome: grant: or since:"),
        ("wat:tool.*", "no filter is named \"wat\""),
        ("who:", "who: needs a value"),
        ("kind:\"\"", "what: needs a value"),
        ("outcome:denied", "\"denied\" is no outcome: use ok, refused or failed"),
        ("since:yesterday", "\"yesterday\" is no time: use 10:00 (today), 30m"),
        ("since:1h since:2h", "since: can be there only once"),
        ("grant:a grant:b", "grant: can be there only once"),
        ("who:\"dots", "a quotation mark is open"),
    ] {
        let said = refused(typed);
        assert!(said.starts_with(says), "{typed}: {said}");
    }
    assert!(refused(&format!("since:{}\u{202e}", "x".repeat(9000))).len() < 300);
}

#[test]
fn a_time_is_understood_in_the_owners_zone() {
    let berlin = TimeZone::get("Europe/Berlin").unwrap();
    // The day the clocks of Berlin go from 2 to 3, and the day they go from 3 back to 2.
    let (spring, autumn) = ("2026-03-29T12:00:00Z", "2026-10-25T12:00:00Z");
    for (now, typed, expected) in [
        (NOW, "10:00", "2026-12-01T09:00:00.000Z"),
        (NOW, "9:05", "2026-12-01T08:05:00.000Z"),
        (NOW, "2026-11-30", "2026-11-29T23:00:00.000Z"),
        (NOW, "90m", "2026-12-01T08:00:00.000Z"),
        (NOW, "2D", "2026-11-29T09:30:00.000Z"),
        (NOW, "2026-11-30T10:00:00+02:00", "2026-11-30T08:00:00.000Z"),
        // 23:30 UTC is the next day there already.
        ("2026-11-30T23:30:00Z", "00:10", "2026-11-30T23:10:00.000Z"),
        (spring, "01:30", "2026-03-29T00:30:00.000Z"),
        (spring, "02:30", "2026-03-29T01:30:00.000Z"),
        (spring, "03:30", "2026-03-29T01:30:00.000Z"),
        (spring, "1d", "2026-03-28T12:00:00.000Z"),
        (spring, "2026-03-29", "2026-03-28T23:00:00.000Z"),
        (spring, "2026-03-30", "2026-03-29T22:00:00.000Z"),
        (autumn, "02:30", "2026-10-25T00:30:00.000Z"),
        (autumn, "03:30", "2026-10-25T02:30:00.000Z"),
    ] {
        assert_eq!(since(typed, now.parse().unwrap(), &berlin).as_deref(), Ok(expected), "{now} {typed}");
    }
    let now: Timestamp = NOW.parse().unwrap();
    for typed in [
        "",
        "h",
        "1",
        "-1h",
        "+1h",
        "1.5h",
        "1w",
        "24:00",
        "10:60",
        "1:0",
        "010:00",
        "20261130",
        "2026-13-01",
        "9999999999999999h",
    ] {
        assert!(matches!(since(typed, now, &berlin), Err(FilterError::Since(_))), "{typed}");
    }
}

/// A moment in a filter that did not come from [`since`] and is none.
#[test]
fn a_moment_nobody_can_read_is_reached_by_no_record() {
    assert!(!AuditFilter { since: Some("tomorrow".to_owned()), ..AuditFilter::default() }.matches(&row()));
}

proptest! {
    #[test]
    fn nothing_that_is_typed_breaks_the_reading_of_it(text in "[a-z:\" */.\u{202e}é0-9]{0,40}") {
        if let Ok(filter) = AuditFilter::parse(&text, NOW.parse().unwrap(), &TimeZone::UTC) {
            let _either = filter.matches(&row());
            let json = serde_json::to_string(&filter).unwrap();
            prop_assert_eq!(serde_json::from_str::<AuditFilter>(&json).unwrap(), filter);
        }
    }

    /// The same decision, written down once more in the plainest way.
    #[test]
    fn a_record_fits_when_every_field_that_is_given_does(
        who in prop::collection::vec("[dD]ots|x|:", 0..3), what in prop::collection::vec("tool\\.called|tool\\*|grant\\*|\\*", 0..3),
        object in prop::collection::vec("tea|TEA|q", 0..2), outcome in prop::collection::vec("ok|refused|Ref|failed", 0..2),
        text in prop::collection::vec("scope|dots|z", 0..2),
    ) {
        let filter = AuditFilter { who, what, object, outcome, text, grant: None, since: None };
        let some = |list: &[String], fits: &dyn Fn(String) -> bool| list.is_empty() || list.iter().any(|one| fits(one.to_lowercase()));
        let expected = some(&filter.who, &|one| "connection:dots".contains(&one))
            && some(&filter.what, &|one| one == "tool.called" || one == "tool*" || one == "*")
            && some(&filter.object, &|one| one == "tea")
            && some(&filter.outcome, &|one| one == "refused" || one == "ref")
            && filter.text.iter().all(|word| word == "scope" || word == "dots");
        prop_assert_eq!(filter.matches(&row()), expected);
    }
}
