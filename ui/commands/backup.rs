//! `quarterdeck backup PATH`: by the host that runs, which writes it down; from the files when none runs.

use std::path::PathBuf;

use quarterdeck::control::{Client, ConnectError, Reply, Request, offline};
use serde_json::json;

use super::{Failure, Session, output};

pub async fn run(session: &Session, path: PathBuf) -> Result<(), Failure> {
    let path = std::path::absolute(&path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    let state_dir = session.settings.state_dir();
    let bytes = match Client::connect(state_dir).await {
        Ok(host) => match host.request(Request::Backup { path: path.clone() }).await? {
            Reply::BackedUp { bytes, .. } => bytes,
            Reply::Refused(refusal) => return Err(Failure::new(refusal.message)),
            _ => return Err(Failure::unexpected()),
        },
        Err(ConnectError::NotRunning(_)) => offline::backup(state_dir, &path)?,
        Err(error) => return Err(error.into()),
    };
    if session.json {
        return output::json(&json!({ "path": path, "bytes": bytes }));
    }
    output::line(&format!("The copy is in {} ({bytes} bytes). The key that signs the audit is not in it.", path.display()))
}
