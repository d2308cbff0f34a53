//! No verb: the control center, over a host of its own or attached to the one that runs.

use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;

use quarterdeck::config;
use quarterdeck::control::{Client, ConnectError, TerminalName, offline};
use quarterdeck::{Host, StartError};

use super::{Failure, Session, keep, output};
use crate::app::{self, Exit, Mode, Options};
use crate::input::Keymap;
use crate::plain;
use crate::terminal::{Attention, Environment, Place, Programs, When};
use crate::theme::{self, Themes};

/// What the terminal can do, and what its keys mean.
type Around = (Environment, Arc<Keymap>);

pub async fn run(session: Session) -> Result<(), Failure> {
    let environment = Environment::read(|name| session.settings.variable(name));
    let plain = is_plain(&session, &environment);
    if !(plain || std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        return Err(Failure::new(
            "the control center needs a terminal: run \"quarterdeck serve\" for the host alone, \"quarterdeck status\" to see how it is, \
             and \"quarterdeck --plain\" for lines instead of screens"
                .to_owned(),
        ));
    }
    let keymap = if plain { Arc::default() } else { Arc::new(session.settings.keymap()?) };
    Host::prepare(session.settings.state_dir())?;
    let _flushed_at_the_end = crate::log::start(&session.settings.config)?;
    match Client::connect(session.settings.state_dir()).await {
        Ok(client) => attached(&session, client, (environment, keymap)).await,
        Err(ConnectError::NotRunning(_)) => with_host(&session, (environment, keymap)).await,
        Err(error) => Err(error.into()),
    }
}

/// Whether lines are printed instead of screens: wished for, or the only thing this terminal can do.
fn is_plain(session: &Session, environment: &Environment) -> bool {
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    session.plain || session.settings.config.terminal.plain || (environment.dumb && terminal)
}

/// The host in this process; it stops when the control center is left, unless serving is to go on.
async fn with_host(session: &Session, around: Around) -> Result<(), Failure> {
    let host = match Host::start(session.settings.config.clone()).await {
        Ok(host) => host,
        // Another one started in between: attach to it.
        Err(error @ StartError::State(_)) => {
            let client = Client::connect(session.settings.state_dir()).await.map_err(|_| error)?;
            return attached(session, client, around).await;
        }
        Err(error) => return Err(error.into()),
    };
    // The screens cover it until they are left; the audit they show has it too.
    output::warnings(host.warnings());
    let shown = show(session, host.client(), Mode::InProcess, around).await;
    if matches!(shown, Ok(Exit::KeepServing)) {
        let kept = keep::run(session, host).await;
        remember(session);
        return output::line(&kept?);
    }
    let asked = host.was_asked_to_stop();
    host.stop().await;
    remember(session);
    output::line(ended(shown?, asked, &session.settings.state_dir().join("logs"))?)
}

/// What is said last. A host that stopped though nobody left and nobody asked for it is a failure: whoever comes back to this terminal must
/// see why nothing is served.
fn ended(exit: Exit, asked: bool, logs: &Path) -> Result<&'static str, Failure> {
    match exit {
        Exit::Quit | Exit::KeepServing | Exit::Signal => Ok("The host is stopped."),
        Exit::HostGone if asked => {
            Ok("The host in this terminal was stopped with \"quarterdeck stop\", and the control center with it.")
        }
        Exit::HostGone => Err(Failure::new(format!(
            "the host in this terminal stopped, and the control center with it. The log is in {}",
            logs.display()
        ))),
    }
}

/// A host of somebody else: leaving leaves it as it is.
async fn attached(session: &Session, client: Client, around: Around) -> Result<(), Failure> {
    show(session, client, Mode::Attached, around).await?;
    output::line("Left. The host was not touched.")
}

/// The same as lines.
async fn print(session: &Session, client: Client, mode: Mode, environment: &Environment) -> Result<Exit, Failure> {
    let config = &session.settings.config.terminal;
    let (interactive, shown) = (std::io::stdin().is_terminal(), std::io::stdout().is_terminal());
    let draws = shown && !environment.dumb && environment.utf8 && config.ascii != Some(true);
    let options = plain::Options {
        mode,
        interactive,
        shown,
        utf8: environment.utf8 && config.ascii != Some(true),
        code: draws.then(|| Themes::new(config, &session.settings.themes(), environment, || None).first().0),
        state_dir: session.settings.state_dir().to_owned(),
        head: session.settings.head(),
    };
    plain::run(client, options).await.map_err(|error| Failure::new(error.to_string()))
}

async fn show(session: &Session, client: Client, mode: Mode, (environment, keymap): Around) -> Result<Exit, Failure> {
    if is_plain(session, &environment) {
        return print(session, client.at_terminal(here(session)), mode, &environment).await;
    }
    let config = &session.settings.config.terminal;
    let themes = Themes::new(config, &session.settings.themes(), &environment, theme::ask);
    let options = Options {
        mode,
        themes,
        log_path: crate::log::terminal(session.settings.state_dir())?,
        environment,
        place: Place::read(|name| session.settings.variable(name)),
        programs: Programs::read(|name| session.settings.variable(name)),
        keymap,
        attention: attention(config),
        mouse: config.mouse,
        qr_hide_unfocused: config.qr_hide_unfocused,
        state_dir: session.settings.state_dir().to_owned(),
        head: session.settings.head(),
    };
    let client = client.at_terminal(here(session));
    app::run(client, options).await.map_err(|error| Failure::new(error.to_string()))
}

/// When and how the owner is called.
fn attention(config: &config::Terminal) -> Attention {
    let when = match config.attention {
        config::Attention::Unfocused => When::Unfocused,
        config::Attention::Always => When::Always,
        config::Attention::Never => When::Never,
    };
    Attention { when, command: config.attention_command.clone() }
}

/// The end of the audit, for the next `audit verify` to hold the store against. What it finds is told; it holds up nothing.
fn remember(session: &Session) {
    match offline::remember(session.settings.state_dir(), &session.settings.head()) {
        Ok(true) => {}
        Ok(false) => {
            let _gone = output::line("The audit is not as it was written: run \"quarterdeck audit verify\".");
        }
        Err(error) => tracing::warn!(%error, "the end of the audit could not be remembered"),
    }
}

/// This terminal, for the audit.
fn here(session: &Session) -> TerminalName {
    let tty = rustix::termios::ttyname(std::io::stdin(), Vec::new()).ok().and_then(|name| name.into_string().ok());
    let tty = tty.map_or_else(|| "unknown".to_owned(), |name| name.trim_start_matches("/dev/").to_owned());
    let ssh = session.settings.variable("SSH_CONNECTION");
    TerminalName { tty, ssh: ssh.and_then(|ssh| ssh.split_whitespace().next().map(str::to_owned)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_stops_by_itself_is_a_failure_that_names_the_log() {
        let logs = Path::new("/state/logs");
        assert!(ended(Exit::Quit, false, logs).is_ok() && ended(Exit::Signal, false, logs).is_ok());
        let said = format!("{:?}", ended(Exit::HostGone, false, logs).expect_err("nobody left"));
        assert!(said.contains("the host in this terminal stopped") && said.contains("/state/logs"), "{said}");
        let asked = ended(Exit::HostGone, true, logs).expect("somebody asked for it");
        assert!(asked.contains("quarterdeck stop"), "{asked}");
    }
}
