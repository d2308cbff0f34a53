//! Tests of the passkeys: real WebAuthn messages from a software authenticator.

mod assertion;
mod ceremonies;
mod enrollment;
mod pages;
mod removal;

use serde_json::{Value, json};

use super::enroll::EnrollOffer;
use super::{CeremonyKind, EnrollError, Offer, PasskeyId, Passkeys, Submitted};
use crate::access::{Access, GrantHooks, NewGrant, Principal, Scopes};
use crate::audit::{Kind, Record};
use crate::store;
use crate::testing::{Authenticator, Fixture};

/// The owner at a terminal.
fn owner() -> Principal {
    Principal::Terminal { tty: "pts/3".to_owned(), ssh: None }
}

/// The service over a fixture.
fn passkeys(fixture: &Fixture) -> Passkeys {
    Passkeys::new(&fixture.base, Access::new(&fixture.base, None, GrantHooks::default())).unwrap()
}

/// A device at the public URL of the fixture.
fn device(fixture: &Fixture) -> Authenticator {
    Authenticator::new(fixture.base.public_url.as_ref().unwrap().origin(), &fixture.base.rng)
}

/// The secret of a fresh link.
async fn link(passkeys: &Passkeys) -> String {
    let link = passkeys.issue_link(&owner()).await.ok().unwrap();
    link.url.split_once('#').unwrap().1.to_owned()
}

/// What a page submits that did all it was asked to.
fn submitted(secret: &str, offer: &EnrollOffer, new: &Authenticator, allows: Option<&Authenticator>) -> Submitted {
    let assertion = offer
        .assertion
        .as_ref()
        .zip(allows)
        .map(|(options, by)| (options["challenge"].as_str().unwrap().to_owned(), by.assert(options).to_string()));
    Submitted {
        secret: secret.to_owned(),
        challenge: offer.options["challenge"].as_str().unwrap().to_owned(),
        label: None,
        response: new.register(&offer.options),
        assertion,
    }
}

/// Enrolls `new`, allowed by `allows` if one is given.
async fn enroll(passkeys: &Passkeys, new: &Authenticator, allows: Option<&Authenticator>) -> Result<PasskeyId, EnrollError> {
    let secret = link(passkeys).await;
    let offer = passkeys.enroll_options(&secret).await?;
    passkeys.enroll(submitted(&secret, &offer, new, allows)).await
}

/// Begins an authorization ceremony bound to `binding`.
async fn begin(passkeys: &Passkeys, binding: Value) -> Option<Offer> {
    let of = passkeys.clone();
    passkeys.store.write(move |tx| of.begin_assertion(tx, CeremonyKind::Authorize, &binding)).await.unwrap()
}

/// Takes the offer's ceremony and checks `assertion` against it.
async fn check(passkeys: &Passkeys, offer: &Offer, assertion: String) -> Option<Result<PasskeyId, super::AssertionRefusal>> {
    let (of, challenge) = (passkeys.clone(), offer.challenge.clone());
    passkeys
        .store
        .write(move |tx| {
            let Some(ceremony) = of.take(tx, CeremonyKind::Authorize, &challenge)? else { return Ok::<_, store::Error>(None) };
            of.check(tx, &ceremony, &assertion).map(Some)
        })
        .await
        .unwrap()
}

/// Gives the owner a connection.
async fn connect(passkeys: &Passkeys) {
    let access = passkeys.access.clone();
    let new = NewGrant {
        name: "dots".to_owned(),
        client_id: "https://client.example/id".to_owned(),
        client_name: None,
        scopes: Scopes::parse_stored("memory:read"),
        resource: "http://localhost:7420/mcp".to_owned(),
        approval: None,
    };
    passkeys.store.write(move |tx| access.issue(tx, &owner(), new).map(|_issued| ())).await.unwrap();
}

/// The audit records of this kind, oldest first.
async fn records(passkeys: &Passkeys, kind: Kind) -> Vec<Record> {
    let page = passkeys.audit.page(i64::MAX, 1000).await.unwrap();
    page.into_iter().map(|entry| entry.record).filter(|record| record.kind == kind).collect()
}

/// A binding like any other.
fn request() -> Value {
    json!({ "client_id": "https://client.example/id" })
}
