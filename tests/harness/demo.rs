//! A host as it is after a busy morning: three assistants that work, one that was never used, one that was refused, one that asks.

use serde_json::json;

use super::attempt::{Attempt, REDIRECT};
use super::scene::{ORIGIN, Scene, start_in};

/// Memory files there are, and what they say.
const MEMORY: [(&str, &str); 3] = [
    ("CLAUDE.md", "# Board\n\nShip the release on Friday.\n"),
    ("notes/release.md", "# Release\n\nThe checklist.\n"),
    ("preferences/travel.md", "# Travel\n\nWindow seat, early trains.\n"),
];

/// The connections, by how many calls each makes.
const ASSISTANTS: [(&str, usize); 4] = [("claude-web", 9), ("codex-ci", 5), ("claude-code", 3), ("cursor-laptop", 0)];

/// Starts it. Its newest records are calls.
pub async fn demo() -> Scene {
    // Not where the caller keeps temporary files: the directory is shown, and its name has always the same width.
    let dir = tempfile::tempdir_in("/tmp").unwrap();
    for (path, text) in MEMORY {
        let file = dir.path().join("memory").join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let mut scene = Scene::enrolled(start_in(dir), "phone").await;
    let mut tokens = Vec::new();
    for (name, _) in ASSISTANTS {
        let attempt = client(&scene, name);
        tokens.push(scene.connect(&attempt, name).await);
    }
    refused(&mut scene).await;
    let asking = client(&scene, "night-agent");
    assert_eq!(scene.wire.get(&asking.page()).await.unwrap().status, 200);
    for round in 0..9 {
        for ((_, calls), token) in ASSISTANTS.iter().zip(&tokens) {
            if round < *calls {
                work(&scene, token, round).await;
            }
        }
    }
    scene
}

/// A client document of that name, and what its client asks for.
fn client(scene: &Scene, name: &str) -> Attempt {
    scene.deck.json(&["client", "add", name, "--redirect", "http://127.0.0.1/callback"]);
    Attempt::of(ORIGIN, &format!("{ORIGIN}/clients/{name}"), REDIRECT)
}

/// The passkey says yes, and the name is another connection's already.
async fn refused(scene: &mut Scene) {
    let attempt = Attempt::of(ORIGIN, &format!("{ORIGIN}/clients/codex-ci"), REDIRECT);
    let page = scene.wire.get(&attempt.page()).await.unwrap();
    let form = scene.owner.sign(&page.body, "claude-web");
    let again = scene.wire.form("/authorize", &form).await.unwrap();
    assert!(again.body.contains("Nothing was approved"), "{again:?}");
    let challenge = again.body.split("name=\"challenge\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let deny = [("challenge", challenge), ("deny", "1")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let denied = scene.wire.form("/authorize", &deny).await.unwrap();
    assert!(denied.status == 200 && !denied.body.contains("name=\"challenge\""), "{denied:?}");
}

/// What an assistant records of its work.
fn turn() -> serde_json::Value {
    json!({
        "conversation": "release", "board_rev": "0", "said": "Is the release ready?",
        "did": "Read the checklist.", "outcome": "One step is left.",
    })
}

/// One of the things assistants do.
async fn work(scene: &Scene, token: &str, round: usize) {
    let answer = match round % 4 {
        0 => scene.wire.call(token, "GetContext", json!({})).await,
        1 => scene.wire.call(token, "ReadMemory", json!({ "path": "notes/release.md" })).await,
        2 => scene.wire.call(token, "RecordExperience", turn()).await,
        _ => scene.wire.call(token, "ReadMemory", json!({ "path": "preferences/travel.md" })).await,
    };
    let answer = answer.unwrap();
    assert_eq!(answer.status, 200, "{answer:?}");
}
