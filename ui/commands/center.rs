//! `quarterdeck` without a verb: the control center, on a host of its own or on the one that runs.

use std::io::IsTerminal as _;

use quarterdeck::Host;
use quarterdeck::control::{Client, ConnectError, TerminalName, offline};

use super::{Failure, Session};
use crate::app::{self, Mode, Options};
use crate::terminal::Environment;

pub async fn run(session: Session) -> Result<(), Failure> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(Failure::new("the control center needs a terminal; \"quarterdeck serve\" runs without one".to_owned()));
    }
    let settings = &session.settings;
    Host::prepare(settings.state_dir())?;
    let _flushed_at_the_end = crate::log::start(&settings.config)?;
    let (client, host) = match Client::connect(settings.state_dir()).await {
        Ok(client) => (client, None),
        Err(ConnectError::NotRunning(_)) => {
            let host = Host::start(settings.config.clone()).await?;
            (host.client(), Some(host))
        }
        Err(error) => return Err(error.into()),
    };
    remember(&session);
    let mode = if host.is_some() { Mode::InProcess } else { Mode::Attached };
    let left = app::run(client.at_terminal(here(&session)), options(&session, mode)).await;
    if let Some(host) = host {
        host.stop().await;
    }
    match left {
        Ok(_however) => Ok(()),
        Err(error) => Err(Failure::new(error.to_string())),
    }
}

fn options(session: &Session, mode: Mode) -> Options {
    let settings = &session.settings;
    Options {
        mode,
        ascii: settings.config.terminal.ascii.unwrap_or(false),
        log_path: settings.state_dir().join("logs").join("terminal.log"),
        environment: Environment::read(|name| settings.variable(name)),
    }
}

/// Checks the audit and remembers its end, beside what the person does: a long audit must not hold up the first screen.
fn remember(session: &Session) {
    let (state_dir, head) = (session.settings.state_dir().to_owned(), session.settings.head());
    tokio::task::spawn_blocking(move || match offline::verify(&state_dir, &head) {
        Ok(offline::Verified::Intact { .. }) => {}
        Ok(found) => tracing::error!(?found, "the audit is not as it was written; see \"quarterdeck audit verify\""),
        Err(error) => tracing::warn!(%error, "the audit could not be checked"),
    });
}

/// Who sits here, for the audit.
fn here(session: &Session) -> TerminalName {
    let tty = rustix::termios::ttyname(std::io::stdin(), Vec::new()).ok().map(|name| name.to_string_lossy().into_owned());
    let tty = tty.map_or_else(|| "unknown".to_owned(), |path| path.trim_start_matches("/dev/").to_owned());
    // "client-address client-port server-address server-port"
    let ssh = session.settings.variable("SSH_CONNECTION");
    TerminalName { tty, ssh: ssh.and_then(|line| line.split_whitespace().next().map(str::to_owned)) }
}
