//! The contract of the control protocol, the same over both transports.

mod deciding;
mod door;
mod filter;
mod fuzz;
mod memory;
mod records;
mod scopes;
mod stopping;
mod talking;

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio_util::sync::CancellationToken;

use super::frame::{Frames, MOST};
use super::*;
use crate::access::{Access, GrantHooks, NewGrant, Principal, Scopes};
use crate::audit::{Draft, Kind};
use crate::http::{Bounds, Outbound, PeerLimit, Proxies, Services, assistants};
use crate::knowledge::Knowledge;
use crate::mcp::Mcp;
use crate::oauth::Oauth;
use crate::passkeys::Passkeys;
use crate::store::Error;
use crate::testing::Fixture;

/// How long a test waits for what must happen.
const SOON: Duration = Duration::from_secs(10);

/// A served host with one client per transport.
struct Desk {
    fixture: Fixture,
    access: Access,
    passkeys: Passkeys,
    /// The assistants' door of the same host.
    routes: axum::Router,
    clients: Vec<(&'static str, Client)>,
    stop: CancellationToken,
    asked: CancellationToken,
    serving: tokio::task::JoinHandle<()>,
}

impl Desk {
    async fn new() -> Desk {
        let fixture = Fixture::new();
        let access = Access::new(&fixture.base, None, GrantHooks::default());
        let passkeys = Passkeys::new(&fixture.base, access.clone()).unwrap();
        let control = Control::bind(fixture.dir.path()).unwrap();
        let channel = control.client();
        let oauth = Oauth::new(&fixture.base, access.clone(), passkeys.clone(), Outbound::new(&fixture.base.config));
        let listen = vec!["127.0.0.1:7420".parse().unwrap()];
        let service = Service::new(&fixture.base, access.clone(), passkeys.clone(), listen).with_oauth(oauth.clone());
        let mcp = Mcp::new(&fixture.base, access.clone(), Knowledge::new(&fixture.base));
        let services = oauth.zip(mcp).map(|(oauth, mcp)| Services {
            passkeys: passkeys.clone(),
            oauth,
            mcp,
            peers: PeerLimit::new(Proxies::new(&[])),
        });
        let routes = assistants(services, Bounds { request_bytes: 1 << 20, request_timeout: SOON });
        let (stop, asked) = (CancellationToken::new(), service.asked_to_stop());
        let serving = tokio::spawn(control.serve(service, stop.clone()));
        let socket = Client::connect(fixture.dir.path()).await.unwrap();
        Desk { fixture, access, passkeys, routes, clients: vec![("channel", channel), ("socket", socket)], stop, asked, serving }
    }

    async fn grant(&self, name: &str, client_name: &str) -> String {
        let (access, new) = (self.access.clone(), new_grant(name, client_name));
        let issued = self.fixture.base.store.write(move |tx| access.issue(tx, &Principal::System, new)).await;
        let issued: Result<_, Error> = issued;
        issued.unwrap().grant.id.0
    }

    async fn record(&self, object: &str) {
        self.fixture.base.audit.record(&Principal::System, Draft::ok(Kind::McpRequest).object(object)).await.unwrap();
    }

    /// Many long records, committed together.
    async fn burst(&self, many: usize) {
        let audit = self.fixture.base.audit.clone();
        let write = self.fixture.base.store.write(move |tx| {
            for _ in 0..many {
                audit.append(tx, &Principal::System, Draft::ok(Kind::McpRequest).object(&"x".repeat(120)))?;
            }
            Ok::<(), Error>(())
        });
        write.await.unwrap();
    }

    async fn raw(&self) -> UnixStream {
        UnixStream::connect(self.fixture.dir.path().join("control.sock")).await.unwrap()
    }
}

fn new_grant(name: &str, client_name: &str) -> NewGrant {
    NewGrant {
        name: name.to_owned(),
        client_id: "https://client.example/id".to_owned(),
        client_name: Some(client_name.to_owned()),
        scopes: Scopes::parse_stored("context:read memory:read"),
        resource: "http://localhost:7420/mcp".to_owned(),
        approval: None,
    }
}

async fn next(notices: &mut Notices) -> Notice {
    tokio::time::timeout(SOON, notices.next()).await.expect("a notice in time").expect("a notice")
}

async fn ended(stream: &mut (impl AsyncRead + Unpin)) -> bool {
    let mut rest = Vec::new();
    let read = tokio::time::timeout(SOON, stream.read_to_end(&mut rest)).await.expect("the host hangs up in time");
    read.is_ok() || read.is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionReset)
}

fn reason(reply: Reply) -> String {
    match reply {
        Reply::Refused(refusal) => refusal.reason,
        other => panic!("{other:?} is not a refusal"),
    }
}

#[tokio::test]
async fn status_says_how_the_host_is() {
    let desk = Desk::new().await;
    desk.grant("dots", "Dots").await;
    desk.fixture.pass(Duration::from_secs(90));
    for (transport, client) in &desk.clients {
        let Reply::Status(status) = client.request(Request::Status).await.unwrap() else { panic!("{transport}") };
        let expected = Status {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            public_url: Some("http://localhost:7420".to_owned()),
            listen: vec!["127.0.0.1:7420".to_owned()],
            state_dir: desk.fixture.dir.path().to_owned(),
            host: "embedded".to_owned(),
            passkeys: 0,
            connections: 1,
            waiting: 0,
            uptime_s: 90,
            failing: None,
        };
        assert_eq!(status, expected, "{transport}");
    }
}

#[tokio::test]
async fn a_subscriber_gets_everything_and_then_only_what_is_new_in_order() {
    let desk = Desk::new().await;
    desk.record("before").await;
    for (transport, client) in &desk.clients {
        let (snapshot, mut notices) = client.subscribe().await.unwrap();
        let last = snapshot.activity.last().unwrap();
        assert_eq!(snapshot.seq, last.seq, "{transport}");
        desk.record("after").await;
        let Notice::Recorded(row) = next(&mut notices).await else { panic!("{transport}") };
        assert_eq!((row.seq, row.object.as_deref()), (snapshot.seq + 1, Some("after")), "{transport}");

        let grant = desk.grant(transport, "Dots").await;
        let Notice::Recorded(row) = next(&mut notices).await else { panic!("{transport}") };
        assert_eq!((row.kind.as_str(), row.grant), ("grant.issued", Some(grant)), "{transport}");
        let Notice::Connections(connections) = next(&mut notices).await else { panic!("{transport}") };
        assert!(connections.iter().any(|connection| connection.name == *transport));
    }
}

#[tokio::test]
async fn between_snapshot_and_notices_nothing_is_lost_and_nothing_comes_twice() {
    let desk = Desk::new().await;
    for (transport, client) in &desk.clients {
        let audit = desk.fixture.base.audit.clone();
        let writing = tokio::spawn(async move {
            for n in 0..200 {
                let draft = Draft::ok(Kind::McpRequest).object(&n.to_string());
                audit.record(&Principal::System, draft).await.unwrap();
            }
        });
        tokio::task::yield_now().await;
        let (snapshot, mut notices) = client.subscribe().await.unwrap();
        writing.await.unwrap();
        let end = desk.fixture.base.audit.head().await.unwrap().seq;
        for expected in snapshot.seq + 1..=end {
            let Notice::Recorded(row) = next(&mut notices).await else { panic!("{transport}") };
            assert_eq!(row.seq, expected, "{transport}");
        }
    }
}

#[tokio::test]
async fn revoke_ends_the_connection_and_tells_what_it_ended() {
    let desk = Desk::new().await;
    for (transport, client) in &desk.clients {
        let grant = desk.grant("dots", "Dots").await;
        let other = Request::Revoke { name: "dots".to_owned(), grant: Some("another".to_owned()) };
        assert_eq!(reason(client.request(other).await.unwrap()), "not_found", "{transport}");
        let request = Request::Revoke { name: "dots".to_owned(), grant: Some(grant) };
        let Reply::Revoked(revoked) = client.request(request.clone()).await.unwrap() else { panic!("{transport}") };
        assert_eq!((revoked.name.as_str(), revoked.client_id.as_deref()), ("dots", Some("https://client.example/id")));
        assert_eq!(reason(client.request(request).await.unwrap()), "not_found", "{transport}");
        assert_eq!(client.request(Request::Connections).await.unwrap(), Reply::Connections(Vec::new()), "{transport}");
    }
}

#[tokio::test]
async fn the_audit_names_the_command_or_the_terminal_that_acted() {
    let desk = Desk::new().await;
    for (transport, client) in &desk.clients {
        let terminal = TerminalName { tty: "pts/3\u{1b}[2J".to_owned(), ssh: Some("192.0.2.7".to_owned()) };
        let actors = [
            (client.clone(), format!("command:{}", socket::own_uid())),
            (client.clone().at_terminal(terminal), "terminal:pts/3⟨U+001B⟩[2J from 192.0.2.7".to_owned()),
        ];
        for (client, actor) in actors {
            client.request(Request::PasskeyAdd).await.unwrap();
            let newest = desk.fixture.base.audit.page(i64::MAX, 1).await.unwrap();
            assert_eq!(newest[0].record.actor, actor, "{transport}");
        }
    }
}

#[tokio::test]
async fn a_link_is_made_and_an_unknown_passkey_is_not_found() {
    let desk = Desk::new().await;
    for (transport, client) in &desk.clients {
        let Reply::EnrollLink(link) = client.request(Request::PasskeyAdd).await.unwrap() else { panic!("{transport}") };
        assert!(link.url.starts_with("http://localhost:7420/enroll#"), "{transport}");
        assert_eq!(link.expires_at, "2026-12-01T09:40:00.000Z");
        assert_eq!(client.request(Request::PasskeyList).await.unwrap(), Reply::Passkeys(Vec::new()));
        let remove = Request::PasskeyRemove { id: "0123".to_owned() };
        assert_eq!(reason(client.request(remove).await.unwrap()), "not_found", "{transport}");
    }
}

#[tokio::test]
async fn a_backup_is_a_private_file_and_never_overwrites_one() {
    let desk = Desk::new().await;
    for (transport, client) in &desk.clients {
        let path = desk.fixture.dir.path().join(format!("{transport}.copy"));
        let Reply::BackedUp { bytes, .. } = client.request(Request::Backup { path: path.clone() }).await.unwrap() else {
            panic!("{transport}")
        };
        let written = std::fs::metadata(&path).unwrap();
        assert_eq!((written.len(), written.permissions().mode() & 0o777), (bytes, 0o600), "{transport}");
        assert_eq!(reason(client.request(Request::Backup { path }).await.unwrap()), "target", "{transport}");
        let relative = Request::Backup { path: "copy".into() };
        assert_eq!(reason(client.request(relative).await.unwrap()), "invalid_request", "{transport}");
    }
}

#[tokio::test]
async fn what_a_client_calls_itself_is_marked_and_cut() {
    let desk = Desk::new().await;
    desk.grant("dots", &format!("\u{1b}[31mred\u{202e}{}", "x".repeat(10_000))).await;
    for (transport, client) in &desk.clients {
        let Reply::Connections(connections) = client.request(Request::Connections).await.unwrap() else { panic!("{transport}") };
        let name = connections[0].client_name.clone().unwrap();
        assert!(name.starts_with("⟨U+001B⟩[31mred⟨U+202E⟩xxx"), "{transport}: {name}");
        assert_eq!((name.chars().count(), name.ends_with('…')), (120, true), "{transport}");
    }
}

#[tokio::test]
async fn a_subscriber_that_does_not_read_is_told_how_much_it_lost_and_holds_up_nobody() {
    let desk = Desk::new().await;
    for (transport, client) in &desk.clients {
        let (_, mut stuck) = client.subscribe().await.unwrap();
        let (snapshot, mut awake) = client.subscribe().await.unwrap();
        // More than the bus keeps and the stream has room for.
        let burst: i64 = 4000;
        let mut seen = snapshot.seq;
        for _ in 0..burst / 100 {
            desk.burst(100).await;
            while seen < desk.fixture.base.audit.head().await.unwrap().seq {
                let Notice::Recorded(row) = next(&mut awake).await else { panic!("{transport}") };
                assert_eq!(row.seq, seen + 1, "{transport}");
                seen = row.seq;
            }
        }
        let (mut lost, mut heard) = (0, 0);
        while lost + heard < burst.unsigned_abs() {
            match next(&mut stuck).await {
                Notice::Lagged(missed) => lost += missed,
                Notice::Recorded(_) => heard += 1,
                other => panic!("{transport}: {other:?}"),
            }
        }
        assert!(lost > 0, "{transport}");
        assert_eq!(lost + heard, burst.unsigned_abs(), "{transport}");
    }
}

#[tokio::test]
async fn a_stop_is_told_and_later_requests_find_nobody() {
    let desk = Desk::new().await;
    let mut subscriptions = Vec::new();
    for (_, client) in &desk.clients {
        subscriptions.push(client.subscribe().await.unwrap().1);
    }
    desk.stop.cancel();
    for notices in &mut subscriptions {
        assert_eq!(next(notices).await, Notice::Stopping);
        assert_eq!(tokio::time::timeout(SOON, notices.next()).await.unwrap(), None);
    }
    desk.serving.await.unwrap();
    for (transport, client) in &desk.clients {
        let error = client.request(Request::Status).await.unwrap_err();
        assert!(matches!(error, ClientError::Stopped), "{transport}: {error:?}");
    }
    let error = Client::connect(desk.fixture.dir.path()).await.err().unwrap();
    assert!(matches!(error, ConnectError::NotRunning(_)), "{error:?}");
}
