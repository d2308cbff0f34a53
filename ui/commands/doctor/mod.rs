//! `quarterdeck doctor`: looks at everything that can be in the way, with and without a running host, and says what to do next.
//!
//! One file per subject; each answers findings and prints nothing. Nothing is changed, and nothing is made that was not there.

mod address;
mod clock;
mod configuration;
mod files;
mod finding;
mod host;
mod port;
mod records;
mod report;
mod terminal;

use quarterdeck::control::examine;

use super::{Failure, Session};
use finding::Finding;

pub async fn run(session: &Session) -> Result<(), Failure> {
    let settings = &session.settings;
    let host = host::look(settings).await;
    let kept = examine::kept(settings.state_dir(), &settings.head());
    let mut found = configuration::check(settings);
    found.extend(files::check(settings.state_dir()));
    found.extend(clock::check(kept.as_ref().ok()));
    found.extend(host::check(&host, settings));
    found.extend(address::check(&host, settings).await);
    found.extend(records::check(&kept, address::public_url(&host, settings).as_ref(), settings));
    found.extend(terminal::check(|name| settings.variable(name)).await);
    report::tell(&found, session.json)
}

/// What is left to look at when the configuration cannot be used.
pub fn without_configuration(broken: &Failure, json: bool) -> Result<(), Failure> {
    let next = "correct it; until then nothing else can be looked at, and Quarterdeck does not start";
    report::tell(&[Finding::fail("configuration", &broken.sentence(), next)], json)
}
