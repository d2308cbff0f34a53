//! `quarterdeck config check`: by the time a verb runs, the configuration was loaded, so only
//! the key map beside it is left to check, and the good news to tell.

use serde_json::json;

use super::{Failure, Session, output};
use crate::args;

pub fn run(session: &Session, verb: args::Config) -> Result<(), Failure> {
    let args::Config::Check = verb;
    session.settings.keymap()?;
    let (file, state_dir) = (&session.settings.file, session.settings.state_dir());
    let exists = file.is_file();
    if session.json {
        return output::json(&json!({ "file": exists.then_some(file), "state_dir": state_dir }));
    }
    let source = if exists { file.display().to_string() } else { format!("defaults ({} does not exist)", file.display()) };
    let rows = [("configuration", source), ("state", state_dir.display().to_string())];
    output::line(&format!(
        "The configuration is right.\n{}",
        output::columns(&rows.map(|(name, value)| vec![name.to_owned(), value]))
    ))
}
