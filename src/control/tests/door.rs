//! What needs the authorization server: what waits, client documents, tickets. And what strangers, who open as many pages as they like,
//! cannot do to it.

use serde_json::{Value, json};
use tokio::time::Instant;

use super::*;
use crate::control::authorizations::LISTED;
use crate::passkeys::CeremonyKind;
use crate::testing::enroll;

/// Longest address a request may name.
const LONG: usize = 2048;

fn request(client_id: &str) -> Value {
    json!({
        "client": { "kind": "external" },
        "client_id": client_id,
        "redirect_uri": format!("https://client.example/{}", "b".repeat(LONG - 30)),
        "state": null,
        "code_challenge": "x",
        "scopes": ["memory:read"],
        "resource": "http://localhost:7420/mcp",
    })
}

impl Desk {
    /// Opens pages, all in one commit.
    async fn open_pages(&self, requests: Vec<Value>) {
        let passkeys = self.passkeys.clone();
        let opened = self.fixture.base.store.write(move |tx| {
            for request in &requests {
                passkeys.begin_assertion(tx, CeremonyKind::Authorize, request)?.expect("a passkey");
            }
            Ok::<(), Error>(())
        });
        opened.await.unwrap();
    }
}

/// The next list of what waits, and how many wait besides.
async fn waiting(notices: &mut Notices) -> (Vec<Waiting>, usize) {
    loop {
        match next(notices).await {
            Notice::Waiting { list, more } => return (list, more),
            Notice::Lagged(lost) => panic!("{lost} notices were lost"),
            _other => {}
        }
    }
}

#[tokio::test]
async fn strangers_with_long_addresses_end_no_subscription_and_hide_no_newest_page() {
    let desk = Desk::new().await;
    let _owner = enroll(&desk.fixture, &desk.passkeys).await;
    let most = desk.fixture.base.config.limits.challenges;
    let mut subscribed = Vec::new();
    for (transport, client) in &desk.clients {
        subscribed.push((transport, client.subscribe().await.unwrap().1));
    }
    let long = format!("https://client.example/{}", "a".repeat(LONG - 30));
    let mut pages = vec![request(&long); most - 1];
    pages.push(request("https://newest.example/id"));
    desk.open_pages(pages).await;
    for (transport, notices) in &mut subscribed {
        let (list, more) = waiting(notices).await;
        assert_eq!((list.len(), more), (LISTED, most - LISTED), "{transport}");
        assert_eq!(list.last().unwrap().client_id, "https://newest.example/id", "{transport}");
        assert!(list.iter().all(|waiting| waiting.client_id.chars().count() <= 512), "{transport}");
    }
    for (transport, client) in &desk.clients {
        let (snapshot, mut notices) = client.subscribe().await.unwrap();
        let counts = (snapshot.waiting.len(), snapshot.more_waiting, snapshot.status.waiting);
        assert_eq!(counts, (LISTED, most - LISTED, most), "{transport}");
        desk.record("after").await;
        assert!(matches!(next(&mut notices).await, Notice::Recorded(_)), "{transport}");
    }
}

#[tokio::test]
async fn a_burst_of_pages_is_told_a_few_times_a_second() {
    let desk = Desk::new().await;
    let _owner = enroll(&desk.fixture, &desk.passkeys).await;
    let begun = Instant::now();
    let (_, mut notices) = desk.clients[0].1.subscribe().await.unwrap();
    for n in 0..LISTED {
        desk.open_pages(vec![request(&format!("https://client.example/{n}"))]).await;
    }
    let mut told = 1;
    while waiting(&mut notices).await.0.len() < LISTED {
        told += 1;
    }
    let looks = begun.elapsed().as_millis() / 250 + 1;
    assert!(told <= looks, "{told} lists in {looks} quarters of a second");
}

#[tokio::test]
async fn a_page_that_cannot_be_read_hides_no_other() {
    let desk = Desk::new().await;
    let _owner = enroll(&desk.fixture, &desk.passkeys).await;
    let (first, other) = (request("https://client.example/id"), request("https://client.example/other"));
    desk.open_pages(vec![first.clone(), json!({ "written": "by another version" }), first, other]).await;
    let damage = "UPDATE ceremonies SET binding = 'not JSON' WHERE rowid = (SELECT min(rowid) FROM ceremonies)";
    desk.fixture.base.store.write(move |tx| tx.run(damage, [])).await.unwrap();
    for (transport, client) in &desk.clients {
        let (snapshot, _) = client.subscribe().await.unwrap();
        let listed: Vec<&str> = snapshot.waiting.iter().map(|waiting| waiting.client_id.as_str()).collect();
        assert_eq!(listed, ["https://client.example/id", "https://client.example/other"], "{transport}");
    }
}

#[tokio::test]
async fn what_waits_can_be_denied_once() {
    let desk = Desk::new().await;
    let _owner = enroll(&desk.fixture, &desk.passkeys).await;
    for (transport, client) in &desk.clients {
        let (_, mut notices) = client.subscribe().await.unwrap();
        desk.open_pages(vec![request("https://client.example/id")]).await;
        let (list, _) = waiting(&mut notices).await;
        let deny = Request::Deny { id: list[0].id.clone() };
        assert_eq!(client.request(deny.clone()).await.unwrap(), Reply::Done, "{transport}");
        assert_eq!(waiting(&mut notices).await, (Vec::new(), 0), "{transport}");
        assert_eq!(reason(client.request(deny).await.unwrap()), "not_found", "{transport}");
    }
}

#[tokio::test]
async fn what_waited_too_long_is_told_by_itself() {
    let desk = Desk::new().await;
    let _owner = enroll(&desk.fixture, &desk.passkeys).await;
    let lifetime = desk.fixture.base.config.limits.challenge_lifetime;
    for (transport, client) in &desk.clients {
        desk.open_pages(vec![request("https://client.example/id")]).await;
        desk.fixture.pass(lifetime - Duration::from_millis(300));
        let (snapshot, mut notices) = client.subscribe().await.unwrap();
        assert_eq!(snapshot.waiting.len(), 1, "{transport}");
        desk.fixture.pass(Duration::from_millis(300));
        assert_eq!(waiting(&mut notices).await, (Vec::new(), 0), "{transport}");
    }
}

#[tokio::test]
async fn a_client_document_is_kept_listed_and_removed() {
    let desk = Desk::new().await;
    for (transport, client) in &desk.clients {
        let add = |name: &str, uri: &str| Request::ClientAdd { name: name.to_owned(), redirect_uris: vec![uri.to_owned()] };
        let kept = ClientDocument {
            client_id: "http://localhost:7420/clients/helper".to_owned(),
            redirect_uris: vec!["http://127.0.0.1/callback".to_owned()],
        };
        let right = add("helper", "http://127.0.0.1/callback");
        assert_eq!(client.request(right.clone()).await.unwrap(), Reply::Client(kept.clone()), "{transport}");
        for (request, expected) in [
            (right, "exists"),
            (add("no name!", "http://127.0.0.1/callback"), "invalid_name"),
            (add("quarterdeck", "http://127.0.0.1/callback"), "invalid_name"),
            (add("other", "https://elsewhere.example/callback"), "invalid_redirect"),
            (Request::ClientRemove { name: "nobody".to_owned() }, "not_found"),
        ] {
            assert_eq!(reason(client.request(request).await.unwrap()), expected, "{transport}");
        }
        assert_eq!(client.request(Request::ClientList).await.unwrap(), Reply::Clients(vec![kept]), "{transport}");
        let remove = Request::ClientRemove { name: "helper".to_owned() };
        assert_eq!(client.request(remove).await.unwrap(), Reply::Done, "{transport}");
        assert_eq!(client.request(Request::ClientList).await.unwrap(), Reply::Clients(Vec::new()), "{transport}");
    }
}

#[tokio::test]
async fn a_ticket_is_for_the_live_link_only_and_neither_is_shown_by_debug() {
    let desk = Desk::new().await;
    for (transport, client) in &desk.clients {
        let Reply::EnrollLink(link) = client.request(Request::PasskeyAdd).await.unwrap() else { panic!("{transport}") };
        let ask = |url: &str| Request::EnrollTicket { url: SecretUrl(url.to_owned()) };
        let reply = client.request(ask(&link.url)).await.unwrap();
        let Reply::Ticket { url } = &reply else { panic!("{transport}") };
        assert!(url.0.starts_with("http://localhost:7420/enroll?ticket="), "{transport}");
        let shown = format!("{:?} {reply:?} {link:?} {:?}", ask(&link.url), Reply::EnrollLink(link.clone()));
        assert!(!shown.contains("enroll#") && !shown.contains("ticket="), "{transport}: {shown}");
        let other = client.request(ask("http://localhost:7420/enroll#another")).await.unwrap();
        assert_eq!(reason(other), "not_found", "{transport}");
    }
}

/// The passkey's public URL is changed in the store, as if the host had been started under another one.
#[tokio::test]
async fn passkeys_of_another_public_url_are_in_the_full_list_only_and_marked() {
    let desk = Desk::new().await;
    let _owner = enroll(&desk.fixture, &desk.passkeys).await;
    let moved = "UPDATE passkeys SET public_url = 'https://old.example'";
    desk.fixture.base.store.write(move |tx| tx.run(moved, [])).await.unwrap();
    for (transport, client) in &desk.clients {
        let (snapshot, mut notices) = client.subscribe().await.unwrap();
        assert_eq!((snapshot.passkeys.len(), snapshot.status.passkeys), (0, 0), "{transport}");
        let Reply::Passkeys(all) = client.request(Request::PasskeyList).await.unwrap() else { panic!("{transport}") };
        assert_eq!(all[0].elsewhere.as_deref(), Some("https://old.example"), "{transport}");
        desk.fixture.base.audit.record(&Principal::System, Draft::ok(Kind::PasskeyAdded)).await.unwrap();
        loop {
            if let Notice::Passkeys(listed) = next(&mut notices).await {
                break assert_eq!(listed, Vec::new(), "{transport}");
            }
        }
    }
}

#[tokio::test]
async fn a_notice_no_frame_can_hold_is_one_that_was_lost() {
    let (here, there) = tokio::io::duplex(4096);
    let (mut host, mut client) = (Frames::over(here), Frames::over(there));
    let large = Notice::Health(Some("x".repeat(MOST)));
    follow::tell(&mut host, &large).await.unwrap();
    assert_eq!(client.next::<Notice>().await.unwrap(), Some(Notice::Lagged(1)));
}
