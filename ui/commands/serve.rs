//! `quarterdeck serve`: the host alone, for a supervisor or a second terminal.

use quarterdeck::Host;
use tokio::signal::unix::{SignalKind, signal};

use super::{Failure, Session, output};

pub async fn run(session: Session, detached: bool) -> Result<(), Failure> {
    if detached {
        // What ends a terminal's session does not end this process.
        rustix::process::setsid()
            .map_err(|error| Failure::new(format!("this process cannot leave its terminal's session: {error}")))?;
    }
    Host::prepare(session.settings.state_dir())?;
    let _flushed_at_the_end = crate::log::start(&session.settings.config)?;
    // Before anything is started: a signal that comes early must not be lost.
    let unheard = |error| Failure::new(format!("signals cannot be received: {error}"));
    let mut terminate = signal(SignalKind::terminate()).map_err(unheard)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(unheard)?;
    let host = Host::start(session.settings.config.clone()).await?;
    output::warnings(host.warnings());
    output::line(&listening(&host, &session))?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        () = host.asked_to_stop() => {}
    }
    host.stop().await;
    Ok(())
}

fn listening(host: &Host, session: &Session) -> String {
    let address = match host.public_url() {
        Some(url) => format!("is at {url}"),
        None => "has its door closed".to_owned(),
    };
    let sockets: Vec<String> = host.addresses().iter().map(ToString::to_string).collect();
    format!(
        "Quarterdeck {address}, listens on {}, and keeps its state in {}",
        sockets.join(" and "),
        session.settings.state_dir().display()
    )
}
