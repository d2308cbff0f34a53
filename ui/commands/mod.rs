//! The facts on the screen as lines: one file per verb, each for people and, with `--json`, as the documented object.

mod audit;
mod backup;
mod center;
mod client;
mod completions;
mod config;
mod connections;
mod doctor;
mod export;
mod failure;
mod follow;
mod journal;
mod keep;
mod output;
mod passkey;
mod revoke;
mod scopes;
mod serve;
mod status;
mod stop;
mod verify;
mod which;

pub use failure::Failure;

use quarterdeck::control::{Client, Reply, Request};

use crate::args::Verb;
use crate::settings::Settings;

/// What every verb starts from.
pub struct Session {
    pub settings: Settings,
    /// Answer with JSON.
    pub json: bool,
    /// Lines instead of screens.
    pub plain: bool,
}

/// What is said of what was done, for plain mode to say the same.
pub mod sentences {
    pub use super::client::added_lines as client_added;
    pub use super::export::sentence as exported;
    pub use super::revoke::lines as revoked;
    pub use super::verify::sentence as verified;
}

impl Session {
    /// A client of the host that runs.
    async fn host(&self) -> Result<Client, Failure> {
        Ok(Client::connect(self.settings.state_dir()).await?)
    }

    /// What the host that runs answers; what it declines is a failure.
    async fn ask(&self, request: Request) -> Result<Reply, Failure> {
        match self.host().await?.request(request).await? {
            Reply::Refused(refusal) => Err(Failure::new(refusal.message)),
            reply => Ok(reply),
        }
    }
}

/// Does what needs no configuration, or works without one; `None` for everything else.
pub fn without_configuration(verb: Option<&Verb>, broken: Option<&Failure>, json: bool) -> Option<Result<(), Failure>> {
    match (verb, broken) {
        (Some(Verb::Completions { shell }), _) => Some(completions::run(*shell)),
        (Some(Verb::Doctor), Some(broken)) => Some(doctor::without_configuration(broken, json)),
        _ => None,
    }
}

/// Does what was typed.
pub async fn run(session: Session, verb: Option<Verb>) -> Result<(), Failure> {
    match verb {
        None => center::run(session).await,
        Some(Verb::Serve { detached }) => serve::run(session, detached).await,
        Some(Verb::Stop) => stop::run(&session).await,
        Some(Verb::Status) => status::run(&session).await,
        Some(Verb::Connections) => connections::run(&session).await,
        Some(Verb::Revoke { name }) => revoke::run(&session, name).await,
        Some(Verb::Scopes { name }) => scopes::run(&session, &name).await,
        Some(Verb::Passkey(verb)) => passkey::run(&session, verb).await,
        Some(Verb::Client(verb)) => client::run(&session, verb).await,
        Some(Verb::Audit(asked)) => audit::run(&session, *asked).await,
        Some(Verb::Journal(asked)) => journal::run(&session, asked).await,
        Some(Verb::Doctor) => doctor::run(&session).await,
        Some(Verb::Completions { shell }) => completions::run(shell),
        Some(Verb::Backup { path }) => backup::run(&session, path).await,
        Some(Verb::Config(verb)) => config::run(&session, verb),
    }
}
