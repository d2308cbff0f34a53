//! The table of commands against that of the intents.

use super::super::command::{ALIASES, COMMANDS, WITHOUT, named};
use super::Talk;
use crate::input::INTENTS;
use crate::testing::{busy, waiting};

#[test]
fn plain_mode_can_do_everything_the_screens_can() {
    for entry in INTENTS {
        let reason = WITHOUT.iter().find(|(name, _)| *name == entry.name);
        assert!(
            named(entry.name).is_some() != reason.is_some(),
            "{}: must be a command of plain mode, or have a reason why it has no meaning there, and not both",
            entry.name
        );
    }
}

#[test]
fn every_reason_and_every_other_word_is_about_something_that_exists() {
    for (name, _) in WITHOUT {
        assert!(INTENTS.iter().any(|entry| entry.name == *name), "there is no intent {name}");
    }
    for (alias, name) in ALIASES {
        assert!(COMMANDS.iter().any(|command| command.name == *name), "{alias} stands for nothing");
        assert!(COMMANDS.iter().all(|command| command.name != *alias), "{alias} is a command of its own");
    }
}

#[test]
fn a_word_that_is_no_command_is_answered_with_the_nearest_or_with_the_reason() {
    let mut talk = Talk::new(busy());
    talk.types("overvew");
    assert!(talk.last().contains("Did you mean overview?"), "{}", talk.said());
    talk.types("zoom");
    assert_eq!(talk.last(), "zoom has no meaning in plain mode: there are no panes.");
    talk.types("qqqqqqqqq");
    assert!(talk.last().ends_with("Type help for all of them."));
    talk.types("keys");
    assert!(talk.last().starts_with("There are no keys in plain mode"));
}

#[test]
fn without_the_host_what_needs_it_is_refused_and_nothing_is_asked() {
    let mut talk = Talk::new(waiting());
    talk.hears(quarterdeck::control::Notice::Stopping);
    for command in
        ["connections", "audit", "enroll", "revoke codex-ci", "deny k-11", "scopes codex-ci", "remove phone", "journal"]
    {
        talk.types(command);
        assert_eq!(talk.last(), "not connected to the host: this works when it is back (retry tries now)", "{command}");
    }
    assert!(talk.plain.question.is_none());
    assert!(!talk.todo.iter().any(|one| matches!(one, super::Do::Job(..))), "{:?}", talk.todo);
}
