//! What a job came to, in sentences.

use quarterdeck::control::{AuditFilter, AuditRow, ClientDocument, EnrollLink, JournalPage, Passkey, Reply, ScopesPage};

use super::model::{Answer, Asked, Do, Plain, say};
use super::words::{count, short, when};
use super::{deciding, events, facts, find, look};
use crate::app::SecretLink;
use crate::commands::sentences;
use crate::overlays::Question;

/// A host of another kind, or a bug.
const UNFITTING: &str = "the host gave an answer that does not fit the question; see its log";

/// Says what came of it.
pub(super) fn take(plain: &mut Plain, asked: Asked, answer: Result<Answer, String>) -> Vec<Do> {
    let answer = match answer {
        Ok(Answer::Reply(reply)) => match *reply {
            Reply::Refused(refusal) => return removal_goes_on(plain, asked, refusal.message),
            reply => return replied(plain, asked, reply),
        },
        Ok(answer) => answer,
        Err(why) => return say(why),
    };
    match (asked, answer) {
        (Asked::Audit { filter }, Answer::Rows(rows, more)) => records(plain, filter, (rows, more)),
        (Asked::Refused, Answer::Rows(rows, _)) => refused(plain, &rows),
        (Asked::Export, Answer::Exported(number, path)) => vec![plain.done(sentences::exported(number, &path))],
        (Asked::Verify, Answer::Verified(verified)) => vec![plain.done(sentences::verified(&verified))],
        _ => say(UNFITTING),
    }
}

/// With the door closed there are no client documents, which is no reason to say nothing of the rest.
fn removal_goes_on(plain: &Plain, asked: Asked, why: String) -> Vec<Do> {
    match asked {
        Asked::Clients => say(format!("client documents: {why}")),
        Asked::RemoveClient { what } if plain.model.facts.status.public_url.is_none() => {
            say(format!("There is no passkey {what}, and {why}"))
        }
        _ => say(why),
    }
}

fn replied(plain: &mut Plain, asked: Asked, reply: Reply) -> Vec<Do> {
    let model = &plain.model;
    match (asked, reply) {
        (Asked::Decided(question), reply) => decided(plain, &question, &reply),
        (Asked::Enroll, Reply::EnrollLink(link)) => enrolling(plain, &link),
        (Asked::Scopes { name }, Reply::ScopesPage(page)) => scopes(plain, &name, &page),
        (Asked::NewClient, Reply::Client(added)) => vec![plain.done(sentences::client_added(&added))],
        (Asked::Passkeys, Reply::Passkeys(all)) => {
            let rows = all.iter().map(|passkey| facts::passkey_line(model, passkey));
            list(count(all.len(), "passkey", "passkeys"), rows)
        }
        (Asked::Clients, Reply::Clients(all)) => {
            list(count(all.len(), "client document", "client documents"), all.iter().map(facts::client_line))
        }
        (Asked::Record, Reply::Record(record)) => say(facts::record(model, &record)),
        (Asked::Connection, Reply::Connection(detail)) => say(facts::detail(model, &detail)),
        (Asked::Journal, Reply::Journal(page)) => {
            let rows = page.entries.iter().rev().map(|entry| facts::entry_line(model, entry));
            list(count(page.entries.len(), "journal entry", "journal entries"), rows)
        }
        (Asked::Entry { id, source, pages }, Reply::Journal(page)) => entry(plain, (id, source, pages), &page),
        (Asked::RemovePasskey { what }, Reply::Passkeys(all)) => remove_passkey(plain, what, &all),
        (Asked::RemoveClient { what }, Reply::Clients(all)) => remove_client(plain, &what, &all),
        _ => say(UNFITTING),
    }
}

fn list(head: String, rows: impl Iterator<Item = String>) -> Vec<Do> {
    let rows: Vec<String> = rows.collect();
    let end = if rows.is_empty() { "." } else { ":" };
    say(std::iter::once(format!("{head}{end}")).chain(rows).collect::<Vec<_>>().join("\n"))
}

fn decided(plain: &mut Plain, question: &Question, reply: &Reply) -> Vec<Do> {
    let said = match (question, reply) {
        (Question::Revoke { .. }, Reply::Revoked(revoked)) => sentences::revoked(revoked),
        (Question::Deny { client, .. }, Reply::Done) => format!("Denied: {client}"),
        (Question::RemovePasskey { label, .. }, Reply::Done) => format!("The passkey {label} is removed."),
        (Question::RemoveClient { name, .. }, Reply::Done) => format!("The client document {name} is removed."),
        _ => UNFITTING.to_owned(),
    };
    vec![plain.done(said)]
}

fn enrolling(plain: &mut Plain, link: &EnrollLink) -> Vec<Do> {
    let said = format!(
        "Open this link on the device that will hold the passkey:\n{}\nIt works once, and expires {}. A newer link replaces it. It is never logged.",
        link.url,
        when(&plain.model, &link.expires_at)
    );
    let mut todo = say(said);
    if !plain.model.facts.local_only() {
        todo.push(Do::Code(SecretLink(link.url.clone())));
    }
    todo
}

fn scopes(plain: &Plain, name: &str, page: &ScopesPage) -> Vec<Do> {
    say(format!(
        "Open this link where your passkey is, to change what {name} may do:\n{}\nIt expires {}. A newer one replaces it. Nothing changes \
         before your passkey.",
        page.url.0,
        when(&plain.model, &page.expires_at)
    ))
}

fn records(plain: &mut Plain, filter: AuditFilter, (rows, more): (Vec<AuditRow>, bool)) -> Vec<Do> {
    plain.page = rows.first().filter(|_| more).map(|oldest| (filter, oldest.seq));
    if rows.is_empty() {
        return say("No record fits.");
    }
    let lines = rows.iter().map(|row| format!("record {}, {}", row.seq, events::record(&plain.model, row)));
    let last = more.then(|| "There are earlier ones: more prints them.".to_owned());
    say(lines.chain(last).collect::<Vec<_>>().join("\n"))
}

fn refused(plain: &Plain, rows: &[AuditRow]) -> Vec<Do> {
    let head = format!("{} in the last hour", count(rows.len(), "refused attempt", "refused attempts"));
    list(head, rows.iter().map(|row| events::record(&plain.model, row)))
}

fn entry(plain: &mut Plain, (id, source, pages): (String, Option<String>, u8), page: &JournalPage) -> Vec<Do> {
    if let Some(found) = page.entries.iter().find(|entry| entry.id.starts_with(&id)) {
        return say(facts::entry(&plain.model, found));
    }
    match (page.next, pages.checked_sub(1)) {
        (Some(before), Some(pages)) if pages > 0 => vec![look::entry(plain, (id, source), (pages, Some(before)))],
        (Some(_), _) => say(format!("{id} is not among the newest entries.")),
        (None, _) => say(format!("The journal has no entry {id}.")),
    }
}

fn remove_passkey(plain: &mut Plain, what: String, all: &[Passkey]) -> Vec<Do> {
    let passkey = match find::passkey(all, &what) {
        Ok(passkey) => passkey.clone(),
        Err(why) if why.contains("several") => return say(why),
        Err(_) => return vec![plain.ask(Asked::RemoveClient { what }, quarterdeck::control::Request::ClientList)],
    };
    let ids: Vec<&str> = all.iter().map(|passkey| passkey.id.as_str()).collect();
    let expected = short(&passkey.id, &ids).to_owned();
    let here = all.iter().filter(|passkey| passkey.elsewhere.is_none()).count();
    let last = passkey.elsewhere.is_none() && here == 1;
    let instead = format!("quarterdeck passkey remove {}", passkey.id);
    let label = passkey.label.unwrap_or_else(|| expected.clone());
    deciding::ask(plain, (Question::RemovePasskey { id: passkey.id, label, last }, expected), &instead)
}

fn remove_client(plain: &mut Plain, what: &str, all: &[ClientDocument]) -> Vec<Do> {
    let Some(client) = all.iter().find(|client| facts::client_name(client) == what) else {
        return say(format!("There is no passkey and no client document {what}."));
    };
    let question = Question::RemoveClient { name: what.to_owned(), client_id: client.client_id.clone() };
    deciding::ask(plain, (question, what.to_owned()), &format!("quarterdeck client remove {what}"))
}
