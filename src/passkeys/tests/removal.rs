//! Listing and removing.

use std::time::Duration;

use super::*;
use crate::config::PublicUrl;
use crate::passkeys::RemoveError;

/// A164
#[tokio::test]
async fn a_passkey_is_removed_by_its_id_once_and_grants_stay() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let first = crate::testing::enroll(&fixture, &passkeys).await;
    let id = enroll(&passkeys, &device(&fixture), Some(&first)).await.unwrap();
    connect(&passkeys).await;
    assert_eq!(passkeys.remove(&owner(), &id.0).await.unwrap(), Some(id.clone()));
    assert_eq!(passkeys.remove(&owner(), &id.0).await.unwrap(), None);
    assert_eq!(passkeys.list().await.unwrap().len(), 1);
    assert_eq!(passkeys.access.connections().await.unwrap().len(), 1);
    let removed = records(&passkeys, Kind::PasskeyRemoved).await;
    assert_eq!((removed.len(), removed[0].actor.as_str(), removed[0].object.as_deref()), (1, "terminal:pts/3", Some(&*id.0)));
}

/// A164
#[tokio::test]
async fn the_beginning_of_an_id_is_enough_when_it_is_the_only_one() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    let first = crate::testing::enroll(&fixture, &passkeys).await;
    // Seventeen ids over sixteen first characters: two of them share one.
    for _ in 0..16 {
        enroll(&passkeys, &device(&fixture), Some(&first)).await.unwrap();
    }
    let ids: Vec<String> = passkeys.list().await.unwrap().into_iter().map(|one| one.id.0).collect();
    let shared = ids.iter().map(|id| &id[..1]).find(|start| ids.iter().filter(|id| id.starts_with(start)).count() > 1).unwrap();
    assert!(matches!(passkeys.remove(&owner(), shared).await, Err(RemoveError::Ambiguous(start)) if start == shared));
    assert_eq!(passkeys.list().await.unwrap().len(), 17);
    for unknown in ["", "x", "0123456789abcdefff"] {
        assert_eq!(passkeys.remove(&owner(), unknown).await.unwrap(), None, "{unknown:?}");
    }
    let only = (1..=16).map(|length| &ids[0][..length]).find(|start| ids.iter().filter(|id| id.starts_with(start)).count() == 1);
    assert_eq!(passkeys.remove(&owner(), only.unwrap()).await.unwrap(), Some(PasskeyId(ids[0].clone())));
}

/// A165, A166
#[tokio::test]
async fn the_last_passkey_stays_while_a_connection_exists() {
    let fixture = Fixture::new();
    let passkeys = passkeys(&fixture);
    crate::testing::enroll(&fixture, &passkeys).await;
    connect(&passkeys).await;
    let id = passkeys.list().await.unwrap()[0].id.0.clone();
    assert!(matches!(passkeys.remove(&owner(), &id).await, Err(RemoveError::Last)));
    assert_eq!(passkeys.list().await.unwrap().len(), 1);
    passkeys.access.revoke(&owner(), "dots", None).await.unwrap().unwrap();
    assert_eq!(passkeys.remove(&owner(), &id).await.unwrap(), Some(PasskeyId(id)));
    assert!(passkeys.list().await.unwrap().is_empty());
}

/// A167
#[tokio::test]
async fn one_of_several_can_go_and_so_can_those_of_another_public_url() {
    let fixture = Fixture::new();
    let old = passkeys(&fixture);
    let first = crate::testing::enroll(&fixture, &old).await;
    let second = enroll(&old, &device(&fixture), Some(&first)).await.unwrap();
    connect(&old).await;
    old.remove(&owner(), &second.0).await.unwrap().unwrap();

    let mut base = fixture.base.clone();
    base.public_url = Some(PublicUrl::parse("https://deck.example").unwrap());
    let moved = Passkeys::new(&base, Access::new(&base, None, GrantHooks::default())).unwrap();
    fixture.pass(Duration::from_secs(1));
    let here = enroll(&moved, &Authenticator::new("https://deck.example", &base.rng), None).await.unwrap();
    assert!(matches!(moved.remove(&owner(), &here.0).await, Err(RemoveError::Last)), "the other one cannot answer here");
    let elsewhere = moved.list().await.unwrap()[0].id.clone();
    assert_eq!(moved.remove(&owner(), &elsewhere.0).await.unwrap(), Some(elsewhere));
}
