//! From what happened to what is to be done. No I/O happens here.

use std::time::Duration;

use super::model::{Answer, Asked, Do, Plain, Typed, say};
use super::{answers, command, deciding, events};
use crate::app::{self, Effect, Exit, Mode, Msg, Now};

/// A second ctrl-c within this time leaves at once.
const TWICE: Duration = Duration::from_secs(2);

/// When something happens by itself.
pub(super) fn next_wake(plain: &Plain) -> Option<Duration> {
    [plain.model.next_wake(), deciding::due(plain)].into_iter().flatten().min()
}

/// Something came from the host, or a time that was waited for.
pub(super) fn host(plain: &mut Plain, msg: Msg, now: Now) -> Vec<Do> {
    let before = events::Before::of(plain, &msg);
    // The model is what the screens are drawn from; what they would load or draw is of no use here.
    let effects = app::update(&mut plain.model, msg, now);
    let mut todo = before.tell(plain);
    todo.extend(effects.into_iter().filter_map(|effect| match effect {
        Effect::Subscribe => Some(Do::Subscribe),
        Effect::Leave(exit) => Some(Do::Leave(exit)),
        _ => None,
    }));
    todo.extend(deciding::settle(plain));
    todo
}

/// A line was typed.
pub(super) fn line(plain: &mut Plain, typed: Typed, now: Now) -> Vec<Do> {
    plain.model.now = now;
    let together = deciding::together(plain, typed.at);
    plain.last_line = Some(typed.at);
    if deciding::discards(plain, typed.at) {
        return Vec::new();
    }
    if plain.question.is_some() {
        return deciding::answer(plain, typed, together);
    }
    command::run(plain, &typed.text)
}

/// A job is done.
pub(super) fn answered(plain: &mut Plain, (asked, answer): (Asked, Result<Answer, String>), now: Now) -> Vec<Do> {
    plain.model.now = now;
    plain.jobs = plain.jobs.saturating_sub(1);
    answers::take(plain, asked, answer)
}

/// There are no more lines: the end of a script, or ctrl-d.
pub(super) fn end(plain: &mut Plain, now: Now) -> Vec<Do> {
    plain.model.now = now;
    let mut todo = match plain.model.setup.mode {
        Mode::InProcess => say("The input has ended: the host in this process stops."),
        Mode::Attached => say("The input has ended."),
    };
    todo.push(Do::Leave(Exit::Quit));
    todo
}

/// ctrl-c: as `leave`; twice leaves at once.
pub(super) fn interrupt(plain: &mut Plain, now: Now) -> Vec<Do> {
    plain.model.now = now;
    let before = plain.model.interrupted.replace(now.tick);
    let twice = before.is_some_and(|before| now.tick.saturating_sub(before) <= TWICE);
    if twice || !plain.interactive {
        return vec![Do::Leave(Exit::Quit)];
    }
    let mut todo = deciding::cancel(plain);
    todo.extend(command::run(plain, "leave"));
    todo
}
