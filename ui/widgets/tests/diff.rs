//! What changed between two texts.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::theme;
use crate::theme::Role;
use crate::widgets::{Diff, Sign, width};

fn rows(before: &str, after: &str, cells: usize) -> Vec<String> {
    let rows = Diff::of(before, after).rows(&theme(false), cells);
    rows.into_iter().map(|pieces| pieces.into_iter().map(|(text, _)| text).collect()).collect()
}

#[test]
fn a_line_that_went_and_one_that_came_have_a_sign_and_a_role() {
    let diff = Diff::of("read\nwrite", "read\nsearch");
    assert_eq!(diff.lines(), [(Sign::Same, "read"), (Sign::Gone, "write"), (Sign::New, "search")]);
    assert_eq!(
        diff.rows(&theme(false), 40),
        [[("  read".to_owned(), Role::Text)], [("- write".to_owned(), Role::Danger)], [("+ search".to_owned(), Role::Ok)],]
    );
}

#[test]
fn two_equal_texts_have_no_difference() {
    assert!(Diff::of("", "").is_empty() && Diff::of("a\nb", "a\nb").is_empty());
    assert!(Diff::of("", "").rows(&theme(false), 40).is_empty());
    assert!(!Diff::of("", "a").is_empty() && !Diff::of("a", "").is_empty());
    assert_eq!(Diff::of("", "a").lines(), [(Sign::New, "a")]);
    assert_eq!(Diff::of("a\n", "a").lines(), [(Sign::Same, "a"), (Sign::Gone, "")], "a line feed at the end is one");
}

#[test]
fn from_a_hundred_cells_on_the_texts_stand_side_by_side() {
    let (before, after) = ("read\nwrite\ndraft", "read\nsearch");
    assert_eq!(rows(before, after, 99).len(), 4);
    let beside = rows(before, after, 100);
    assert_eq!(beside.len(), 3);
    let pad = |text: &str| format!("{text}{}", " ".repeat(48 - text.len()));
    assert_eq!(beside[0], format!("{} │   read", pad("  read")));
    assert_eq!(beside[1], format!("{} │ + search", pad("- write")));
    assert_eq!(beside[2].trim_end(), format!("{} │", pad("- draft")));
}

#[test]
fn a_long_line_is_broken_and_its_rest_does_not_pass_for_another_line() {
    assert_eq!(rows("", "  abcdefgh", 6), ["+   ab", "+·cdef", "+·gh"]);
    let ascii = Diff::of("abcd", "").rows(&theme(true), 4);
    assert_eq!(ascii.concat().into_iter().map(|(text, _)| text).collect::<Vec<_>>(), ["- ab", "-.cd"]);
}

#[test]
fn wide_and_hostile_text_keeps_to_its_cells() {
    assert_eq!(rows("", "日本語", 6), ["+ 日本", "+·語"]);
    assert_eq!(rows("", "a\u{202e}\r", 40), ["+ a⟨U+202E⟩⟨U+000D⟩"]);
    assert_eq!(rows("a", "a\u{200b}", 40), ["- a", "+ a⟨U+200B⟩"], "a difference that cannot be seen is shown");
}

#[test]
fn without_room_a_row_is_still_one_character_long() {
    for cells in 0..4 {
        assert_eq!(rows("", "ab", cells), ["+ a", "+·b"]);
    }
}

#[test]
fn very_long_texts_are_not_compared_line_by_line() {
    let (mut before, mut after) = (String::new(), String::new());
    for number in 0..5_000 {
        writeln!(before, "before {number}").unwrap();
        writeln!(after, "after {number}").unwrap();
    }
    let diff = Diff::of(&before, &after);
    assert_eq!(diff.lines().len(), 2 * 5_001);
    assert!(diff.lines().iter().all(|(sign, _)| *sign != Sign::Same));
    assert!(Diff::of(&before, &before).is_empty());
}

proptest! {
    #[test]
    fn both_texts_can_be_read_from_the_difference(before in "[ab\n]{0,30}", after in "[ab\n]{0,30}") {
        let diff = Diff::of(&before, &after);
        let text = |without: Sign| {
            let lines = diff.lines();
            lines.iter().filter(|(sign, _)| *sign != without).map(|(_, line)| *line).collect::<Vec<_>>().join("\n")
        };
        prop_assert_eq!(text(Sign::New), before);
        prop_assert_eq!(text(Sign::Gone), after);
    }

    #[test]
    fn no_row_is_wider_than_it_may_be(before: String, after: String, cells in 4_usize..140, ascii: bool) {
        for row in Diff::of(&before, &after).rows(&theme(ascii), cells) {
            let text: String = row.into_iter().map(|(text, _)| text).collect();
            prop_assert!(width(&text) <= cells, "{text}");
            prop_assert!(!ascii || text.is_ascii());
        }
    }
}
