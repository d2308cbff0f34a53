//! `quarterdeck connections`

use quarterdeck::control::{Connection, ConnectionState, Reply, Request};

use super::{Failure, Session, output};

pub async fn run(session: &Session) -> Result<(), Failure> {
    let Reply::Connections(connections) = session.ask(Request::Connections).await? else { return Err(Failure::unexpected()) };
    if session.json { output::json(&connections) } else { output::line(&lines(&connections)) }
}

fn lines(connections: &[Connection]) -> String {
    if connections.is_empty() {
        return "No assistant is connected.".to_owned();
    }
    let blocks: Vec<String> = connections.iter().map(block).collect();
    blocks.join("\n\n")
}

fn block(connection: &Connection) -> String {
    let client = match &connection.client_name {
        Some(name) => format!("{name:?} (its own claim), {}", connection.client_id),
        None => connection.client_id.clone(),
    };
    let state = match connection.state {
        ConnectionState::Live => "live",
        ConnectionState::Idle => "idle",
        ConnectionState::NeverUsed => "never used",
        ConnectionState::WrongUrl => "refused: it was made under another public URL; revoke it and connect again",
    };
    let used = connection.last_used_at.as_deref().map_or_else(|| "never".to_owned(), output::minute);
    let rows = [
        ("  state", state.to_owned()),
        ("  client", client),
        ("  grant", connection.grant.clone()),
        ("  scopes", connection.scopes.join(" ")),
        ("  since", output::minute(&connection.created_at)),
        ("  last used", used),
        ("  tool calls in 24 h", connection.calls_24h.to_string()),
    ];
    format!("{}\n{}", connection.name, output::columns(&rows.map(|(name, value)| vec![name.to_owned(), value])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_a_name_and_its_facts() {
        let connection = Connection {
            name: "dots".to_owned(),
            grant: "0123".to_owned(),
            client_id: "https://client.example/id".to_owned(),
            client_name: Some("Dots \"the\" client".to_owned()),
            scopes: vec!["context:read".to_owned(), "memory:read".to_owned()],
            created_at: "2026-12-01T09:30:00.000Z".to_owned(),
            last_used_at: None,
            calls_24h: 0,
            calls_by_hour: vec![0; 24],
            state: ConnectionState::NeverUsed,
        };
        insta::assert_snapshot!(lines(&[connection]), @r#"
        dots
          state                never used
          client               "Dots \"the\" client" (its own claim), https://client.example/id
          grant                0123
          scopes               context:read memory:read
          since                2026-12-01 09:30 UTC
          last used            never
          tool calls in 24 h   0
        "#);
        assert_eq!(lines(&[]), "No assistant is connected.");
    }
}
