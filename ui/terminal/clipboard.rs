//! Copying text to where the owner can paste it. Nothing is ever read from there, and no secret is ever put there: other programs read it.
//!
//! A program cannot know whether a terminal took what it was sent, so each outcome says which way was used and what is not known.

use std::process::Stdio;
use std::sync::Mutex;
use std::time::Duration;

use arboard::Clipboard;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quarterdeck::text::safe_block;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use tokio::time::timeout;

use super::{Multiplexer, Place};

/// How long a way may take before the next one is tried.
const PATIENCE: Duration = Duration::from_secs(2);
/// Most base64 bytes that are sent to a terminal: what is known to be taken whole.
const MOST: usize = 74_000;

/// Where text can be put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Desktop,
    Tmux,
    /// The control sequence OSC 52.
    Terminal,
}

/// The ways to try, in their order. Over ssh the desktop would be another machine's.
fn ways(place: &Place) -> Vec<Way> {
    let desktop = (!place.remote).then_some(Way::Desktop);
    let tmux = (place.multiplexer == Multiplexer::Tmux).then_some(Way::Tmux);
    desktop.into_iter().chain(tmux).chain([Way::Terminal]).collect()
}

/// What became of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Desktop,
    Tmux,
    Terminal,
    /// More than a terminal takes.
    TooLong,
}

impl Outcome {
    /// What to tell: a sentence for [`Keymap::say`](crate::input::Keymap::say).
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            Outcome::Desktop => "copied to this computer's clipboard, where it stays at least while this program runs",
            Outcome::Tmux => {
                "copied to tmux, which offers it to your terminal: if pasting there gives nothing, paste with tmux's own key, or {export} exports the list to a file instead"
            }
            Outcome::Terminal => {
                "sent to the terminal (OSC 52): if pasting gives nothing, your terminal does not allow it; {export} exports the list to a file instead"
            }
            Outcome::TooLong => {
                "not copied: it is more than a terminal's clipboard takes; {export} exports the list to a file instead"
            }
        }
    }
}

/// What became of the text, and what is still to be done for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Copied {
    pub(crate) outcome: Outcome,
    /// To be written to the terminal between two frames.
    pub(crate) write: Vec<u8>,
}

/// Copies `text` by the first way that works. Never to be called with a secret. What hides or steers is copied as the mark that is shown
/// for it. Takes up to some seconds, so it is to be run beside the loop.
pub(crate) async fn copy(place: &Place, text: &str) -> Copied {
    let text = safe_block(text);
    for way in ways(place) {
        let outcome = match way {
            Way::Desktop if to_desktop(text.clone()).await => Outcome::Desktop,
            Way::Tmux if to_tmux(&text).await => Outcome::Tmux,
            Way::Desktop | Way::Tmux => continue,
            Way::Terminal => break,
        };
        return Copied { outcome, write: Vec::new() };
    }
    match sequence(place.multiplexer, &text) {
        Some(write) => Copied { outcome: Outcome::Terminal, write },
        None => Copied { outcome: Outcome::TooLong, write: Vec::new() },
    }
}

/// OSC 52, if the text is not too long for it.
fn sequence(multiplexer: Multiplexer, text: &str) -> Option<Vec<u8>> {
    let encoded = STANDARD.encode(text);
    (encoded.len() <= MOST).then(|| multiplexer.wrap(format!("\x1b]52;c;{encoded}\x07").as_bytes()))
}

/// The one connection to the desktop's clipboard: some desktops ask the program that copied for the text when it is pasted, so it must
/// live as long as the program.
static DESKTOP: Mutex<Option<Clipboard>> = Mutex::new(None);

async fn to_desktop(text: String) -> bool {
    let copying = tokio::task::spawn_blocking(move || {
        // Taken while another copy hangs: that one will not get better by waiting for it.
        let Ok(mut desktop) = DESKTOP.try_lock() else { return false };
        let mut clipboard = match desktop.take().map_or_else(Clipboard::new, Ok) {
            Ok(clipboard) => clipboard,
            Err(error) => {
                tracing::debug!(%error, "there is no desktop to copy to");
                return false;
            }
        };
        let copied = clipboard.set_text(text).inspect_err(|error| tracing::debug!(%error, "the desktop took no text")).is_ok();
        *desktop = copied.then_some(clipboard);
        copied
    });
    matches!(timeout(PATIENCE, copying).await, Ok(Ok(true)))
}

/// tmux hands the buffer to the terminal by itself with `-w`, which it knows since 3.2; an older one fails.
async fn to_tmux(text: &str) -> bool {
    let mut command = Command::new("tmux");
    command.args(["load-buffer", "-w", "-"]);
    fed(command, text, PATIENCE).await
}

/// Runs a program with `text` on its standard input: whether it took that in time and was content.
async fn fed(mut command: Command, text: &str, patience: Duration) -> bool {
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let feeding = async {
        let mut child = command.spawn().ok()?;
        let mut stdin = child.stdin.take()?;
        stdin.write_all(text.as_bytes()).await.ok()?;
        drop(stdin);
        child.wait().await.ok()
    };
    matches!(timeout(patience, feeding).await, Ok(Some(status)) if status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(variables: &[&str]) -> Place {
        Place::read(|name| variables.contains(&name).then(|| "1".to_owned()))
    }

    #[test]
    fn the_ways_depend_on_where_the_person_and_the_terminal_are() {
        for (variables, expected) in [
            (&[][..], &[Way::Desktop, Way::Terminal][..]),
            (&["TMUX"], &[Way::Desktop, Way::Tmux, Way::Terminal]),
            (&["STY"], &[Way::Desktop, Way::Terminal]),
            (&["SSH_TTY"], &[Way::Terminal]),
            (&["SSH_CONNECTION"], &[Way::Terminal]),
            (&["SSH_CONNECTION", "TMUX"], &[Way::Tmux, Way::Terminal]),
            (&["SSH_CONNECTION", "STY"], &[Way::Terminal]),
        ] {
            assert_eq!(ways(&place(variables)), expected, "{variables:?}");
        }
    }

    #[tokio::test]
    async fn over_ssh_the_terminal_is_sent_a_sequence_and_the_sentence_says_what_is_not_known() {
        let copied = copy(&place(&["SSH_TTY"]), "grüße").await;
        assert_eq!(copied, Copied { outcome: Outcome::Terminal, write: b"\x1b]52;c;Z3LDvMOfZQ==\x07".to_vec() });
        assert!(copied.outcome.sentence().contains("if pasting gives nothing"));
    }

    #[tokio::test]
    async fn what_hides_or_steers_is_copied_as_its_mark() {
        let copied = copy(&place(&["SSH_TTY"]), "a\n\u{1b}\u{202e}").await;
        let encoded = STANDARD.encode("a\n⟨U+001B⟩⟨U+202E⟩");
        assert_eq!(copied.write, format!("\x1b]52;c;{encoded}\x07").into_bytes());
    }

    #[tokio::test]
    async fn what_a_terminal_would_not_take_is_not_sent() {
        let most = "x".repeat(MOST / 4 * 3);
        let remote = place(&["SSH_TTY"]);
        assert_eq!(copy(&remote, &most).await.outcome, Outcome::Terminal);
        assert_eq!(copy(&remote, &(most + "x")).await, Copied { outcome: Outcome::TooLong, write: Vec::new() });
    }

    #[test]
    fn the_sequence_is_wrapped_for_what_stands_in_between() {
        assert!(sequence(Multiplexer::Tmux, "x").unwrap().starts_with(b"\x1bPtmux;\x1b\x1b]52;c;"));
        assert!(sequence(Multiplexer::Screen, "x").unwrap().starts_with(b"\x1bP\x1b]52;c;"));
    }

    #[tokio::test]
    async fn a_program_is_fed_the_text_and_believed_only_when_it_is_content() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("pasted");
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]).current_dir(dir.path());
            command
        };
        let text = "two\nlines ".repeat(50_000);
        assert!(fed(shell("cat > pasted"), &text, PATIENCE).await);
        assert_eq!(std::fs::read_to_string(file).unwrap(), text);
        assert!(!fed(shell("cat > /dev/null; exit 1"), "x", PATIENCE).await);
        assert!(!fed(shell("exit 0"), &text, PATIENCE).await, "it did not read everything");
        assert!(!fed(Command::new("/nonexistent/tmux"), "x", PATIENCE).await);
    }

    #[tokio::test]
    async fn a_program_that_hangs_is_not_waited_for() {
        let mut hanging = Command::new("tail");
        hanging.args(["-f", "/dev/null"]);
        assert!(!fed(hanging, "x", Duration::from_millis(20)).await);
    }
}
