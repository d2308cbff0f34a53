//! Asking for a stop through the control door.

use super::*;

/// The newest record that was there before the host's own last words.
async fn newest(desk: &Desk) -> (String, String) {
    let entries = desk.fixture.base.audit.page(i64::MAX, 1).await.unwrap();
    (entries[0].record.kind.name(), entries[0].record.actor.clone())
}

#[tokio::test]
async fn a_stop_is_recorded_with_who_asked_and_answered_before_it_begins() {
    for at in 0..2 {
        let desk = Desk::new().await;
        let (transport, client) = desk.clients[at].clone();
        let client = client.at_terminal(TerminalName { tty: "pts/3".to_owned(), ssh: None });
        assert_eq!(client.request(Request::Stop).await.unwrap(), Reply::Done, "{transport}");
        assert_eq!(newest(&desk).await, ("host.stop_requested".to_owned(), "terminal:pts/3".to_owned()), "{transport}");
        tokio::time::timeout(SOON, desk.serving).await.expect("it stops").unwrap();
        assert!(desk.stop.is_cancelled() && desk.asked.is_cancelled(), "{transport}");
    }
}

#[tokio::test]
async fn everybody_who_follows_is_told_of_the_stop_somebody_asked_for() {
    let desk = Desk::new().await;
    let mut following = desk.clients[0].1.subscribe().await.unwrap().1;
    assert_eq!(desk.clients[1].1.request(Request::Stop).await.unwrap(), Reply::Done);
    assert!(matches!(next(&mut following).await, Notice::Recorded(row) if row.kind == "host.stop_requested"));
    assert_eq!(next(&mut following).await, Notice::Stopping);
}

#[tokio::test]
async fn a_stop_that_cannot_be_written_down_does_not_happen() {
    let desk = Desk::new().await;
    desk.fixture.base.store.close().await;
    assert_eq!(reason(desk.clients[1].1.request(Request::Stop).await.unwrap()), "unavailable");
    assert!(!desk.stop.is_cancelled() && !desk.asked.is_cancelled());
    assert!(matches!(desk.clients[1].1.request(Request::Status).await.unwrap(), Reply::Status(_)), "it goes on");
}
