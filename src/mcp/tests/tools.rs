//! The tools as clients see and call them.

use http::StatusCode;
use serde_json::{Value, json};

use super::{Ask, Deck, experience};
use crate::access::Scope;

const NAMES: [&str; 4] = ["GetContext", "ReadEvents", "ReadMemory", "RecordExperience"];

async fn listed(deck: &Deck) -> Vec<Value> {
    let said = deck.send(Ask::legacy("tools/list", json!({}))).await;
    said.body["result"]["tools"].as_array().unwrap().clone()
}

/// A call of the tool that is right in everything.
fn right(tool: &str) -> Value {
    match tool {
        "GetContext" => json!({ "conversation": "c1" }),
        "ReadEvents" => json!({ "unfiltered": true }),
        "ReadMemory" => json!({ "path": "CLAUDE.md" }),
        _ => experience(),
    }
}

/// A83, changed: the four tools there are, by name.
#[tokio::test]
async fn the_list_describes_every_tool_completely() {
    let deck = Deck::new().await;
    let tools = listed(&deck).await;
    assert_eq!(tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect::<Vec<_>>(), NAMES);
    for tool in &tools {
        let name = tool["name"].as_str().unwrap();
        assert!(!tool["title"].as_str().unwrap().is_empty());
        assert!(!tool["description"].as_str().unwrap().is_empty());
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
        assert_eq!(tool["outputSchema"]["type"], "object");
        let properties = tool["inputSchema"]["properties"].as_object().unwrap();
        for property in properties.values().filter(|property| property["type"] == "string") {
            assert_eq!(property["minLength"], 1, "{name}");
        }
        for forbidden in ["assistant", "client", "source", "force", "worker_token", "store"] {
            assert!(!properties.contains_key(forbidden), "{name} takes {forbidden}");
        }
    }
    let scopes: Vec<Value> = tools.iter().map(|tool| tool["securitySchemes"].clone()).collect();
    let expected = ["context:read", "events:read", "memory:read", "experience:write"];
    assert_eq!(scopes, expected.map(|scope| json!([{ "type": "oauth2", "scopes": [scope] }])));
    let hints: Vec<Value> = tools.iter().map(|tool| tool["annotations"].clone()).collect();
    let reads = json!({ "readOnlyHint": true });
    let adds = json!({ "readOnlyHint": false, "destructiveHint": false, "idempotentHint": false });
    assert_eq!(hints, [reads.clone(), reads.clone(), reads, adds]);
}

/// A call is answered in one way by us and in another by the protocol library: nobody can tell which.
#[tokio::test]
async fn a_plain_call_is_answered_as_the_library_answers_it() {
    for deck in [Deck::new().await, Deck::without(&Scope::ALL).await] {
        std::fs::write(deck.fixture.base.config.state_dir.join("memory/a.md"), "a file").unwrap();
        for make in [Ask::legacy, Ask::modern] {
            for (tool, arguments) in [
                ("GetContext", json!({})),
                ("GetContext", json!({ "conversation": null })),
                ("ReadMemory", json!({ "path": "a.md" })),
                ("ReadMemory", json!({ "path": "none.md" })),
                ("ReadEvents", json!({ "unfiltered": true })),
            ] {
                let plain = json!({ "name": tool, "arguments": arguments });
                let mut library = plain.clone();
                // The library ignores it, and only what is plain altogether is ours.
                library["further"] = json!(1);
                let [plain, library] = [deck.send(make("tools/call", plain)).await, deck.send(make("tools/call", library)).await];
                let bare = |body: &Value| undated(&body.to_string());
                assert_eq!((plain.status, bare(&plain.body)), (library.status, bare(&library.body)), "{tool}");
                assert_eq!(plain.header("content-type"), library.header("content-type"));
            }
        }
    }
}

/// Without the ids and the moments that differ from one call to the next.
pub(super) fn undated(text: &str) -> String {
    text.replace(|c: char| c.is_ascii_digit(), "#").replace(|c: char| ('a'..='f').contains(&c), "#")
}

#[tokio::test]
async fn the_list_holds_what_the_scopes_allow_and_all_of_it_can_be_called() {
    let deck = Deck::without(&[Scope::EventsRead, Scope::ExperienceWrite]).await;
    let names: Vec<Value> = listed(&deck).await.iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["GetContext", "ReadMemory"]);
    for name in names {
        let name = name.as_str().unwrap();
        assert_eq!(deck.call(name, right(name)).await["isError"], false, "{name}");
    }
}

/// A88
#[tokio::test]
async fn a_tool_outside_the_scopes_says_what_to_ask_the_owner_for() {
    for (tool, scope, wire) in [
        ("GetContext", Scope::ContextRead, "context:read"),
        ("ReadEvents", Scope::EventsRead, "events:read"),
        ("ReadMemory", Scope::MemoryRead, "memory:read"),
        ("RecordExperience", Scope::ExperienceWrite, "experience:write"),
    ] {
        let deck = Deck::without(&[scope]).await;
        let result = deck.call(tool, right(tool)).await;
        assert_eq!(result["isError"], true, "{tool}");
        assert_eq!(result.get("structuredContent"), None);
        assert_eq!(result["_meta"]["duoduo/reason"], "insufficient_scope");
        let metadata = "http://localhost:7420/.well-known/oauth-protected-resource/mcp";
        let challenge = format!("Bearer resource_metadata=\"{metadata}\", error=\"insufficient_scope\", scope=\"{wire}\"");
        assert_eq!(result["_meta"]["mcp/www_authenticate"], json!([challenge]));
        assert!(result["content"][0]["text"].as_str().unwrap().contains(wire));
        assert_eq!(deck.fixture.base.store.look(|db| db.all("SELECT id FROM journal", [], |_| Ok(()))).unwrap().len(), 0);
    }
}

/// A84
#[tokio::test]
async fn an_argument_no_tool_takes_stops_the_call() {
    let deck = Deck::new().await;
    for tool in NAMES {
        for extra in ["body", "client", "source", "force"] {
            let mut arguments = right(tool);
            arguments[extra] = json!("x");
            let said = deck.send(Ask::call(tool, arguments)).await;
            assert_eq!((said.status, said.code()), (StatusCode::OK, -32602), "{tool} {extra}");
            let message = said.body["error"]["message"].as_str().unwrap().to_owned();
            assert!(message.starts_with(tool) && message.contains(extra) && message.contains("Nothing was done"), "{message}");
        }
    }
    assert_eq!(deck.fixture.base.store.look(|db| db.all("SELECT id FROM journal", [], |_| Ok(()))).unwrap().len(), 0);
}

#[tokio::test]
async fn arguments_of_the_wrong_form_are_named() {
    let deck = Deck::new().await;
    for (tool, arguments, named) in [
        ("ReadMemory", json!({}), "path"),
        ("ReadMemory", json!({ "path": null }), "path"),
        ("ReadMemory", json!({ "path": "" }), "path"),
        ("ReadMemory", json!({ "path": " \t\n" }), "path"),
        ("ReadMemory", json!({ "path": 7 }), "path"),
        ("ReadMemory", json!({ "path": ["x"] }), "path"),
        ("ReadEvents", json!({ "json": "yes" }), "json"),
        ("ReadEvents", json!({ "types": "external.record" }), "types"),
        ("ReadEvents", json!({ "types": ["a", 1] }), "types"),
        ("ReadEvents", json!({ "types": ["a", " "] }), "types"),
        ("GetContext", json!({ "conversation": "a b" }), "conversation"),
        ("GetContext", json!({ "conversation": "a:b" }), "conversation"),
        ("GetContext", json!({ "conversation": "a\u{2003}b" }), "conversation"),
        ("GetContext", json!({ "conversation": "a\u{1b}[31mb" }), "conversation"),
        ("GetContext", json!({ "conversation": "a\u{202e}b" }), "conversation"),
        ("GetContext", json!({ "conversation": "x".repeat(201) }), "conversation"),
        ("RecordExperience", json!({ "conversation": "c" }), "board_rev"),
        ("ReadMemory", json!([]), "ReadMemory"),
        ("ReadMemory", json!("path"), "ReadMemory"),
    ] {
        let said = deck.send(Ask::call(tool, arguments.clone())).await;
        assert_eq!(said.code(), -32602, "{tool} {arguments}: {}", said.body);
        let message = said.body["error"]["message"].as_str().unwrap();
        assert!(message.contains(tool) && message.contains(named) && message.contains("Nothing was done"), "{message}");
    }
}

#[tokio::test]
async fn wrong_arguments_are_told_before_a_missing_scope() {
    let deck = Deck::without(&[Scope::MemoryRead]).await;
    assert_eq!(deck.send(Ask::call("ReadMemory", json!({}))).await.code(), -32602);
}

#[tokio::test]
async fn optional_arguments_may_be_null_or_left_out() {
    let deck = Deck::new().await;
    assert_eq!(deck.call("GetContext", json!({ "conversation": null })).await["isError"], false);
    let bare = deck.send(Ask::legacy("tools/call", json!({ "name": "GetContext" }))).await;
    assert_eq!(bare.body["result"]["isError"], false);
}

#[tokio::test]
async fn an_unknown_tool_is_a_wrong_parameter() {
    let deck = Deck::new().await;
    for name in ["SendMail", "getcontext", "GetContext ", ""] {
        let said = deck.send(Ask::call(name, json!({}))).await;
        assert_eq!((said.status, said.code()), (StatusCode::OK, -32602), "{name:?}");
    }
    let said = deck.send(Ask::legacy("tools/call", json!({ "arguments": {} }))).await;
    assert_eq!(said.code(), -32602);
}

/// A85
#[tokio::test]
async fn the_context_is_the_board_whole_with_who_and_when() {
    let deck = Deck::new().await;
    let board = std::fs::read_to_string(deck.knowledge.folder().join("CLAUDE.md")).unwrap();
    let rev = crate::digest::Digest::of(board.as_bytes()).hex()[..16].to_owned();
    let result = deck.call("GetContext", json!({ "conversation": "c9" })).await;
    assert_eq!(result["structuredContent"], json!({ "conversation": "c9", "board_rev": rev }));
    let text = result["content"][0]["text"].as_str().unwrap();
    let lines = board.lines().count();
    for part in ["“dots”", "conversation: c9", "2026-12-01", crate::knowledge::CONTRACT, board.as_str()] {
        assert!(text.contains(part), "{part} is missing");
    }
    assert!(text.ends_with(&format!("{board}----- END board lines={lines} rev={rev}\n")));
    let minted = deck.call("GetContext", json!({})).await["structuredContent"]["conversation"].clone();
    let again = deck.call("GetContext", json!({})).await["structuredContent"]["conversation"].clone();
    assert!(uuid::Uuid::parse_str(minted.as_str().unwrap()).is_ok());
    assert_ne!(minted, again);
}

/// A89
#[tokio::test]
async fn a_removed_board_is_a_reason_of_its_own() {
    let deck = Deck::new().await;
    std::fs::remove_file(deck.knowledge.folder().join("CLAUDE.md")).unwrap();
    let result = deck.call("GetContext", json!({})).await;
    assert_eq!(result["isError"], true);
    assert_eq!(result["_meta"]["duoduo/reason"], "no_board");
    assert_eq!(result.get("structuredContent"), None);
}

/// A89
#[tokio::test]
async fn a_refusal_never_says_where_on_the_machine_the_files_are() {
    let deck = Deck::new().await;
    let state = deck.fixture.dir.path().to_str().unwrap().to_owned();
    for path in ["../quarterdeck.db", "/etc/passwd", "topics", "topics/none.md"] {
        let result = deck.call("ReadMemory", json!({ "path": path })).await;
        assert_eq!(result["_meta"]["duoduo/reason"], "daemon_error", "{path}");
        assert_eq!(result.get("structuredContent"), None);
        assert!(!result.to_string().contains(&state), "{result}");
    }
}

/// A86
#[tokio::test]
async fn a_record_is_attributed_by_the_grant() {
    let deck = Deck::new().await;
    let result = deck.call("RecordExperience", experience()).await;
    let receipt = &result["structuredContent"];
    assert_eq!((&receipt["ok"], &receipt["duplicate"]), (&json!(true), &json!(false)));
    assert_eq!(receipt["ts"], "2026-12-01T09:30:00.000Z");
    let id = receipt["event_id"].as_str().unwrap();
    let shown = deck.call("ReadEvents", json!({ "show": id, "json": true })).await;
    let event: Value = serde_json::from_str(shown["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(event["session_key"], "dots:c1");
    assert_eq!(event["source"], json!({ "kind": "dots" }));
    assert_eq!(event["payload"]["client"], json!({ "id": super::CLIENT, "grant": deck.caller.grant }));
    assert_eq!(event["payload"]["text"], "hello");
}

/// A87
#[tokio::test]
async fn reading_answers_the_text_and_names_what_was_read() {
    let deck = Deck::new().await;
    std::fs::write(deck.knowledge.folder().join("topics/travel.md"), "# Travel\n\u{1b}[31m as it is").unwrap();
    let result = deck.call("ReadMemory", json!({ "path": "topics/travel.md" })).await;
    assert_eq!(result["content"], json!([{ "type": "text", "text": "# Travel\n\u{1b}[31m as it is" }]));
    assert_eq!(result["structuredContent"], json!({ "path": "topics/travel.md" }));
    deck.call("RecordExperience", experience()).await;
    let events = deck.call("ReadEvents", json!({ "types": ["external.record"] })).await;
    assert_eq!(events["structuredContent"], json!({}));
    assert!(events["content"][0]["text"].as_str().unwrap().contains("external.record dots:c1: hello"));
}
