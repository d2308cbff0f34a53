//! `quarterdeck scopes NAME`

use quarterdeck::control::{Reply, Request, ScopesPage};

use super::{Failure, Session, output};

pub async fn run(session: &Session, name: &str) -> Result<(), Failure> {
    let grant = grant(session, name).await?;
    let Reply::ScopesPage(page) = session.ask(Request::ScopesPage { grant }).await? else { return Err(Failure::unexpected()) };
    if session.json { output::json(&page) } else { output::line(&lines(&page)) }
}

/// The grant behind the connection of this name.
async fn grant(session: &Session, name: &str) -> Result<String, Failure> {
    let Reply::Connections(all) = session.ask(Request::Connections).await? else { return Err(Failure::unexpected()) };
    let named = all.into_iter().find(|connection| connection.name == name);
    named.map(|connection| connection.grant).ok_or_else(|| Failure::new(format!("there is no connection named {name}")))
}

fn lines(page: &ScopesPage) -> String {
    format!(
        "{}\n\nOpen it where your passkey is. It works until {}; a newer one replaces it. Nothing changes before your passkey.",
        page.url.0,
        output::minute(&page.expires_at)
    )
}

#[cfg(test)]
mod tests {
    use quarterdeck::control::SecretUrl;

    use super::*;

    #[test]
    fn the_address_is_a_line_of_its_own() {
        let url = SecretUrl("http://localhost:7420/scopes#secret".to_owned());
        insta::assert_snapshot!(lines(&ScopesPage { url, expires_at: "2026-12-01T09:40:00.000Z".to_owned() }), @r"
        http://localhost:7420/scopes#secret

        Open it where your passkey is. It works until 2026-12-01 09:40 UTC; a newer one replaces it. Nothing changes before your passkey.
        ");
    }
}
