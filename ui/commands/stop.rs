//! `quarterdeck stop`: asks the host that runs to stop, and waits until it has.

use std::path::Path;
use std::time::Duration;

use quarterdeck::control::offline;
use quarterdeck::control::{Reply, Request};
use serde_json::json;

use super::{Failure, Session, output};

/// How long to wait for it: a host takes two seconds at most, a busy machine longer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often to look: nobody tells that a process has ended.
const LOOK: Duration = Duration::from_millis(20);

pub async fn run(session: &Session) -> Result<(), Failure> {
    let state_dir = session.settings.state_dir();
    let process = offline::process(state_dir);
    let Reply::Done = session.ask(Request::Stop).await? else { return Err(Failure::unexpected()) };
    if tokio::time::timeout(PATIENCE, gone(state_dir, process)).await.is_err() {
        return Err(Failure::new(format!(
            "the host was asked to stop and has not stopped yet{}: see its log",
            process.map(|id| format!(" (process {id})")).unwrap_or_default()
        )));
    }
    if session.json { output::json(&json!({ "process": process })) } else { output::line("The host is stopped.") }
}

/// Until the state directory is free for another one.
async fn gone(state_dir: &Path, process: Option<u32>) {
    while process.is_some() && offline::process(state_dir) == process {
        tokio::time::sleep(LOOK).await;
    }
}
