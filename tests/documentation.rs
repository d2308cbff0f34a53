//! What `docs/commands.md` says of the commands' JSON is what the binary prints.

mod harness;

use std::collections::BTreeMap;

use harness::deck::Deck;
use harness::scene::Scene;
use serde_json::{Value, json};

/// What a key says of itself: its type, and whether it is always there.
struct Key {
    kinds: Vec<String>,
    always: bool,
}

type Table = BTreeMap<String, Key>;

/// The tables of keys, each by the heading it stands under without the arguments in it.
fn documented() -> BTreeMap<String, Table> {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/commands.md")).unwrap();
    let sections = page.split("\n## ").skip(1);
    sections.map(|section| (verb(section.lines().next().unwrap()), table(section))).collect()
}

fn verb(heading: &str) -> String {
    let words = heading.split(' ').take_while(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()));
    words.collect::<Vec<_>>().join(" ")
}

fn table(section: &str) -> Table {
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let mut cells = row.trim_end_matches(" |").split(" | ");
        let key = cells.next().unwrap().trim_end_matches('`').to_owned();
        let kinds = cells.next().unwrap().split(" or ").map(str::to_owned).collect();
        let meaning = cells.next().unwrap();
        (key, Key { kinds, always: !meaning.contains("not there while") && !meaning.starts_with("only of") })
    })
    .collect()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(items) if items.first().is_some_and(Value::is_object) => "array of objects",
        Value::Array(items) if items.first().is_some_and(Value::is_number) => "array of numbers",
        Value::Array(_) => "array of strings",
        Value::Object(_) => "object",
    }
}

/// Checks one object: every key of it is in the table with its type, and every key of the table that is always there is in it.
fn check(verb: &str, table: &Table, printed: &Value) {
    let printed = printed.as_object().unwrap_or_else(|| panic!("{verb}: {printed}"));
    for (name, value) in printed {
        let key = table.get(name).unwrap_or_else(|| panic!("{verb}: {name} is not documented"));
        let empty = value.as_array().is_some_and(Vec::is_empty);
        let fits = |one: &String| one == kind(value) || (empty && one.starts_with("array of "));
        assert!(key.kinds.iter().any(fits), "{verb}: {name} is {value}, not {:?}", key.kinds);
    }
    for (name, _) in table.iter().filter(|(_, key)| key.always) {
        assert!(printed.contains_key(name), "{verb}: {name} is documented and not printed");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_documented_keys_and_types_are_those_the_binary_prints() {
    let mut documented = documented();
    let (scene, local) = (Scene::new().await, Deck::start(&[]));
    let (copy, export) = (scene.deck.dir.path().join("copy.db"), scene.deck.dir.path().join("audit.jsonl"));
    scene.wire.record(&scene.token, "documented").await.unwrap();
    let passkey = scene.deck.json(&["passkey", "list"])[0]["id"].as_str().unwrap().to_owned();
    for arguments in [
        &["status"][..],
        &["connections"],
        &["scopes", "dots"],
        &["passkey", "add"],
        &["passkey", "list"],
        &["client", "add", "notes", "--redirect", "http://127.0.0.1/a"],
        &["client", "list"],
        &["client", "remove", "notes"],
        &["revoke", "dots"],
        &["passkey", "remove", &passkey],
        &["audit", "--limit", "1"],
        &["audit", "export", export.to_str().unwrap()],
        &["audit", "verify"],
        &["journal"],
        &["backup", copy.to_str().unwrap()],
        &["config", "check"],
        &["doctor"],
        &["stop"],
    ] {
        // The doctor asks the public URL who it is, and that of the scene is nobody's.
        let deck = if arguments[0] == "doctor" { &local } else { &scene.deck };
        let (mut printed, mut verb) = (deck.json(arguments), arguments[0].to_owned());
        if !documented.contains_key(&verb) {
            verb = format!("{verb} {}", arguments[1]);
        }
        if let Value::Array(items) = printed {
            printed = items.into_iter().next().unwrap_or_else(|| panic!("{verb}: nothing to check"));
        }
        let table = documented.remove(&verb).unwrap_or_else(|| panic!("{verb} is not documented"));
        check(&verb, &table, &printed);
    }
    assert!(documented.is_empty(), "documented and not there: {:?}", documented.keys());
}

#[test]
fn the_page_is_read_as_it_is_meant() {
    let documented = documented();
    assert!(!documented["status"]["failing"].always && documented["status"]["version"].always);
    check("audit verify", &documented["audit verify"], &json!({ "result": "truncated", "seq": 3, "remembered": 7 }));
    assert_eq!(verb("client add NAME --redirect URI"), "client add");
}
