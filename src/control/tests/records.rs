//! Pages of the audit and of the journal, one record, one connection.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::access::Caller;
use crate::id::GrantId;
use crate::knowledge::Experience;

async fn page(client: &Client, filter: &AuditFilter, before: Option<i64>, most: u32) -> AuditPage {
    match client.request(Request::Audit { filter: filter.clone(), before, most }).await.unwrap() {
        Reply::Audit(page) => page,
        other => panic!("{other:?}"),
    }
}

/// Every page of this size, one after the other.
async fn pages(client: &Client, filter: &AuditFilter, most: u32) -> Vec<AuditRow> {
    let (mut rows, mut before) = (Vec::new(), None);
    loop {
        let page = page(client, filter, before, most).await;
        assert!(page.rows.len() <= usize::try_from(most.clamp(1, 500)).unwrap());
        assert!(page.next.is_none() || before.is_none_or(|before| page.next.unwrap() < before), "it goes on");
        rows.extend(page.rows);
        match page.next {
            Some(next) => before = Some(next),
            None => return rows,
        }
    }
}

fn numbers(rows: &[AuditRow]) -> Vec<i64> {
    rows.iter().map(|row| row.seq).collect()
}

impl Desk {
    /// Records of three kinds and two grants, a second apart, in one commit each hundred.
    async fn mixed(&self, many: i64) {
        for hundred in 0..many / 100 {
            let audit = self.fixture.base.audit.clone();
            let write = self.fixture.base.store.write(move |tx| {
                for n in 0..100 {
                    let kind = [Kind::ToolCalled, Kind::McpRequest, Kind::PasskeyAdded][n % 3];
                    let draft = Draft::ok(kind).object(&format!("object {hundred}")).grant(&GrantId(format!("g{}", n % 2)));
                    audit.append(tx, &Principal::System, draft)?;
                }
                Ok::<(), Error>(())
            });
            write.await.unwrap();
            self.fixture.pass(Duration::from_secs(60));
        }
    }

    async fn tell(&self, name: &str, told: Experience) {
        let caller = Caller {
            grant: GrantId("g".to_owned()),
            name: name.to_owned(),
            client_id: "https://client.example/id".to_owned(),
            scopes: Scopes::all(),
        };
        let knowledge = Knowledge::new(&self.fixture.base);
        knowledge.record(&caller, told, |_tx, _receipt| Ok(())).await.unwrap();
    }
}

#[tokio::test]
async fn ten_thousand_records_are_paged_without_a_gap_and_each_request_looks_at_a_bounded_part() {
    let desk = Desk::new().await;
    desk.mixed(10_000).await;
    for (transport, client) in &desk.clients {
        let all = AuditFilter::default();
        let first = page(client, &all, None, 9_999).await;
        assert_eq!((first.rows.len(), first.total, first.next), (500, 10_000, Some(9_501)), "{transport}");
        assert_eq!(numbers(&pages(client, &all, 500).await), (1..=10_000).rev().collect::<Vec<_>>(), "{transport}");
        assert_eq!(page(client, &all, None, 0).await.rows.len(), 1, "{transport}");
        assert_eq!(page(client, &all, Some(1), 5).await.next, None, "{transport}");

        let rare = AuditFilter { object: vec!["object 0".to_owned()], ..AuditFilter::default() };
        let nothing_yet = page(client, &rare, None, 500).await;
        assert_eq!((nothing_yet.rows.len(), nothing_yet.next), (0, Some(5_001)), "{transport}: it says where to go on");
        assert_eq!(numbers(&pages(client, &rare, 500).await), (1..=100).rev().collect::<Vec<_>>(), "{transport}");

        let of_grant = AuditFilter { grant: Some("G1".to_owned()), ..AuditFilter::default() };
        let expected: Vec<i64> = (1..=10_000).rev().filter(|seq| seq % 2 == 0).collect();
        assert_eq!(numbers(&pages(client, &of_grant, 500).await), expected, "{transport}");

        // The last hundred but one began 120 seconds before now.
        let since = AuditFilter { since: Some("2026-12-01T11:08:00.000Z".to_owned()), ..AuditFilter::default() };
        assert_eq!(numbers(&pages(client, &since, 500).await), (9_801..=10_000).rev().collect::<Vec<_>>(), "{transport}");
        let unreadable = AuditFilter { since: Some("noon".to_owned()), ..AuditFilter::default() };
        let asked = Request::Audit { filter: unreadable, before: None, most: 1 };
        assert_eq!(reason(client.request(asked).await.unwrap()), "invalid_request", "{transport}");
    }
}

#[tokio::test]
async fn a_search_for_new_records_ends_a_day_before_them() {
    let desk = Desk::new().await;
    desk.mixed(1_000).await;
    desk.fixture.pass(Duration::from_secs(3 * 24 * 60 * 60));
    desk.record("new").await;
    let since = AuditFilter { since: Some("2026-12-04T00:00:00.000Z".to_owned()), ..AuditFilter::default() };
    let found = page(&desk.clients[0].1, &since, None, 500).await;
    assert_eq!((numbers(&found.rows), found.next), (vec![1_001], None));
}

#[test]
fn pages_of_any_size_are_one_scan() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let desk = runtime.block_on(Desk::new());
    runtime.block_on(desk.mixed(700));
    let client = &desk.clients[0].1;
    let whole = runtime.block_on(pages(client, &AuditFilter::default(), 500));
    proptest!(ProptestConfig::with_cases(24), |(most in 40_u32..600, what in "tool\\*|mcp\\.request|\\*|x", object in "|object 3|t 1", grant in prop::option::of("g[01]"))| {
        let filter = AuditFilter { what: vec![what], object: vec![object], grant, ..AuditFilter::default() };
        let expected: Vec<AuditRow> = whole.iter().filter(|row| filter.matches(row)).cloned().collect();
        prop_assert_eq!(runtime.block_on(pages(client, &filter, most)), expected);
    });
}

#[tokio::test]
async fn a_page_of_the_longest_records_fits_a_frame() {
    let desk = Desk::new().await;
    let (audit, wide) = (desk.fixture.base.audit.clone(), "\u{1f980}".repeat(200));
    let who = Principal::Client { client_id: wide.clone() };
    let write = desk.fixture.base.store.write(move |tx| {
        for _ in 0..510 {
            let draft = Draft::refused(Kind::AuthorizationRefused, &wide).object(&wide);
            let draft = ["client_id", "redirect_uri", "scopes", "challenge", "more", "and more"]
                .into_iter()
                .fold(draft, |draft, key| draft.with(key, wide.as_str()));
            audit.append(tx, &who, draft)?;
        }
        Ok::<(), Error>(())
    });
    write.await.unwrap();
    for (transport, client) in &desk.clients {
        let rows = pages(client, &AuditFilter::default(), 500).await;
        assert_eq!(numbers(&rows), (1..=510).rev().collect::<Vec<_>>(), "{transport}");
    }
}

#[tokio::test]
async fn a_record_is_told_with_the_hashes_around_it() {
    let desk = Desk::new().await;
    desk.burst(3).await;
    for (transport, client) in &desk.clients {
        let mut previous = "0".repeat(64);
        for seq in 1..=3 {
            let Reply::Record(record) = client.request(Request::Record { seq }).await.unwrap() else { panic!("{transport}") };
            assert_eq!((record.row.seq, &record.previous), (seq, &previous), "{transport}");
            previous = record.hash.clone();
        }
        assert_eq!(previous, desk.fixture.base.audit.head().await.unwrap().hash.hex(), "{transport}");
        for seq in [0, 4, -1, i64::MIN, i64::MAX] {
            assert_eq!(reason(client.request(Request::Record { seq }).await.unwrap()), "not_found", "{transport} {seq}");
        }
    }
    let gap = desk.fixture.base.store.write(|tx| tx.run("DELETE FROM audit WHERE seq = 1", [])).await;
    gap.unwrap();
    assert_eq!(reason(desk.clients[0].1.request(Request::Record { seq: 2 }).await.unwrap()), "unavailable");
}

#[tokio::test]
async fn a_connection_is_told_with_its_tools_its_records_and_who_approved_it() {
    let desk = Desk::new().await;
    let approve = async |redirect: &str| {
        let draft = Draft::ok(Kind::AuthorizationApproved)
            .object("dots")
            .with("client_id", "https://client.example/id")
            .with("redirect_uri", redirect);
        let who = Principal::Passkey { id: "0123\u{202e}".to_owned() };
        desk.fixture.base.audit.record(&who, draft).await.unwrap();
    };
    approve("http://127.0.0.1/old").await;
    desk.fixture.pass(Duration::from_secs(24 * 60 * 60));
    approve("http://127.0.0.1/back").await;
    let grant = desk.grant("dots", "Dots").await;
    let call = async |draft: Draft| desk.fixture.base.audit.record(&Principal::System, draft).await.unwrap();
    let id = GrantId(grant.clone());
    call(Draft::ok(Kind::ToolCalled).object("Ancient").grant(&id)).await;
    desk.fixture.pass(Duration::from_secs(8 * 24 * 60 * 60));
    for object in ["GetMemory topics/a.md", "GetMemory topics/b.md", "GetContext"] {
        call(Draft::ok(Kind::ToolCalled).object(object).grant(&id)).await;
    }
    call(Draft::refused(Kind::ToolCalled, "insufficient_scope").object("GetMemory x").grant(&id)).await;
    call(Draft::ok(Kind::ToolCalled).object("Other").grant(&GrantId("another".to_owned()))).await;
    for (transport, client) in &desk.clients {
        let asked = client.request(Request::Connection { grant: grant.clone() }).await.unwrap();
        let Reply::Connection(detail) = asked else { panic!("{transport}: {asked:?}") };
        assert_eq!(detail.resource, "http://localhost:7420/mcp", "{transport}");
        assert_eq!(detail.public_url, "http://localhost:7420", "{transport}");
        assert_eq!(detail.redirect_uri.as_deref(), Some("http://127.0.0.1/back"), "{transport}: the day before is too early");
        assert_eq!(detail.approved_by.as_deref(), Some("0123⟨U+202E⟩"), "{transport}: a passkey that is gone is its id");
        let used = |name: &str, calls, failed| ToolUse { name: name.to_owned(), calls, failed };
        assert_eq!(detail.tools, [used("GetMemory", 3, 1), used("GetContext", 1, 0)], "{transport}");
        assert_eq!(numbers(&detail.recent), [8, 7, 6, 5, 4, 3], "{transport}");
        let unknown = Request::Connection { grant: "another".to_owned() };
        assert_eq!(reason(client.request(unknown).await.unwrap()), "not_found", "{transport}");
    }
}

#[tokio::test]
async fn of_two_approvals_that_differ_none_is_told() {
    let desk = Desk::new().await;
    for redirect in ["http://127.0.0.1/one", "http://127.0.0.1/other"] {
        let draft = Draft::ok(Kind::AuthorizationApproved)
            .object("dots")
            .with("client_id", "https://client.example/id")
            .with("redirect_uri", redirect);
        desk.fixture.base.audit.record(&Principal::Passkey { id: "0123".to_owned() }, draft).await.unwrap();
    }
    let grant = desk.grant("dots", "Dots").await;
    let Reply::Connection(detail) = desk.clients[0].1.request(Request::Connection { grant }).await.unwrap() else { panic!() };
    assert_eq!((detail.redirect_uri, detail.approved_by), (None, None));
}

/// A subscriber that lagged pages back to what it saw last: together that is everything, once.
#[tokio::test]
async fn what_a_subscriber_missed_is_found_by_paging_back_to_what_it_saw() {
    let desk = Desk::new().await;
    let client = &desk.clients[1].1;
    let (snapshot, mut notices) = client.subscribe().await.unwrap();
    for _ in 0..40 {
        desk.burst(100).await;
    }
    let (mut seen, mut told) = (snapshot.seq, Vec::new());
    while seen < 4_000 {
        match next(&mut notices).await {
            Notice::Recorded(row) if row.seq > seen => {
                seen = row.seq;
                told.push(row.seq);
            }
            Notice::Lagged(_) => {
                let missed: Vec<i64> = pages_since(client, seen).await;
                seen = *missed.last().unwrap();
                told.extend(missed);
            }
            _ => {}
        }
    }
    assert_eq!(told, (1..=4_000).collect::<Vec<_>>());
}

async fn pages_since(client: &Client, seen: i64) -> Vec<i64> {
    let mut rows = numbers(&pages(client, &AuditFilter::default(), 500).await);
    rows.retain(|seq| *seq > seen);
    rows.reverse();
    rows
}

async fn journal(client: &Client, query: JournalQuery) -> JournalPage {
    match client.request(Request::Journal(query)).await.unwrap() {
        Reply::Journal(page) => page,
        other => panic!("{other:?}"),
    }
}

fn told(outcome: &str) -> Experience {
    Experience {
        conversation: "c1".to_owned(),
        board_rev: "0123456789abcdef".to_owned(),
        said: "hello\nthere\u{1b}[2J".to_owned(),
        from: None,
        did: "answered".to_owned(),
        outcome: outcome.to_owned(),
        artifact: None,
        model: Some("a model".to_owned()),
    }
}

#[tokio::test]
async fn the_journal_is_paged_backwards_and_narrowed() {
    let desk = Desk::new().await;
    for n in 0..60 {
        desk.tell(["dots", "notes"][n % 2], told(&n.to_string())).await;
        desk.fixture.pass(Duration::from_secs(60));
    }
    for (transport, client) in &desk.clients {
        let ask = async |most: u32, query: JournalQuery| {
            let (mut outcomes, mut before) = (Vec::new(), None);
            loop {
                let page = journal(client, JournalQuery { before, most, ..query.clone() }).await;
                outcomes.extend(page.entries.into_iter().map(|entry| entry.outcome));
                match page.next {
                    Some(next) => before = Some(next),
                    None => return outcomes,
                }
            }
        };
        let numbers = |range: std::ops::Range<usize>, step: usize| -> Vec<String> {
            range.rev().step_by(step).map(|n| n.to_string()).collect()
        };
        for most in [1, 7, 25, 26, 500] {
            assert_eq!(ask(most, JournalQuery::default()).await, numbers(0..60, 1), "{transport} {most}");
        }
        let source = JournalQuery { source: Some("notes".to_owned()), ..JournalQuery::default() };
        assert_eq!(ask(4, source).await, numbers(0..60, 2), "{transport}");
        let since = JournalQuery { since: Some("2026-12-01T10:20:00.000Z".to_owned()), ..JournalQuery::default() };
        assert_eq!(ask(4, since).await, numbers(50..60, 1), "{transport}");
        let kind = JournalQuery { kind: Some("mail".to_owned()), ..JournalQuery::default() };
        assert_eq!(ask(4, kind).await, Vec::<String>::new(), "{transport}");
        let unreadable = JournalQuery { since: Some("noon".to_owned()), ..JournalQuery::default() };
        assert_eq!(reason(client.request(Request::Journal(unreadable)).await.unwrap()), "invalid_request", "{transport}");
    }
    let newest = journal(&desk.clients[0].1, JournalQuery { most: 1, ..JournalQuery::default() }).await.entries.remove(0);
    assert_eq!((newest.said.as_str(), newest.kind.as_str()), ("hello\nthere⟨U+001B⟩[2J", "external.record"));
    assert_eq!((newest.source.as_str(), newest.session_key.as_str()), ("notes", "notes:c1"));
    assert_eq!((newest.model.as_deref(), newest.from), (Some("a model"), None));
}

#[tokio::test]
async fn texts_of_half_a_megabyte_are_cut_visibly_and_their_pages_fit_a_frame() {
    let desk = Desk::new().await;
    let wide = "\u{1f980}".repeat(130_000);
    for n in 0..40 {
        let long =
            Experience { said: wide.clone(), did: format!("{n}{wide}"), from: Some("\u{202e}".repeat(9_000)), ..told("done") };
        desk.tell("dots", long).await;
    }
    let (mut found, mut before) = (0, None);
    loop {
        let page = journal(&desk.clients[1].1, JournalQuery { before, most: 500, ..JournalQuery::default() }).await;
        found += page.entries.len();
        for entry in page.entries {
            assert!(entry.said.chars().count() == 4_000 && entry.said.ends_with('…'));
            assert!(entry.from.is_some_and(|from| from.chars().count() == 4_000 && !crate::text::has_hidden(&from)));
        }
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(found, 40);
}
