//! `quarterdeck journal`: what assistants recorded, oldest first.

use quarterdeck::control::{JournalEntry, JournalQuery, Reply, Request, since};

use super::{Failure, Session, output, which};
use crate::args;

pub async fn run(session: &Session, asked: args::Journal) -> Result<(), Failure> {
    let (now, zone) = which::here();
    let since = asked.since.map(|time| since(&time, now, &zone)).transpose()?;
    let most = usize::try_from(asked.limit).unwrap_or(usize::MAX);
    let mut query = JournalQuery { source: asked.from, kind: asked.kind, since, before: None, most: asked.limit };
    let whole = query.source.is_none() && query.kind.is_none() && query.since.is_none();
    let mut entries: Vec<JournalEntry> = Vec::new();
    loop {
        query.most = u32::try_from(most.saturating_sub(entries.len())).unwrap_or(u32::MAX);
        let Reply::Journal(page) = session.ask(Request::Journal(query.clone())).await? else { return Err(Failure::unexpected()) };
        entries.extend(page.entries);
        query.before = page.next;
        if query.before.is_none() || entries.len() >= most {
            break;
        }
    }
    entries.reverse();
    if session.json { output::json(&entries) } else { output::line(&lines(&entries, whole)) }
}

/// The entries, or why there is none: of the `whole` journal, or of those that were asked for.
fn lines(entries: &[JournalEntry], whole: bool) -> String {
    if entries.is_empty() {
        let why = if whole { "The journal is empty: assistants add to it with RecordExperience." } else { "No entry fits." };
        return why.to_owned();
    }
    entries.iter().map(block).collect::<Vec<_>>().join("\n\n")
}

/// Every text is the assistant's own claim. Its lines are set in, so that none of them can pass for one of ours.
fn block(entry: &JournalEntry) -> String {
    let mut lines = vec![format!("{}  {}  {}", output::minute(&entry.at), entry.kind, entry.session_key)];
    let texts = [
        ("said", Some(&entry.said)),
        ("from", entry.from.as_ref()),
        ("did", Some(&entry.did)),
        ("outcome", Some(&entry.outcome)),
        ("artifact", entry.artifact.as_ref()),
        ("model", entry.model.as_ref()),
    ];
    for (label, text) in texts {
        lines.extend(text.map(|text| format!("  {label:<8}  {}", text.replace('\n', "\n            "))));
    }
    lines.push(format!("  id        {}", entry.id));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_its_head_and_its_texts_set_in() {
        let entry = JournalEntry {
            id: "evt_0123".to_owned(),
            at: "2026-12-01T09:30:00.000Z".to_owned(),
            kind: "external.record".to_owned(),
            source: "dots".to_owned(),
            session_key: "dots:c1".to_owned(),
            said: "two\nlines".to_owned(),
            from: None,
            did: "answered".to_owned(),
            outcome: "done".to_owned(),
            artifact: None,
            model: Some("a model".to_owned()),
        };
        insta::assert_snapshot!(lines(&[entry], true), @r"
        2026-12-01 09:30 UTC  external.record  dots:c1
          said      two
                    lines
          did       answered
          outcome   done
          model     a model
          id        evt_0123
        ");
        assert_eq!(lines(&[], false), "No entry fits.");
        assert!(lines(&[], true).contains("is empty"));
    }
}
