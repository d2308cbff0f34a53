//! What the owner sees and does at a terminal.

use super::*;
use crate::events::Event;

#[tokio::test]
async fn what_waits_is_listed_told_and_can_be_denied_without_the_page() {
    let door = Door::new().await;
    let mut told = door.fixture.base.bus.listen();
    let page = door.open(BUILT_IN, CALLBACK).await;
    assert!(matches!(told.recv().await.unwrap(), Event::WaitingChanged));
    let waiting = door.oauth.waiting(1000).await.unwrap().newest;
    assert_eq!((waiting.len(), waiting[0].request.redirect_uri.as_str()), (1, CALLBACK));

    assert!(door.oauth.deny(&owner(), &waiting[0].id).await.unwrap());
    assert!(!door.oauth.deny(&owner(), &waiting[0].id).await.unwrap());
    assert!(door.oauth.waiting(1000).await.unwrap().newest.is_empty());
    assert_eq!(door.approve(&page, "dots").await.status, StatusCode::BAD_REQUEST);
    let denied = door.records(Kind::AuthorizationDenied).await;
    assert_eq!((denied.len(), denied[0].actor.as_str()), (1, "terminal:pts/3"));
    assert!(door.passkeys.list().await.unwrap().len() == 1);
}

#[tokio::test]
async fn a_page_that_ran_out_does_not_wait_any_more() {
    let door = Door::new().await;
    door.open(BUILT_IN, CALLBACK).await;
    let id = door.oauth.waiting(1000).await.unwrap().newest.remove(0).id;
    door.fixture.pass(Duration::from_secs(600));
    assert!(door.oauth.waiting(1000).await.unwrap().newest.is_empty());
    assert!(!door.oauth.deny(&owner(), &id).await.unwrap());
    assert!(door.records(Kind::AuthorizationDenied).await.is_empty());
}

/// Pages cost nothing to open and to deny: the audit is not for strangers to fill.
#[tokio::test]
async fn a_flood_of_denials_on_pages_leaves_a_bounded_trace_and_the_owners_own_is_always_recorded() {
    let door = Door::new().await;
    for _ in 0..30 {
        let page = door.open(STRANGER, STRANGERS_CALLBACK).await;
        let denied = door.post("/authorize", &[("challenge", &page.challenge()), ("deny", "1")]).await;
        assert_eq!(denied.status, StatusCode::OK);
    }
    assert_eq!(door.records(Kind::AuthorizationDenied).await.len(), 20);
    // Nor do they hide what is no denial.
    let page = door.open(BUILT_IN, CALLBACK).await;
    door.post("/authorize", &[("challenge", &page.challenge()), ("assertion", "{}"), ("name", "dots")]).await;
    assert_eq!(door.records(Kind::PasskeyRefused).await.len(), 1);
    door.open(BUILT_IN, CALLBACK).await;
    let waiting = door.oauth.waiting(1000).await.unwrap().newest;
    assert!(door.oauth.deny(&owner(), &waiting[0].id).await.unwrap());
    assert_eq!(door.records(Kind::AuthorizationDenied).await.len(), 21);
}
