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
    for _ in 0..3 {
        enroll(&passkeys, &device(&fixture), Some(&first)).await.unwrap();
    }
    // Ids as they may come: two begin alike, and one is another's beginning.
    let rename = async |n: usize, id: &'static str| {
        let old = passkeys.list().await.unwrap()[n].id.0.clone();
        let sql = "UPDATE passkeys SET id = ?1, created_at = created_at + ?2 WHERE id = ?3";
        let shift = i64::try_from(n).unwrap();
        fixture.base.store.write(move |tx| tx.run(sql, (id, shift, old))).await.unwrap();
    };
    for (n, id) in ["c1d2aaaaaaaaaaaa", "c1d2bbbbbbbbbbbb", "0a1b2c3d4e5f6071", "0a1"].into_iter().enumerate().rev() {
        rename(n, id).await;
    }
    let refused = async |id: &str| passkeys.remove(&owner(), id).await.unwrap_err().to_string();
    for short in ["", "c", "c1d", "x"] {
        assert!(refused(short).await.contains("at least 4 characters"), "{short:?}");
    }
    let several = refused("c1d2").await;
    assert!(several.contains("c1d2aaaaaaaaaaaa") && several.contains("c1d2bbbbbbbbbbbb"), "{several}");
    assert_eq!(passkeys.remove(&owner(), "0123456789abcdefff").await.unwrap(), None);
    assert_eq!(passkeys.list().await.unwrap().len(), 4);
    for (given, removed) in [("0a1", "0a1"), ("0a1b", "0a1b2c3d4e5f6071"), ("c1d2a", "c1d2aaaaaaaaaaaa")] {
        assert_eq!(passkeys.remove(&owner(), given).await.unwrap(), Some(PasskeyId(removed.to_owned())));
    }
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
