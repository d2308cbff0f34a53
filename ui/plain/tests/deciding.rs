//! Who may answer a question, and when.

use quarterdeck::control::{Reply, Request, Revoked};

use super::super::model::{Asked, Do, Job};
use super::Talk;
use crate::app::{Exit, Mode};
use crate::testing::{busy, waiting};

fn revoking() -> Talk {
    let mut talk = Talk::new(busy());
    talk.types("revoke codex-ci");
    talk
}

fn is_undecided(talk: &Talk) -> bool {
    !talk.todo.iter().any(|one| matches!(one, Do::Job(..)))
}

#[test]
fn the_name_on_a_line_of_its_own_revokes() {
    let mut talk = revoking();
    talk.answers("codex-ci");
    let (asked, job) = talk.job();
    assert!(matches!(asked, Asked::Decided(_)));
    assert_eq!(job, Job::Ask(Request::Revoke { name: "codex-ci".to_owned(), grant: Some("g-2".to_owned()) }));
}

#[test]
fn an_empty_line_or_another_name_changes_nothing() {
    for typed in ["", "claude-web", "y", "yes", "codex", "CODEX-CI"] {
        let mut talk = revoking();
        talk.answers(typed);
        assert!(is_undecided(&talk) && talk.plain.question.is_none(), "{typed}: {}", talk.said());
        assert!(talk.last().contains("nothing was changed"), "{}", talk.said());
    }
}

#[test]
fn a_line_within_400_ms_of_the_question_answers_nothing() {
    let mut talk = revoking();
    talk.pass(390);
    talk.at_once("codex-ci");
    talk.pass(2000);
    assert!(is_undecided(&talk));
    assert!(talk.plain.question.is_some(), "the question stays open");
    talk.answers("codex-ci");
    assert!(!is_undecided(&talk));
}

#[test]
fn lines_that_were_pasted_with_the_command_answer_nothing_and_are_not_run() {
    let mut talk = Talk::new(busy());
    talk.types("revoke codex-ci");
    for line in ["codex-ci", "codex-ci", "revoke claude-web", "claude-web"] {
        talk.at_once(line);
    }
    talk.pass(5000);
    assert!(is_undecided(&talk));
    assert_eq!(talk.said().matches("thrown away").count(), 1, "{}", talk.said());
    assert!(!talk.said().contains("Revoke claude-web?"));
}

#[test]
fn a_paste_of_several_lines_into_an_open_question_answers_nothing_and_is_not_run() {
    let mut talk = revoking();
    talk.pass(3000);
    for line in ["codex-ci", "codex-ci", "revoke claude-web"] {
        talk.at_once(line);
    }
    talk.pass(5000);
    assert!(is_undecided(&talk) && talk.plain.question.is_none());
    assert!(talk.said().contains("Several lines came at once"), "{}", talk.said());
    assert!(!talk.said().contains("Revoke claude-web?"));
}

#[test]
fn the_beginning_of_the_id_denies() {
    let mut snapshot = waiting();
    snapshot.waiting[0].id = "4f3a9b2c77aa".to_owned();
    let mut talk = Talk::new(snapshot);
    talk.types("deny 4f3a");
    assert!(talk.said().contains("Type 4f3a to do it."), "{}", talk.said());
    talk.answers("4f3a");
    assert_eq!(talk.job().1, Job::Ask(Request::Deny { id: "4f3a9b2c77aa".to_owned() }));
}

#[test]
fn a_passkey_and_a_client_document_are_removed_only_by_what_is_asked_for() {
    let mut talk = Talk::new(busy());
    talk.types("remove phone");
    let passkeys = talk.plain.model.facts.passkeys.clone();
    talk.host_says(Reply::Passkeys(passkeys));
    assert!(talk.said().contains("It is the only one"), "{}", talk.said());
    talk.answers("5c1e");
    assert_eq!(talk.job().1, Job::Ask(Request::PasskeyRemove { id: "5c1e9a4077d20b1f".to_owned() }));
}

#[test]
fn lines_from_a_pipe_decide_nothing_and_are_told_what_does() {
    let mut talk = Talk::with(busy(), Mode::Attached, false);
    talk.at_once("revoke codex-ci");
    talk.at_once("codex-ci");
    talk.pass(1000);
    assert!(is_undecided(&talk) && talk.plain.question.is_none());
    assert!(talk.said().contains("use \"quarterdeck revoke codex-ci\""), "{}", talk.said());
}

#[test]
fn what_was_revoked_is_said_after_the_host_said_so() {
    let mut talk = revoking();
    talk.answers("codex-ci");
    assert!(!talk.said().contains("is revoked"));
    talk.host_says(Reply::Revoked(Revoked {
        name: "codex-ci".to_owned(),
        client_id: Some("https://c.example".to_owned()),
        voided_approvals: 0,
    }));
    assert!(talk.last().starts_with("codex-ci is revoked"), "{}", talk.said());
    talk.types("messages");
    assert!(talk.last().ends_with("is refused from its next call on."), "{}", talk.said());
}

#[test]
fn leaving_asks_only_when_the_host_would_stop_with_it() {
    let mut attached = Talk::new(busy());
    attached.types("leave");
    assert_eq!(attached.todo, [Do::Leave(Exit::Quit)]);
    for (typed, exit) in [("stop", Some(Exit::Quit)), ("keep-serving", Some(Exit::KeepServing)), ("", None), ("leave", None)] {
        let mut talk = Talk::with(busy(), Mode::InProcess, true);
        talk.types("leave");
        talk.answers(typed);
        let left = talk.todo.iter().find_map(|one| if let Do::Leave(exit) = one { Some(*exit) } else { None });
        assert_eq!(left, exit, "{typed}");
    }
}

#[test]
fn ctrl_c_asks_as_leave_does_and_twice_leaves_at_once() {
    let mut talk = Talk::with(busy(), Mode::InProcess, true);
    talk.interrupts();
    assert!(talk.said().contains("Leave and stop the host?"));
    talk.pass(3000);
    talk.interrupts();
    assert!(!talk.todo.contains(&Do::Leave(Exit::Quit)));
    talk.pass(1000);
    talk.interrupts();
    assert!(talk.todo.contains(&Do::Leave(Exit::Quit)));
}

#[test]
fn the_end_of_the_input_leaves_and_decides_nothing() {
    let mut talk = Talk::with(busy(), Mode::InProcess, true);
    talk.types("revoke codex-ci");
    talk.types("codex-ci");
    talk.ends();
    assert!(is_undecided(&talk));
    assert_eq!(talk.last(), "The input has ended: the host in this process stops.");
    assert!(talk.todo.contains(&Do::Leave(Exit::Quit)));
}
