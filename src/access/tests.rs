//! Who gets in, under which name, and how it ends.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use http::header::AUTHORIZATION;
use proptest::prelude::*;

use super::hooks::{OnApproved, OnRevoked};
use super::{
    Access, BearerError, Caller, Fixed, Grant, GrantHooks, Issued, NameRefusal, NewGrant, NewScopes, Principal, RescopeRefusal,
    Scope, Scopes, State,
};
use crate::audit::{Draft, Kind};
use crate::config::PublicUrl;
use crate::id::GrantId;
use crate::secret::Secret;
use crate::store::Error;
use crate::testing::Fixture;

const CLIENT: &str = "https://client.example/oauth.json";
const OTHER: &str = "https://other.example/oauth.json";

struct Door {
    fixture: Fixture,
    access: Access,
}

fn door() -> Door {
    door_with(None, GrantHooks::default())
}

fn door_with(idle_expiry: Option<Duration>, hooks: GrantHooks) -> Door {
    let fixture = Fixture::new();
    let access = Access::new(&fixture.base, idle_expiry, hooks);
    Door { fixture, access }
}

fn owner() -> Principal {
    Principal::Passkey { id: "key".to_owned() }
}

fn new_grant(client_id: &str, name: &str) -> NewGrant {
    NewGrant {
        name: name.to_owned(),
        client_id: client_id.to_owned(),
        client_name: None,
        scopes: Scopes::of([Scope::ContextRead]),
        resource: "http://localhost:7420/mcp".to_owned(),
        approval: None,
    }
}

fn bearing(value: &str) -> HeaderMap {
    [(AUTHORIZATION, value.parse().unwrap())].into_iter().collect()
}

impl Door {
    /// As the token endpoint does it: the name is checked in the transaction that issues.
    async fn try_issue(&self, client_id: &str, name: &str) -> Result<Issued, NameRefusal> {
        let (access, new) = (self.access.clone(), new_grant(client_id, name));
        let issued = self.fixture.base.store.write(move |tx| {
            if let Err(refusal) = access.check_name(tx, &new.client_id, &new.name)? {
                return Ok::<_, Error>(Err(refusal));
            }
            access.issue(tx, &owner(), new).map(Ok)
        });
        issued.await.unwrap()
    }

    async fn issue(&self, client_id: &str, name: &str) -> Issued {
        self.try_issue(client_id, name).await.unwrap()
    }

    /// As the page with the scopes does it.
    async fn rescope(&self, grant: &GrantId, before: &str, after: &str) -> Result<Grant, RescopeRefusal> {
        let (before, after) = (Scopes::parse_stored(before), Scopes::parse_stored(after));
        let new = NewScopes { grant: grant.clone(), before, after, challenge: "c0ffee".to_owned() };
        let access = self.access.clone();
        self.fixture.base.store.write(move |tx| access.rescope(tx, &owner(), &new)).await.unwrap()
    }

    fn present(&self, issued: &Issued) -> Result<Caller, BearerError> {
        self.access.authenticate(&bearing(&format!("Bearer {}", issued.token.expose())))
    }

    fn is_in(&self, issued: &Issued) -> bool {
        self.present(issued).is_ok()
    }

    async fn kinds(&self) -> Vec<Kind> {
        self.fixture.base.audit.page(i64::MAX, 100).await.unwrap().into_iter().map(|entry| entry.record.kind).collect()
    }

    async fn use_it(&self, issued: &Issued) {
        let who = Principal::Connection(self.present(issued).unwrap());
        self.fixture.base.audit.record(&who, Draft::ok(Kind::ToolCalled)).await.unwrap();
    }

    async fn states(&self) -> Vec<(String, State)> {
        self.access.connections().await.unwrap().into_iter().map(|one| (one.grant.name, one.state)).collect()
    }

    fn refusal(&self, client_id: &str, name: &str) -> Option<&'static str> {
        let checked = self.fixture.base.store.look(|db| self.access.check_name(db, client_id, name)).unwrap();
        checked.err().map(|refusal| refusal.reason())
    }
}

#[tokio::test]
async fn a_token_names_its_caller_until_the_grant_is_revoked() {
    let door = door();
    let issued = door.issue(CLIENT, "dots").await;
    let caller = door.present(&issued).unwrap();
    assert_eq!((caller.grant, caller.name.as_str(), caller.client_id.as_str()), (issued.grant.id.clone(), "dots", CLIENT));
    assert_eq!(caller.scopes, Scopes::of([Scope::ContextRead]));
    let revoked = door.access.revoke(&owner(), "dots", None).await.unwrap().unwrap();
    assert_eq!(revoked.grant, Some(issued.grant.clone()));
    assert!(matches!(door.present(&issued), Err(BearerError::Unknown)));
    assert_eq!(door.access.revoke(&owner(), "dots", None).await.unwrap(), None);
    assert_eq!(door.kinds().await, [Kind::GrantIssued, Kind::GrantRevoked]);
}

/// A33: re-approval of the same client and name.
#[tokio::test]
async fn a_second_grant_of_a_name_ends_the_first_in_the_same_moment() {
    let door = door();
    let first = door.issue(CLIENT, "dots").await;
    let second = door.issue(CLIENT, "dots").await;
    assert!(!door.is_in(&first) && door.is_in(&second));
    assert_ne!(first.grant.id, second.grant.id);
    assert_eq!(door.states().await.len(), 1);
    assert_eq!(door.kinds().await, [Kind::GrantIssued, Kind::GrantReplaced, Kind::GrantIssued]);
}

/// A24, A34, A158: other names of one client are other connections.
#[tokio::test]
async fn connections_of_one_client_live_and_end_apart() {
    let door = door();
    let (one, two) = (door.issue(CLIENT, "one").await, door.issue(CLIENT, "two").await);
    assert!(door.is_in(&one) && door.is_in(&two));
    door.access.revoke(&owner(), "one", None).await.unwrap();
    assert!(!door.is_in(&one) && door.is_in(&two));
    let count = door.fixture.base.store.look(|db| door.access.grants_of(db, CLIENT)).unwrap();
    assert_eq!(count, 1);
}

#[tokio::test]
async fn a_revoke_that_names_a_grant_ends_only_that_one() {
    let door = door();
    let first = door.issue(CLIENT, "dots").await;
    let second = door.issue(CLIENT, "dots").await;
    assert_eq!(door.access.revoke(&owner(), "dots", Some(first.grant.id)).await.unwrap(), None);
    assert!(door.is_in(&second), "the row the owner looked at was another one");
    assert!(door.access.revoke(&owner(), "dots", Some(second.grant.id.clone())).await.unwrap().is_some());
    assert!(!door.is_in(&second));
}

/// A35
#[tokio::test]
async fn a_client_ends_its_own_token_and_nobody_elses() {
    let door = door();
    let issued = door.issue(CLIENT, "dots").await;
    door.access.revoke_token(OTHER, &issued.token).await.unwrap();
    door.access.revoke_token(CLIENT, &Secret::new("nonsense".to_owned())).await.unwrap();
    assert!(door.is_in(&issued));
    door.access.revoke_token(CLIENT, &issued.token).await.unwrap();
    assert!(!door.is_in(&issued));
    let last = door.fixture.base.audit.page(i64::MAX, 1).await.unwrap().remove(0).record;
    assert_eq!((last.kind, last.actor), (Kind::GrantRevoked, format!("client:{CLIENT}")));
}

/// A37
#[tokio::test]
async fn a_grant_of_another_public_url_is_refused_and_shown_as_such() {
    let door = door();
    let issued = door.issue(CLIENT, "dots").await;
    let mut moved = door.fixture.base.clone();
    for url in [Some(PublicUrl::parse("https://deck.example.com").unwrap()), None] {
        moved.public_url = url;
        let access = Access::new(&moved, None, GrantHooks::default());
        let headers = bearing(&format!("Bearer {}", issued.token.expose()));
        assert!(matches!(access.authenticate(&headers), Err(BearerError::Unknown)));
        assert_eq!(access.connections().await.unwrap()[0].state, State::WrongUrl);
    }
    assert!(door.is_in(&issued), "under its own address it works as before");
}

#[tokio::test]
async fn a_token_that_is_not_used_expires_and_one_that_is_used_does_not() {
    let day = Duration::from_secs(24 * 60 * 60);
    let door = door_with(Some(day), GrantHooks::default());
    let (used, unused) = (door.issue(CLIENT, "used").await, door.issue(CLIENT, "unused").await);
    door.fixture.pass(day);
    assert!(door.is_in(&used) && door.is_in(&unused), "exactly that long is not longer");
    door.use_it(&used).await;
    door.fixture.pass(Duration::from_millis(1));
    assert!(door.is_in(&used));
    assert!(matches!(door.present(&unused), Err(BearerError::Unknown)));
}

#[tokio::test]
async fn without_an_idle_expiry_a_token_lives_for_years() {
    let door = door();
    let issued = door.issue(CLIENT, "dots").await;
    door.fixture.pass(Duration::from_secs(10 * 366 * 24 * 60 * 60));
    assert!(door.is_in(&issued));
}

#[tokio::test]
async fn only_the_bearer_form_of_the_header_counts() {
    let door = door();
    let issued = door.issue(CLIENT, "dots").await;
    let token = issued.token.expose();
    assert!(matches!(door.access.authenticate(&HeaderMap::new()), Err(BearerError::Missing)));
    for value in ["", "Bearer", "Bearer ", "Bearer    ", &format!("Basic {token}"), token] {
        assert!(matches!(door.access.authenticate(&bearing(value)), Err(BearerError::Missing)), "{value}");
    }
    let mut two = bearing(&format!("Bearer {token}"));
    two.append(AUTHORIZATION, "Bearer another".parse().unwrap());
    assert!(matches!(door.access.authenticate(&two), Err(BearerError::Missing)), "two headers");
    for value in [format!("Bearer {token}x"), format!("Bearer {}", &token[1..]), format!("Bearer {token} {token}")] {
        assert!(matches!(door.access.authenticate(&bearing(&value)), Err(BearerError::Unknown)), "{value}");
    }
}

#[tokio::test]
async fn a_store_that_cannot_be_read_is_neither_yes_nor_no() {
    let door = door();
    let issued = door.issue(CLIENT, "dots").await;
    let damage = rusqlite::Connection::open(door.fixture.dir.path().join("quarterdeck.db")).unwrap();
    damage.execute_batch("ALTER TABLE grants RENAME TO away").unwrap();
    assert!(matches!(door.present(&issued), Err(BearerError::Unavailable(_))));
    damage.execute_batch("ALTER TABLE away RENAME TO grants").unwrap();
    assert!(door.is_in(&issued));
}

/// A27: only the digest is stored.
#[tokio::test]
async fn the_token_is_nowhere_in_the_files() {
    let door = door();
    let issued = door.issue(CLIENT, "dots").await;
    let token = issued.token.expose().clone();
    assert_eq!(token.len(), 43);
    let mut looked_at = 0;
    for file in std::fs::read_dir(door.fixture.dir.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(token.len()).any(|window| window == token.as_bytes()));
        looked_at += usize::from(bytes.windows(32).any(|window| window == issued.token.digest().0));
    }
    assert!(looked_at > 0, "the digest is in one of the files that were looked at");
}

/// A32: of two approvals of one name the first exchange wins.
#[tokio::test]
async fn two_clients_that_ask_for_one_name_at_once_get_one_grant() {
    let door = door();
    let (one, other) = futures::join!(door.try_issue(CLIENT, "dots"), door.try_issue(OTHER, "dots"));
    assert!(one.is_ok() != other.is_ok());
    let refusal = one.err().or(other.err()).unwrap();
    assert_eq!(refusal.reason(), "name_taken");
    assert_eq!(door.states().await, [("dots".to_owned(), State::NeverUsed)]);
}

/// A15, A16, and the owner's own name.
#[tokio::test]
async fn names_that_cannot_be_used_are_refused_with_their_reason() {
    let door = door();
    let (longest, longer) = ("a".repeat(64), "a".repeat(65));
    for name in ["a", "dots", "a-1", "a-", "quarterdeck", &longest] {
        assert_eq!(door.refusal(CLIENT, name), None, "{name}");
    }
    for name in ["", "-a", "1a", "A", "a_b", "a b", " a", "a\n", "é", "a\u{202e}", "a.b", &longer] {
        assert_eq!(door.refusal(CLIENT, name), Some("name_pattern"), "{name:?}");
    }
    for name in ["cadence", "meta", "system", "runner", "route", "gateway"] {
        assert_eq!(door.refusal(CLIENT, name), Some("name_internal"), "{name}");
    }
    for name in ["tether", "job", "subconscious", "lark", "help", "owner"] {
        assert_eq!(door.refusal(CLIENT, name), Some("name_reserved"), "{name}");
        assert!(door.try_issue(CLIENT, name).await.is_err());
    }
    assert_eq!(door.states().await, []);
}

/// A19, A25: the holder is named, and never by hidden characters.
#[tokio::test]
async fn a_name_of_another_client_is_refused_and_ones_own_is_not() {
    let door = door();
    let access = door.access.clone();
    let named = NewGrant { client_name: Some("Cursor\u{202e}".to_owned()), ..new_grant(OTHER, "cursor") };
    door.fixture.base.store.write(move |tx| access.issue(tx, &owner(), named).map(|_| ())).await.unwrap();
    door.issue(OTHER, "nameless").await;
    assert_eq!(door.refusal(OTHER, "cursor"), None);
    let sentence = door.try_issue(CLIENT, "cursor").await.err().unwrap().to_string();
    assert!(sentence.contains("Cursor⟨U+202E⟩"), "{sentence}");
    let sentence = door.try_issue(CLIENT, "nameless").await.err().unwrap().to_string();
    assert!(sentence.contains("(other.example)"), "{sentence}");
    let replaces =
        |client: &'static str| door.fixture.base.store.look(|db| door.access.would_replace(db, client, "cursor")).unwrap();
    assert!(replaces(OTHER) && !replaces(CLIENT));
}

/// A157
#[tokio::test]
async fn a_revoke_frees_the_name_for_another_client() {
    let door = door();
    door.issue(CLIENT, "dots").await;
    door.access.revoke(&owner(), "dots", None).await.unwrap();
    assert!(door.is_in(&door.issue(OTHER, "dots").await));
}

#[tokio::test]
async fn the_state_of_a_connection_follows_its_use() {
    let door = door();
    let issued = door.issue(CLIENT, "dots").await;
    let state = async || door.states().await[0].1;
    assert_eq!(state().await, State::NeverUsed);
    door.use_it(&issued).await;
    assert_eq!(state().await, State::Live);
    door.fixture.pass(Duration::from_secs(60));
    assert_eq!(state().await, State::Idle);
    assert_eq!(door.access.connections().await.unwrap()[0].calls_24h, 1);
    assert!(door.fixture.base.store.look(|db| door.access.any_grant(db)).unwrap());
}

/// A26, A36: what the hooks do is part of the transaction.
#[tokio::test]
async fn hooks_run_inside_and_a_hook_that_fails_undoes_everything() {
    let approved: OnApproved = Box::new(|tx, grant| {
        if grant.name == "bad" {
            return Err(Error::Damaged("refused by a hook".to_owned()));
        }
        let sql = "INSERT INTO clients (name, redirect_uris, created_at) VALUES (?1, '[]', 0)";
        tx.run(sql, [&grant.name]).map(|_| ())
    });
    let revoked: OnRevoked = Box::new(|tx, name| tx.run("DELETE FROM clients WHERE name = ?1", [name]));
    let door = door_with(None, GrantHooks { approved: vec![approved], revoked: vec![revoked] });
    door.issue(CLIENT, "dots").await;
    let (access, bad) = (door.access.clone(), new_grant(CLIENT, "bad"));
    let failed = door.fixture.base.store.write(move |tx| access.issue(tx, &owner(), bad).map(|_| ()));
    assert!(failed.await.is_err());
    assert_eq!(door.states().await.len(), 1);
    let ended = door.access.revoke(&owner(), "dots", None).await.unwrap().unwrap();
    assert_eq!((ended.grant.is_some(), ended.voided), (true, 1));
    let last = door.fixture.base.audit.page(i64::MAX, 1).await.unwrap().remove(0).record;
    assert_eq!(last.detail["voided_approvals"], 1);
}

#[tokio::test]
async fn an_approval_without_a_grant_is_voided_too() {
    let revoked: OnRevoked = Box::new(|_tx, name| Ok(usize::from(name == "pending")));
    let door = door_with(None, GrantHooks { approved: Vec::new(), revoked: vec![revoked] });
    let ended = door.access.revoke(&owner(), "pending", None).await.unwrap().unwrap();
    assert_eq!((ended.grant, ended.voided), (None, 1));
    let only = Some(GrantId("0".repeat(32)));
    assert_eq!(door.access.revoke(&owner(), "pending", only).await.unwrap(), None);
}

#[tokio::test]
async fn the_scopes_of_a_token_change_with_its_next_call_and_the_record_says_from_what_to_what() {
    let door = door();
    let (issued, other) = (door.issue(CLIENT, "dots").await, door.issue(CLIENT, "apart").await);
    let before = door.rescope(&issued.grant.id, "context:read", "experience:write memory:read").await.unwrap();
    assert_eq!(before, issued.grant);
    assert_eq!(door.present(&issued).unwrap().scopes.joined(), "memory:read experience:write");
    assert_eq!(door.present(&other).unwrap().scopes.joined(), "context:read", "nobody else's");
    let record = door.fixture.base.audit.page(i64::MAX, 1).await.unwrap().remove(0).record;
    assert_eq!((record.kind, record.actor.as_str()), (Kind::GrantScopesChanged, "passkey:key"));
    assert_eq!((record.object.as_deref(), record.grant), (Some("dots"), Some(issued.grant.id.clone())));
    let detail = serde_json::json!({ "before": "context:read", "after": "memory:read experience:write", "challenge": "c0ffee" });
    assert_eq!(serde_json::Value::Object(record.detail), detail);
}

#[tokio::test]
async fn scopes_stay_when_the_owner_was_shown_others_or_none_is_left_or_nothing_changes() {
    let door = door();
    let issued = door.issue(CLIENT, "dots").await;
    for (before, after, refusal) in [
        ("memory:read", "events:read", RescopeRefusal::Changed),
        ("", "memory:read", RescopeRefusal::Changed),
        ("context:read memory:read", "memory:read", RescopeRefusal::Changed),
        ("context:read", "", RescopeRefusal::Nothing),
        ("context:read", "context:read", RescopeRefusal::Same),
    ] {
        assert_eq!(door.rescope(&issued.grant.id, before, after).await, Err(refusal), "{before:?} to {after:?}");
    }
    assert_eq!(door.present(&issued).unwrap().scopes.joined(), "context:read");
    assert_eq!(door.kinds().await, [Kind::GrantIssued]);
}

#[tokio::test]
async fn a_grant_that_ended_was_replaced_or_belongs_to_another_url_keeps_its_scopes() {
    let door = door();
    let first = door.issue(CLIENT, "dots").await.grant.id;
    let second = door.issue(CLIENT, "dots").await.grant.id;
    let change = async |grant: &GrantId| door.rescope(grant, "context:read", "memory:read").await.unwrap_err();
    assert_eq!(change(&first).await, Fixed::Gone.into(), "replaced");
    let mut moved = door.access.clone();
    moved.public_url = Some(PublicUrl::parse("https://deck.example.com").unwrap());
    let look = |access: &Access, id: &GrantId| door.fixture.base.store.look(|db| access.rescopable(db, id)).unwrap();
    assert_eq!(look(&moved, &second), Err(Fixed::Elsewhere));
    assert!(look(&door.access, &second).is_ok());
    door.access.revoke(&owner(), "dots", None).await.unwrap().unwrap();
    assert_eq!(change(&second).await, Fixed::Gone.into(), "revoked");
}

#[test]
fn a_scope_parameter_is_read_strictly_and_a_stored_one_leniently() {
    assert_eq!(Scopes::parse_requested("").unwrap(), Scopes::all());
    assert_eq!(Scopes::parse_requested("  ").unwrap(), Scopes::all());
    assert_eq!(Scopes::parse_requested("memory:read context:read memory:read").unwrap().joined(), "context:read memory:read");
    assert_eq!(Scopes::parse_requested("context:read admin").unwrap_err(), "admin");
    assert_eq!(Scopes::parse_requested("Context:Read").unwrap_err(), "Context:Read");
    assert_eq!(Scopes::parse_stored("context:read gone:scope").joined(), "context:read");
    assert_eq!(Scopes::parse_stored("").joined(), "", "an old grant never gains by what is unknown");
}

fn some_scopes() -> impl Strategy<Value = Vec<Scope>> {
    prop::collection::vec(prop::sample::select(Scope::ALL.to_vec()), 0..12)
}

proptest! {
    #[test]
    fn scopes_are_a_set_in_one_order_and_survive_the_wire(some in some_scopes()) {
        let set = Scopes::of(some.clone());
        let expected: Vec<&str> = Scope::ALL.into_iter().filter(|scope| some.contains(scope)).map(Scope::name).collect();
        prop_assert!(set.covers(&some));
        prop_assert_eq!(set.joined(), expected.join(" "));
        prop_assert_eq!(&Scopes::of(some.iter().rev().copied()), &set);
        prop_assert_eq!(&Scopes::parse_stored(&set.joined()), &set);
        prop_assert_eq!(serde_json::to_value(&set).unwrap(), serde_json::json!(expected));
    }

    #[test]
    fn a_well_formed_name_is_exactly_the_pattern(name in "[a-zA-Z0-9_ é-]{0,70}") {
        let first = name.chars().next().is_some_and(|c| c.is_ascii_lowercase());
        let rest = name.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-'));
        prop_assert_eq!(super::name::well_formed(&name), first && rest && name.len() <= 64);
    }

    #[test]
    fn no_header_lets_a_stranger_in(value in "[ -~]{0,80}") {
        let door = Arc::new(door());
        prop_assert!(door.access.authenticate(&bearing(&value)).is_err());
    }
}
