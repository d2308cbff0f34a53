//! Notices, subscriptions, and what is drawn for them.

use std::time::Duration;

use quarterdeck::control::{AuditRow, ConnectionState, Notice};

use crate::app::{Effect, Exit, Msg, Silence};
use crate::terminal::Signals;
use crate::testing::*;

const SIZE: (u16, u16) = (80, 24);

fn call(seq: i64, grant: &str) -> AuditRow {
    AuditRow { grant: Some(grant.to_owned()), ..row(seq, "12:41:12", ("connection:codex-ci", "tool.called"), Some("GetContext")) }
}

/// The call for so many.
fn ring(waiting: usize) -> Effect {
    let words = if waiting == 1 { "1 authorization waits".to_owned() } else { format!("{waiting} authorizations wait") };
    Effect::Ring(Signals { write: format!("\x07\x1b]9;quarterdeck: {words}\x07").into_bytes(), command: Vec::new() })
}

fn notice(notice: Notice) -> Msg {
    Msg::Notice(Box::new(notice))
}

#[test]
fn frames_when_idle_is_zero() {
    let mut snapshot = waiting();
    for connection in &mut snapshot.connections {
        connection.state = ConnectionState::Idle;
    }
    let mut deck = Deck::new(snapshot, SIZE);
    let before = deck.pump.frames;
    assert_eq!(
        deck.pump.model.next_wake(),
        Some(deck.now.tick + Duration::from_millis(1_130_001)),
        "the next hour, and nothing else"
    );
    deck.pass(60_000);
    assert_eq!(deck.pump.frames, before);
    for connection in &mut deck.model().facts.connections {
        connection.calls_by_hour = vec![0; 24];
    }
    assert_eq!(deck.pump.model.next_wake(), None, "nothing is counted, and nothing will wake it");
}

#[test]
fn calls_move_on_with_the_hours_and_leave_after_a_day() {
    let mut deck = Deck::new(busy(), SIZE);
    let calls = |deck: &mut Deck| deck.model().facts.connection("g-2").unwrap().clone();
    let before = calls(&mut deck);
    deck.pass(60 * 60_000);
    let after = calls(&mut deck);
    assert_eq!(after.calls_by_hour[..23], before.calls_by_hour[1..]);
    assert_eq!((after.calls_by_hour.len(), after.calls_by_hour[23]), (24, 0));
    deck.hear(Notice::Recorded(call(7, "g-2")));
    assert_eq!(calls(&mut deck).calls_by_hour[23], 1);
    deck.pass(24 * 60 * 60_000);
    assert_eq!(calls(&mut deck).calls_by_hour, vec![0; 24]);
}

#[test]
fn what_changes_nothing_visible_draws_nothing() {
    let mut deck = Deck::new(busy(), SIZE);
    let before = deck.pump.frames;
    deck.settle(vec![Msg::Focus(false), Msg::Focus(true)]);
    deck.key('x');
    deck.settle(vec![Msg::Wake]);
    assert_eq!(deck.pump.frames, before);
}

#[test]
fn a_burst_of_1000_notices_draws_at_most_4_frames() {
    let mut deck = Deck::new(busy(), SIZE);
    let before = deck.pump.frames;
    let mut notices: Vec<Msg> = (7..1007).map(|seq| notice(Notice::Recorded(call(seq, "g-2")))).collect();
    notices.insert(500, Msg::Key(crossterm::event::KeyCode::Char('j').into()));
    while !notices.is_empty() {
        let rest = notices.split_off(notices.len().min(crate::app::BATCH));
        deck.settle(std::mem::replace(&mut notices, rest));
    }
    assert!(deck.pump.frames - before <= 4, "{}", deck.pump.frames - before);
    assert_eq!(deck.model().overview.connections.chosen().map(String::as_str), Some("g-2"), "and no key is lost");
    assert_eq!(deck.model().facts.connection("g-2").unwrap().calls_24h, 967 + 1000);
    assert!(deck.model().facts.activity.len() <= 500);
}

#[test]
fn a_call_makes_its_connection_live_and_a_minute_without_one_idle() {
    let mut deck = Deck::new(busy(), SIZE);
    deck.pass(58_000);
    assert_eq!(deck.model().facts.live(), 0, "the last call of claude-web was at 12:41:07");
    let mut used = call(7, "g-2");
    used.at = deck.now.wall.to_string();
    deck.hear(Notice::Recorded(used));
    let connection = deck.model().facts.connection("g-2").cloned().unwrap();
    assert_eq!((connection.state, connection.calls_24h), (ConnectionState::Live, 968));
    let frames = deck.pump.frames;
    deck.pass(59_000);
    assert_eq!((deck.model().facts.live(), deck.pump.frames), (1, frames));
    deck.pass(1_100);
    assert_eq!((deck.model().facts.live(), deck.pump.frames), (0, frames + 1));
}

#[test]
fn a_passkey_that_was_used_is_not_called_never_used() {
    let mut deck = Deck::new(busy(), (120, 40));
    deck.key('3');
    assert!(deck.text().contains("never used"), "{}", deck.text());
    deck.hear(Notice::Recorded(row(7, "12:41:09", ("passkey:5c1e9a4077d20b1f", "authorization.approved"), Some("dots"))));
    assert!(deck.text().contains("used 12:41:09"), "{}", deck.text());
    let used = |deck: &mut Deck| deck.model().facts.passkeys[0].last_used_at.clone();
    deck.hear(Notice::Recorded(row(8, "12:41:10", ("passkey:00", "authorization.approved"), Some("dots"))));
    assert_eq!(used(&mut deck).as_deref(), Some("2026-12-01T12:41:09.000Z"), "another one");
}

#[test]
fn a_record_that_is_in_the_snapshot_already_is_not_counted_twice() {
    let mut deck = Deck::new(busy(), SIZE);
    deck.hear(Notice::Recorded(call(6, "g-2")));
    assert_eq!(deck.model().facts.connection("g-2").unwrap().calls_24h, 967);
    assert_eq!(deck.model().facts.activity.len(), 6);
}

#[test]
fn after_lost_notices_it_subscribes_again() {
    let mut deck = Deck::new(busy(), SIZE);
    assert_eq!(deck.hear(Notice::Lagged(12)), [Effect::Subscribe]);
    let mut snapshot = waiting();
    snapshot.seq = 90;
    deck.settle(vec![Msg::Subscribed(Box::new(snapshot))]);
    assert_eq!((deck.model().facts.seq, deck.model().facts.waiting.len()), (90, 2));
}

#[test]
fn a_lost_host_is_tried_again_with_patience() {
    let mut deck = Deck::new(busy(), SIZE);
    deck.settle(vec![Msg::Silent(Silence::Unreachable(None))]);
    let try_in_vain = |_| {
        let waited = next_try(&mut deck);
        deck.settle(vec![Msg::Silent(Silence::Unreachable(None))]);
        waited
    };
    let waited: Vec<u64> = (0..6).map(try_in_vain).collect();
    assert_eq!(waited, [1, 2, 4, 8, 15, 15]);
    assert_eq!(deck.key('r'), [Effect::Subscribe], "and at once when asked");
    deck.settle(vec![Msg::Silent(Silence::Unreachable(None))]);
    assert!(deck.text().contains("tried just now: still no host"), "{}", deck.text());
    deck.settle(vec![Msg::Subscribed(Box::new(busy()))]);
    assert!(deck.text().contains("connected to the host again"), "{}", deck.text());
}

/// The next try, and how long it was waited for.
fn next_try(deck: &mut Deck) -> u64 {
    let before = deck.now.tick;
    loop {
        deck.now.tick = deck.pump.model.next_wake().expect("a retry");
        if deck.settle(vec![Msg::Wake]) == [Effect::Subscribe] {
            return (deck.now.tick - before).as_secs();
        }
    }
}

#[test]
fn notices_of_a_host_in_here_that_end_without_a_word_are_asked_for_again_with_patience() {
    let mut deck = Deck::new(waiting(), SIZE).in_process();
    assert_eq!(deck.settle(vec![Msg::Silent(Silence::Ended)]), []);
    assert!(deck.text().contains("reading again"), "{}", deck.text());
    assert!(deck.text().contains("claude-web") && deck.model().facts.waiting.len() == 2, "what is shown stays");
    let waited: Vec<u64> = (0..5).map(|_| next_try(&mut deck)).collect();
    assert_eq!(waited, [1, 2, 4, 8, 15]);
    assert_eq!(deck.settle(vec![Msg::Subscribed(Box::new(waiting()))]), []);
    assert!(!deck.text().contains("reading again"), "{}", deck.text());
}

#[test]
fn a_host_that_cannot_tell_now_how_everything_is_is_still_there() {
    let refused = |why: &str| vec![Msg::Silent(Silence::Refused(why.to_owned()))];
    for mut deck in [Deck::new(waiting(), SIZE), Deck::new(waiting(), SIZE).in_process()] {
        assert_eq!(deck.settle(refused("the store could not be used: damaged")), []);
        assert!(deck.rows()[0].contains("the store could not be used: damaged"), "{}", deck.text());
        assert_eq!((next_try(&mut deck), deck.settle(refused("still damaged"))), (1, Vec::new()));
        assert_eq!(next_try(&mut deck), 2);
        assert!(deck.rows()[0].contains("still damaged"), "{}", deck.text());
        deck.key('d');
        assert!(deck.text().contains("Deny this request?"), "it can be asked:\n{}", deck.text());
        deck.settle(vec![Msg::Subscribed(Box::new(waiting()))]);
        assert!(!deck.text().contains("damaged"), "{}", deck.text());
    }
}

#[test]
fn a_host_in_here_that_cannot_be_reached_does_not_end_the_control_center() {
    let mut deck = Deck::new(busy(), SIZE).in_process();
    assert_eq!(deck.settle(vec![Msg::Silent(Silence::Unreachable(None))]), []);
    assert!(deck.text().contains("not connected to the host"), "{}", deck.text());
    assert_eq!(next_try(&mut deck), 1);
}

#[test]
fn a_host_in_here_that_stops_ends_the_control_center() {
    let mut deck = Deck::new(busy(), SIZE).in_process();
    assert_eq!(deck.hear(Notice::Stopping), [Effect::Leave(Exit::HostGone)]);
}

#[test]
fn a_signal_ends_it() {
    assert_eq!(Deck::new(busy(), SIZE).settle(vec![Msg::Terminate]), [Effect::Leave(Exit::Signal)]);
}

#[test]
fn the_bell_rings_only_for_somebody_who_does_not_look_and_not_often() {
    let mut deck = Deck::new(busy(), SIZE);
    let title = |count: &str| Effect::Title(format!("{count}quarterdeck"));
    let one = || vec![waits("k-1", "https://a.example")];
    let wait = |list| Notice::Waiting { list, more: 0 };
    assert_eq!(deck.hear(wait(one())), [title("(1) ")]);
    assert_eq!(deck.hear(wait(Vec::new())), [title("")]);
    deck.settle(vec![Msg::Focus(false)]);
    assert_eq!(deck.hear(wait(one())), [title("(1) "), ring(1)]);
    assert_eq!(deck.hear(wait(Vec::new())), [title("")]);
    assert_eq!(deck.hear(wait(one())), [title("(1) ")], "within ten seconds");
    deck.hear(wait(Vec::new()));
    deck.now.tick += Duration::from_secs(10);
    assert_eq!(deck.hear(wait(one())), [title("(1) "), ring(1)]);
}
