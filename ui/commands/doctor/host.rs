//! The host: one that runs and is of this version, or the addresses that are free for one.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};

use quarterdeck::control::{Client, ConnectError, Reply, Request, Status, offline};

use super::finding::Finding;
use super::port;
use crate::settings::Settings;

const SUBJECT: &str = "host";
const HERE: &str = env!("CARGO_PKG_VERSION");

/// What is there.
pub(super) enum Host {
    Runs(Box<Status>),
    None,
    /// Something is there and does not say how it is: a sentence.
    Broken(String),
}

impl Host {
    pub(super) fn status(&self) -> Option<&Status> {
        match self {
            Host::Runs(status) => Some(status),
            Host::None | Host::Broken(_) => None,
        }
    }
}

pub(super) async fn look(settings: &Settings) -> Host {
    let client = match Client::connect(settings.state_dir()).await {
        Ok(client) => client,
        Err(ConnectError::NotRunning(_)) => return Host::None,
        Err(error) => return Host::Broken(error.to_string()),
    };
    match client.request(Request::Status).await {
        Ok(Reply::Status(status)) => Host::Runs(Box::new(status)),
        Ok(Reply::Refused(refusal)) => Host::Broken(refusal.message),
        Ok(_) => Host::Broken("it answered something else than was asked".to_owned()),
        Err(error) => Host::Broken(error.to_string()),
    }
}

pub(super) fn check(host: &Host, settings: &Settings) -> Vec<Finding> {
    match host {
        Host::Runs(status) => runs(status, offline::process(settings.state_dir())),
        Host::Broken(why) => {
            vec![Finding::fail(SUBJECT, why, "stop that host and start it again; its log is in the state directory")]
        }
        Host::None => {
            let none = Finding::note(SUBJECT, "none is running", "quarterdeck, or quarterdeck serve, starts one");
            std::iter::once(none).chain(settings.config.assistants.listen.iter().filter_map(free)).collect()
        }
    }
}

fn runs(status: &Status, process: Option<u32>) -> Vec<Finding> {
    let process = process.map(|id| format!(" in process {id}")).unwrap_or_default();
    let mut found = vec![match status.version == HERE {
        true => Finding::ok(SUBJECT, &format!("version {HERE} runs{process} and listens on {}", status.listen.join(" and "))),
        false => Finding::note(
            SUBJECT,
            &format!("version {} runs{process}, and this program is version {HERE}", status.version),
            "quarterdeck stop, and start it again",
        ),
    }];
    let failing = status.failing.as_deref();
    found
        .extend(failing.map(|why| Finding::fail("store", why, "look at the disk and the log; calls are refused until it works")));
    found
}

/// What is in the way of listening there.
fn free(address: &SocketAddr) -> Option<Finding> {
    // Bound and let go at once. A host that starts in this moment would find it taken: nothing says that one does.
    let error = match TcpListener::bind(address) {
        Ok(_free) if address.port() == 0 => return None,
        Ok(_free) => return Some(Finding::ok("port", &format!("{address} is free"))),
        Err(error) => error,
    };
    let (elsewhere, shown) = ("set assistants.listen (or --listen) to another port", address.to_string());
    Some(match error.kind() {
        ErrorKind::AddrInUse => match port::holder(address.port()) {
            Some(who) => Finding::fail("port", &format!("{shown} is in use by {who}"), &format!("stop it, or {elsewhere}")),
            None => {
                let look = format!("see who with lsof -i :{}; stop it, or {elsewhere}", address.port());
                Finding::fail("port", &format!("{shown} is in use by another program"), &look)
            }
        },
        ErrorKind::AddrNotAvailable if address.is_ipv6() => {
            Finding::note("port", &format!("{shown}: this machine has no IPv6 loopback; the host does without"), "")
        }
        _ => Finding::fail("port", &format!("{shown} cannot be listened on: {error}"), elsewhere),
    })
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    #[test]
    fn a_port_that_is_taken_is_named_with_what_to_do() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let found = free(&address).unwrap();
        assert!(found.level == Level::Fail && found.says.starts_with(&format!("{address} is in use by ")), "{found:?}");
        assert!(found.next.unwrap().contains("assistants.listen"));
        if cfg!(target_os = "linux") {
            assert!(found.says.ends_with(&format!("(process {})", std::process::id())), "{}", found.says);
        }
    }

    #[test]
    fn a_host_of_another_version_is_to_be_started_again_and_one_whose_store_fails_is_in_the_way() {
        let status = Status {
            version: "0.0.1".to_owned(),
            public_url: None,
            listen: vec!["127.0.0.1:7420".to_owned()],
            state_dir: "/state".into(),
            host: "embedded".to_owned(),
            passkeys: 0,
            connections: 0,
            waiting: 0,
            uptime_s: 1,
            failing: Some("the disk is full".to_owned()),
        };
        let found = runs(&status, Some(7));
        assert_eq!([found[0].level, found[1].level], [Level::Note, Level::Fail]);
        assert!(found[0].says.starts_with("version 0.0.1 runs in process 7"), "{found:?}");
        assert_eq!(runs(&Status { version: HERE.to_owned(), failing: None, ..status }, None)[0].level, Level::Ok);
    }
}
