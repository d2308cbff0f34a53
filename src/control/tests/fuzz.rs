//! Frames of any kind: each is answered or ends its conversation, and the host goes on.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::frame::encoded;
use super::*;
use crate::testing::any_scalar;

/// Everything that can be asked, but the end of the host.
const REQUESTS: [&str; 18] = [
    "subscribe",
    "status",
    "connections",
    "revoke",
    "deny",
    "passkey_add",
    "enroll_ticket",
    "passkey_list",
    "passkey_remove",
    "client_add",
    "client_list",
    "client_remove",
    "audit",
    "record",
    "connection",
    "journal",
    "scopes_page",
    "backup",
];
const FIELDS: [&str; 14] = [
    "name",
    "grant",
    "id",
    "url",
    "redirect_uris",
    "filter",
    "before",
    "most",
    "seq",
    "path",
    "since",
    "types",
    "limit",
    "request",
];

fn anything() -> impl Strategy<Value = Value> {
    let places = prop::sample::select(vec!["/nowhere/at/all", "http://127.0.0.1:1/callback"]);
    let leaf = any_scalar(prop_oneof![any::<String>(), places.prop_map(str::to_owned)]);
    leaf.prop_recursive(3, 12, 4, |inner| {
        let key = prop_oneof![prop::sample::select(FIELDS.to_vec()).prop_map(str::to_owned), ".{0,6}"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..4).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Something like a request, or any JSON, or any bytes.
fn frame() -> impl Strategy<Value = Vec<u8>> {
    let fields = prop::collection::btree_map(prop::sample::select(FIELDS.to_vec()), anything(), 0..5);
    let request = (prop::sample::select(REQUESTS.to_vec()), fields).prop_map(|(request, fields)| {
        let fields = fields.into_iter().map(|(key, value)| (key.to_owned(), value));
        let mut message: Map<String, Value> = fields.collect();
        message.insert("request".to_owned(), json!(request));
        Value::Object(message).to_string().into_bytes()
    });
    prop_oneof![
        6 => request,
        2 => anything().prop_map(|value| value.to_string().into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..60),
    ]
}

#[test]
fn whatever_is_in_a_frame_is_answered_or_ends_the_conversation() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let desk = runtime.block_on(Desk::new());
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(400));
    let checked = runner.run(&prop::collection::vec(frame(), 1..4), |frames| {
        let hello = encoded(&Hello::here(None)).unwrap();
        let framed = frames.iter().flat_map(|frame| [&u32::try_from(frame.len()).unwrap().to_be_bytes()[..], frame].concat());
        let sent: Vec<u8> = hello.into_iter().chain(framed).collect();
        runtime.block_on(async {
            let mut peer = desk.raw().await;
            // The host may have hung up before the last of it.
            let _hung_up = peer.write_all(&sent).await;
            let _hung_up = peer.shutdown().await;
            let mut talk = Frames::over(peer);
            let all = async {
                assert!(talk.next::<Hello>().await.unwrap().is_some());
                while let Ok(Some(_reply_or_notice)) = talk.next::<Value>().await {}
            };
            tokio::time::timeout(SOON, all).await.expect("the host hangs up in time");
            assert!(matches!(desk.clients[1].1.request(Request::Status).await.unwrap(), Reply::Status(_)));
        });
        Ok(())
    });
    checked.unwrap();
    let dir = desk.fixture.dir.path();
    assert!(matches!(offline::verify(dir, &dir.join("head.json")).unwrap(), offline::Verified::Intact { .. }));
}
