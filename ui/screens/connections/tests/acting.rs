//! What the keys do: questions, prompts, addresses.

use quarterdeck::control::{Notice, ScopesPage, SecretUrl};

use super::*;
use crate::app::{Export, Msg, SecretLink, Silence};
use crate::overlays::{Overlay, Purpose};
use crate::screens::Pane;

const LINK: &str = "https://deck.example.com/scopes#Zm9vYmFyYmF6cXV4MTIzNA";

pub(super) fn page() -> Reply {
    Reply::ScopesPage(ScopesPage { url: SecretUrl(LINK.to_owned()), expires_at: "2026-12-01T12:51:10.000Z".to_owned() })
}

#[test]
fn removing_a_passkey_asks_and_is_about_the_one_it_was_pressed_on() {
    let mut deck = filled(full(), SIZE);
    go_to_pane(&mut deck, Pane::Passkeys);
    deck.press(KeyCode::Down);
    assert_eq!(deck.key('X'), []);
    assert!(deck.text().contains("Remove the passkey yubikey-5?"), "{}", deck.text());
    let mut other = full().passkeys;
    other.reverse();
    deck.hear(Notice::Passkeys(other));
    let effects = deck.key('Y');
    assert_eq!(requests(&effects), [&Request::PasskeyRemove { id: "9a00bb4077d20b1f".to_owned() }]);
    deck.answer(of(About::PasskeyRemoved { label: "yubikey-5".to_owned() }), Reply::Done);
    assert!(deck.text().contains("the passkey yubikey-5 is removed"), "{}", deck.text());
}

#[test]
fn the_last_passkey_is_called_the_only_one() {
    let mut deck = filled(busy(), SIZE);
    go_to_pane(&mut deck, Pane::Passkeys);
    deck.key('X');
    assert!(deck.text().contains("It is the only one"), "{}", deck.text());
}

#[test]
fn removing_a_client_document_asks_first() {
    let mut deck = filled(full(), SIZE);
    go_to_pane(&mut deck, Pane::Clients);
    deck.key('X');
    assert!(deck.text().contains("Remove the client document codex-ci?"), "{}", deck.text());
    let effects = deck.key('Y');
    assert_eq!(requests(&effects), [&Request::ClientRemove { name: "codex-ci".to_owned() }]);
}

#[test]
fn nothing_is_removed_where_nothing_can_be() {
    let mut deck = filled(full(), SIZE);
    assert_eq!(deck.key('X'), []);
    assert!(deck.text().contains("choose a passkey or a client document"), "{}", deck.text());
}

#[test]
fn an_authorization_is_denied_after_a_question_and_never_approved_here() {
    let mut deck = filled(full(), SIZE);
    go_to_pane(&mut deck, Pane::Asking);
    for key in ['a', 'Y', ' '] {
        assert_eq!(deck.key(key), []);
    }
    deck.key('d');
    let effects = deck.key('Y');
    assert_eq!(requests(&effects), [&Request::Deny { id: "k-11".to_owned() }]);
}

#[test]
fn a_refused_client_document_loses_nothing_that_was_typed() {
    let mut deck = filled(full(), SIZE);
    deck.key('n');
    for letter in "codex".chars() {
        deck.at_once(KeyCode::Char(letter));
    }
    deck.press(KeyCode::Enter);
    deck.at_once(KeyCode::Char('2'));
    let effects = deck.press(KeyCode::Enter);
    let redirect = "http://127.0.0.1/callback2".to_owned();
    let asked = Request::ClientAdd { name: "codex".to_owned(), redirect_uris: vec![redirect.clone()] };
    assert_eq!(requests(&effects), [&asked]);
    let about = of(About::ClientAdded { name: "codex".to_owned(), redirect });
    deck.settle(vec![Msg::Answered(about, Err("there is one named codex already".to_owned()))]);
    assert!(deck.text().contains("there is one named codex already"), "{}", deck.text());
    deck.at_once(KeyCode::Char('x'));
    deck.press(KeyCode::Enter);
    let effects = deck.press(KeyCode::Enter);
    let redirect_uris = vec!["http://127.0.0.1/callback2".to_owned()];
    assert_eq!(requests(&effects), [&Request::ClientAdd { name: "codexx".to_owned(), redirect_uris }]);
}

#[test]
fn what_was_refused_stays_on_the_screen_until_something_else_is_typed() {
    let mut deck = filled(full(), SIZE);
    let about = About::ClientAdded { name: "codex".to_owned(), redirect: "https://x".to_owned() };
    deck.settle(vec![Msg::Answered(of(about), Err("https://x is not on this machine".to_owned()))]);
    deck.press(KeyCode::Enter);
    let text = deck.text();
    assert!(text.contains("> https://x") && text.contains("https://x is not on this machine"), "{text}");
}

#[test]
fn a_new_client_shows_its_id_to_copy() {
    let mut deck = filled(full(), SIZE);
    let id = "https://deck.example.com/clients/codex";
    let document = ClientDocument { client_id: id.to_owned(), redirect_uris: Vec::new() };
    let about = About::ClientAdded { name: "codex".to_owned(), redirect: "http://127.0.0.1/".to_owned() };
    deck.answer(of(about), Reply::Client(document));
    assert!(deck.text().contains(id), "{}", deck.text());
    assert_eq!(deck.key('o'), [], "nothing is served there");
    assert_eq!(deck.key('y'), [Effect::Copy(id.to_owned())]);
}

#[test]
fn the_scopes_page_can_be_opened_and_copied_and_closes_when_it_was_used() {
    let mut deck = filled(full(), SIZE);
    let effects = deck.key('S');
    assert_eq!(requests(&effects), [&Request::ScopesPage { grant: "g-1".to_owned() }]);
    deck.answer(of(About::Scopes { name: "claude-web".to_owned() }), page());
    assert!(deck.text().contains(LINK), "{}", deck.text());
    assert_eq!(deck.key('o'), [Effect::Visit(SecretLink(LINK.to_owned()))]);
    assert_eq!(deck.key('y'), [Effect::Copy(LINK.to_owned())]);
    let mut changed = row(7, "12:41:20", ("passkey:5c1e9a40", "grant.scopes_changed"), Some("claude-web"));
    changed.detail.insert("before".to_owned(), "context:read memory:read".into());
    changed.detail.insert("after".to_owned(), "context:read sessions:read".into());
    deck.hear(Notice::Recorded(changed));
    let text = deck.text();
    assert!(!text.contains(LINK), "{text}");
    assert!(text.contains("claude-web may also: sessions:read; may not any more: memory:read"), "{text}");
}

#[test]
fn the_page_of_one_connection_stays_when_another_one_is_changed() {
    let mut deck = filled(full(), SIZE);
    deck.key('S');
    deck.answer(of(About::Scopes { name: "claude-web".to_owned() }), page());
    deck.hear(Notice::Recorded(row(7, "12:41:20", ("passkey:5c1e9a40", "grant.scopes_changed"), Some("codex-ci"))));
    assert!(deck.text().contains(LINK), "{}", deck.text());
}

#[test]
fn an_answer_opens_below_a_question_and_gets_none_of_its_keys() {
    let mut deck = filled(full(), SIZE);
    deck.key('S');
    deck.key('R');
    deck.answer(of(About::Scopes { name: "claude-web".to_owned() }), page());
    assert!(matches!(deck.model().overlays.last(), Some(Overlay::Confirm(_))));
    let effects = deck.key('Y');
    assert_eq!(requests(&effects), [&Request::Revoke { name: "claude-web".to_owned(), grant: Some("g-1".to_owned()) }]);
}

#[test]
fn the_list_is_exported_to_a_file_that_is_asked_for() {
    let mut deck = filled(full(), SIZE);
    deck.key('e');
    let Some(Overlay::Prompt(prompt)) = deck.model().overlays.last() else { panic!("no prompt") };
    assert_eq!(prompt.purpose, Purpose::ExportTo(Export::Connections));
    let effects = deck.press(KeyCode::Enter);
    assert_eq!(effects, [Effect::Export { what: Export::Connections, path: "connections.jsonl".into() }]);
}

#[test]
fn a_lost_host_disables_what_changes_something_and_says_why() {
    for (pane, keys) in [(Pane::Grants, "RSn"), (Pane::Asking, "d"), (Pane::Passkeys, "X")] {
        for key in keys.chars() {
            let mut deck = filled(full(), SIZE);
            go_to_pane(&mut deck, pane);
            deck.settle(vec![Msg::Silent(Silence::Unreachable(None))]);
            assert_eq!(deck.key(key), []);
            assert!(deck.text().contains("nothing can be changed from here"), "{key}\n{}", deck.text());
            assert!(deck.model().overlays.is_empty());
        }
    }
}

#[test]
fn every_row_can_be_looked_at_and_copied() {
    let rows = [
        (Pane::Grants, "Connection claude-web", "https://claude.ai/api/mcp/auth_callback"),
        (Pane::Asking, "Asks to connect", "k-11"),
        (Pane::Calls, "Record 6", "preferences/travel.md"),
        (Pane::Journal, "Journal entry", "book the early train"),
        (Pane::Passkeys, "Passkey", "5c1e9a4077d20b1f"),
        (Pane::Clients, "Client document", "https://deck.example.com/clients/codex-ci"),
        (Pane::Refused, "Record 3", "a return address not in its document"),
    ];
    for (pane, title, fact) in rows {
        let mut deck = filled(full(), SIZE);
        go_to_pane(&mut deck, pane);
        deck.press(KeyCode::Enter);
        let text = deck.text();
        assert!(text.contains(title) && text.contains(fact), "{pane:?}\n{text}");
        deck.press(KeyCode::Esc);
        let copied = deck.key('y');
        assert!(matches!(&copied[..], [Effect::Copy(text)] if text.contains(fact)), "{pane:?} {copied:?}");
    }
}
