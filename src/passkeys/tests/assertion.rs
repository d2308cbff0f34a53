//! What is accepted as the owner's yes.

use super::*;
use crate::config::PublicUrl;
use crate::passkeys::AssertionRefusal;
use crate::passkeys::failures::FAILURES;
use std::time::Duration;

/// Begins a ceremony and answers what becomes of the device's assertion.
async fn try_it(passkeys: &Passkeys, device: &Authenticator) -> Result<PasskeyId, AssertionRefusal> {
    let offer = begin(passkeys, request()).await.unwrap();
    check(passkeys, &offer, device.assert(&offer.options).to_string()).await.unwrap()
}

/// The id of the one passkey there is.
async fn id(passkeys: &Passkeys) -> PasskeyId {
    passkeys.list().await.unwrap().remove(0).id
}

#[tokio::test]
async fn the_options_name_the_enrolled_passkeys_and_ask_for_verification() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let device = crate::testing::enroll(&fixture, &passkeys).await;
    let offer = begin(&passkeys, request()).await.unwrap();
    let id = device.assert(&offer.options)["id"].clone();
    assert_eq!(
        offer.options,
        json!({
            "challenge": offer.challenge,
            "timeout": 600_000,
            "rpId": "localhost",
            "allowCredentials": [{ "type": "public-key", "id": id, "transports": ["internal"] }],
            "userVerification": "required",
        })
    );
    assert_eq!(offer.challenge.len(), 43);
    assert_ne!(offer.id, offer.challenge);
    assert_eq!(offer.expires_at, fixture.base.clock.now().plus(Duration::from_secs(600)));
}

#[tokio::test]
async fn a_good_assertion_names_the_passkey_and_notes_its_use() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let device = crate::testing::enroll(&fixture, &passkeys).await;
    fixture.pass(Duration::from_secs(60));
    assert_eq!(try_it(&passkeys, &device).await, Ok(PasskeyId::of(&device.credential)));
    assert_eq!(passkeys.list().await.unwrap()[0].last_used_at, Some(fixture.base.clock.now()));
    assert!(records(&passkeys, Kind::PasskeyRefused).await.is_empty());
}

/// A38
#[tokio::test]
async fn a_counter_that_stays_zero_is_accepted_again_and_again() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let device = crate::testing::enroll(&fixture, &passkeys).await;
    for _ in 0..3 {
        assert!(try_it(&passkeys, &device).await.is_ok());
    }
}

/// A38
#[tokio::test]
async fn a_counter_that_counts_has_to_rise() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let mut device = crate::testing::enroll(&fixture, &passkeys).await;
    let device_id = id(&passkeys).await;
    for (counter, accepted) in [(5, true), (5, false), (4, false), (0, false), (6, true)] {
        device.counter = counter;
        let result = try_it(&passkeys, &device).await;
        assert_eq!(result.is_ok(), accepted, "{counter}: {result:?}");
        assert!(accepted || result == Err(AssertionRefusal::Copied(device_id.clone())));
    }
    let told = records(&passkeys, Kind::PasskeyRefused).await;
    assert!(told.iter().all(|record| record.object.as_deref() == Some(device_id.0.as_str())), "{told:?}");
    assert_eq!(told.len(), 3);
}

/// What anybody can bring about must not hide the one thing that only a copied key can.
#[tokio::test]
async fn a_copied_passkey_is_recorded_in_the_midst_of_a_flood_of_failures() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let mut device = crate::testing::enroll(&fixture, &passkeys).await;
    device.counter = 5;
    assert!(try_it(&passkeys, &device).await.is_ok());
    let stranger = super::device(&fixture);
    for _ in 0..FAILURES + 1 {
        assert!(try_it(&passkeys, &stranger).await.is_err());
    }
    assert!(try_it(&passkeys, &device).await.is_err());
    let told = records(&passkeys, Kind::PasskeyRefused).await;
    assert_eq!(told.last().unwrap().reason.as_deref(), Some("passkey_counter"));
    assert_eq!(told.len(), FAILURES as usize + 1);
}

/// A38
#[tokio::test]
async fn the_counter_that_counts_is_the_one_of_now_and_not_of_when_the_page_was_opened() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let mut device = crate::testing::enroll(&fixture, &passkeys).await;
    let early = begin(&passkeys, request()).await.unwrap();
    device.counter = 7;
    assert!(try_it(&passkeys, &device).await.is_ok());
    device.counter = 3;
    let late = check(&passkeys, &early, device.assert(&early.options).to_string()).await.unwrap();
    assert_eq!(late, Err(AssertionRefusal::Copied(id(&passkeys).await)));
}

#[tokio::test]
async fn a_passkey_removed_while_the_page_was_open_is_unknown() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let first = crate::testing::enroll(&fixture, &passkeys).await;
    let second = device(&fixture);
    let id = enroll(&passkeys, &second, Some(&first)).await.unwrap();
    let offer = begin(&passkeys, request()).await.unwrap();
    passkeys.remove(&owner(), &id.0).await.unwrap();
    let refused = check(&passkeys, &offer, second.assert(&offer.options).to_string()).await.unwrap();
    assert_eq!(refused, Err(AssertionRefusal::Unknown));
}

#[tokio::test]
async fn a_passkey_enrolled_while_the_page_was_open_counts() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let first = crate::testing::enroll(&fixture, &passkeys).await;
    let offer = begin(&passkeys, request()).await.unwrap();
    let second = device(&fixture);
    let id = enroll(&passkeys, &second, Some(&first)).await.unwrap();
    assert_eq!(check(&passkeys, &offer, second.assert(&offer.options).to_string()).await.unwrap(), Ok(id));
}

#[tokio::test]
#[allow(clippy::too_many_lines, reason = "one story")]
async fn everything_else_is_refused_and_recorded_without_changing_the_passkey() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let mut device = crate::testing::enroll(&fixture, &passkeys).await;
    let mut stranger = super::device(&fixture);
    stranger.credential = device.credential.clone();
    let offer = || async { begin(&passkeys, request()).await.unwrap() };
    let mut results = Vec::new();

    for garbage in ["", "{}", "null", "[1]", "not json"] {
        results.push(check(&passkeys, &offer().await, garbage.to_owned()).await.unwrap());
    }
    results.push(try_it(&passkeys, &super::device(&fixture)).await);
    results.push(try_it(&passkeys, &stranger).await);
    device.verifies = false;
    results.push(try_it(&passkeys, &device).await);
    device.verifies = true;
    let other = offer().await;
    let mut wrong_rp = other.options.clone();
    wrong_rp["rpId"] = json!("evil.example");
    results.push(check(&passkeys, &other, device.assert(&wrong_rp).to_string()).await.unwrap());
    let (one, other) = (offer().await, offer().await);
    results.push(check(&passkeys, &one, device.assert(&other.options).to_string()).await.unwrap());
    let device = device.at("http://localhost:1");
    results.push(try_it(&passkeys, &device).await);

    let reasons: Vec<_> = results.into_iter().map(|result| result.unwrap_err().reason()).collect();
    let expected = [
        "assertion_unreadable",
        "assertion_unreadable",
        "assertion_unreadable",
        "assertion_unreadable",
        "assertion_unreadable",
        "passkey_unknown",
        "assertion_invalid",
        "user_not_verified",
        "assertion_invalid",
        "assertion_invalid",
        "assertion_invalid",
    ];
    assert_eq!(reasons, expected);
    let refused = records(&passkeys, Kind::PasskeyRefused).await;
    assert_eq!(refused.iter().map(|record| record.reason.clone().unwrap()).collect::<Vec<_>>(), expected);
    assert!(refused.iter().all(|record| record.actor == "system" && record.detail["ceremony"] == "authorize"));
    assert_eq!(passkeys.list().await.unwrap()[0].last_used_at, None);
}

#[tokio::test]
async fn a_flood_of_failures_leaves_a_bounded_trace_and_locks_nobody_out() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let owners = crate::testing::enroll(&fixture, &passkeys).await;
    let stranger = device(&fixture);
    for _ in 0..FAILURES + 15 {
        assert!(try_it(&passkeys, &stranger).await.is_err());
    }
    assert_eq!(records(&passkeys, Kind::PasskeyRefused).await.len(), FAILURES as usize);
    assert!(try_it(&passkeys, &owners).await.is_ok());
    fixture.pass(Duration::from_secs(60));
    assert!(try_it(&passkeys, &stranger).await.is_err());
    let told = records(&passkeys, Kind::PasskeyRefused).await;
    assert_eq!(told.len(), FAILURES as usize + 1);
    assert_eq!(told.last().unwrap().detail["untold"], 15);
}

#[tokio::test]
async fn under_another_public_url_a_passkey_is_listed_and_counts_for_nothing() {
    let fixture = Fixture::new();
    let here = passkeys(&fixture);
    let device = crate::testing::enroll(&fixture, &here).await;
    let mut base = fixture.base.clone();
    base.public_url = Some(PublicUrl::parse("https://deck.example").unwrap());
    let moved = Passkeys::new(&base, Access::new(&base, None, GrantHooks::default())).unwrap();
    assert!(here.store.look(|db| here.any(db)).unwrap());
    assert!(!moved.store.look(|db| moved.any(db)).unwrap());
    assert!(begin(&moved, request()).await.is_none());
    let listed = moved.list().await.unwrap();
    assert_eq!((listed.len(), listed[0].here, listed[0].public_url.as_str()), (1, false, "http://localhost:7420"));

    let old = begin(&here, request()).await.unwrap();
    let late = check(&moved, &old, device.assert(&old.options).to_string()).await.unwrap();
    assert_eq!(late, Err(AssertionRefusal::Unknown), "a page that was open across the change");

    let secret = link(&moved).await;
    assert!(moved.enroll_options(&secret).await.unwrap().assertion.is_none(), "the first one here needs nobody");
}
