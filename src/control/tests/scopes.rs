//! The page that changes what a connection may do: its address, why there is none, and what subscribers hear of a change.

use super::*;
use crate::access::NewScopes;
use crate::id::GrantId;
use crate::testing::enroll;

fn ask(grant: &str) -> Request {
    Request::ScopesPage { grant: grant.to_owned() }
}

#[tokio::test]
async fn the_address_of_the_page_is_a_secret_for_ten_minutes_and_asking_leaves_no_record() {
    let desk = Desk::new().await;
    let _owner = enroll(&desk.fixture, &desk.passkeys).await;
    let grant = desk.grant("dots", "Dots").await;
    let before = desk.fixture.base.audit.head().await.unwrap().seq;
    for (transport, client) in &desk.clients {
        let reply = client.request(ask(&grant)).await.unwrap();
        let shown = format!("{reply:?}");
        let Reply::ScopesPage(page) = reply else { panic!("{transport}: {shown}") };
        let secret = page.url.0.strip_prefix("http://localhost:7420/scopes#").unwrap();
        assert_eq!((secret.len(), page.expires_at.as_str()), (22, "2026-12-01T09:40:00.000Z"), "{transport}");
        assert!(!shown.contains(secret), "{transport}: {shown}");
    }
    assert_eq!(desk.fixture.base.audit.head().await.unwrap().seq, before);
}

#[tokio::test]
async fn why_there_is_no_page_has_a_reason_each() {
    let desk = Desk::new().await;
    let grant = desk.grant("dots", "Dots").await;
    for (transport, client) in &desk.clients {
        assert_eq!(reason(client.request(ask(&grant)).await.unwrap()), "no_passkey", "{transport}");
        assert_eq!(reason(client.request(ask("another")).await.unwrap()), "not_found", "{transport}");
    }
    let _owner = enroll(&desk.fixture, &desk.passkeys).await;
    let moved = "UPDATE grants SET public_url = 'https://old.example'";
    desk.fixture.base.store.write(move |tx| tx.run(moved, [])).await.unwrap();
    for (transport, client) in &desk.clients {
        let Reply::Refused(refusal) = client.request(ask(&grant)).await.unwrap() else { panic!("{transport}") };
        assert_eq!(refusal.reason, "wrong_url", "{transport}");
        assert!(refusal.message.contains("revoke it and connect again"), "{transport}: {}", refusal.message);
    }
    let closed = Service::new(&desk.fixture.base, desk.access.clone(), desk.passkeys.clone(), Vec::new());
    assert_eq!(reason(closed.answer(&Principal::System, ask(&grant)).await), "no_public_url");
}

#[tokio::test]
async fn subscribers_are_told_the_connections_when_scopes_change() {
    let desk = Desk::new().await;
    for (transport, client) in &desk.clients {
        let grant = desk.grant(transport, "Dots").await;
        let (_, mut notices) = client.subscribe().await.unwrap();
        let new = NewScopes {
            grant: GrantId(grant.clone()),
            before: Scopes::parse_stored("context:read memory:read"),
            after: Scopes::parse_stored("events:read"),
            challenge: "c0ffee".to_owned(),
        };
        let access = desk.access.clone();
        let changed = desk.fixture.base.store.write(move |tx| access.rescope(tx, &Principal::System, &new));
        changed.await.unwrap().unwrap();
        let Notice::Recorded(row) = next(&mut notices).await else { panic!("{transport}") };
        assert_eq!((row.kind.as_str(), row.grant.as_deref()), ("grant.scopes_changed", Some(grant.as_str())), "{transport}");
        let Notice::Connections(connections) = next(&mut notices).await else { panic!("{transport}") };
        let changed = connections.iter().find(|connection| connection.grant == grant).unwrap();
        assert_eq!(changed.scopes, ["events:read"], "{transport}");
    }
}
