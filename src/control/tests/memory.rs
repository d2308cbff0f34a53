//! Remembering the end of the audit when a host stops.

use super::*;
use crate::control::offline::{self, Verified};

#[tokio::test]
async fn the_end_is_remembered_without_checking_and_never_over_an_end_that_was_cut_off() {
    let desk = Desk::new().await;
    let (dir, memory) = (desk.fixture.dir.path(), desk.fixture.dir.path().join("config/head.json"));
    let change = |sql: &'static str| desk.fixture.base.store.write(move |tx| tx.run(sql, []));
    desk.burst(3).await;
    assert!(offline::remember(dir, &memory).unwrap());
    desk.burst(3).await;
    change("UPDATE audit SET record = '{}' WHERE seq = 5").await.unwrap();
    assert!(offline::remember(dir, &memory).unwrap(), "the middle is what a verification is for");
    let remembered = std::fs::read(&memory).unwrap();

    change("DELETE FROM audit WHERE seq > 4").await.unwrap();
    desk.fixture.pass(Duration::from_secs(1));
    desk.burst(4).await;
    assert!(!offline::remember(dir, &memory).unwrap(), "another record has the number now");
    assert_eq!(std::fs::read(&memory).unwrap(), remembered);
    assert_eq!(offline::verify(dir, &memory).unwrap(), Verified::Broken { seq: 6 });
    change("DELETE FROM audit WHERE seq > 4").await.unwrap();
    assert!(!offline::remember(dir, &memory).unwrap());
    assert_eq!(offline::verify(dir, &memory).unwrap(), Verified::Truncated { seq: 4, remembered: 6 });
}

#[tokio::test]
async fn nothing_is_remembered_under_another_key() {
    let desk = Desk::new().await;
    let (dir, memory) = (desk.fixture.dir.path(), desk.fixture.dir.path().join("head.json"));
    desk.burst(3).await;
    assert!(offline::remember(dir, &memory).unwrap());
    std::fs::remove_file(dir.join("audit.key")).unwrap();
    assert!(offline::remember(dir, &memory).is_err());
    crate::audit::Signer::open(dir).unwrap();
    assert!(!offline::remember(dir, &memory).unwrap());
    assert_eq!(offline::verify(dir, &memory).unwrap(), Verified::UnknownKey { seq: 3 });
}

#[tokio::test]
async fn a_quick_look_sees_a_changed_record_among_the_newest_a_cut_off_end_and_another_key() {
    let desk = Desk::new().await;
    let (dir, memory) = (desk.fixture.dir.path(), desk.fixture.dir.path().join("head.json"));
    let change = |sql: &'static str| desk.fixture.base.store.write(move |tx| tx.run(sql, []));
    assert_eq!(examine::kept(dir, &memory).unwrap().seq, 0);
    desk.burst(6).await;
    assert!(offline::remember(dir, &memory).unwrap());
    let kept = examine::kept(dir, &memory).unwrap();
    assert_eq!((kept.seq, kept.end, kept.newest_at.as_deref()), (6, examine::End::Intact, Some("2026-12-01T09:30:00.000Z")));
    change("DELETE FROM audit WHERE seq > 5").await.unwrap();
    assert_eq!(examine::kept(dir, &memory).unwrap().end, examine::End::Changed, "what was remembered is gone");
    std::fs::remove_file(&memory).unwrap();
    assert_eq!(examine::kept(dir, &memory).unwrap().end, examine::End::Intact);
    change("UPDATE audit SET record = '{}' WHERE seq = 4").await.unwrap();
    assert_eq!(examine::kept(dir, &memory).unwrap().end, examine::End::Changed);
}
