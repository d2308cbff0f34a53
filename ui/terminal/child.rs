//! Lending the terminal to a pager or an editor.
//!
//! Whoever lends it stops the reader of keys and leaves the terminal first, and takes it again afterwards, whatever came back from here.
//! A child that was killed has not tidied up: the terminal's modes are what they were before it, so that taking the terminal again does
//! not remember broken ones as the owner's.

use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use quarterdeck::text::safe_block;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use thiserror::Error;
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, Command};

/// What a killed child may have left on: attributes, cursor keys of an application, mouse, bracketed paste, alternate screen, no cursor.
const TIDY: &[u8] = b"\x1b[0m\x1b[?1l\x1b>\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1049l\x1b[?25h";

/// Why nothing was shown, or not to its end.
#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum ChildError {
    #[error("{0} is set to something with an open quote: {1}")]
    Unreadable(&'static str, String),
    #[error("no {0} was found: set {1} to one you have")]
    Missing(&'static str, &'static str),
    #[error("{0} cannot be run: {1}")]
    Unusable(String, String),
    #[error("{0} was killed by signal {1}")]
    Killed(String, i32),
    #[error("{0} ended with code {1}")]
    Failed(String, i32),
}

/// The programs the owner chose, as they stand in the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Programs {
    pager: Option<String>,
    visual: Option<String>,
    editor: Option<String>,
}

impl Programs {
    /// Reads them through `get`, which looks up one variable.
    pub(crate) fn read(get: impl Fn(&str) -> Option<String>) -> Programs {
        let set = |name: &str| get(name).filter(|value| !value.trim().is_empty());
        Programs { pager: set("PAGER"), visual: set("VISUAL"), editor: set("EDITOR") }
    }

    /// What to try, in this order.
    fn pagers(&self) -> Result<Vec<Vec<String>>, ChildError> {
        candidates(&[("PAGER", self.pager.as_deref())], &["less", "more"])
    }

    fn editors(&self) -> Result<Vec<Vec<String>>, ChildError> {
        candidates(&[("VISUAL", self.visual.as_deref()), ("EDITOR", self.editor.as_deref())], &["nano", "vi"])
    }
}

fn candidates(chosen: &[(&'static str, Option<&str>)], usual: &[&str]) -> Result<Vec<Vec<String>>, ChildError> {
    let mut all = Vec::new();
    for (name, value) in chosen {
        let Some(value) = value else { continue };
        all.push(shell_words::split(value).map_err(|_| ChildError::Unreadable(name, (*value).to_owned()))?);
    }
    all.extend(usual.iter().map(|program| vec![(*program).to_owned()]));
    Ok(all)
}

/// Whether a child has the terminal: ctrl-c is then for it, though the signal comes to this process as well.
pub(crate) fn is_lent() -> bool {
    LENT.load(Ordering::SeqCst)
}

static LENT: AtomicBool = AtomicBool::new(false);

/// Holds the terminal's modes while a child has it.
struct Loan {
    modes: Option<Termios>,
}

impl Loan {
    fn begin() -> Loan {
        LENT.store(true, Ordering::SeqCst);
        Loan { modes: tcgetattr(rustix::stdio::stdin()).ok() }
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        if let Some(modes) = &self.modes {
            let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, modes);
        }
        LENT.store(false, Ordering::SeqCst);
    }
}

/// Shows `text` in the owner's pager until that ends. The text goes through its standard input, so it is never in a file; the pager reads
/// keys from the terminal itself, and may not run commands, because the text may be somebody else's.
///
/// # Errors
/// When there is no pager, or it did not end well.
pub(crate) async fn page(programs: &Programs, text: &str) -> Result<(), ChildError> {
    let loan = Loan::begin();
    let (name, mut child) = first(programs.pagers()?, ("pager", "PAGER"), |command| {
        command.stdin(Stdio::piped()).env("LESSSECURE", "1").env("PAGERSECURE", "1").env_remove("LESSSECURE_ALLOW");
    })?;
    let stdin = child.stdin.take();
    let text = safe_block(text);
    // A pager may be left before it has read everything.
    let feeding = tokio::spawn(async move {
        if let Some(mut stdin) = stdin {
            let _ = stdin.write_all(text.as_bytes()).await;
        }
    });
    let ended = end(name, child).await;
    feeding.abort();
    drop(loan);
    ended
}

/// Opens `file` in the owner's editor until that ends.
///
/// # Errors
/// When there is no editor, or it did not end well.
pub(crate) async fn edit(programs: &Programs, file: &Path) -> Result<(), ChildError> {
    let loan = Loan::begin();
    let (name, child) = first(programs.editors()?, ("editor", "EDITOR"), |command| {
        command.arg(file);
    })?;
    let ended = end(name, child).await;
    drop(loan);
    ended
}

/// Starts the first candidate that exists.
fn first(
    candidates: Vec<Vec<String>>,
    (what, variable): (&'static str, &'static str),
    prepare: impl Fn(&mut Command),
) -> Result<(String, Child), ChildError> {
    for words in candidates {
        let Some((program, arguments)) = words.split_first() else { continue };
        let mut command = Command::new(program);
        command.args(arguments).kill_on_drop(true);
        prepare(&mut command);
        match command.spawn() {
            Ok(child) => return Ok((program.clone(), child)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(ChildError::Unusable(program.clone(), error.to_string())),
        }
    }
    Err(ChildError::Missing(what, variable))
}

async fn end(name: String, mut child: Child) -> Result<(), ChildError> {
    let status = child.wait().await.map_err(|error| ChildError::Unusable(name.clone(), error.to_string()))?;
    judge(name, status).inspect_err(|error| {
        if matches!(error, ChildError::Killed(..)) {
            let mut out = io::stdout();
            let _ = out.write_all(TIDY).and_then(|()| out.flush());
        }
    })
}

fn judge(name: String, status: ExitStatus) -> Result<(), ChildError> {
    match (status.code(), status.signal()) {
        (Some(0), _) => Ok(()),
        (Some(code), _) => Err(ChildError::Failed(name, code)),
        (None, signal) => Err(ChildError::Killed(name, signal.unwrap_or(0))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn programs(pairs: &[(&str, &str)]) -> Programs {
        Programs::read(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    fn first_words(candidates: &[Vec<String>]) -> Vec<&str> {
        candidates.iter().map(|words| words[0].as_str()).collect()
    }

    #[test]
    fn what_the_owner_chose_comes_before_what_is_usual() {
        assert_eq!(first_words(&programs(&[]).pagers().unwrap()), ["less", "more"]);
        assert_eq!(first_words(&programs(&[("PAGER", " ")]).pagers().unwrap()), ["less", "more"]);
        let chosen = programs(&[("PAGER", "most -x 'two words'"), ("EDITOR", "ed"), ("VISUAL", "hx")]);
        assert_eq!(chosen.pagers().unwrap()[0], ["most", "-x", "two words"]);
        assert_eq!(first_words(&chosen.editors().unwrap()), ["hx", "ed", "nano", "vi"]);
    }

    #[tokio::test]
    async fn no_shell_reads_what_the_owner_chose() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("made");
        let chosen = programs(&[("PAGER", &format!("true ; touch {}", target.display()))]);
        assert_eq!(page(&chosen, "x").await, Ok(()));
        assert!(!target.exists());
        let open = programs(&[("PAGER", "less 'x")]);
        assert_eq!(page(&open, "x").await.unwrap_err().to_string(), "PAGER is set to something with an open quote: less 'x");
    }

    #[tokio::test]
    async fn a_pager_gets_the_whole_safe_text_and_may_not_run_commands() {
        let dir = tempfile::tempdir().unwrap();
        let script = format!("cat > {0}/text; echo $LESSSECURE > {0}/secure", dir.path().display());
        let chosen = programs(&[("PAGER", &format!("sh -c '{script}'"))]);
        let text = "a line\n".repeat(50_000) + "\u{1b}[2J";
        assert_eq!(page(&chosen, &text).await, Ok(()));
        assert_eq!(std::fs::read_to_string(dir.path().join("text")).unwrap(), safe_block(&text));
        assert_eq!(std::fs::read_to_string(dir.path().join("secure")).unwrap(), "1\n");
        assert!(!is_lent());
    }

    #[tokio::test]
    async fn a_pager_that_is_left_early_is_no_failure() {
        assert_eq!(page(&programs(&[("PAGER", "true")]), &"x".repeat(1_000_000)).await, Ok(()));
    }

    #[tokio::test]
    async fn a_child_that_is_killed_or_fails_is_told_in_a_sentence() {
        let killed = page(&programs(&[("PAGER", "sh -c 'kill -9 $$'")]), "x").await;
        assert_eq!(killed.unwrap_err().to_string(), "sh was killed by signal 9");
        let failed = edit(&programs(&[("EDITOR", "sh -c 'exit 3'")]), Path::new("x")).await;
        assert_eq!(failed.unwrap_err().to_string(), "sh ended with code 3");
        assert!(!is_lent());
    }

    #[tokio::test]
    async fn a_program_that_is_not_there_is_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("draft");
        std::fs::write(&file, "").unwrap();
        let chosen = programs(&[("VISUAL", "/nonexistent/hx"), ("EDITOR", "sh -c 'echo edited > $0'")]);
        assert_eq!(edit(&chosen, &file).await, Ok(()));
        assert_eq!(std::fs::read_to_string(file).unwrap(), "edited\n");
    }

    #[test]
    fn without_any_program_the_sentence_names_the_variable() {
        let none = vec![vec!["/nonexistent/less".to_owned()], Vec::new()];
        let missing = first(none, ("pager", "PAGER"), |_| {}).unwrap_err();
        assert_eq!(missing.to_string(), "no pager was found: set PAGER to one you have");
    }
}
