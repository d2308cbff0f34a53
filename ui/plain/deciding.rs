//! Deciding: a question, and the one line that answers it.
//!
//! The line is the name, typed in full. Lines that arrive within 400 ms of the question were on their way before it; lines closer together
//! than 150 ms are a paste. Neither answers anything, so an answer counts only when nothing follows it for 150 ms.

use std::time::Duration;

use super::command::NEEDS_HOST;
use super::model::{Asked, Do, Job, Open, Plain, Typed, say};
use super::words::{grouped, ungrouped};
use crate::app::{Effect, Exit};
use crate::overlays::Question;

/// How long a question does not hear anything.
const DEAF: Duration = Duration::from_millis(400);
/// Lines closer together than this are a paste.
const PASTE: Duration = Duration::from_millis(150);
const NOTHING: &str = "nothing was changed";

/// Asks, if there is a person to ask; `instead` is the command for scripts.
pub(super) fn ask(plain: &mut Plain, (question, expected): (Question, String), instead: &str) -> Vec<Do> {
    if !plain.interactive {
        return say(format!("Nothing can be decided by lines from a pipe: use \"{instead}\"."));
    }
    let mut text = vec![question.title(), question.effect().to_owned()];
    text.extend(question.about().into_iter().filter(|(label, _)| !label.is_empty()).map(|(label, value)| {
        let value = if matches!(label, "grant" | "id") { grouped(&value) } else { value };
        format!("{label}: {value}")
    }));
    text.push(match question {
        Question::Leave => "Type stop to stop the host and leave, or keep-serving to leave and let it go on in the background. \
            Anything else stays here."
            .to_owned(),
        _ => format!("Type {expected} to do it. Anything else, or an empty line, changes nothing."),
    });
    text.push("What was typed before this question does not answer it.".to_owned());
    let deaf_until = plain.model.now.tick + DEAF;
    plain.question = Some(Open { question, expected, deaf_until, told: false, answer: None });
    vec![Do::Drain, Do::Say(text.join("\n"))]
}

/// Whether a line came so close behind another one that they are a paste.
pub(super) fn together(plain: &Plain, at: Duration) -> bool {
    plain.last_line.is_some_and(|last| at.saturating_sub(last) < PASTE)
}

/// Whether a line is the rest of a paste that was given up.
pub(super) fn discards(plain: &mut Plain, at: Duration) -> bool {
    let rest = at < plain.discard_until;
    if rest {
        plain.discard_until = at + PASTE;
    }
    rest
}

/// A line while a question is open.
pub(super) fn answer(plain: &mut Plain, typed: Typed, together: bool) -> Vec<Do> {
    let Some(open) = &mut plain.question else { return Vec::new() };
    if open.answer.is_some() {
        plain.question = None;
        plain.discard_until = typed.at + PASTE;
        return say(format!("Several lines came at once, as a paste does. They answer nothing: {NOTHING}."));
    }
    if typed.at < open.deaf_until || together {
        open.deaf_until = open.deaf_until.max(typed.at + PASTE);
        let told = std::mem::replace(&mut open.told, true);
        return if told { Vec::new() } else { say("A line that came too early was thrown away. The question is still open.") };
    }
    open.answer = Some(typed);
    Vec::new()
}

/// When an answer counts.
pub(super) fn due(plain: &Plain) -> Option<Duration> {
    plain.question.as_ref().and_then(|open| open.answer.as_ref()).map(|typed| typed.at + PASTE)
}

/// Lets an answer count when its time has come.
pub(super) fn settle(plain: &mut Plain) -> Vec<Do> {
    if due(plain).is_none_or(|due| due > plain.model.now.tick) {
        return Vec::new();
    }
    match plain.question.take() {
        Some(Open { question, expected, answer: Some(typed), .. }) => decide(plain, (question, &expected), &typed.text),
        _ => Vec::new(),
    }
}

fn decide(plain: &mut Plain, (question, expected): (Question, &str), typed: &str) -> Vec<Do> {
    match (&question, typed) {
        (Question::Leave, "stop") => return vec![Do::Leave(Exit::Quit)],
        (Question::Leave, "keep-serving") => return vec![Do::Leave(Exit::KeepServing)],
        (Question::Leave, _) => return say("Staying: the host goes on."),
        (_, "") => return say(format!("Cancelled: {NOTHING}.")),
        _ if ungrouped(typed) != expected => return say(format!("That is not {expected}. Cancelled: {NOTHING}.")),
        _ => {}
    }
    if !plain.model.connected() {
        return say(NEEDS_HOST);
    }
    match question.clone().effect_of_yes() {
        Effect::Ask(_, request) => vec![plain.job(Asked::Decided(question), Job::Ask(request))],
        _ => Vec::new(),
    }
}

/// Gives an open question up.
pub(super) fn cancel(plain: &mut Plain) -> Vec<Do> {
    match plain.question.take() {
        Some(_) => say(format!("Cancelled: {NOTHING}.")),
        None => Vec::new(),
    }
}
