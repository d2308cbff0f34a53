//! Nothing is decided that nobody meant.

use crossterm::event::KeyCode;
use quarterdeck::control::{Notice, Refusal, Reply, Request, Revoked, Snapshot};

use crate::app::{Asked, Effect, Exit, Msg, Silence};
use crate::overlays::Overlay;
use crate::testing::*;

const SIZE: (u16, u16) = (80, 24);

fn revoke(name: &str, grant: &str) -> Effect {
    let asked = Asked::Revoke { name: name.to_owned() };
    Effect::Ask(asked, Request::Revoke { name: name.to_owned(), grant: Some(grant.to_owned()) })
}

#[test]
fn revoking_takes_two_different_keys() {
    let mut deck = Deck::new(busy(), SIZE);
    assert_eq!(deck.key('R'), []);
    assert_eq!(deck.key('R'), []);
    assert_eq!(deck.key('Y'), [revoke("claude-web", "g-1")]);
    assert!(deck.model().overlays.is_empty());
}

#[test]
fn a_key_within_400_ms_of_the_question_does_nothing() {
    let mut deck = Deck::new(busy(), SIZE);
    deck.key('R');
    deck.pass(399);
    assert_eq!(deck.at_once(KeyCode::Char('Y')), []);
    deck.pass(160);
    assert_eq!(deck.at_once(KeyCode::Char('Y')), [revoke("claude-web", "g-1")]);
}

#[test]
fn keys_that_keep_coming_keep_the_question_deaf() {
    let mut deck = Deck::new(busy(), SIZE);
    deck.key('R');
    for _ in 0..10 {
        deck.pass(100);
        assert_eq!(deck.at_once(KeyCode::Char('Y')), []);
    }
    deck.pass(150);
    assert_eq!(deck.at_once(KeyCode::Char('Y')), [revoke("claude-web", "g-1")]);
}

#[test]
fn enter_and_space_never_decide() {
    let mut deck = Deck::new(waiting(), SIZE);
    deck.key('d');
    for code in [KeyCode::Enter, KeyCode::Char(' '), KeyCode::Char('y'), KeyCode::Char('d'), KeyCode::Char('a')] {
        assert_eq!(deck.press(code), [], "{code:?}");
    }
    assert!(matches!(deck.model().overlays[..], [Overlay::Confirm(_)]));
}

#[test]
fn a_paste_never_decides() {
    let mut deck = Deck::new(waiting(), SIZE);
    deck.key('d');
    deck.pass(1000);
    assert_eq!(deck.settle(vec![Msg::Paste("Y".to_owned())]), []);
    assert_eq!(deck.at_once(KeyCode::Char('Y')), [], "what follows a paste at once belongs to it");
    let typed = "dYRYqYdYRYqY".chars().map(|c| Msg::Key(KeyCode::Char(c).into())).collect();
    deck.pass(1000);
    assert_eq!(deck.settle(typed), [], "a paste that the terminal does not mark");
    assert!(deck.text().contains("pasted text does nothing here"));
}

/// The mark of a paste's end can be in the pasted text itself: what is behind it arrives as keys.
#[test]
fn what_follows_a_paste_presses_no_key_clicks_nothing_and_submits_no_field() {
    let pasted = || Msg::Paste("x".to_owned());
    let keys = |text: &str| text.chars().map(|c| Msg::Key(KeyCode::Char(c).into())).collect::<Vec<_>>();
    let mut deck = Deck::new(busy(), SIZE);
    assert_eq!(deck.settle([vec![pasted()], keys("q")].concat()), [], "attached, q would leave");
    deck.pass(100);
    assert_eq!(deck.settle(keys("q")), [], "in the next read");
    assert!(deck.text().contains("keys right behind a paste are not heard"), "{}", deck.text());
    for _ in 0..5 {
        deck.pass(140);
        assert_eq!(deck.at_once(KeyCode::Char('R')), [], "they keep coming");
    }
    deck.click("codex-ci");
    assert!(deck.model().overlays.is_empty());
    assert_eq!(deck.model().overview.connections.chosen().map(String::as_str), Some("g-1"), "a click is in such a text too");
    let interrupt = Msg::Key(crossterm::event::KeyEvent::new(KeyCode::Char('c'), crossterm::event::KeyModifiers::CONTROL));
    assert_eq!(deck.settle(vec![pasted(), interrupt.clone(), interrupt]), [], "twice would leave");
    deck.pass(400);
    deck.key(':');
    let enter = Msg::Key(KeyCode::Enter.into());
    assert_eq!(deck.settle(vec![Msg::Paste("leave".to_owned()), enter]), []);
    assert!(matches!(deck.model().overlays[..], [Overlay::Palette(_)]), "nobody pressed enter");
    assert_eq!(deck.press(KeyCode::Enter), [Effect::Leave(Exit::Quit)], "half a second later it was a person");
}

#[test]
fn what_follows_a_paste_that_was_not_marked_presses_no_key_either() {
    let mut deck = Deck::new(busy(), SIZE);
    let typed = "xxxxxxxxxxxx".chars().map(|c| Msg::Key(KeyCode::Char(c).into())).collect();
    deck.settle(typed);
    deck.pass(100);
    assert_eq!(deck.at_once(KeyCode::Char('q')), [], "its rest, in the next read");
    assert_eq!(deck.key('q'), [Effect::Leave(Exit::Quit)]);
}

#[test]
fn a_burst_spread_over_several_reads_is_a_paste_too() {
    let mut deck = Deck::new(busy(), SIZE);
    for _ in 0..8 {
        deck.pass(2);
        deck.at_once(KeyCode::Char('x'));
    }
    deck.pass(2);
    assert_eq!(deck.at_once(KeyCode::Char('q')), [], "attached, q would leave");
    assert!(deck.text().contains("pasted text does nothing here"));
}

#[test]
fn a_repeat_never_decides() {
    let mut deck = Deck::new(busy(), SIZE);
    assert_eq!(deck.repeat(KeyCode::Char('q')), []);
    deck.repeat(KeyCode::Char('R'));
    assert!(deck.model().overlays.is_empty(), "and it opens no question");
    deck.key('R');
    assert_eq!(deck.repeat(KeyCode::Char('Y')), []);
    let before = deck.model().overview.connections.chosen().cloned();
    deck.press(KeyCode::Esc);
    deck.repeat(KeyCode::Char('j'));
    assert_ne!(deck.model().overview.connections.chosen().cloned(), before, "it moves");
}

#[test]
fn an_intent_carries_the_id_it_was_pressed_on() {
    let mut deck = Deck::new(waiting(), SIZE);
    deck.key('d');
    let mut others = waiting().waiting;
    others.remove(0);
    deck.hear(Notice::Waiting { list: others, more: 0 });
    let deny = Effect::Ask(
        Asked::Deny { client: "https://cursor.com/mcp/client.json".to_owned() },
        Request::Deny { id: "k-11".to_owned() },
    );
    assert_eq!(deck.key('Y'), [deny], "not the one that is first now");
}

#[test]
fn an_open_detail_is_decided_where_it_is_read() {
    let mut deck = Deck::new(waiting(), SIZE);
    deck.press(KeyCode::Enter);
    assert!(deck.text().contains("d deny…  esc close"), "{}", deck.text());
    deck.key('R');
    assert!(matches!(deck.model().overlays[..], [Overlay::Detail(_)]), "R has no meaning there");
    deck.key('d');
    deck.press(KeyCode::Esc);
    assert!(matches!(deck.model().overlays[..], [Overlay::Detail(_)]), "back to where it was");
    deck.key('d');
    assert!(matches!(deck.key('Y')[..], [Effect::Ask(_, Request::Deny { ref id })] if id == "k-11"));
    assert!(deck.model().overlays.is_empty(), "there is nothing left to read");

    let mut deck = Deck::new(busy(), SIZE);
    deck.press(KeyCode::Enter);
    deck.key('d');
    assert!(matches!(deck.model().overlays[..], [Overlay::Detail(_)]), "d has no meaning there");
    deck.key('R');
    assert_eq!(deck.key('Y'), [revoke("claude-web", "g-1")]);
}

#[test]
fn an_open_detail_is_about_its_own_row_and_not_the_selected_one() {
    let mut deck = Deck::new(waiting(), SIZE);
    deck.press(KeyCode::Enter);
    let mut others = waiting().waiting;
    others.remove(0);
    deck.hear(Notice::Waiting { list: others, more: 0 });
    deck.key('d');
    assert!(matches!(deck.model().overlays[..], [Overlay::Detail(_)]));
    assert!(deck.text().contains("deny: it is gone") && !deck.text().contains("d deny…  esc close"), "{}", deck.text());
}

#[test]
fn a_row_that_is_gone_leaves_no_other_selected() {
    let mut deck = Deck::new(busy(), SIZE);
    let mut others = busy().connections;
    others.remove(0);
    deck.hear(Notice::Connections(others));
    deck.key('R');
    assert!(deck.model().overlays.is_empty());
    assert!(deck.text().contains("no connection is selected"), "{}", deck.text());
}

#[test]
fn a_disabled_key_says_why() {
    let mut deck = Deck::new(busy(), SIZE);
    deck.key(' ');
    assert!(deck.text().contains("only in the pane “Activity”"), "{}", deck.text());
}

#[test]
fn what_is_selected_is_decided_from_every_pane() {
    let mut deck = Deck::new(waiting(), SIZE);
    for _ in 0..3 {
        deck.press(KeyCode::Tab);
        deck.key('R');
        assert_eq!(deck.key('Y'), [revoke("claude-web", "g-1")]);
        deck.key('d');
        assert!(matches!(deck.key('Y')[..], [Effect::Ask(_, Request::Deny { ref id })] if id == "k-11"));
    }
}

#[test]
fn a_question_about_long_addresses_is_read_to_its_end_and_answered() {
    for size in [(60, 16), (80, 24)] {
        let mut long = waits("k-11", &format!("https://{}.example/c.json", "a".repeat(480)));
        long.redirect_uri = format!("https://{}.example/back", "b".repeat(480));
        let mut deck = Deck::new(Snapshot { waiting: vec![long], ..busy() }, size);
        deck.key('d');
        assert!(deck.text().contains("Y yes") && deck.text().contains("j down"), "{}", deck.text());
        assert!(!deck.text().contains("k-11"), "it needs more room than there is\n{}", deck.text());
        for _ in 0..30 {
            deck.key('j');
        }
        assert!(deck.text().contains("k-11") && deck.text().contains("Y yes"), "{}", deck.text());
        assert_eq!(deck.press(KeyCode::Char(' ')), [], "space has no meaning in a question");
        deck.press(KeyCode::PageUp);
        deck.press(KeyCode::PageUp);
        deck.press(KeyCode::PageUp);
        assert!(!deck.text().contains("k-11") && deck.text().contains("Its page in the browser"), "{}", deck.text());
        assert_eq!(deck.at_once(KeyCode::Char('Y')), [], "right behind another key");
        assert!(matches!(deck.key('Y')[..], [Effect::Ask(_, Request::Deny { .. })]));
    }
}

#[test]
fn a_new_request_opens_nothing() {
    let mut deck = Deck::new(busy(), SIZE);
    let focus = deck.model().overview.focus;
    deck.hear(Notice::Waiting { list: waiting().waiting, more: 0 });
    assert!(deck.model().overlays.is_empty());
    assert_eq!(deck.model().overview.focus, focus);
}

#[test]
fn host_lost_disables_decisions() {
    let mut deck = Deck::new(waiting(), SIZE);
    deck.key('d');
    deck.settle(vec![Msg::Silent(Silence::Unreachable(None))]);
    assert_eq!(deck.key('Y'), [], "a question that was open already");
    deck.press(KeyCode::Esc);
    for c in ['d', 'R', 'p'] {
        assert_eq!(deck.key(c), []);
        assert!(deck.model().overlays.is_empty(), "{c}");
        assert!(deck.text().contains("not connected to the host: nothing can be changed"), "{}", deck.text());
    }
}

#[test]
fn the_answer_is_told_as_it_is() {
    let mut deck = Deck::new(busy(), SIZE);
    let asked = || Asked::Revoke { name: "claude-web".to_owned() };
    let revoked = Revoked { name: "claude-web".to_owned(), client_id: None, voided_approvals: 0 };
    deck.answer(asked(), Reply::Revoked(revoked));
    assert_eq!(deck.model().toasts.texts(), ["claude-web is revoked: its next call is refused"]);
    deck.answer(
        asked(),
        Reply::Refused(Refusal { reason: "not_found".to_owned(), message: "There is no such connection.".to_owned() }),
    );
    deck.pass(10_000);
    assert_eq!(deck.model().toasts.texts(), ["There is no such connection."], "an error stays until a key is pressed");
    deck.key('j');
    assert!(deck.model().toasts.texts().is_empty());
}

#[test]
fn q_leaves_an_attached_terminal_at_once() {
    assert_eq!(Deck::new(busy(), SIZE).key('q'), [Effect::Leave(Exit::Quit)]);
}

#[test]
fn q_asks_when_the_host_runs_in_here() {
    let mut deck = Deck::new(busy(), SIZE).in_process();
    assert_eq!(deck.key('q'), []);
    assert!(deck.text().contains("K keep serving"), "{}", deck.text());
    assert_eq!(deck.key('q'), []);
    assert_eq!(deck.key('Y'), [Effect::Leave(Exit::Quit)]);
}

#[test]
fn leaving_can_keep_the_host_serving_and_no_other_question_knows_that_answer() {
    let mut deck = Deck::new(busy(), SIZE).in_process();
    deck.key('q');
    assert_eq!(deck.key('K'), [Effect::Leave(Exit::KeepServing)]);
    let mut deck = Deck::new(busy(), SIZE).in_process();
    deck.key('q');
    assert_eq!(deck.at_once(KeyCode::Char('K')), [], "too soon");
    let mut deck = Deck::new(busy(), SIZE).in_process();
    deck.key('R');
    assert!(!deck.text().contains("keep serving"), "{}", deck.text());
    assert_eq!(deck.key('K'), []);
}

#[test]
fn ctrl_c_twice_leaves_from_anywhere() {
    let mut deck = Deck::new(busy(), SIZE).in_process();
    deck.key('R');
    deck.pass(100);
    assert_eq!(deck.ctrl('c'), []);
    deck.pass(2500);
    assert_eq!(deck.ctrl('c'), [], "too late");
    deck.pass(1900);
    assert_eq!(deck.ctrl('c'), [Effect::Leave(Exit::Quit)]);
}

#[test]
fn suspending_asks_when_the_host_would_stand_still_too() {
    assert_eq!(Deck::new(busy(), SIZE).ctrl('z'), [Effect::Suspend]);
    let mut deck = Deck::new(busy(), SIZE).in_process();
    assert_eq!(deck.ctrl('z'), []);
    assert_eq!(deck.key('Y'), [Effect::Suspend]);
}
