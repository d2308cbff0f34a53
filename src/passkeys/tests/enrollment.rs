//! The link, the options, and what ends an enrollment.

use std::time::Duration;

use super::*;
use crate::passkeys::{AssertionRefusal, LinkError};

/// A163
#[tokio::test]
async fn a_link_is_the_public_url_with_sixteen_random_bytes_in_the_fragment() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let link = passkeys.issue_link(&owner()).await.ok().unwrap();
    let secret = link.url.strip_prefix("http://localhost:7420/enroll#").unwrap();
    assert_eq!(secret.len(), 22);
    assert_eq!(link.expires_at, fixture.base.clock.now().plus(Duration::from_secs(600)));
    let issued = records(&passkeys, Kind::PasskeyLinkIssued).await;
    assert_eq!(issued.len(), 1);
    assert_eq!(issued[0].actor, "terminal:pts/3");
    assert!(!issued[0].canonical().unwrap().contains(secret));
    drop(passkeys);
    fixture.base.store.close().await;
    for file in std::fs::read_dir(fixture.dir.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(22).any(|window| window == secret.as_bytes()), "the secret is on disk");
    }
}

/// A163
#[tokio::test]
async fn without_a_public_url_there_is_no_link_and_no_ceremony() {
    let fixture = Fixture::with(|config| config.assistants.public_url = Some(None));
    let passkeys = passkeys(&fixture);
    assert!(matches!(passkeys.issue_link(&owner()).await, Err(LinkError::NoPublicUrl)));
    assert!(begin(&passkeys, request()).await.is_none());
    assert!(passkeys.list().await.unwrap().is_empty());
}

/// A66
#[tokio::test]
async fn the_options_ask_for_a_verified_passkey_of_the_public_host() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let first = device(&fixture);
    enroll(&passkeys, &first, None).await.unwrap();
    let offer = passkeys.enroll_options(&link(&passkeys).await).await.unwrap();
    let options = &offer.options;
    assert_eq!(options["rp"], json!({ "name": "Quarterdeck", "id": "localhost" }));
    assert_eq!(options["attestation"], "none");
    assert_eq!(options["authenticatorSelection"]["userVerification"], "required");
    assert_eq!(options["authenticatorSelection"]["residentKey"], "preferred");
    assert_eq!(options["challenge"].as_str().unwrap().len(), 43);
    assert_eq!(options["timeout"], 600_000);
    let known = options["excludeCredentials"].as_array().unwrap();
    assert_eq!(known.len(), 1);
    assert_eq!(known[0]["id"], first.assert(offer.assertion.as_ref().unwrap())["id"]);
}

/// A66
#[tokio::test]
async fn every_passkey_is_made_for_the_same_random_owner() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let secret = link(&passkeys).await;
    let one = passkeys.enroll_options(&secret).await.unwrap().options["user"]["id"].clone();
    let other = passkeys.enroll_options(&secret).await.unwrap().options["user"]["id"].clone();
    assert_eq!(one, other);
    let stored = passkeys.store.look(crate::passkeys::store::user_handle).unwrap().unwrap();
    assert_eq!(uuid::Uuid::parse_str(&stored).unwrap().get_version_num(), 4);
}

/// A67
#[tokio::test]
async fn the_first_passkey_needs_the_link_alone_and_uses_it_up() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let device = device(&fixture);
    let secret = link(&passkeys).await;
    let offer = passkeys.enroll_options(&secret).await.unwrap();
    assert!(offer.assertion.is_none(), "A71");
    let id = passkeys
        .enroll(Submitted { label: Some("  Phone  ".to_owned()), ..submitted(&secret, &offer, &device, None) })
        .await
        .unwrap();
    let listed = passkeys.list().await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].id, id);
    assert_eq!(id, PasskeyId::of(&device.credential));
    assert_eq!(listed[0].label.as_deref(), Some("Phone"));
    assert!(listed[0].here);
    assert_eq!(listed[0].last_used_at, None);
    assert!(matches!(passkeys.enroll_options(&secret).await, Err(EnrollError::Link)));
    let added = records(&passkeys, Kind::PasskeyAdded).await;
    assert_eq!((added.len(), added[0].actor.as_str(), added[0].object.as_deref()), (1, "system", Some(id.0.as_str())));
    let offer = begin(&passkeys, request()).await.unwrap();
    assert_eq!(check(&passkeys, &offer, device.assert(&offer.options).to_string()).await.unwrap().unwrap(), id);
}

#[tokio::test]
async fn a_label_is_optional_and_at_most_one_line_of_the_list() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    for (given, kept) in [(None, None), (Some("   "), None), (Some(&"x".repeat(10_000)), Some(64))] {
        let device = device(&fixture);
        let earlier = passkeys.list().await.unwrap();
        for one in earlier {
            passkeys.remove(&owner(), &one.id.0).await.unwrap();
        }
        let secret = link(&passkeys).await;
        let offer = passkeys.enroll_options(&secret).await.unwrap();
        let given: Option<&str> = given;
        passkeys
            .enroll(Submitted { label: given.map(str::to_owned), ..submitted(&secret, &offer, &device, None) })
            .await
            .unwrap();
        let label = passkeys.list().await.unwrap()[0].label.clone();
        assert_eq!(label.map(|label| label.chars().count()), kept);
    }
}

/// A68
#[tokio::test]
async fn a_second_link_voids_the_first() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let first = link(&passkeys).await;
    let second = link(&passkeys).await;
    assert!(matches!(passkeys.enroll_options(&first).await, Err(EnrollError::Link)));
    assert!(passkeys.enroll_options(&second).await.is_ok());
}

/// A68
#[tokio::test]
async fn a_link_that_was_replaced_between_options_and_finish_enrolls_nothing() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let device = device(&fixture);
    let first = link(&passkeys).await;
    let offer = passkeys.enroll_options(&first).await.unwrap();
    let second = link(&passkeys).await;
    let with_first = submitted(&first, &offer, &device, None);
    assert!(matches!(passkeys.enroll(with_first).await, Err(EnrollError::Link)));
    let with_second = submitted(&second, &offer, &device, None);
    assert!(matches!(passkeys.enroll(with_second).await, Err(EnrollError::Expired)), "options belong to their link");
    assert!(passkeys.list().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_link_dies_after_ten_minutes() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let secret = link(&passkeys).await;
    fixture.pass(Duration::from_secs(599));
    let offer = passkeys.enroll_options(&secret).await.unwrap();
    fixture.pass(Duration::from_secs(1));
    assert!(matches!(passkeys.enroll_options(&secret).await, Err(EnrollError::Link)));
    let late = submitted(&secret, &offer, &device(&fixture), None);
    assert!(matches!(passkeys.enroll(late).await, Err(EnrollError::Link)));
}

/// A69
#[tokio::test]
async fn a_registration_without_user_verification_is_refused_and_the_link_stays() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let mut device = device(&fixture);
    let secret = link(&passkeys).await;
    device.verifies = false;
    let offer = passkeys.enroll_options(&secret).await.unwrap();
    let refused = passkeys.enroll(submitted(&secret, &offer, &device, None)).await;
    assert!(matches!(refused, Err(EnrollError::Registration(_))));
    device.verifies = true;
    let again = passkeys.enroll(submitted(&secret, &offer, &device, None)).await;
    assert!(matches!(again, Err(EnrollError::Expired)), "a challenge is good for one submit");
    let offer = passkeys.enroll_options(&secret).await.unwrap();
    passkeys.enroll(submitted(&secret, &offer, &device, None)).await.unwrap();
    let refused: Vec<_> = records(&passkeys, Kind::PasskeyRefused).await.into_iter().map(|record| record.reason).collect();
    assert_eq!(refused, [Some("registration".to_owned()), Some("expired".to_owned())]);
}

#[tokio::test]
async fn a_registration_from_another_origin_or_of_another_challenge_is_refused() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let secret = link(&passkeys).await;
    for origin in ["http://localhost:7421", "https://localhost", "https://evil.example", "http://sub.localhost:7420"] {
        let offer = passkeys.enroll_options(&secret).await.unwrap();
        let elsewhere = device(&fixture).at(origin);
        let refused = passkeys.enroll(submitted(&secret, &offer, &elsewhere, None)).await;
        assert!(matches!(refused, Err(EnrollError::Registration(_))), "{origin}");
    }
    let (one, other) = (passkeys.enroll_options(&secret).await.unwrap(), passkeys.enroll_options(&secret).await.unwrap());
    let mixed =
        Submitted { response: device(&fixture).register(&one.options), ..submitted(&secret, &other, &device(&fixture), None) };
    assert!(matches!(passkeys.enroll(mixed).await, Err(EnrollError::Registration(_))));
    let offer = passkeys.enroll_options(&secret).await.unwrap();
    let garbage = Submitted { response: json!({ "id": 7 }), ..submitted(&secret, &offer, &device(&fixture), None) };
    assert!(matches!(passkeys.enroll(garbage).await, Err(EnrollError::Registration(_))));
    assert!(passkeys.list().await.unwrap().is_empty());
}

/// A70
#[tokio::test]
async fn an_unknown_secret_opens_nothing_and_is_only_counted() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    link(&passkeys).await;
    for secret in ["", "AAAAAAAAAAAAAAAAAAAAAA"] {
        assert!(matches!(passkeys.enroll_options(secret).await, Err(EnrollError::Link)));
    }
    assert!(records(&passkeys, Kind::PasskeyRefused).await.is_empty());
    passkeys.audit.record_counts().await;
    let counted = records(&passkeys, Kind::RequestRefused).await;
    assert_eq!(counted.len(), 1);
    assert_eq!(counted[0].reason.as_deref(), Some("enroll_link"));
    assert_eq!(counted[0].detail["count"], 2);
}

/// A71
#[tokio::test]
async fn with_a_passkey_enrolled_the_options_ask_for_it_too() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let first = device(&fixture);
    enroll(&passkeys, &first, None).await.unwrap();
    let offer = passkeys.enroll_options(&link(&passkeys).await).await.unwrap();
    let assertion = offer.assertion.unwrap();
    assert_eq!(assertion["rpId"], "localhost");
    assert_eq!(assertion["userVerification"], "required");
    assert_eq!(assertion["allowCredentials"][0]["id"], first.assert(&assertion)["id"]);
    assert_eq!(assertion["allowCredentials"][0]["transports"], json!(["internal"]));
    assert_ne!(assertion["challenge"], offer.options["challenge"]);
}

/// A72
#[tokio::test]
async fn a_second_passkey_needs_an_assertion_of_an_enrolled_one() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    enroll(&passkeys, &device(&fixture), None).await.unwrap();
    let (new, stranger) = (device(&fixture), device(&fixture));
    let secret = link(&passkeys).await;
    let offer = passkeys.enroll_options(&secret).await.unwrap();
    let without = passkeys.enroll(submitted(&secret, &offer, &new, None)).await;
    assert!(matches!(without, Err(EnrollError::AssertionMissing)));
    let offer = passkeys.enroll_options(&secret).await.unwrap();
    let by_itself = passkeys.enroll(submitted(&secret, &offer, &new, Some(&stranger))).await;
    assert!(matches!(by_itself, Err(EnrollError::Assertion(AssertionRefusal::Unknown))));
    assert_eq!(passkeys.list().await.unwrap().len(), 1);
    assert!(passkeys.enroll_options(&secret).await.is_ok(), "the link is still the live one");
}

/// A72
#[tokio::test]
async fn an_assertion_allows_only_the_registration_it_was_offered_with() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let first = device(&fixture);
    enroll(&passkeys, &first, None).await.unwrap();
    let secret = link(&passkeys).await;
    let one = passkeys.enroll_options(&secret).await.unwrap();
    let other = passkeys.enroll_options(&secret).await.unwrap();
    let mixed = Submitted {
        assertion: submitted(&secret, &other, &device(&fixture), Some(&first)).assertion,
        ..submitted(&secret, &one, &device(&fixture), Some(&first))
    };
    assert!(matches!(passkeys.enroll(mixed).await, Err(EnrollError::AssertionMissing)));
    assert_eq!(passkeys.list().await.unwrap().len(), 1);
}

/// A73
#[tokio::test]
async fn an_enrolled_passkey_allows_another_and_is_the_actor() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let (first, second) = (device(&fixture), device(&fixture));
    let allows = enroll(&passkeys, &first, None).await.unwrap();
    fixture.pass(Duration::from_secs(5));
    let id = enroll(&passkeys, &second, Some(&first)).await.unwrap();
    let listed = passkeys.list().await.unwrap();
    assert_eq!(listed.iter().map(|one| &one.id).collect::<Vec<_>>(), [&allows, &id]);
    assert_eq!(listed[0].last_used_at, Some(fixture.base.clock.now()));
    let added = records(&passkeys, Kind::PasskeyAdded).await;
    assert_eq!(added[1].actor, format!("passkey:{allows}"));
}

/// A74
#[tokio::test]
async fn an_assertion_is_used_up_even_when_the_registration_fails() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let first = device(&fixture);
    enroll(&passkeys, &first, None).await.unwrap();
    let secret = link(&passkeys).await;
    let offer = passkeys.enroll_options(&secret).await.unwrap();
    let broken = Submitted { response: json!({}), ..submitted(&secret, &offer, &device(&fixture), Some(&first)) };
    assert!(matches!(passkeys.enroll(broken).await, Err(EnrollError::Registration(_))));
    let again = passkeys.enroll(submitted(&secret, &offer, &device(&fixture), Some(&first))).await;
    assert!(matches!(again, Err(EnrollError::AssertionMissing)));
    assert_eq!(passkeys.list().await.unwrap().len(), 1);
}

#[tokio::test]
async fn the_same_credential_cannot_be_enrolled_twice() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let first = device(&fixture);
    enroll(&passkeys, &first, None).await.unwrap();
    assert!(matches!(enroll(&passkeys, &first, Some(&first)).await, Err(EnrollError::Registration(_))));
    assert_eq!(passkeys.list().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_credential_id_that_is_taken_under_another_public_url_is_refused_and_not_an_error() {
    let fixture = Fixture::new();
    let first = crate::testing::enroll(&fixture, &passkeys(&fixture)).await;
    let mut base = fixture.base.clone();
    base.public_url = Some(crate::config::PublicUrl::parse("https://deck.example").unwrap());
    let moved = Passkeys::new(&base, Access::new(&base, None, GrantHooks::default())).unwrap();
    let mut copy = Authenticator::new("https://deck.example", &base.rng);
    copy.credential = first.credential.clone();
    assert!(matches!(enroll(&moved, &copy, None).await, Err(EnrollError::Registration(_))));
}

#[tokio::test]
async fn of_two_enrollments_by_one_link_at_once_one_ends_it() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let secret = link(&passkeys).await;
    let (one, other) = (passkeys.enroll_options(&secret).await.unwrap(), passkeys.enroll_options(&secret).await.unwrap());
    let (first, second) = tokio::join!(
        passkeys.enroll(submitted(&secret, &one, &device(&fixture), None)),
        passkeys.enroll(submitted(&secret, &other, &device(&fixture), None)),
    );
    assert_eq!([first.is_ok(), second.is_ok()].into_iter().filter(|enrolled| *enrolled).count(), 1);
    assert_eq!(passkeys.list().await.unwrap().len(), 1);
}
