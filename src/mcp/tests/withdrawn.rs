//! What was let in and may not be done any more when it is: nothing of it happens, nothing of it is answered.

use std::sync::Arc;

use axum::Router;
use axum::routing::any;
use futures::future::BoxFuture;
use http::StatusCode;
use serde_json::json;

use super::{Ask, Deck, experience};
use crate::access::{Access, Caller, NewScopes, Principal, Scope, Scopes};
use crate::audit::{Kind, Outcome};
use crate::mcp::Mcp;
use crate::mcp::registry::Registry;
use crate::store::Store;

/// What happens to the connection after the call was let in and before the tool does its work.
type Meanwhile = fn(Store, Access, Caller) -> BoxFuture<'static, ()>;

fn revoked(_store: Store, access: Access, caller: Caller) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        access.revoke(&Principal::System, &caller.name, None).await.unwrap().unwrap();
    })
}

fn narrowed(store: Store, access: Access, caller: Caller) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        let after = caller.scopes.without(&Scopes::of([Scope::SessionsRead]));
        let new = NewScopes { grant: caller.grant, before: caller.scopes, after, challenge: String::new() };
        store.write(move |tx| access.rescope(tx, &Principal::System, &new)).await.unwrap().unwrap();
    })
}

/// A deck whose tools do their work only after `meanwhile`.
async fn deck(meanwhile: Meanwhile) -> Deck {
    let deck = Deck::new().await;
    let mut tools = crate::knowledge::tools(&deck.knowledge);
    for tool in &mut tools {
        let (store, access) = (deck.fixture.base.store.clone(), deck.access.clone());
        let work = Arc::new(std::mem::replace(&mut tool.handler, Box::new(|_| unreachable!())));
        tool.handler = Box::new(move |call| {
            let (first, work) = (meanwhile(store.clone(), access.clone(), call.caller.clone()), Arc::clone(&work));
            Box::pin(async move {
                first.await;
                work(call).await
            })
        });
    }
    let mcp = Mcp::over(&deck.fixture.base, deck.access.clone(), Registry::new(tools)).unwrap();
    let router = Router::new().route("/mcp", any(crate::mcp::http::endpoint)).with_state(mcp);
    Deck { router, ..deck }
}

/// The calls that were answered well, by the audit.
async fn done(deck: &Deck) -> usize {
    let records = deck.records().await;
    records.iter().filter(|entry| entry.record.kind == Kind::ToolCalled && entry.record.outcome == Outcome::Ok).count()
}

async fn journal(deck: &Deck) -> i64 {
    deck.fixture.base.store.read(|db| db.one("SELECT count(*) FROM journal", [], |row| row.get(0))).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_call_whose_connection_is_revoked_under_it_is_not_answered() {
    for (tool, arguments) in [("GetContext", json!({})), ("RecordExperience", experience())] {
        let deck = deck(revoked).await;
        let said = deck.send(Ask::call(tool, arguments)).await;
        assert_eq!(said.status, StatusCode::UNAUTHORIZED, "{tool}: {}", said.body);
        assert!(said.header("www-authenticate").unwrap().contains("invalid_token"));
        assert_eq!((done(&deck).await, journal(&deck).await), (0, 0), "{tool}");
        assert_eq!(deck.last_record().await.record.kind, Kind::GrantRevoked, "{tool}: nothing of it is told after its end");
    }
}

#[tokio::test]
async fn a_call_whose_connection_loses_a_scope_under_it_is_to_be_tried_again() {
    for (tool, arguments) in [("GetContext", json!({})), ("RecordExperience", experience())] {
        let deck = deck(narrowed).await;
        let said = deck.send(Ask::call(tool, arguments)).await;
        assert_eq!(
            (said.status, said.header("retry-after")),
            (StatusCode::SERVICE_UNAVAILABLE, Some("5")),
            "{tool}: {}",
            said.body
        );
        assert_eq!((done(&deck).await, journal(&deck).await), (0, 0), "{tool}");
        let record = deck.last_record().await.record;
        assert_eq!((record.outcome, record.reason.as_deref()), (Outcome::Refused, Some("scopes_changed")), "{tool}");
    }
}
