//! `quarterdeck status`

use quarterdeck::control::{Reply, Request, Status};

use super::{Failure, Session, output};

pub async fn run(session: &Session) -> Result<(), Failure> {
    let Reply::Status(status) = session.ask(Request::Status).await? else { return Err(Failure::unexpected()) };
    if session.json { output::json(&status) } else { output::line(&lines(&status)) }
}

fn lines(status: &Status) -> String {
    let address = match &status.public_url {
        Some(url) => format!("{url}/mcp"),
        None => "none: the door is closed (assistants.public_url is empty)".to_owned(),
    };
    let passkeys = match (status.passkeys, &status.public_url) {
        (0, Some(_)) => "none: nobody can connect; \"quarterdeck passkey add\" makes a link".to_owned(),
        (count, _) => count.to_string(),
    };
    let rows = [
        ("version", status.version.clone()),
        ("address", address),
        ("listening on", status.listen.join(", ")),
        ("state", status.state_dir.display().to_string()),
        ("host", status.host.clone()),
        ("passkeys", passkeys),
        ("connections", status.connections.to_string()),
        ("waiting", status.waiting.to_string()),
        ("running for", duration(status.uptime_s)),
    ];
    let failing = status.failing.iter().map(|why| ("failing", why.clone()));
    let rows: Vec<_> = failing.chain(rows).map(|(name, value)| vec![name.to_owned(), value]).collect();
    output::columns(&rows)
}

/// The two largest units.
fn duration(seconds: u64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_without_passkeys_says_what_to_do() {
        let status = Status {
            version: "1.2.3".to_owned(),
            public_url: Some("http://localhost:7420".to_owned()),
            listen: vec!["127.0.0.1:7420".to_owned(), "[::1]:7420".to_owned()],
            state_dir: "/state".into(),
            host: "embedded".to_owned(),
            passkeys: 0,
            connections: 0,
            waiting: 0,
            uptime_s: 3720,
            failing: None,
        };
        insta::assert_snapshot!(lines(&status), @r#"
        version        1.2.3
        address        http://localhost:7420/mcp
        listening on   127.0.0.1:7420, [::1]:7420
        state          /state
        host           embedded
        passkeys       none: nobody can connect; "quarterdeck passkey add" makes a link
        connections    0
        waiting        0
        running for    1 h 2 min
        "#);
    }
}
