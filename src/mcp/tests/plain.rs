//! What is answered without the protocol library, and what is left to it.

use http::{HeaderMap, HeaderName};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::tools::undated;
use super::{Ask, Deck, Said, experience};
use crate::mcp::envelope::Envelope;
use crate::mcp::plain;
use crate::mcp::registry::Registry;

/// A call of the modern era that is right in everything.
fn modern() -> (Vec<(&'static str, &'static str)>, Value) {
    let headers = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "ReadMemory")];
    let meta =
        json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} });
    let params = json!({ "name": "ReadMemory", "arguments": { "path": "a.md" }, "_meta": meta });
    (headers, json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }))
}

fn legacy() -> (Vec<(&'static str, &'static str)>, Value) {
    let params = json!({ "name": "ReadMemory", "arguments": { "path": "a.md" } });
    let body = json!({ "jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": params });
    (vec![("mcp-protocol-version", "2025-11-25")], body)
}

/// Whether it is taken; what is not is left as it was.
fn taken(registry: &Registry, (given, body): &(Vec<(&'static str, &'static str)>, Value)) -> bool {
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        headers.append(HeaderName::from_static(name), value.parse().unwrap());
    }
    let Ok(mut envelope) = Envelope::read(&headers, body.to_string().as_bytes()) else { return false };
    match plain::take(&headers, &mut envelope, registry) {
        Some((name, arguments)) => {
            assert_eq!((name.as_str(), Value::Object(arguments)), ("ReadMemory", json!({ "path": "a.md" })));
            true
        }
        None => {
            assert_eq!(&Value::Object(envelope.message), body, "the library gets it whole");
            false
        }
    }
}

#[tokio::test]
async fn a_call_that_is_right_in_everything_is_taken_and_nothing_else() {
    let deck = Deck::new().await;
    let registry = Registry::new(crate::knowledge::tools(&deck.knowledge));
    assert!(taken(&registry, &modern()) && taken(&registry, &legacy()));
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 12] = [
        ("a result", |body| body["result"] = json!({})),
        ("an error", |body| body["error"] = json!({})),
        ("anything else", |body| body["further"] = json!(1)),
        ("a notification", |body| drop(body.as_object_mut().unwrap().remove("id"))),
        ("another method", |body| body["method"] = json!("tools/list")),
        ("no parameters", |body| drop(body.as_object_mut().unwrap().remove("params"))),
        ("a further parameter", |body| body["params"]["task"] = json!({})),
        ("a name that is none", |body| body["params"]["name"] = json!(7)),
        ("an unknown tool", |body| body["params"]["name"] = json!("ReadNothing")),
        ("arguments that are none", |body| body["params"]["arguments"] = json!([])),
        ("a missing argument", |body| body["params"]["arguments"] = json!({})),
        ("a further argument", |body| body["params"]["arguments"]["x"] = json!(1)),
    ];
    for (what, change) in changes {
        for (headers, mut body) in [modern(), legacy()] {
            change(&mut body);
            assert!(!taken(&registry, &(headers, body)), "{what}");
        }
    }
}

#[tokio::test]
async fn headers_that_say_anything_else_than_the_body_are_left_to_the_library() {
    let deck = Deck::new().await;
    let registry = Registry::new(crate::knowledge::tools(&deck.knowledge));
    for at in 0..3 {
        let (mut headers, body) = modern();
        let left_out = headers.remove(at);
        assert!(!taken(&registry, &(headers.clone(), body.clone())), "without {left_out:?}");
        headers.extend([left_out, left_out]);
        assert!(!taken(&registry, &(headers, body)), "twice {left_out:?}");
    }
    for (name, value) in [("mcp-method", "tools/list"), ("mcp-name", "GetContext"), ("mcp-name", "=?base64?UmVhZE1lbW9yeQ==?=")] {
        let (mut headers, body) = modern();
        headers.retain(|(one, _)| *one != name);
        headers.push((name, value));
        assert!(!taken(&registry, &(headers, body)), "{name}: {value}");
    }
    for key in ["io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"] {
        let (headers, mut body) = modern();
        body["params"]["_meta"].as_object_mut().unwrap().remove(key);
        assert!(!taken(&registry, &(headers, body)), "without {key}");
    }
    for said in [json!([]), json!({ "roots": 5 }), json!({ "experimental": { "x": true } })] {
        let (headers, mut body) = modern();
        body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = said;
        assert!(!taken(&registry, &(headers, body.clone())), "{body}");
    }
    let (_, body) = legacy();
    assert!(!taken(&registry, &(Vec::new(), body)), "no version is named");
}

/// Arguments that a tool takes or nearly takes.
fn arguments() -> impl Strategy<Value = Value> {
    let key = prop::sample::select(vec![
        "path",
        "conversation",
        "date",
        "interval",
        "types",
        "session",
        "show",
        "json",
        "count_only",
        "unfiltered",
        "after",
        "other",
    ]);
    let value = prop_oneof![
        prop::sample::select(vec!["a.md", "../a.md", "2026-12-01", "2h", "evt_0123456789", "", "c1"]).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(Value::Null),
        Just(json!(["external.record"])),
        Just(json!({ "a": 1 })),
    ];
    let map = prop::collection::btree_map(key.prop_map(str::to_owned), value.clone(), 0..4);
    prop_oneof![8 => map.prop_map(|map| Value::Object(map.into_iter().collect())), 1 => value]
}

/// What else a message and its parameters may say, at these places.
fn extras() -> impl Strategy<Value = Vec<(&'static str, Value)>> {
    let extra = prop::sample::select(vec![
        ("/result", json!({})),
        ("/error", json!({ "code": 1, "message": "x" })),
        ("/id", json!("another")),
        ("/id", json!(-7)),
        ("/params/task", json!({})),
        ("/params/_meta/progressToken", json!(7)),
        ("/params/_meta/progressToken", json!({})),
        ("/params/_meta/io.modelcontextprotocol~1clientInfo", json!({ "name": "a", "version": "1" })),
        ("/params/_meta/io.modelcontextprotocol~1clientInfo", json!("a")),
        ("/params/_meta/io.modelcontextprotocol~1clientCapabilities", json!({ "roots": 5 })),
        ("/params/_meta/io.modelcontextprotocol~1clientCapabilities", json!({ "sampling": {} })),
        ("/params/_meta/io.modelcontextprotocol~1logLevel", json!("debug")),
        ("/params/_meta/other", json!([1])),
    ]);
    prop::collection::vec(extra, 0..3)
}

/// Puts `value` at the place that `pointer` names (RFC 6901), making what leads there.
fn put(into: &mut Value, pointer: &str, value: Value) {
    let mut at = into;
    for key in pointer.split('/').skip(1) {
        at = at.as_object_mut().unwrap().entry(key.replace("~1", "/")).or_insert_with(|| json!({}));
    }
    *at = value;
}

/// A call, its answer, and that of a call of which the library gets everything: with a key that it ignores.
fn both(version: &'static str, call: &Value) -> [Ask; 2] {
    let mut further = call.clone();
    put(&mut further, "/params/further", json!(1));
    [call.clone(), further].map(|body| {
        let ask = Ask::post(&body).header("mcp-protocol-version", version);
        match body["params"]["name"].as_str().filter(|_| version == "2026-07-28") {
            Some(name) => ask.header("mcp-method", "tools/call").header("mcp-name", name),
            None => ask,
        }
    })
}

/// Whatever a call says, who answers it makes no difference: not to its status, its id, its error or its result.
#[test]
fn every_call_is_answered_alike_with_and_without_the_library() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let deck = runtime.block_on(Deck::new());
    std::fs::write(deck.fixture.base.config.state_dir.join("memory/a.md"), "a file").unwrap();
    let said = prop::sample::select(vec!["GetContext", "ReadMemory", "ReadEvents", "RecordExperience", "ReadNothing"]);
    let asked = prop_oneof![
        4 => (said, arguments()),
        // Told already: both are answered that it is there.
        1 => Just(("RecordExperience", experience())),
    ];
    let version = prop::sample::select(vec!["2025-06-18", "2025-11-25", "2026-07-28"]);
    runtime.block_on(deck.call("RecordExperience", experience()));
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(500));
    let checked = runner.run(&(version, asked, extras()), |(version, (tool, arguments), extras)| {
        let mut call =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments } });
        if version == "2026-07-28" {
            put(&mut call, "/params/_meta/io.modelcontextprotocol~1protocolVersion", json!(version));
            put(&mut call, "/params/_meta/io.modelcontextprotocol~1clientCapabilities", json!({}));
        }
        extras.into_iter().for_each(|(at, value)| put(&mut call, at, value));
        let [ours, library] = both(version, &call).map(|ask| runtime.block_on(deck.send(ask)));
        let exact = |said: &Said| {
            (said.status, said.body["id"].clone(), said.body["error"]["code"].clone(), said.body["error"]["message"].clone())
        };
        prop_assert_eq!(exact(&ours), exact(&library), "{}", call);
        prop_assert_eq!(undated(&ours.body.to_string()), undated(&library.body.to_string()), "{}", call);
        Ok(())
    });
    checked.unwrap();
}
