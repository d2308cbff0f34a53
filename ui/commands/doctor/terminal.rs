//! The terminal: what the control center can draw in it, and whether it can reach the clipboard.

use std::io::IsTerminal as _;
use std::time::Duration;

use super::finding::Finding;
use crate::terminal::Environment;
use crate::theme::Depth;

const SUBJECT: &str = "terminal";
/// How long tmux may take for an answer.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) async fn check(get: impl Fn(&str) -> Option<String>) -> Vec<Finding> {
    if !std::io::stdout().is_terminal() {
        return vec![Finding::note(SUBJECT, "this is none, so nothing is said about it", "")];
    }
    let mut found = drawn(&Environment::read(&get), &get("TERM").unwrap_or_default());
    if get("TMUX").is_some_and(|socket| !socket.is_empty()) {
        found.extend(tmux(option("set-clipboard").await.as_deref(), option("allow-passthrough").await.as_deref()));
    }
    found
}

fn drawn(environment: &Environment, term: &str) -> Vec<Finding> {
    if environment.dumb {
        let next = "set TERM to what the terminal is; the commands work all the same";
        return vec![Finding::fail(SUBJECT, "the control center cannot draw here: TERM is dumb or not set", next)];
    }
    let colours = match environment.depth {
        _ if environment.no_color => "no colours (NO_COLOR)",
        Depth::Sixteen => "16 colours",
        Depth::Indexed => "256 colours",
        Depth::True => "all colours",
    };
    let mut found = vec![Finding::ok(SUBJECT, &format!("{term}, {colours}"))];
    if !environment.utf8 {
        let next = "set LANG to a UTF-8 locale, such as C.UTF-8, if the terminal can show more";
        found.push(Finding::note(SUBJECT, "the locale is not UTF-8: lines and marks are drawn with ASCII characters", next));
    }
    found
}

/// What tmux does with what goes through it.
fn tmux(clipboard: Option<&str>, passthrough: Option<&str>) -> Vec<Finding> {
    let next = |line: &str| format!("put \"{line}\" into tmux.conf");
    let mut found = Vec::new();
    match clipboard {
        Some("off") => {
            found.push(Finding::note(SUBJECT, "tmux keeps what is copied to itself", &next("set -g set-clipboard on")))
        }
        Some(_) => found.push(Finding::ok(SUBJECT, "tmux hands on what is copied")),
        None => found.push(Finding::note(SUBJECT, "tmux does not say whether it hands on what is copied", "")),
    }
    if passthrough == Some("off") {
        let says = "tmux keeps notifications from the terminal around it";
        found.push(Finding::note(SUBJECT, says, &next("set -g allow-passthrough on")));
    }
    found
}

/// The value of an option of the tmux this runs in.
async fn option(name: &str) -> Option<String> {
    let asking = tokio::process::Command::new("tmux").args(["show-options", "-gv", name]).kill_on_drop(true).output();
    let answer = tokio::time::timeout(PATIENCE, asking).await.ok()?.ok()?;
    let value = String::from_utf8(answer.stdout).ok()?.trim().to_owned();
    (answer.status.success() && !value.is_empty()).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Vec<Finding> {
        let get = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        drawn(&Environment::read(get), &get("TERM").unwrap_or_default())
    }

    #[test]
    fn what_can_be_drawn_is_told_from_the_environment() {
        assert_eq!(of(&[])[0].level, Level::Fail);
        assert_eq!(of(&[("TERM", "xterm-256color"), ("LANG", "C.UTF-8")]), [Finding::ok(SUBJECT, "xterm-256color, 256 colours")]);
        assert_eq!(of(&[("TERM", "xterm"), ("LANG", "C")])[1].level, Level::Note);
        assert!(of(&[("TERM", "xterm"), ("NO_COLOR", "1")])[0].says.contains("NO_COLOR"));
    }

    #[test]
    fn tmux_is_asked_for_what_it_holds_back() {
        let levels = |clipboard, passthrough| tmux(clipboard, passthrough).into_iter().map(|one| one.level).collect::<Vec<_>>();
        assert_eq!(levels(Some("external"), Some("on")), [Level::Ok]);
        assert_eq!(levels(Some("off"), Some("off")), [Level::Note, Level::Note]);
        assert_eq!(levels(None, None), [Level::Note]);
    }
}
