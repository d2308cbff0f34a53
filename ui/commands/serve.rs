//! `quarterdeck serve`: the host alone, for a supervisor or a second terminal.

use quarterdeck::Host;
use tokio::signal::unix::{SignalKind, signal};

use super::{Failure, Session, output};

pub async fn run(session: Session) -> Result<(), Failure> {
    Host::prepare(session.settings.state_dir())?;
    let _flushed_at_the_end = crate::log::start(&session.settings.config)?;
    // Before anything is started: a signal that comes early must not be lost.
    let unheard = |error| Failure::new(format!("signals cannot be received: {error}"));
    let mut terminate = signal(SignalKind::terminate()).map_err(unheard)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(unheard)?;
    let host = Host::start(session.settings.config.clone()).await?;
    output::line(&listening(&host, &session))?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
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
