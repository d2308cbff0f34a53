//! What a person hears.

use quarterdeck::control::{
    AuditFilter, AuditRecord, ClientDocument, JournalEntry, JournalPage, Notice, Reply, Request, offline::Verified,
};

use super::super::model::{Answer, Do, Job};
use super::Talk;
use crate::app::{Mode, Msg, Silence};
use crate::testing::{PUBLIC, busy, fresh, link, row, waiting, waits};

fn called(seq: i64, what: &str) -> Notice {
    let mut row = row(seq, "12:41:09", ("connection:claude-web", "tool.called"), Some(what));
    row.took_ms = Some(14);
    Notice::Recorded(row)
}

#[test]
fn a_talk_from_the_beginning_to_the_end() {
    let mut snapshot = waiting();
    snapshot.waiting = vec![waits("4f3a9b2c77aa", "https://cursor.com/mcp/client.json")];
    let mut talk = Talk::with(snapshot, Mode::InProcess, true);
    talk.types("overview");
    talk.hears(called(7, "ReadMemory preferences/travel.md"));
    talk.types("pause");
    talk.hears(called(8, "GetContext"));
    let mut list = talk.plain.model.facts.waiting.clone();
    list.push(waits("77aa00112233", "https://evil.example/\u{202e}c.json"));
    talk.hears(Notice::Waiting { list, more: 0 });
    talk.types("follow");
    talk.types("connections");
    let passkeys = talk.plain.model.facts.passkeys.clone();
    talk.host_says(Reply::Passkeys(passkeys));
    let document = ClientDocument {
        client_id: "https://deck.example.com/clients/codex-ci".to_owned(),
        redirect_uris: vec!["http://127.0.0.1/callback".to_owned()],
    };
    talk.host_says(Reply::Clients(vec![document]));
    let refused = talk.plain.model.facts.activity[3].clone();
    talk.job_comes_to(Answer::Rows(vec![refused], false));
    talk.types("show claude-web");
    talk.todo.clear();
    talk.plain.jobs = 0;
    talk.types("show 4f3a");
    talk.types("show phone");
    talk.types("enroll");
    talk.host_says(link(PUBLIC));
    talk.types("verify");
    talk.job_comes_to(Answer::Verified(Verified::Intact { seq: 8 }));
    talk.types("deny 77aa");
    talk.answers("");
    talk.types("leave");
    talk.answers("stay");
    insta::assert_snapshot!(talk.said());
    assert!(talk.said().is_ascii());
}

#[test]
fn a_fresh_install_says_what_to_do() {
    let mut talk = Talk::new(fresh(PUBLIC));
    talk.types("overview");
    insta::assert_snapshot!(talk.said());
}

#[test]
fn a_record_is_shown_with_its_place_in_the_chain() {
    let mut talk = Talk::new(busy());
    talk.types("show 6");
    assert_eq!(talk.plain.jobs, 1);
    let row = talk.plain.model.facts.activity[5].clone();
    talk.host_says(Reply::Record(Box::new(AuditRecord { row, hash: "0a1b".repeat(16), previous: "ff00".repeat(16) })));
    assert!(talk.said().contains("record: 6\nat: today 12:41, 3 seconds ago\n"), "{}", talk.said());
    assert!(talk.last().starts_with("hash before: ff00 ff00 "), "{}", talk.said());
}

#[test]
fn the_audit_is_read_backwards_in_stretches_by_the_filter_that_was_asked_for() {
    let mut talk = Talk::new(busy());
    talk.types("audit what:tool.*");
    let rows: Vec<_> = talk.plain.model.facts.activity.iter().filter(|row| row.kind == "tool.called").cloned().collect();
    talk.job_comes_to(Answer::Rows(rows, true));
    assert_eq!(talk.last(), "There are earlier ones: more prints them.");
    talk.types("more");
    let filter = AuditFilter { what: vec!["tool.*".to_owned()], ..AuditFilter::default() };
    assert_eq!(talk.job().1, Job::Read { filter, before: Some(3) });
    talk.plain.jobs = 0;
    talk.types("more");
    assert_eq!(talk.last(), "There is nothing before: audit begins with the newest records.");
    talk.types("audit who:");
    assert!(talk.last().starts_with("who: needs a value"), "{}", talk.said());
}

#[test]
fn a_filter_keeps_other_records_from_being_printed() {
    let mut talk = Talk::new(busy());
    talk.types("filter object:travel");
    talk.hears(called(7, "GetContext"));
    talk.hears(called(8, "ReadMemory travel.md"));
    assert_eq!(talk.last(), "12:41 claude-web called ReadMemory travel.md: ok, 14 milliseconds");
    assert!(!talk.said().contains("GetContext"));
    talk.types("filter");
    talk.hears(called(9, "GetContext"));
    assert!(talk.said().contains("GetContext"));
}

#[test]
fn a_journal_entry_is_looked_for_page_by_page_and_its_lines_cannot_pass_for_ours() {
    let entry = JournalEntry {
        id: "evt_0123".to_owned(),
        at: "2026-12-01T12:40:10.000Z".to_owned(),
        kind: "external.record".to_owned(),
        source: "dots".to_owned(),
        session_key: "dots:c1".to_owned(),
        said: "two\n12:41 lines".to_owned(),
        from: None,
        did: "answered".to_owned(),
        outcome: "done".to_owned(),
        artifact: None,
        model: None,
    };
    let mut talk = Talk::new(busy());
    talk.types("show evt_0123");
    talk.host_says(Reply::Journal(JournalPage { entries: Vec::new(), next: Some(40) }));
    let Do::Job(_, Job::Ask(Request::Journal(query))) = &talk.todo[0] else { panic!("{:?}", talk.todo) };
    assert_eq!(query.before, Some(40));
    talk.host_says(Reply::Journal(JournalPage { entries: vec![entry], next: None }));
    assert!(talk.said().contains("said: two\n    12:41 lines\ndid: answered\noutcome: done"), "{}", talk.said());
}

#[test]
fn a_host_that_is_lost_is_said_once_and_looked_for_until_it_is_back() {
    let mut talk = Talk::new(busy());
    talk.hears(Notice::Stopping);
    talk.msg(Msg::Silent(Silence::Ended));
    talk.pass(1500);
    assert!(talk.todo.contains(&Do::Subscribe));
    assert_eq!(talk.said().matches("not connected to the host any more").count(), 1, "{}", talk.said());
    let mut again = busy();
    again.seq = 18;
    talk.msg(Msg::Subscribed(Box::new(again)));
    assert!(talk.last().ends_with("connected to the host again; 12 records were added meanwhile"), "{}", talk.said());
}

#[test]
fn the_store_and_events_that_came_too_fast_are_told() {
    let mut talk = Talk::new(busy());
    talk.hears(Notice::Health(Some("the disk is full".to_owned())));
    assert_eq!(talk.last(), "12:41 the store fails: the disk is full");
    talk.hears(Notice::Health(None));
    assert_eq!(talk.last(), "12:41 the store works again");
    talk.hears(Notice::Lagged(300));
    assert!(talk.last().starts_with("12:41 300 events came too fast"), "{}", talk.said());
    assert_eq!(talk.todo, [Do::Subscribe]);
}
