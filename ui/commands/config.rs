//! `quarterdeck config check`: by the time a verb runs, the configuration was loaded, so only the key map and the theme it names are left to
//! look at, and the good news to tell: what is in force, and where it comes from.

use quarterdeck::config::Set;
use serde_json::{Value, json};

use super::{Failure, Session, output};
use crate::args;
use crate::settings::Settings;
use crate::theme::Themes;

pub fn run(session: &Session, verb: args::Config) -> Result<(), Failure> {
    let args::Config::Check = verb;
    session.settings.keymap()?;
    let (file, state_dir) = (&session.settings.file, session.settings.state_dir());
    Themes::check(&session.settings.config.terminal, &session.settings.themes())
        .map_err(|error| Failure::new(error.to_string()))?;
    if session.json {
        let set: Vec<Value> = session.settings.set.iter().map(object).collect();
        return output::json(&json!({ "file": file.is_file().then_some(file), "state_dir": state_dir, "set": set }));
    }
    output::line(&format!("The configuration is right.\n{}", output::columns(&rows(&session.settings))))
}

/// What is in force, with where it comes from.
fn rows(settings: &Settings) -> Vec<Vec<String>> {
    let file = settings.file.display();
    let source = if settings.file.is_file() { file.to_string() } else { format!("defaults ({file} does not exist)") };
    let from = settings.state_dir_from.map(str::to_owned).unwrap_or_default();
    let first = [("configuration", source, String::new()), ("state", settings.state_dir().display().to_string(), from)];
    let first = first.map(|(name, value, from)| vec![name.to_owned(), value, from]);
    let set = settings.set.iter().map(|set| vec![set.key.to_owned(), set.value.clone(), set.place.to_string()]);
    first.into_iter().chain(set).collect()
}

fn object(set: &Set) -> Value {
    json!({ "key": set.key, "value": set.value, "from": set.place.to_string() })
}
