//! What is answered without the protocol library, and what is left to it.

use http::{HeaderMap, HeaderName};
use serde_json::{Value, json};

use super::Deck;
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
    let changes: [(&str, Change); 9] = [
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
    let (_, body) = legacy();
    assert!(!taken(&registry, &(Vec::new(), body)), "no version is named");
}
