//! What can be tested without a terminal; the rest is in `tests/terminal.rs`, in a real one.

use super::*;

#[test]
fn leaving_a_terminal_that_was_not_taken_does_nothing() {
    assert!(leave().is_empty());
    assert!(leave().is_empty());
}

#[test]
fn without_a_terminal_the_sentence_names_what_to_run_instead() {
    let environment = Environment::read(|_| None);
    let nowhere = std::path::Path::new("/nonexistent/log");
    let error = enter(&environment, nowhere, "x").expect_err("there is no terminal in a test").to_string();
    assert!(error.contains("quarterdeck serve") && error.contains("quarterdeck status"), "{error}");
}
