//! Challenges as handles: single use, of one kind, bounded in time and number.

use std::time::Duration;

use super::*;
use crate::events::Event;
use crate::passkeys::{Ceremony, OpenCeremony};

async fn take(passkeys: &Passkeys, kind: CeremonyKind, challenge: &str) -> Option<Ceremony> {
    let (of, challenge) = (passkeys.clone(), challenge.to_owned());
    passkeys.store.write(move |tx| of.take(tx, kind, &challenge)).await.unwrap()
}

async fn close(passkeys: &Passkeys, id: &str) -> Option<Value> {
    let (of, id) = (passkeys.clone(), id.to_owned());
    passkeys.store.write(move |tx| of.close(tx, CeremonyKind::Authorize, &id)).await.unwrap()
}

fn open(passkeys: &Passkeys) -> Vec<OpenCeremony> {
    passkeys.store.look(|db| passkeys.open(db, CeremonyKind::Authorize, 1000)).unwrap().newest
}

#[tokio::test]
async fn without_a_passkey_nothing_begins_and_nothing_is_stored() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    assert!(begin(&passkeys, request()).await.is_none());
    assert!(open(&passkeys).is_empty());
}

#[tokio::test]
async fn a_challenge_is_taken_once_with_what_it_was_bound_to() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    crate::testing::enroll(&fixture, &passkeys).await;
    let offer = begin(&passkeys, request()).await.unwrap();
    assert_eq!(take(&passkeys, CeremonyKind::Authorize, &offer.challenge).await.unwrap().binding, request());
    assert!(take(&passkeys, CeremonyKind::Authorize, &offer.challenge).await.is_none());
}

#[tokio::test]
async fn another_kind_finds_nothing_and_uses_nothing_up() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    crate::testing::enroll(&fixture, &passkeys).await;
    let offer = begin(&passkeys, request()).await.unwrap();
    for kind in [CeremonyKind::Enroll, CeremonyKind::EnrollAssert] {
        assert!(take(&passkeys, kind, &offer.challenge).await.is_none());
    }
    assert!(take(&passkeys, CeremonyKind::Authorize, &offer.challenge).await.is_some());
    for unknown in ["", &offer.id, "x"] {
        assert!(take(&passkeys, CeremonyKind::Authorize, unknown).await.is_none());
    }
}

#[tokio::test]
async fn a_challenge_lives_ten_minutes_to_the_millisecond() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    crate::testing::enroll(&fixture, &passkeys).await;
    let (one, other) = (begin(&passkeys, request()).await.unwrap(), begin(&passkeys, request()).await.unwrap());
    fixture.pass(Duration::from_millis(599_999));
    assert!(take(&passkeys, CeremonyKind::Authorize, &one.challenge).await.is_some());
    fixture.pass(Duration::from_millis(1));
    assert!(open(&passkeys).is_empty());
    assert!(take(&passkeys, CeremonyKind::Authorize, &other.challenge).await.is_none());
}

#[tokio::test]
async fn the_oldest_gives_way_and_a_new_one_always_finds_a_place() {
    let fixture = Fixture::with(|config| config.limits.challenges = 3);
    let passkeys = passkeys(&fixture);
    crate::testing::enroll(&fixture, &passkeys).await;
    let mut challenges = Vec::new();
    for n in 0..5 {
        challenges.push(begin(&passkeys, json!(n)).await.unwrap().challenge);
    }
    assert_eq!(open(&passkeys).iter().map(|one| one.binding.clone()).collect::<Vec<_>>(), ["2", "3", "4"]);
    assert!(take(&passkeys, CeremonyKind::Authorize, &challenges[0]).await.is_none());
    assert!(take(&passkeys, CeremonyKind::Authorize, &challenges[4]).await.is_some());
}

#[tokio::test]
async fn strangers_who_open_pages_never_push_out_an_enrollment_and_expired_ones_do_not_count() {
    let fixture = Fixture::with(|config| config.limits.challenges = 2);
    let passkeys = passkeys(&fixture);
    let owners = crate::testing::enroll(&fixture, &passkeys).await;
    begin(&passkeys, json!("old")).await.unwrap();
    fixture.pass(Duration::from_secs(600));
    begin(&passkeys, json!("new")).await.unwrap();
    assert_eq!(open(&passkeys).len(), 1);
    let secret = link(&passkeys).await;
    let offer = passkeys.enroll_options(&secret).await.unwrap();
    for n in 0..5 {
        begin(&passkeys, json!(n)).await.unwrap();
    }
    assert_eq!(open(&passkeys).len(), 2);
    assert!(passkeys.enroll(submitted(&secret, &offer, &device(&fixture), Some(&owners))).await.is_ok());
}

#[tokio::test]
async fn a_flood_of_pages_is_counted_whole_and_listed_in_part() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    crate::testing::enroll(&fixture, &passkeys).await;
    let listed = |most| passkeys.store.look(|db| passkeys.open(db, CeremonyKind::Authorize, most)).unwrap();
    for n in 0..5 {
        begin(&passkeys, json!(n)).await.unwrap();
        fixture.pass(Duration::from_secs(1));
    }
    let open = listed(2);
    let bindings: Vec<&str> = open.newest.iter().map(|one| one.binding.as_str()).collect();
    let first_ends = fixture.base.clock.now().plus(Duration::from_secs(600 - 5));
    assert_eq!((bindings, open.total, open.first_ends), (vec!["3", "4"], 5, Some(first_ends)));
    fixture.pass(Duration::from_secs(600));
    assert_eq!((listed(2).total, listed(2).first_ends), (0, None));
}

#[tokio::test]
async fn what_waits_is_listed_oldest_first_and_can_be_closed_by_its_id() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    crate::testing::enroll(&fixture, &passkeys).await;
    let first = begin(&passkeys, json!("first")).await.unwrap();
    fixture.pass(Duration::from_secs(1));
    let second = begin(&passkeys, json!("second")).await.unwrap();
    let waiting = open(&passkeys);
    assert_eq!(waiting.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), [&first.id, &second.id]);
    assert_eq!((waiting[1].created_at, waiting[1].expires_at), (fixture.base.clock.now(), second.expires_at));
    assert_eq!(close(&passkeys, &first.id).await, Some(json!("first")));
    assert_eq!(close(&passkeys, &first.id).await, None);
    assert_eq!(close(&passkeys, &second.challenge).await, None, "the challenge is no id");
    assert!(take(&passkeys, CeremonyKind::Authorize, &first.challenge).await.is_none(), "denied is denied");
    assert!(take(&passkeys, CeremonyKind::Authorize, &second.challenge).await.is_some());
}

#[tokio::test]
async fn a_restart_keeps_what_waits() {
    let mut fixture = Fixture::new();
    let before = passkeys(&fixture);
    let device = crate::testing::enroll(&fixture, &before).await;
    let (used, offer) = (begin(&before, request()).await.unwrap(), begin(&before, request()).await.unwrap());
    assert!(check(&before, &used, device.assert(&used.options).to_string()).await.unwrap().is_ok());
    let fixture = fixture.restarted().await;
    let after = passkeys(&fixture);
    assert!(check(&after, &used, device.assert(&used.options).to_string()).await.is_none(), "used is used");
    assert!(check(&after, &offer, device.assert(&offer.options).to_string()).await.unwrap().is_ok());
}

#[tokio::test]
async fn the_bus_hears_when_what_waits_changes() {
    let fixture = Fixture::with(|config| config.limits.challenges = 3);
    let passkeys = passkeys(&fixture);
    crate::testing::enroll(&fixture, &passkeys).await;
    let mut bus = fixture.base.bus.listen();
    let mut heard = || std::iter::from_fn(|| bus.try_recv().ok()).filter(|event| matches!(event, Event::WaitingChanged)).count();
    let offer = begin(&passkeys, request()).await.unwrap();
    assert_eq!(heard(), 1);
    close(&passkeys, &offer.id).await;
    assert_eq!(heard(), 1);
    passkeys.enroll_options(&link(&passkeys).await).await.unwrap();
    assert_eq!(heard(), 0, "an enrollment is nothing that waits for a yes");
    begin(&passkeys, request()).await.unwrap();
    assert_eq!(heard(), 1);
    fixture.pass(Duration::from_secs(600));
    passkeys.enroll_options(&link(&passkeys).await).await.unwrap();
    assert!(heard() > 0, "the one that waited is cleaned away");
}
