//! Commands about this terminal: what is printed, what is written to a file, leaving.

use std::path::PathBuf;

use quarterdeck::control::AuditFilter;

use super::deciding;
use super::events::held;
use super::model::{Asked, Do, Job, Plain, Sort, say};
use super::words::stamp;
use crate::app::{Exit, Link, Mode};
use crate::overlays::Question;

/// `verify`: reads the store itself, so it works without a host too.
pub(super) fn verify(plain: &mut Plain, _rest: &str) -> Vec<Do> {
    vec![plain.job(Asked::Verify, Job::Verify)]
}

/// `export FILE [FILTER]`.
pub(super) fn export(plain: &mut Plain, typed: &str) -> Vec<Do> {
    let (path, words) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
    if path.is_empty() {
        return say("export needs a file that does not exist yet.");
    }
    match parse(plain, words) {
        Ok(filter) => {
            vec![plain.job(Asked::Export, Job::Export { filter, path: PathBuf::from(path) })]
        }
        Err(why) => say(why),
    }
}

/// The filter that was typed, or else the one that is set.
pub(super) fn parse(plain: &Plain, words: &str) -> Result<AuditFilter, String> {
    if words.trim().is_empty() {
        return Ok(plain.filter.clone());
    }
    AuditFilter::parse(words, plain.model.now.wall, &plain.model.setup.zone).map_err(|error| error.to_string())
}

/// `filter [FILTER]`.
pub(super) fn filter(plain: &mut Plain, words: &str) -> Vec<Do> {
    if words.is_empty() {
        let before = std::mem::take(&mut plain.filter_text);
        plain.filter = AuditFilter::default();
        return if before.is_empty() {
            say("There is no filter.")
        } else {
            say(format!("The filter {before} is gone: all records are printed."))
        };
    }
    match parse(plain, words) {
        Ok(filter) => {
            (plain.filter, plain.filter_text) = (filter, words.to_owned());
            say(format!("Only records that fit {words} are printed, read and exported. filter alone ends that."))
        }
        Err(why) => say(why),
    }
}

/// `sort [name|used|calls]`.
pub(super) fn sort(plain: &mut Plain, typed: &str) -> Vec<Do> {
    let next = match plain.sort {
        Sort::Name => Sort::Used,
        Sort::Used => Sort::Calls,
        Sort::Calls => Sort::Name,
    };
    plain.sort = match typed {
        "" => next,
        "name" => Sort::Name,
        "used" => Sort::Used,
        "calls" => Sort::Calls,
        _ => return say("Connections are sorted by name, used or calls."),
    };
    say(match plain.sort {
        Sort::Name => "Connections are listed by name.",
        Sort::Used => "Connections are listed by their last call, the newest first.",
        Sort::Calls => "Connections are listed by their calls in 24 hours, the most first.",
    })
}

/// `pause`.
pub(super) fn pause(plain: &mut Plain, _rest: &str) -> Vec<Do> {
    plain.following = false;
    say("Records are not printed until follow. What waits for you still is.")
}

/// `follow`.
pub(super) fn follow(plain: &mut Plain, _rest: &str) -> Vec<Do> {
    let before = std::mem::take(&mut plain.held);
    if std::mem::replace(&mut plain.following, true) {
        return say("Records are printed already.");
    }
    say(format!("Records are printed again; {} meanwhile. audit shows them.", held(before)))
}

/// `blur`.
pub(super) fn blur(plain: &mut Plain, _rest: &str) -> Vec<Do> {
    plain.model.blurred = !plain.model.blurred;
    say(if plain.model.blurred { "What the journal says is hidden." } else { "What the journal says is printed again." })
}

/// `messages`.
pub(super) fn messages(plain: &mut Plain, _rest: &str) -> Vec<Do> {
    if plain.messages.is_empty() {
        return say("Nothing was done here yet.");
    }
    let lines = plain.messages.iter().map(|(at, text)| format!("{} {text}", stamp(&plain.model, *at)));
    say(lines.collect::<Vec<_>>().join("\n"))
}

/// `retry`.
pub(super) fn retry(plain: &mut Plain, _rest: &str) -> Vec<Do> {
    if plain.model.link == Link::Connected {
        return say("The host is connected.");
    }
    vec![Do::Say("Trying to reach the host.".to_owned()), Do::Subscribe]
}

/// `keys`.
pub(super) fn keys(_plain: &mut Plain, _rest: &str) -> Vec<Do> {
    say("There are no keys in plain mode: commands are words, and enter ends a line. help lists them.")
}

/// `leave`.
pub(super) fn leave(plain: &mut Plain, _rest: &str) -> Vec<Do> {
    match plain.model.setup.mode {
        Mode::Attached => vec![Do::Leave(Exit::Quit)],
        // A script that leaves has ended.
        Mode::InProcess if !plain.interactive => vec![Do::Leave(Exit::Quit)],
        Mode::InProcess => deciding::ask(plain, (Question::Leave, String::new()), ""),
    }
}

/// `keep-serving`.
pub(super) fn keep_serving(plain: &mut Plain, _rest: &str) -> Vec<Do> {
    match plain.model.setup.mode {
        Mode::Attached => say("The host runs in another process: leave leaves it as it is."),
        Mode::InProcess => deciding::ask(plain, (Question::Leave, String::new()), "quarterdeck serve"),
    }
}
