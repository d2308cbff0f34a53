//! What is asked for and when, and what becomes of the answers.

use quarterdeck::control::{JournalQuery, Notice};

use super::*;
use crate::app::{Msg, Silence};
use crate::screens::Pane;

fn detail_requests(effects: &[Effect]) -> Vec<String> {
    let grants = requests(effects).into_iter();
    grants.filter_map(|request| if let Request::Connection { grant } = request { Some(grant.clone()) } else { None }).collect()
}

/// A call of a connection, as it is made.
fn call(seq: i64, grant: &str, object: &str) -> Notice {
    let mut row = row(seq, "12:41:11", ("connection:claude-web", "tool.called"), Some(object));
    row.grant = Some(grant.to_owned());
    Notice::Recorded(row)
}

fn recent(deck: &Deck) -> Vec<i64> {
    deck.pump.model.connections.call_ids()
}

#[test]
fn a_detail_is_asked_for_only_when_the_cursor_rests() {
    let mut deck = entered(busy(), SIZE);
    assert_eq!(detail_requests(&rest(&mut deck)), ["g-1"]);
    deck.at_once(KeyCode::Down);
    deck.at_once(KeyCode::Down);
    let effects = deck.at_once(KeyCode::Up);
    assert_eq!(detail_requests(&effects), Vec::<String>::new());
    let effects = rest(&mut deck);
    assert_eq!(detail_requests(&effects), ["g-2"]);
    let query = JournalQuery { source: Some("codex-ci".to_owned()), most: 50, ..JournalQuery::default() };
    assert!(requests(&effects).contains(&&Request::Journal(query)), "{effects:?}");
    assert_eq!(rest(&mut deck), [], "once");
}

#[test]
fn lists_are_asked_for_when_the_screen_is_entered_and_not_before() {
    let mut deck = Deck::new(busy(), SIZE);
    assert_eq!(rest(&mut deck), []);
    let effects = deck.key('3');
    assert!(requests(&effects).contains(&&Request::ClientList), "{effects:?}");
    let refused = requests(&effects).into_iter().find_map(|request| match request {
        Request::Audit { filter, most, .. } => Some((filter.outcome.join(" "), filter.since.clone(), *most)),
        _ => None,
    });
    let (outcome, since, most) = refused.unwrap();
    assert_eq!((outcome.as_str(), most), ("refused", 50));
    assert!(since.unwrap().starts_with("2026-12-01T11:41:1"));
}

#[test]
fn an_answer_about_another_row_is_dropped() {
    let mut deck = entered(busy(), SIZE);
    rest(&mut deck);
    deck.at_once(KeyCode::Down);
    deck.answer(about_connection("g-1"), told("g-1"));
    deck.settle(vec![Msg::Answered(about_journal("g-1"), Err("too late".to_owned()))]);
    assert_eq!(recent(&deck), Vec::<i64>::new());
    assert!(!deck.text().contains("too late") && !deck.text().contains("auth_callback"), "{}", deck.text());
}

#[test]
fn waiting_is_shown_only_when_it_takes_a_while() {
    let mut deck = entered(busy(), SIZE);
    rest(&mut deck);
    let loading = |deck: &Deck| deck.rows().iter().any(|row| row.contains("returns to   …"));
    assert!(!loading(&deck), "{}", deck.text());
    deck.pass(250);
    assert!(loading(&deck), "{}", deck.text());
}

#[test]
fn nothing_is_drawn_while_nothing_happens() {
    let mut snapshot = busy();
    snapshot.connections.retain(|one| one.grant != "g-1");
    let mut deck = filled(snapshot, SIZE);
    deck.pass(1_000);
    let frames = deck.pump.frames;
    deck.pass(60_000);
    assert_eq!(deck.pump.frames, frames);
}

#[test]
fn records_that_arrive_are_put_on_top_and_counted() {
    let mut deck = filled(busy(), SIZE);
    deck.hear(call(7, "g-1", "ReadMemory notes/new.md"));
    deck.hear(call(8, "g-2", "ReadMemory notes/other.md"));
    assert_eq!(recent(&deck), [7, 6, 5, 4, 2]);
    let text = deck.text();
    assert!(text.contains("ReadMemory notes/new.md") && !text.contains("notes/other.md"), "{text}");
    assert!(text.contains("612"), "{text}");
}

#[test]
fn a_record_that_overtakes_the_answer_is_neither_lost_nor_doubled() {
    let mut deck = entered(busy(), SIZE);
    deck.pass(100);
    deck.hear(call(7, "g-1", "GetContext"));
    deck.answer(about_connection("g-1"), told("g-1"));
    assert_eq!(recent(&deck), [7, 6, 5, 4, 2]);
    let mut deck = entered(Snapshot { seq: 5, ..busy() }, SIZE);
    rest(&mut deck);
    deck.hear(call(6, "g-1", "GetContext"));
    deck.answer(about_connection("g-1"), told("g-1"));
    assert_eq!(recent(&deck), [6, 5, 4, 2]);
}

#[test]
fn a_new_record_does_not_move_the_selected_one() {
    let mut deck = filled(busy(), SIZE);
    go_to_pane(&mut deck, Pane::Calls);
    deck.press(KeyCode::Down);
    let before = deck.model().connections.choice();
    deck.hear(call(7, "g-1", "GetContext"));
    assert_eq!(deck.model().connections.choice(), before);
}

#[test]
fn what_it_records_is_read_again_when_it_recorded() {
    let mut deck = filled(busy(), SIZE);
    let effects = deck.hear(call(7, "g-1", "RecordExperience"));
    assert!(matches!(requests(&effects)[..], [Request::Journal(_)]), "{effects:?}");
    assert!(matches!(requests(&deck.hear(call(8, "g-1", "GetContext")))[..], []));
}

#[test]
fn client_documents_are_read_again_when_they_change() {
    let mut deck = filled(busy(), SIZE);
    for (seq, kind) in [(7, "client.added"), (8, "client.removed")] {
        let effects = deck.hear(Notice::Recorded(row(seq, "12:41:11", ("command:1000", kind), Some("codex"))));
        assert_eq!(requests(&effects), [&Request::ClientList]);
        deck.answer(of(About::Clients), documents());
    }
}

#[test]
fn refusals_are_added_live_and_go_after_an_hour() {
    let mut deck = filled(busy(), SIZE);
    deck.hear(Notice::Recorded(refused(7, "12:41:11")));
    assert_eq!(deck.model().connections.refused_ids(), [7, 3]);
    deck.pass(55 * 60 * 1000);
    assert_eq!(deck.model().connections.refused_ids(), [7]);
    deck.pass(10 * 60 * 1000);
    assert_eq!(deck.model().connections.refused_ids(), Vec::<i64>::new());
    assert!(deck.text().contains("Nothing was refused in the last hour."), "{}", deck.text());
}

#[test]
fn what_failed_says_so_and_r_asks_again() {
    let mut deck = filled(busy(), SIZE);
    assert_eq!(deck.key('r'), []);
    deck.hear(Notice::Recorded(row(7, "12:41:11", ("command:1000", "client.added"), Some("codex"))));
    deck.settle(vec![Msg::Answered(of(About::Clients), Err("the store does not answer".to_owned()))]);
    assert!(deck.text().contains("the store does not answer — r asks again"), "{}", deck.text());
    assert_eq!(requests(&deck.key('r')), [&Request::ClientList]);
    deck.answer(of(About::Clients), documents());
    assert!(!deck.text().contains("does not answer"), "{}", deck.text());
}

#[test]
fn everything_is_read_again_after_the_host_was_lost_and_nothing_while_it_is() {
    let mut deck = filled(busy(), SIZE);
    deck.settle(vec![Msg::Silent(Silence::Unreachable(None))]);
    deck.at_once(KeyCode::Down);
    assert!(detail_requests(&rest(&mut deck)).is_empty());
    let mut effects = deck.settle(vec![Msg::Subscribed(Box::new(busy()))]);
    effects.extend(rest(&mut deck));
    assert_eq!(detail_requests(&effects), ["g-2"]);
    assert!(requests(&effects).contains(&&Request::ClientList));
}
