//! Answers against the protocol's own JSON schemas, and tools against their own.

use serde_json::{Value, json};

use super::{Ask, Deck, experience};

/// One definition of a version's schema. Nothing is ever fetched.
struct Protocol(Value);

impl Protocol {
    fn of(version: &str) -> Protocol {
        let path = format!("{}/tests/fixtures/mcp-schema/{version}.json", env!("CARGO_MANIFEST_DIR"));
        Protocol(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
    }

    fn check(&self, definition: &str, value: &Value) {
        let place = if self.0.get("$defs").is_some() { "$defs" } else { "definitions" };
        assert!(self.0[place].get(definition).is_some(), "no definition {definition}");
        let mut schema = self.0.clone();
        schema["$ref"] = json!(format!("#/{place}/{definition}"));
        valid(&schema, value, definition);
    }
}

fn valid(schema: &Value, value: &Value, what: &str) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{what}: {errors:?} in {value}");
}

fn calls() -> [(&'static str, Value); 4] {
    [
        ("GetContext", json!({})),
        ("ReadMemory", json!({ "path": "topics/none.md" })),
        ("ReadEvents", json!({ "unfiltered": true })),
        ("RecordExperience", experience()),
    ]
}

#[tokio::test]
async fn modern_answers_are_what_the_protocol_defines() {
    let (deck, protocol) = (Deck::new().await, Protocol::of("2026-07-28"));
    let discover = deck.send(Ask::modern("server/discover", json!({}))).await.body;
    protocol.check("DiscoverResult", &discover["result"]);
    protocol.check("JSONRPCResultResponse", &discover);
    let list = deck.send(Ask::modern("tools/list", json!({}))).await.body;
    protocol.check("ListToolsResult", &list["result"]);
    for (tool, arguments) in calls() {
        let said = deck.send(Ask::modern("tools/call", json!({ "name": tool, "arguments": arguments }))).await.body;
        protocol.check("CallToolResult", &said["result"]);
    }
    let refused = deck.send(Ask::modern("nope", json!({}))).await.body;
    protocol.check("JSONRPCErrorResponse", &refused);
    let wrong = Ask::modern("tools/list", json!({})).header("mcp-method", "tools/call");
    protocol.check("HeaderMismatchError", &deck.send(wrong).await.body);
}

#[tokio::test]
async fn legacy_answers_are_what_each_version_defines() {
    let deck = Deck::new().await;
    for (version, response, error) in
        [("2025-06-18", "JSONRPCResponse", "JSONRPCError"), ("2025-11-25", "JSONRPCResultResponse", "JSONRPCErrorResponse")]
    {
        let protocol = Protocol::of(version);
        let ask = |method: &str, params| Ask::legacy(method, params).header("mcp-protocol-version", version);
        let initialize = deck.send(Ask::initialize(version)).await.body;
        protocol.check("InitializeResult", &initialize["result"]);
        protocol.check(response, &initialize);
        protocol.check("ListToolsResult", &deck.send(ask("tools/list", json!({}))).await.body["result"]);
        for (tool, arguments) in calls() {
            let said = deck.send(ask("tools/call", json!({ "name": tool, "arguments": arguments }))).await.body;
            protocol.check("CallToolResult", &said["result"]);
        }
        protocol.check(error, &deck.send(ask("tools/call", json!({ "name": "nope" }))).await.body);
    }
}

#[tokio::test]
async fn arguments_and_results_are_what_the_tools_own_schemas_say() {
    let deck = Deck::new().await;
    std::fs::write(deck.knowledge.folder().join("topics/none.md"), "there").unwrap();
    let list = deck.send(Ask::legacy("tools/list", json!({}))).await.body;
    for (tool, arguments) in calls() {
        let tools = list["result"]["tools"].as_array().unwrap();
        let listed = tools.iter().find(|listed| listed["name"] == tool).unwrap();
        valid(&listed["inputSchema"], &arguments, tool);
        let result = deck.call(tool, arguments).await;
        assert_eq!(result["isError"], false, "{result}");
        valid(&listed["outputSchema"], &result["structuredContent"], tool);
    }
}
