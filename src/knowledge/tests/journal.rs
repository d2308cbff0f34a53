//! The journal: what is recorded, and every way of reading it.

use std::sync::{Arc, Barrier};
use std::time::Duration;

use proptest::prelude::*;
use serde_json::Value;

use super::{Shelf, caller, some, told};
use crate::clock::UnixMs;
use crate::knowledge::Experience;
use crate::knowledge::selection::{Asked, UsageError};
use crate::knowledge::store;
use crate::store::Error;
use crate::testing::START;

fn all() -> Asked {
    Asked { unfiltered: true, ..Asked::default() }
}

/// A86
/// A197
#[tokio::test]
async fn a_turn_sent_twice_is_one_record() {
    let shelf = Shelf::new();
    let first = shelf.record("dots", told("c1")).await;
    assert!(first.event_id.starts_with("evt_") && first.event_id.len() == 36 && !first.duplicate);
    shelf.fixture.pass(Duration::from_secs(60));
    // The board's revision, the artifact and the model are no part of what makes a turn the same.
    let again = Experience { board_rev: "other".to_owned(), artifact: some("x"), model: some("m"), ..told("c1") };
    let second = shelf.record("dots", again).await;
    assert_eq!((second.event_id, second.at, second.duplicate), (first.event_id.clone(), first.at, true));
    for (who, other) in [
        ("dots", told("c2")),
        ("pots", told("c1")),
        ("dots", Experience { from: some("Bo"), ..told("c1") }),
        ("dots", Experience { said: "hi".to_owned(), ..told("c1") }),
        ("dots", Experience { did: "nothing".to_owned(), ..told("c1") }),
        ("dots", Experience { outcome: "failed".to_owned(), ..told("c1") }),
    ] {
        let receipt = shelf.record(who, other.clone()).await;
        assert!(!receipt.duplicate && receipt.event_id != first.event_id, "{other:?}");
    }
}

/// A86
#[test]
fn the_key_of_a_turn_is_sixteen_characters_of_its_digest() {
    let digest = crate::digest::Digest::of(br#"[null,"hello","answered","done"]"#);
    assert_eq!(told("c1").dedup_key(), digest.hex()[..16]);
}

#[tokio::test]
async fn a_record_whose_audit_cannot_be_written_is_not_kept() {
    let shelf = Shelf::new();
    let refuse = |_tx: &mut crate::store::Tx<'_>, _receipt: &_| Err(Error::Closed);
    assert!(shelf.knowledge.record(&caller("dots"), told("c1"), refuse).await.is_err());
    assert_eq!(shelf.read(all()).await, "There is no such entry on 2026-12-01 (UTC).");
    assert!(!shelf.record("dots", told("c1")).await.duplicate);
}

/// Whoever reads on after the newest entry must not miss one that waited to be written.
#[tokio::test]
async fn an_entry_has_the_time_at_which_it_was_written_and_not_at_which_it_was_asked_for() {
    let shelf = Shelf::new();
    let (started, go) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let mut held = {
        let (started, go) = (Arc::clone(&started), Arc::clone(&go));
        Box::pin(shelf.fixture.base.store.write(move |_tx| {
            started.wait();
            go.wait();
            Ok::<_, Error>(())
        }))
    };
    assert!(futures::poll!(&mut held).is_pending());
    tokio::task::spawn_blocking(move || started.wait()).await.unwrap();
    let mut waiting = Box::pin(shelf.record("dots", told("c1")));
    assert!(futures::poll!(&mut waiting).is_pending());
    shelf.fixture.pass(Duration::from_secs(60));
    go.wait();
    assert_eq!(waiting.await.at, UnixMs(START + 60_000));
    held.await.unwrap();
}

#[tokio::test]
async fn a_row_says_when_what_who_and_how_to_see_more() {
    let shelf = Shelf::new();
    let id = shelf.record("dots", told("c1")).await.event_id;
    let short: String = id.chars().take(12).collect();
    let row = format!("2026-12-01T09:30:00.000Z · external.record dots:c1: hello → answered → done  {short}");
    assert_eq!(shelf.read(all()).await, row);
    let json: Value = serde_json::from_str(&shelf.read(Asked { json: true, ..all() }).await).unwrap();
    let expected = serde_json::json!({
        "ts": "2026-12-01T09:30:00.000Z", "type": "external.record", "session_key": "dots:c1", "id": id,
        "source": { "kind": "dots" }, "client": "claude.example", "text": "hello → answered → done"
    });
    assert_eq!(json, expected);
}

/// A listing of two hundred entries must not carry two hundred megabytes.
#[tokio::test]
async fn a_listing_reads_the_beginning_of_a_payload_only() {
    let shelf = Shelf::new();
    let long = "word ".repeat(200_000);
    let told = Experience { said: long.clone(), did: long.clone(), artifact: some(&long), ..told("c1") };
    let id = shelf.record("dots", told).await.event_id;
    let listed = shelf.read(all()).await;
    assert!(listed.contains("word word") && listed.contains("… → ") && listed.contains("→ done"), "{listed}");
    let selection = all().selection(shelf.fixture.base.clock.now()).unwrap();
    let events = shelf.fixture.base.store.read(move |db| store::select(db, &selection, 200)).await.unwrap();
    let loaded = serde_json::to_string(&events[0].payload).unwrap();
    assert!(loaded.len() < 2000 && events[0].text("artifact").is_none(), "{} bytes", loaded.len());
    assert!(shelf.read(Asked { show: Some(id), ..Asked::default() }).await.len() > 3_000_000);
}

#[tokio::test]
async fn one_entry_is_shown_whole() {
    let shelf = Shelf::new();
    let long = "word ".repeat(500);
    let id = shelf.record("dots", Experience { said: long.clone(), from: some("Bo"), ..told("c1") }).await.event_id;
    let short: String = id.chars().take(12).collect();
    for show in [id.clone(), short] {
        let text = shelf.read(Asked { show: some(&show), ..Asked::default() }).await;
        for part in [
            &format!("id: {id}"),
            "reported via dots · client claude.example",
            &format!("said: {long}"),
            "from: Bo",
            "did: answered",
        ] {
            assert!(text.contains(part), "{part}");
        }
    }
    let dated = |date| Asked { show: some(&id), date: some(date), ..Asked::default() };
    assert!(shelf.read(dated("2026-12-01")).await.contains(&id));
    assert!(shelf.refused(dated("2026-12-02")).await.starts_with("there is no entry evt_"));
    assert!(shelf.refused(dated("yesterday")).await.starts_with("date must be a day"));
}

#[tokio::test]
async fn entries_nobody_has_are_said_to_be_none() {
    let shelf = Shelf::new();
    shelf.record("dots", told("c1")).await;
    for id in ["evt_", "evt_0", "evt_00000000", "evt_%", "x", "evt_________"] {
        let sentence = format!("there is no entry {id} in the journal");
        assert_eq!(shelf.refused(Asked { show: some(id), ..Asked::default() }).await, sentence);
        assert_eq!(shelf.refused(Asked { after: some(id), ..Asked::default() }).await, sentence);
    }
}

#[tokio::test]
async fn a_short_id_of_two_entries_is_not_enough() {
    let shelf = Shelf::new();
    shelf.record("dots", told("c1")).await;
    shelf.record("dots", told("c2")).await;
    let file = rusqlite::Connection::open(shelf.fixture.base.store.path()).unwrap();
    file.execute("UPDATE journal SET id = 'evt_aaaaaaaa' || n", []).unwrap();
    let refusal = shelf.refused(Asked { show: some("evt_aaaaaaaa"), ..Asked::default() }).await;
    assert_eq!(refusal, UsageError::Ambiguous("evt_aaaaaaaa".to_owned()).to_string());
}

#[tokio::test]
async fn filters_narrow_and_combine() {
    let shelf = Shelf::new();
    shelf.record("dots", told("c1")).await;
    shelf.fixture.pass(Duration::from_secs(45 * 60));
    shelf.record("pots", told("c1")).await;
    shelf.fixture.pass(Duration::from_secs(60 * 60));
    shelf.record("pots", told("c2")).await;
    // 09:30 dots:c1, 10:15 pots:c1, 11:15 pots:c2, and it is 11:15.
    for (asked, expected) in [
        (all(), vec!["dots:c1", "pots:c1", "pots:c2"]),
        (Asked { date: some("2026-12-01"), unfiltered: true, ..Asked::default() }, vec!["dots:c1", "pots:c1", "pots:c2"]),
        (Asked { date: some("2026-11-30"), unfiltered: true, ..Asked::default() }, vec![]),
        (Asked { interval: some("1h"), ..Asked::default() }, vec!["pots:c1", "pots:c2"]),
        (Asked { interval: some("59m"), ..Asked::default() }, vec!["pots:c2"]),
        (Asked { from: some("10:15"), ..Asked::default() }, vec!["pots:c1", "pots:c2"]),
        (Asked { to: some("10:15"), ..Asked::default() }, vec!["dots:c1"]),
        (Asked { from: some("10:00"), to: some("11:15"), ..Asked::default() }, vec!["pots:c1"]),
        (Asked { from: some("11:00"), to: some("24:00"), ..Asked::default() }, vec!["pots:c2"]),
        (Asked { session: some("pots:c1"), ..Asked::default() }, vec!["pots:c1"]),
        (Asked { kind: some("pots"), ..Asked::default() }, vec!["pots:c1", "pots:c2"]),
        (Asked { kind: some("pots"), interval: some("30m"), ..Asked::default() }, vec!["pots:c2"]),
        (Asked { types: Some(vec!["external.record".to_owned()]), ..Asked::default() }, vec!["dots:c1", "pots:c1", "pots:c2"]),
        (Asked { types: Some(vec!["route.deliver".to_owned()]), ..Asked::default() }, vec![]),
        (Asked { types: Some(Vec::new()), ..all() }, vec!["dots:c1", "pots:c1", "pots:c2"]),
    ] {
        let text = shelf.read(Asked { json: true, ..asked.clone() }).await;
        let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let found: Vec<&str> = rows.iter().map(|row| row["session_key"].as_str().unwrap()).collect();
        assert_eq!(found, expected, "{asked:?}");
    }
}

#[tokio::test]
async fn readings_that_make_no_sense_are_explained() {
    let shelf = Shelf::new();
    let none = Asked::default;
    for (asked, error) in [
        (none(), UsageError::Unfiltered),
        (Asked { date: some("2026-12-01"), ..none() }, UsageError::Unfiltered),
        (Asked { types: Some(Vec::new()), ..none() }, UsageError::Unfiltered),
        (Asked { date: some("2026-12-1"), ..all() }, UsageError::Date),
        (Asked { date: some("20261201"), ..all() }, UsageError::Date),
        (Asked { date: some("2026-02-30"), ..all() }, UsageError::Date),
        (Asked { from: some("9:30"), ..none() }, UsageError::Time),
        (Asked { from: some("24:01"), ..none() }, UsageError::Time),
        (Asked { to: some("09:60"), ..none() }, UsageError::Time),
        (Asked { to: some("+9:30"), ..none() }, UsageError::Time),
        (Asked { from: some("10:00"), to: some("10:00"), ..none() }, UsageError::Order),
        (Asked { interval: some("0m"), ..none() }, UsageError::Interval),
        (Asked { interval: some("-1h"), ..none() }, UsageError::Interval),
        (Asked { interval: some("2d"), ..none() }, UsageError::Interval),
        (Asked { interval: some("h"), ..none() }, UsageError::Interval),
        (Asked { interval: some("745h"), ..none() }, UsageError::Interval),
        (Asked { interval: some("99999999999999999999h"), ..none() }, UsageError::Interval),
        (Asked { interval: some("1h"), date: some("2026-12-01"), ..none() }, UsageError::IntervalAndDate),
        (Asked { interval: some("1h"), to: some("10:00"), ..none() }, UsageError::IntervalAndDate),
        (Asked { count_only: true, sessions: true, ..none() }, UsageError::TwoSummaries),
        (Asked { show: some("evt_00000000"), kind: some("dots"), ..none() }, UsageError::ShowAndFilters),
        (Asked { show: some("evt_00000000"), count_only: true, ..none() }, UsageError::ShowAndFilters),
    ] {
        assert_eq!(shelf.refused(asked.clone()).await, error.to_string(), "{asked:?}");
    }
}

#[tokio::test]
async fn a_long_reading_goes_on_where_it_stopped() {
    let shelf = Shelf::new();
    shelf.record_many("dots", 450).await;
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let text = shelf.read(Asked { json: true, after: after.clone(), ..all() }).await;
        let mut rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(rows.len() <= 201);
        let more = rows.pop_if(|row| row.get("more").is_some());
        seen.extend(rows.iter().map(|row| row["text"].as_str().unwrap().rsplit(' ').next().unwrap().parse::<usize>().unwrap()));
        match more {
            Some(more) => after = more["after"].as_str().map(str::to_owned),
            None => break,
        }
    }
    assert_eq!(seen, (0..450).collect::<Vec<_>>());
    let text = shelf.read(all()).await;
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("250 more. To go on, call again with the same filters and \"after\": \"evt_"), "{last}");
}

#[tokio::test]
async fn entries_of_one_moment_are_each_read_once() {
    let shelf = Shelf::new();
    let mut ids = Vec::new();
    for n in 0..5 {
        ids.push(shelf.record("dots", told(&format!("c{n}"))).await.event_id);
    }
    let rest = shelf.read(Asked { after: some(&ids[1]), json: true, ..Asked::default() }).await;
    let found: Vec<Value> = rest.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect();
    assert_eq!(found, ids[2..]);
    assert_eq!(shelf.read(Asked { after: some(&ids[4]), ..Asked::default() }).await, "There is no such entry after that entry.");
}

#[tokio::test]
async fn summaries_need_no_filter() {
    let shelf = Shelf::new();
    shelf.record_many("dots", 3).await;
    shelf.record("pots", told("c9")).await;
    let count = shelf.read(Asked { count_only: true, ..Asked::default() }).await;
    assert_eq!(count, "4 entries on 2026-12-01 (UTC)\nexternal.record  4\nEND spine");
    let json = shelf.read(Asked { count_only: true, json: true, ..Asked::default() }).await;
    assert_eq!(json, "{\"count\":4,\"types\":{\"external.record\":4}}\nEND spine");
    let sessions = shelf.read(Asked { sessions: true, ..Asked::default() }).await;
    let expected = "pots:c9  1 entries, the last 2026-12-01T09:30:03.000Z\ndots:c1  3 entries, the last 2026-12-01T09:30:02.000Z";
    assert_eq!(sessions, expected);
    let none = shelf.read(Asked { sessions: true, kind: some("lots"), ..Asked::default() }).await;
    assert_eq!(none, "There is no such session on 2026-12-01 (UTC).");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever an assistant records, another one reads it in one harmless line of bounded length.
    #[test]
    fn every_row_is_one_safe_line(said in any::<String>(), did in ".{0,300}", outcome in any::<String>(), conversation in "[^\\s:]{1,300}") {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let shelf = Shelf::new();
        let turn = Experience { said, did, outcome, ..told(&conversation) };
        runtime.block_on(shelf.record("dots", turn));
        for json in [false, true] {
            let row = runtime.block_on(shelf.read(Asked { json, ..all() }));
            prop_assert!(!crate::text::has_hidden(&row), "{row:?}");
            prop_assert!(row.chars().count() < 900, "{}", row.chars().count());
        }
        let text = runtime.block_on(shelf.read(Asked { json: true, ..all() }));
        let row: Value = serde_json::from_str(&text).unwrap();
        prop_assert!(row["text"].as_str().unwrap().chars().count() <= 200);
        let show = row["id"].as_str().map(str::to_owned);
        let whole = runtime.block_on(shelf.read(Asked { show, ..Asked::default() }));
        prop_assert!(!crate::text::has_hidden(&whole.replace(['\n', '\t'], "")), "{whole:?}");
    }
}
