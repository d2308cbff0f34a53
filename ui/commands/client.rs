//! `quarterdeck client add NAME --redirect URI… | list | remove NAME`

use quarterdeck::control::{ClientDocument, Reply, Request};
use serde_json::json;

use super::{Failure, Session, output};
use crate::args;

pub async fn run(session: &Session, verb: args::Client) -> Result<(), Failure> {
    match verb {
        args::Client::Add { name, redirect } => add(session, name, redirect).await,
        args::Client::List => list(session).await,
        args::Client::Remove { name } => remove(session, name).await,
    }
}

async fn add(session: &Session, name: String, redirect_uris: Vec<String>) -> Result<(), Failure> {
    let request = Request::ClientAdd { name, redirect_uris };
    let Reply::Client(added) = session.ask(request).await? else { return Err(Failure::unexpected()) };
    if session.json { output::json(&added) } else { output::line(&added_lines(&added)) }
}

async fn list(session: &Session) -> Result<(), Failure> {
    let Reply::Clients(clients) = session.ask(Request::ClientList).await? else { return Err(Failure::unexpected()) };
    if session.json { output::json(&clients) } else { output::line(&list_lines(&clients)) }
}

async fn remove(session: &Session, name: String) -> Result<(), Failure> {
    let request = Request::ClientRemove { name: name.clone() };
    let Reply::Done = session.ask(request).await? else { return Err(Failure::unexpected()) };
    if session.json {
        output::json(&json!({ "removed": name }))
    } else {
        output::line("The client document is removed: it can ask for nothing new. Its connections stay; revoke them to end them.")
    }
}

/// What the owner hands to whoever sets the client up: people and models alike read it.
pub fn added_lines(added: &ClientDocument) -> String {
    // The id is `<public url>/clients/<name>`, by the control protocol's promise.
    let origin = added.client_id.split("/clients/").next().unwrap_or_default();
    format!(
        "client id    {}\nendpoint     {origin}/mcp\nreturns to   {}\n\n\
         Give the client this id. Nothing is served at that address (a 404 is right): the client must not fetch it, and goes straight to the\n\
         authorization page with PKCE (S256) and without a client secret. It sends `resource` when it asks for a code and when it exchanges it.\n\
         Any port of a return address is accepted. The token does not expire and there is no refresh token: it works until you revoke it.",
        added.client_id,
        added.redirect_uris.join(", ")
    )
}

fn list_lines(clients: &[ClientDocument]) -> String {
    if clients.is_empty() {
        return "No client document is kept here.".to_owned();
    }
    let rows: Vec<_> = clients.iter().map(|client| vec![client.client_id.clone(), client.redirect_uris.join(", ")]).collect();
    output::columns(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_lines_of_id_and_return_addresses() {
        let client = ClientDocument {
            client_id: "https://deck.example/clients/notes".to_owned(),
            redirect_uris: vec!["http://127.0.0.1/a".to_owned(), "http://[::1]/b".to_owned()],
        };
        assert_eq!(list_lines(&[client]), "https://deck.example/clients/notes   http://127.0.0.1/a, http://[::1]/b");
        assert_eq!(list_lines(&[]), "No client document is kept here.");
    }
}
