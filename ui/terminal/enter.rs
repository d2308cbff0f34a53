//! Taking the terminal.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, bail};
use crossterm::event::{EnableBracketedPaste, EnableFocusChange};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, SetTitle};
use crossterm::{cursor, execute};
use rustix::io::fcntl_dupfd_cloexec;

use super::{Environment, Step, leave, taken};

/// Puts the terminal's title on its stack of titles.
pub(super) const SAVE_TITLE: &[u8] = b"\x1b[22;2t";

/// Takes the terminal, or leaves it as it was and says why not.
pub(crate) fn enter(environment: &Environment, log: &Path, title: &str) -> anyhow::Result<()> {
    usable(environment)?;
    let log = open(log).with_context(|| format!("the log file {} cannot be opened", log.display()))?;
    let entered = steps(&log, title);
    if entered.is_err() {
        leave();
    }
    entered.context("the terminal cannot be used")
}

fn usable(environment: &Environment) -> anyhow::Result<()> {
    const INSTEAD: &str = "run \"quarterdeck serve\" for the host alone, and \"quarterdeck status\" to see how it is";
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!("this is not a terminal, so there is nothing to draw on: {INSTEAD}");
    }
    if environment.dumb {
        bail!("this terminal cannot move its cursor (TERM is dumb or not set): {INSTEAD}");
    }
    Ok(())
}

/// Opens what standard error goes to.
pub(crate) fn open(log: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).mode(0o600).open(log)
}

fn steps(log: &File, title: &str) -> io::Result<()> {
    let mut out = io::stdout();
    let stderr = fcntl_dupfd_cloexec(rustix::stdio::stderr(), 3)?;
    rustix::stdio::dup2_stderr(log)?;
    taken().push(Step::Stderr(stderr));
    terminal::enable_raw_mode()?;
    taken().push(Step::Raw);
    execute!(out, EnterAlternateScreen)?;
    taken().push(Step::Alternate);
    // What is there may be of a program that was killed: what is drawn first counts on empty cells.
    execute!(out, Clear(ClearType::All))?;
    execute!(out, cursor::Hide, cursor::SetCursorStyle::SteadyBar)?;
    taken().push(Step::Cursor);
    execute!(out, EnableBracketedPaste)?;
    taken().push(Step::Paste);
    execute!(out, EnableFocusChange)?;
    taken().push(Step::Focus);
    out.write_all(SAVE_TITLE)?;
    execute!(out, SetTitle(title))?;
    taken().push(Step::Title);
    Ok(())
}
