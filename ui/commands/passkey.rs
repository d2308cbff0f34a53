//! `quarterdeck passkey add | list | remove ID`

use quarterdeck::control::{EnrollLink, Passkey, Reply, Request};
use serde_json::json;

use super::{Failure, Session, output};
use crate::args;

pub async fn run(session: &Session, verb: args::Passkey) -> Result<(), Failure> {
    match verb {
        args::Passkey::Add => add(session).await,
        args::Passkey::List => list(session).await,
        args::Passkey::Remove { id } => remove(session, id).await,
    }
}

async fn add(session: &Session) -> Result<(), Failure> {
    let Reply::EnrollLink(link) = session.ask(Request::PasskeyAdd).await? else { return Err(Failure::unexpected()) };
    if session.json { output::json(&link) } else { output::line(&link_lines(&link)) }
}

async fn list(session: &Session) -> Result<(), Failure> {
    let Reply::Passkeys(passkeys) = session.ask(Request::PasskeyList).await? else { return Err(Failure::unexpected()) };
    if session.json {
        // The documented keys: whether it counts here is for people.
        output::json(&passkeys.into_iter().map(|passkey| Passkey { elsewhere: None, ..passkey }).collect::<Vec<_>>())
    } else {
        output::line(&list_lines(&passkeys))
    }
}

async fn remove(session: &Session, id: String) -> Result<(), Failure> {
    let Reply::Done = session.ask(Request::PasskeyRemove { id: id.clone() }).await? else { return Err(Failure::unexpected()) };
    let Reply::Passkeys(left) = session.ask(Request::PasskeyList).await? else { return Err(Failure::unexpected()) };
    let left = left.iter().filter(|passkey| passkey.elsewhere.is_none()).count();
    if session.json { output::json(&json!({ "removed": id, "left": left })) } else { output::line(removed(left)) }
}

/// `left`: how many count under the present public URL now.
fn removed(left: usize) -> &'static str {
    match left {
        0 => {
            "The passkey is removed. It was the last one: nobody can be let in until another is enrolled. \
             \"quarterdeck passkey add\" makes a link."
        }
        _ => "The passkey is removed. Connections stay as they are.",
    }
}

fn link_lines(link: &EnrollLink) -> String {
    format!(
        "{}\n\nOpen it on the device whose passkey you want to use. It works once, until {}; a newer link replaces it.",
        link.url,
        output::minute(&link.expires_at)
    )
}

fn list_lines(passkeys: &[Passkey]) -> String {
    if passkeys.is_empty() {
        return "No passkey is enrolled: \"quarterdeck passkey add\" makes a link.".to_owned();
    }
    let head = ["id", "label", "created", "last used", "counts"].map(str::to_owned).to_vec();
    let rows = passkeys.iter().map(|passkey| {
        let used = passkey.last_used_at.as_deref().map_or_else(|| "never".to_owned(), output::minute);
        vec![
            passkey.id.clone(),
            passkey.label.clone().unwrap_or_else(|| "-".to_owned()),
            output::minute(&passkey.created_at),
            used,
            passkey.elsewhere.as_ref().map_or_else(|| "here".to_owned(), |url| format!("only under {url}")),
        ]
    });
    output::columns(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_are_a_table() {
        let passkey = Passkey {
            id: "0123456789abcdef".to_owned(),
            label: None,
            created_at: "2026-12-01T09:30:00.000Z".to_owned(),
            last_used_at: None,
            elsewhere: None,
        };
        let other = Passkey { elsewhere: Some("https://deck.example.com".to_owned()), ..passkey.clone() };
        insta::assert_snapshot!(list_lines(&[passkey, other]), @r"
        id                 label   created                last used   counts
        0123456789abcdef   -       2026-12-01 09:30 UTC   never       here
        0123456789abcdef   -       2026-12-01 09:30 UTC   never       only under https://deck.example.com
        ");
    }
}
