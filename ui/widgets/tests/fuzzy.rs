//! The ranking of a fuzzy search.

use crate::widgets::rank;

const SENTENCES: [&str; 5] =
    ["revoke the connection", "go to Connections", "quit", "copy the id", "read the audit from the start"];

fn order(query: &str) -> Vec<usize> {
    rank(query, &SENTENCES).into_iter().map(|found| found.index).collect()
}

#[test]
fn without_a_word_everything_is_found_in_its_order() {
    assert_eq!(order(""), [0, 1, 2, 3, 4]);
    assert_eq!(order("   "), [0, 1, 2, 3, 4]);
    assert!(rank("", &SENTENCES).iter().all(|found| found.positions.is_empty()));
}

#[test]
fn letters_are_found_with_gaps_and_whole_words_are_better() {
    assert_eq!(order("rvk"), [0]);
    assert_eq!(order("audit")[0], 4);
    assert_eq!(order("zzz"), [0; 0]);
}

#[test]
fn words_are_found_in_any_order_and_letter_case_does_not_matter() {
    assert_eq!(order("CONNECTION revoke"), [0]);
    assert_eq!(order("connections")[0], 1);
}

#[test]
fn equally_good_sentences_stay_in_their_order() {
    let found = rank("same", &["the same", "the same", "the same"]);
    assert_eq!(found.iter().map(|found| found.index).collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn the_positions_are_the_characters_that_matched() {
    assert_eq!(rank("quit", &["quit"])[0].positions, [0, 1, 2, 3]);
    let found = rank("日 name", &["日本 ünd name"]);
    assert_eq!(found[0].positions, [0, 7, 8, 9, 10]);
    assert_eq!(rank("a a", &["a"])[0].positions, [0], "each character is named once");
}

#[test]
fn no_character_of_a_query_is_an_operator() {
    assert_eq!(order("!quit"), [0; 0]);
    assert_eq!(order("^quit"), [0; 0]);
    assert_eq!(rank("!a$", &["!a$", "b"]).len(), 1);
}

#[test]
fn hostile_and_endless_queries_find_nothing_and_harm_nothing() {
    for query in ["\u{1b}[2J", "\u{202e}", "\0", &"x".repeat(70_000)] {
        assert_eq!(order(query), [0; 0], "{query:.20}");
    }
    assert_eq!(rank("e", &["e\u{301}", ""]).len(), 1);
}
