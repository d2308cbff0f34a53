//! What happened cannot be rewritten unnoticed: every way of trying it on the file itself.

use std::path::PathBuf;
use std::time::Duration;

use proptest::prelude::*;
use rusqlite::Connection;

use super::model::Head;
use super::model::Seq;
use super::{Draft, Finding, Kind, Outcome, Record, Signer, store, verify};
use crate::access::Principal;
use crate::clock::UnixMs;
use crate::digest::{Canonical as _, Digest};
use crate::events::Event;
use crate::id::GrantId;
use crate::store::Error;
use crate::testing::{Fixture, START};

/// A chain of some records, and ways to look at it and to falsify it.
struct Chain(Fixture);

impl Chain {
    async fn of(records: i64) -> Chain {
        let chain = Chain(Fixture::new());
        chain.add(records).await;
        chain
    }

    async fn add(&self, records: i64) {
        for n in 0..records {
            let draft = Draft::ok(Kind::ToolCalled).object("GetContext").with("n", n);
            self.0.base.audit.record(&Principal::System, draft).await.unwrap();
        }
    }

    fn path(&self) -> PathBuf {
        self.0.dir.path().join("quarterdeck.db")
    }

    fn signer(&self) -> Signer {
        Signer::open(self.0.dir.path()).unwrap()
    }

    fn verify(&self, remembered: Option<Head>) -> Finding {
        verify(&self.path(), &self.signer(), remembered).unwrap()
    }

    async fn head(&self) -> Head {
        self.0.base.audit.head().await.unwrap()
    }

    /// Changes the file as somebody would who has it and not the key.
    fn falsify(&self, sql: &str) {
        let changed = Connection::open(self.path()).unwrap().execute_batch(sql);
        changed.unwrap();
    }

    fn checkpoints(&self) -> Vec<i64> {
        let conn = Connection::open(self.path()).unwrap();
        let mut all = conn.prepare("SELECT seq FROM checkpoints ORDER BY seq").unwrap();
        all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    async fn counted(&self) -> Vec<(String, i64)> {
        let page = self.0.base.audit.page(i64::MAX, 1000).await.unwrap();
        let refused = page.into_iter().filter(|entry| entry.record.kind == Kind::RequestRefused);
        refused.map(|entry| (entry.record.reason.unwrap(), entry.record.detail["count"].as_i64().unwrap())).collect()
    }
}

#[tokio::test]
async fn an_empty_and_an_untouched_chain_are_intact() {
    assert_eq!(Chain::of(0).await.verify(None), Finding::Intact(Head::EMPTY));
    let chain = Chain::of(5).await;
    let head = chain.head().await;
    assert_eq!(head.seq, 5);
    assert_eq!(chain.verify(None), Finding::Intact(head));
    assert_eq!(chain.verify(Some(head)), Finding::Intact(head));
    chain.add(2).await;
    assert_eq!(chain.verify(Some(head)), Finding::Intact(chain.head().await), "an older head is still in the chain");
}

#[tokio::test]
async fn a_chain_longer_than_one_page_of_verification_is_checked_to_its_end() {
    let chain = Chain::of(0).await;
    let audit = chain.0.base.audit.clone();
    let many = chain.0.base.store.write(move |tx| {
        (0..2_050).try_for_each(|_| audit.append(tx, &Principal::System, Draft::ok(Kind::McpRequest)).map(|_| ()))
    });
    many.await.map_err(|error: Error| error).unwrap();
    assert_eq!(chain.verify(None), Finding::Intact(chain.head().await));
    chain.falsify("UPDATE audit SET record = replace(record, 'system', 'nobody') WHERE seq = 2049");
    assert_eq!(chain.verify(None), Finding::Broken(2049));
}

#[tokio::test]
async fn every_change_of_the_rows_is_found_at_its_row() {
    let swap = "UPDATE audit SET seq = -1 WHERE seq = 4; UPDATE audit SET seq = 4 WHERE seq = 5; UPDATE audit SET seq = 5 WHERE seq = -1;";
    let swapped_contents = "CREATE TEMP TABLE two AS SELECT seq, record, hash FROM audit WHERE seq IN (4, 5); \
        UPDATE audit SET record = (SELECT record FROM two WHERE two.seq = 9 - audit.seq) WHERE seq IN (4, 5);";
    let copy = "INSERT INTO audit SELECT 0, record, hash, at, kind, grant_id FROM audit WHERE seq = 1;";
    for (falsified, found) in [
        ("UPDATE audit SET record = replace(record, '\"n\":3', '\"n\":7') WHERE seq = 4", 4),
        ("UPDATE audit SET record = record || ' ' WHERE seq = 4", 4),
        ("UPDATE audit SET hash = zeroblob(32) WHERE seq = 4", 4),
        ("UPDATE audit SET at = at + 1 WHERE seq = 4", 4),
        ("UPDATE audit SET kind = 'host.started' WHERE seq = 4", 4),
        ("UPDATE audit SET grant_id = 'another' WHERE seq = 4", 4),
        ("DELETE FROM audit WHERE seq = 4", 4),
        ("DELETE FROM audit WHERE seq = 1", 1),
        ("DELETE FROM audit WHERE seq = 4; UPDATE audit SET seq = seq - 1 WHERE seq > 4", 4),
        (
            "UPDATE audit SET seq = seq + 1000 WHERE seq >= 4; UPDATE audit SET seq = seq - 999 WHERE seq > 1000; \
          INSERT INTO audit SELECT 4, record, hash, at, kind, grant_id FROM audit WHERE seq = 3",
            4,
        ),
        (copy, 1),
        ("INSERT INTO audit SELECT -9223372036854775808, record, hash, at, kind, grant_id FROM audit WHERE seq = 1", 1),
        (swap, 4),
        (swapped_contents, 4),
    ] {
        let chain = Chain::of(8).await;
        chain.falsify(falsified);
        assert_eq!(chain.verify(None), Finding::Broken(found), "{falsified}");
    }
}

#[tokio::test]
async fn whatever_the_order_of_its_facts_a_record_is_canonical_as_it_is_kept() {
    let chain = Chain::of(0).await;
    let draft = Draft::ok(Kind::ToolCalled).with("tool", "a").with("args_hash", "b").with("protocol", "c");
    chain.0.base.audit.record(&Principal::System, draft).await.unwrap();
    let newest = chain.0.base.audit.page(Seq::MAX, 1).await.unwrap().remove(0);
    assert_eq!(newest.record.detail.keys().collect::<Vec<_>>(), ["args_hash", "protocol", "tool"]);
    assert!(newest.record.is_in_order());
}

#[tokio::test]
async fn a_row_added_at_the_end_without_its_hash_is_found() {
    let chain = Chain::of(3).await;
    chain.falsify("INSERT INTO audit SELECT 4, record, hash, at, kind, grant_id FROM audit WHERE seq = 3");
    assert_eq!(chain.verify(None), Finding::Broken(4));
}

#[tokio::test]
async fn a_cut_off_tail_is_found_by_the_remembered_head_and_by_a_checkpoint_beyond_it() {
    let chain = Chain::of(8).await;
    let head = chain.head().await;
    chain.falsify("DELETE FROM audit WHERE seq > 5");
    assert!(matches!(chain.verify(None), Finding::Intact(Head { seq: 5, .. })), "nothing remembers the tail");
    assert_eq!(chain.verify(Some(head)), Finding::Truncated { found: 5, remembered: 8 });

    let chain = Chain::of(8).await;
    chain.0.base.audit.checkpoint().await.unwrap();
    chain.falsify("DELETE FROM audit WHERE seq > 5");
    assert_eq!(chain.verify(None), Finding::Truncated { found: 5, remembered: 8 });
    chain.falsify("DELETE FROM audit");
    assert_eq!(chain.verify(None), Finding::Truncated { found: 0, remembered: 8 });
}

#[tokio::test]
async fn a_tail_that_was_cut_off_and_written_anew_is_found_by_the_remembered_head() {
    let chain = Chain::of(8).await;
    let head = chain.head().await;
    chain.falsify("DELETE FROM audit WHERE seq > 7");
    let other = Draft::refused(Kind::ToolCalled, "another_story");
    chain.0.base.audit.record(&Principal::System, other).await.unwrap();
    assert_eq!(chain.verify(Some(head)), Finding::Broken(8));
}

#[tokio::test]
async fn a_chain_rewritten_with_right_hashes_fails_at_its_checkpoint() {
    let chain = Chain::of(3).await;
    chain.0.base.audit.checkpoint().await.unwrap();
    let conn = Connection::open(chain.path()).unwrap();
    let rows: Vec<String> = {
        let mut all = conn.prepare("SELECT record FROM audit ORDER BY seq").unwrap();
        all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let mut head = Head::EMPTY;
    for record in rows {
        let record = record.replace("GetContext", "ReadMemory");
        head = head.after(&record);
        conn.execute("UPDATE audit SET record = ?1, hash = ?2 WHERE seq = ?3", (record, head.hash.0, head.seq)).unwrap();
    }
    assert_eq!(chain.verify(None), Finding::Broken(3));
}

#[tokio::test]
async fn a_checkpoint_nobody_here_signed_is_found() {
    let chain = Chain::of(3).await;
    chain.0.base.audit.checkpoint().await.unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let other = Signer::open(elsewhere.path()).unwrap();
    assert_eq!(verify(&chain.path(), &other, None).unwrap(), Finding::UnknownKey(3));

    for forged in ["signature = zeroblob(64)", "signature = x'00'", "hash = zeroblob(32)", "seq = 2", "seq = 0"] {
        let chain = Chain::of(3).await;
        chain.0.base.audit.checkpoint().await.unwrap();
        chain.falsify(&format!("UPDATE checkpoints SET {forged}"));
        assert!(matches!(chain.verify(None), Finding::Broken(_)), "{forged}");
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_an_error_and_not_a_finding() {
    let chain = Chain::of(1).await;
    let signer = chain.signer();
    assert!(verify(&chain.0.dir.path().join("missing.db"), &signer, None).is_err());
    let text = chain.0.dir.path().join("text.db");
    std::fs::write(&text, "not a database, long enough to be looked at".repeat(100)).unwrap();
    assert!(verify(&text, &signer, None).is_err());
}

#[tokio::test]
async fn every_hundredth_record_is_signed() {
    let chain = Chain::of(99).await;
    assert_eq!(chain.checkpoints(), Vec::<i64>::new());
    chain.add(1).await;
    assert_eq!(chain.checkpoints(), [100]);
    chain.add(100).await;
    assert_eq!(chain.checkpoints(), [100, 200]);
}

#[tokio::test]
async fn a_record_a_minute_after_the_first_unsigned_one_is_signed() {
    let chain = Chain::of(1).await;
    chain.0.pass(Duration::from_millis(59_999));
    chain.add(1).await;
    assert_eq!(chain.checkpoints(), Vec::<i64>::new());
    chain.0.pass(Duration::from_millis(1));
    chain.add(1).await;
    assert_eq!(chain.checkpoints(), [3]);
    chain.add(1).await;
    assert_eq!(chain.checkpoints(), [3], "the minute begins again with the next record");
}

#[tokio::test]
async fn signing_when_everything_is_signed_changes_nothing() {
    let chain = Chain::of(0).await;
    chain.0.base.audit.checkpoint().await.unwrap();
    assert_eq!(chain.checkpoints(), Vec::<i64>::new());
    chain.add(2).await;
    chain.0.base.audit.checkpoint().await.unwrap();
    chain.0.base.audit.checkpoint().await.unwrap();
    assert_eq!(chain.checkpoints(), [2]);
}

/// Waits until the writer has answered, which does not move the paused clock.
async fn settled(chain: &Chain) {
    for _ in 0..3 {
        chain.0.base.audit.head().await.unwrap();
        chain.0.base.store.write(|_tx| Ok::<_, Error>(())).await.unwrap();
        tokio::task::yield_now().await;
    }
}

/// Moves the paused clock on until the checkpoints are these, and answers how long that took.
async fn signed(chain: &Chain, expected: &[i64]) -> Duration {
    let begun = tokio::time::Instant::now();
    while chain.checkpoints() != expected {
        assert!(begun.elapsed() < Duration::from_secs(600), "{:?} instead of {expected:?}", chain.checkpoints());
        tokio::time::advance(Duration::from_secs(1)).await;
        settled(chain).await;
    }
    begun.elapsed()
}

#[tokio::test(start_paused = true)]
async fn the_keeper_signs_a_minute_later_what_was_there_before_it_began_and_what_came_after() {
    let chain = Chain::of(1).await;
    let keeper = tokio::spawn(chain.0.base.audit.clone().keep_checkpoints());
    tokio::task::yield_now().await;
    assert!(signed(&chain, &[1]).await >= Duration::from_secs(60));
    chain.add(1).await;
    signed(&chain, &[1, 2]).await;
    keeper.abort();
}

#[tokio::test]
async fn the_key_is_made_once_for_the_owner_only_and_a_file_that_is_none_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let first = Signer::open(dir.path()).unwrap().id().to_owned();
    assert_eq!(Signer::open(dir.path()).unwrap().id(), first);
    let file = dir.path().join("audit.key");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::write(&file, "no key").unwrap();
    assert!(Signer::open(dir.path()).err().unwrap().to_string().contains("is not an Ed25519 key"));
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert!(Signer::open(dir.path()).err().unwrap().to_string().contains("audit.key"));
}

/// The arithmetic, computed here once more by hand.
#[test]
fn the_hash_is_over_a_mark_the_number_the_hash_before_and_the_digest_of_the_record() {
    let head = Head::EMPTY.after("{}").after("{\"a\":1}");
    let mut before = vec![1_u8, 0, 0, 0, 0, 0, 0, 0, 1];
    before.extend([0; 32]);
    before.extend(Digest::of(b"{}").0);
    let mut bytes = vec![1_u8, 0, 0, 0, 0, 0, 0, 0, 2];
    bytes.extend(Digest::of(&before).0);
    bytes.extend(Digest::of(b"{\"a\":1}").0);
    assert_eq!((head.seq, head.hash), (2, Digest::of(&bytes)));
}

#[tokio::test]
async fn the_bus_hears_of_a_record_after_it_is_there_and_not_of_one_that_was_undone() {
    let chain = Chain::of(0).await;
    let mut events = chain.0.base.bus.listen();
    let audit = chain.0.base.audit.clone();
    let undone = chain.0.base.store.write(move |tx| {
        audit.append(tx, &Principal::System, Draft::ok(Kind::ClientAdded))?;
        Err::<(), _>(Error::Closed)
    });
    undone.await.unwrap_err();
    chain.add(1).await;
    let Event::Recorded(entry) = events.recv().await.unwrap() else { panic!("a poke instead of a record") };
    assert_eq!((entry.seq, entry.record.kind), (1, Kind::ToolCalled));
    assert!(events.try_recv().is_err());
    assert_eq!(chain.head().await.seq, 1, "a number of an undone record is used again: no gaps");
}

#[tokio::test]
async fn a_record_says_who_when_what_and_holds_only_safe_text() {
    let chain = Chain::of(0).await;
    let hostile = format!("\u{1b}[31m\u{202e}{}", "x".repeat(10_000));
    let who = Principal::Client { client_id: hostile.clone() };
    let grant = GrantId("a".repeat(32));
    let draft =
        Draft::refused(Kind::TokenRefused, &hostile).object(&hostile).grant(&grant).took(12).with("fact", hostile.as_str());
    chain.0.base.audit.record(&who, draft).await.unwrap();
    let record = chain.0.base.audit.page(i64::MAX, 1).await.unwrap().remove(0).record;
    assert_eq!((record.at, record.outcome, record.took_ms), (UnixMs(START), Outcome::Refused, Some(12)));
    assert_eq!(record.grant, Some(grant));
    let fact = record.detail["fact"].as_str().unwrap().to_owned();
    for text in [record.actor, record.object.unwrap(), record.reason.unwrap(), fact] {
        assert!(!crate::text::has_hidden(&text) && text.chars().count() <= 130, "{text}");
    }
}

#[tokio::test]
async fn pages_go_backwards_from_the_newest_and_are_in_order() {
    let chain = Chain::of(7).await;
    let audit = &chain.0.base.audit;
    let numbers =
        async |before, most| audit.page(before, most).await.unwrap().into_iter().map(|entry| entry.seq).collect::<Vec<_>>();
    assert_eq!(numbers(i64::MAX, 3).await, [5, 6, 7]);
    assert_eq!(numbers(5, 3).await, [2, 3, 4]);
    assert_eq!(numbers(2, 3).await, [1]);
    assert_eq!(numbers(1, 3).await, Vec::<i64>::new());
}

#[tokio::test(start_paused = true)]
async fn refusals_are_one_record_per_reason_and_minute() {
    let chain = Chain::of(0).await;
    let audit = &chain.0.base.audit;
    for _ in 0..1000 {
        audit.count_refused("invalid_token");
    }
    audit.count_refused("no_token");
    assert_eq!(chain.counted().await, []);
    tokio::task::yield_now().await;
    tokio::time::advance(Duration::from_secs(60)).await;
    settled(&chain).await;
    settled(&chain).await;
    assert_eq!(chain.counted().await, [("invalid_token".to_owned(), 1000), ("no_token".to_owned(), 1)]);
    audit.count_refused("no_token");
    audit.record_counts().await;
    audit.record_counts().await;
    assert_eq!(chain.counted().await.len(), 3, "a stop writes down what is left, once");
}

#[tokio::test]
async fn counts_that_cannot_be_recorded_are_not_lost() {
    let chain = Chain::of(0).await;
    chain.0.base.audit.count_refused("no_token");
    chain.falsify("ALTER TABLE audit RENAME TO away");
    chain.0.base.audit.record_counts().await;
    chain.falsify("ALTER TABLE away RENAME TO audit");
    chain.0.base.audit.count_refused("no_token");
    chain.0.base.audit.record_counts().await;
    assert_eq!(chain.counted().await, [("no_token".to_owned(), 2)]);
}

#[tokio::test]
async fn usage_counts_the_calls_of_one_grant_in_the_last_day() {
    let chain = Chain::of(3).await;
    let (one, other) = (GrantId("a".repeat(32)), GrantId("b".repeat(32)));
    let audit = chain.0.base.audit.clone();
    let usage = async || {
        let (audit, one) = (audit.clone(), one.clone());
        let asked =
            chain.0.base.store.read(move |db| Ok::<_, Error>((audit.last_used_at(db, &one)?, audit.calls_24h(db, &one)?)));
        asked.await.unwrap()
    };
    assert_eq!(usage().await, (None, 0));
    for (kind, grant) in [(Kind::ToolCalled, &one), (Kind::GrantRevoked, &one), (Kind::ToolCalled, &other)] {
        audit.record(&Principal::System, Draft::ok(kind).grant(grant)).await.unwrap();
    }
    chain.0.pass(Duration::from_secs(60));
    audit.record(&Principal::System, Draft::ok(Kind::McpRequest).grant(&one)).await.unwrap();
    assert_eq!(usage().await, (Some(UnixMs(START + 60_000)), 1));
    chain.0.pass(Duration::from_secs(24 * 60 * 60));
    assert_eq!(usage().await, (Some(UnixMs(START + 60_000)), 0));
}

/// It is asked on every request, and counted over every call of a day.
#[tokio::test]
async fn how_a_grant_was_used_is_found_without_reading_a_record() {
    let chain = Chain::of(3).await;
    let steps = chain.0.base.store.read(store::steps).await.unwrap();
    assert_eq!(steps.iter().filter(|step| *step == "OpenRead").count(), 3, "only the index is opened: {steps:?}");
    assert!(
        !steps.iter().any(|step| step.contains("Func") || step.contains("Sort")),
        "a record's JSON is looked into: {steps:?}"
    );
}

/// What a screen asks takes as long in an audit of a million records as in one of a thousand.
#[tokio::test]
async fn what_a_screen_asks_is_found_in_an_index_and_never_sorted() {
    let chain = Chain::of(3).await;
    let plans = chain.0.base.store.read(store::plans).await.unwrap();
    let expected = [
        "INTEGER PRIMARY KEY (rowid<?)",
        "audit_by_grant (grant_id=? AND kind=? AND at<?)",
        "audit_by_grant (grant_id=? AND kind=?)",
    ];
    for (plan, index) in plans.iter().zip(expected.into_iter().chain(["audit_approvals (kind=? AND rowid<?)"])) {
        assert!(plan.contains(index) && !plan.contains("SCAN") && !plan.contains("B-TREE"), "{plan}");
    }
    // Only the few thousand calls that were found are grouped and ordered.
    assert!(plans[4].contains("audit_by_grant (grant_id=? AND kind=? AND at>?)"), "{}", plans[4]);
    let kinds = plans[5].split("; ").filter(|step| step.contains("audit")).collect::<Vec<_>>();
    assert_eq!(kinds.len(), 2, "{}", plans[5]);
    assert!(
        kinds.iter().all(|step| step.contains("SEARCH audit USING COVERING INDEX audit_by_grant (grant_id=?")),
        "{}",
        plans[5]
    );
}

#[tokio::test]
async fn the_records_of_a_grant_come_newest_first_page_by_page_whatever_their_kind() {
    let chain = Chain::of(2).await;
    let audit = chain.0.base.audit.clone();
    let (one, other) = (GrantId("a".repeat(32)), GrantId("b".repeat(32)));
    for (kind, grant) in [
        (Kind::GrantIssued, &one),
        (Kind::ToolCalled, &one),
        (Kind::ToolCalled, &other),
        (Kind::McpRequest, &one),
        (Kind::ToolCalled, &one),
        (Kind::GrantRevoked, &one),
    ] {
        audit.record(&Principal::System, Draft::ok(kind).grant(grant)).await.unwrap();
    }
    let page = async |before: Seq, most: i64| {
        let (audit, one) = (audit.clone(), one.clone());
        let found = chain.0.base.store.read(move |db| audit.back(db, Some(&one.0), before, most)).await.unwrap();
        found.into_iter().map(|entry| entry.seq).collect::<Vec<_>>()
    };
    let newest = chain.head().await.seq;
    let all = [newest, newest - 1, newest - 2, newest - 4, newest - 5];
    assert_eq!(page(Seq::MAX, 10).await, all);
    assert_eq!(page(Seq::MAX, 2).await, all[..2]);
    assert_eq!(page(all[1], 2).await, all[2..4]);
    assert_eq!(page(all[3], 2).await, all[4..]);
    assert_eq!(page(all[4], 2).await, Vec::<Seq>::new());
    // The clock is set back: what was made then is older by its time, and still nothing is left out or told twice.
    chain.0.set_back(Duration::from_secs(60));
    audit.record(&Principal::System, Draft::ok(Kind::ToolCalled).grant(&one)).await.unwrap();
    assert_eq!(page(Seq::MAX, 10).await, [&all[..], &[newest + 1]].concat());
    assert_eq!(page(all[4], 10).await, [newest + 1]);
}

#[test]
fn every_kind_has_its_own_wire_name() {
    assert_eq!(
        (Kind::ToolCalled.name(), Kind::PasskeyLinkIssued.name()),
        ("tool.called".to_owned(), "passkey.link_issued".to_owned())
    );
}

proptest! {
    #[test]
    fn a_record_is_the_same_after_being_written_and_read(at in any::<i64>(), actor in ".{0,40}", object in prop::option::of(".{0,40}"), count in any::<i32>()) {
        let record = Record {
            at: UnixMs(at >> 11), kind: Kind::ToolCalled, actor, grant: None, object, outcome: Outcome::Ok, reason: None, took_ms: None,
            detail: [("count".to_owned(), count.into())].into_iter().collect(),
        };
        let canonical = record.canonical().unwrap();
        let read: Record = serde_json::from_str(&canonical).unwrap();
        prop_assert_eq!(record.canonical().unwrap(), serde_json_canonicalizer::to_string(&record).unwrap(), "both ways write the same");
        prop_assert_eq!(read.canonical().unwrap(), canonical);
        prop_assert_eq!(read, record);
    }

    #[test]
    fn no_two_different_chains_of_two_records_end_in_the_same_head(a in ".{0,9}", b in ".{0,9}", c in ".{0,9}", d in ".{0,9}") {
        let same = (&a, &b) == (&c, &d);
        prop_assert_eq!(Head::EMPTY.after(&a).after(&b) == Head::EMPTY.after(&c).after(&d), same);
    }
}
