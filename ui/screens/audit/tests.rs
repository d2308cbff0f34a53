//! What the screen asks for and when, what stays under the cursor, what it says of the chain, and what it looks like.

use crossterm::event::KeyCode;
use quarterdeck::control::offline::Verified;
use quarterdeck::control::{AuditFilter, AuditPage, AuditRecord, AuditRow, Notice, Reply, Request, Snapshot};

use crate::app::{About, Asked, Effect, Export, Msg, Silence};
use crate::overlays::Overlay;
use crate::screens::{Of, Screen};
use crate::terminal::Environment;
use crate::testing::*;
use crate::theme::Theme;

const SIZE: (u16, u16) = (80, 24);

/// Records from `from` down to `to`.
fn rows(from: i64, to: i64) -> Vec<AuditRow> {
    (to..=from).rev().map(|seq| called(seq, "ReadMemory preferences/travel.md")).collect()
}

fn called(seq: i64, object: &str) -> AuditRow {
    let at = format!("12:{:02}:{:02}", seq / 60 % 60, seq % 60);
    AuditRow {
        grant: Some("g-1".to_owned()),
        took_ms: Some(14),
        ..row(seq, &at, ("connection:claude-web", "tool.called"), Some(object))
    }
}

/// What is asked for a page, and the number its answer must have.
fn asked(effects: &[Effect]) -> Option<(u64, AuditFilter, Option<i64>)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Ask(Asked::Of(Screen::Audit, About::Page { generation }), Request::Audit { filter, before, .. }) => {
            Some((*generation, filter.clone(), *before))
        }
        _ => None,
    })
}

fn page(deck: &mut Deck, generation: u64, (rows, next, total): (Vec<AuditRow>, Option<i64>, i64)) -> Vec<Effect> {
    deck.answer(Asked::Of(Screen::Audit, About::Page { generation }), Reply::Audit(AuditPage { rows, next, total }))
}

/// The screen with records `newest` down to `oldest`.
fn open(size: (u16, u16), (newest, oldest): (i64, i64)) -> Deck {
    let mut deck = Deck::new(Snapshot { seq: newest, ..busy() }, size);
    let (generation, ..) = asked(&deck.key('7')).expect("opening asks");
    let next = (oldest > 1).then_some(oldest);
    page(&mut deck, generation, (rows(newest, oldest), next, newest));
    deck
}

fn typed(deck: &mut Deck, text: &str) -> Vec<Effect> {
    text.chars().flat_map(|c| deck.at_once(KeyCode::Char(c))).collect()
}

/// Time passes; what is asked for on the way.
fn rest(deck: &mut Deck, ms: u64) -> Vec<Effect> {
    let end = deck.now.tick + std::time::Duration::from_millis(ms);
    let mut effects = Vec::new();
    while let Some(wake) = deck.pump.model.next_wake().filter(|wake| *wake <= end) {
        deck.now.tick = wake.max(deck.now.tick);
        effects.extend(deck.settle(vec![Msg::Wake]));
    }
    deck.now.tick = end;
    effects
}

#[test]
fn opening_asks_for_the_newest_and_checks_the_chain_once() {
    let mut deck = Deck::new(busy(), SIZE);
    let effects = deck.key('7');
    assert_eq!(asked(&effects), Some((1, AuditFilter::default(), None)));
    assert!(effects.contains(&Effect::Verify));
    page(&mut deck, 1, (rows(9, 1), None, 9));
    assert!(deck.text().contains("9 in all") && deck.text().contains("checking the chain"), "{}", deck.text());
    deck.settle(vec![Msg::Verified(Ok(Verified::Intact { seq: 9 }))]);
    assert!(deck.text().contains("chain ok to 9"), "{}", deck.text());
    deck.key('1');
    assert!(!deck.key('7').contains(&Effect::Verify), "it was checked");
    assert_eq!(deck.key('v'), [Effect::Verify]);
}

#[test]
fn older_records_are_asked_for_when_the_cursor_comes_near_the_end() {
    let mut deck = open(SIZE, (1000, 501));
    assert_eq!(asked(&deck.key('j')), None);
    let (generation, _, before) = asked(&deck.key('G')).expect("the end is near");
    assert_eq!(before, Some(501));
    assert_eq!(asked(&deck.key('G')), None, "one question at a time");
    assert_eq!(deck.model().audit.records.chosen(), Some(&501));
    page(&mut deck, generation - 1, (rows(500, 400), Some(400), 1000));
    assert_eq!(deck.model().audit.rows.len(), 500, "an answer to an older question");
    page(&mut deck, generation, (rows(500, 1), None, 1000));
    assert_eq!(deck.model().audit.rows.len(), 1000);
    assert_eq!(deck.model().audit.records.chosen(), Some(&501), "what was selected still is");
    assert_eq!(asked(&deck.key('G')), None, "there is nothing more");
}

#[test]
fn a_page_without_a_fitting_record_is_not_the_end() {
    let mut deck = open(SIZE, (1000, 501));
    deck.key('/');
    typed(&mut deck, "who:x");
    let (generation, filter, before) = asked(&rest(&mut deck, 100)).expect("typing rests");
    assert_eq!((filter.who, before), (vec!["x".to_owned()], None));
    let (next, _, before) = asked(&page(&mut deck, generation, (Vec::new(), Some(700), 1000))).expect("reading goes on");
    assert_eq!(before, Some(700));
    assert!(deck.text().contains("0 so far of 1 000, searched back to 700"), "{}", deck.text());
    assert_eq!(asked(&page(&mut deck, next, (rows(3, 3), None, 1000))), None);
    assert!(deck.text().contains("1 of 1 000"), "{}", deck.text());
}

#[test]
fn a_filter_is_asked_for_when_typing_rests_and_what_is_none_changes_nothing() {
    let mut deck = open(SIZE, (9, 1));
    deck.key('/');
    assert_eq!(asked(&typed(&mut deck, "outcome:re")), None);
    assert_eq!(asked(&rest(&mut deck, 79)), None);
    typed(&mut deck, "f");
    assert_eq!(asked(&rest(&mut deck, 79)), None, "a letter begins the rest anew");
    assert_eq!(asked(&rest(&mut deck, 10)).map(|(_, filter, _)| filter.outcome), Some(vec!["ref".to_owned()]));
    let mut deck = open(SIZE, (9, 1));
    deck.key('/');
    typed(&mut deck, "colour:red");
    assert_eq!(asked(&rest(&mut deck, 500)), None);
    assert!(deck.text().contains("no filter is named"), "{}", deck.text());
    assert_eq!(deck.model().audit.rows.len(), 9, "the records stay");
}

#[test]
fn records_that_fit_appear_on_top_and_move_no_selected_one() {
    let mut deck = open(SIZE, (9, 1));
    deck.hear(Notice::Recorded(called(10, "GetContext")));
    assert!(deck.rows()[5].contains("GetContext"), "{}", deck.text());
    deck.key('j');
    deck.key('j');
    let line = |deck: &Deck| deck.rows().iter().position(|row| row.contains('▌'));
    let before = (line(&deck), deck.model().audit.records.chosen().copied());
    deck.hear(Notice::Recorded(called(11, "GetContext")));
    assert_eq!((line(&deck), deck.model().audit.records.chosen().copied()), before);
    assert!(deck.text().contains("paused · 1 new"), "{}", deck.text());
    deck.press(KeyCode::Esc);
    assert!(deck.text().contains("following"), "{}", deck.text());
    deck.key('/');
    typed(&mut deck, "outcome:failed");
    let (generation, ..) = asked(&rest(&mut deck, 100)).unwrap();
    page(&mut deck, generation, (Vec::new(), None, 11));
    deck.press(KeyCode::Enter);
    deck.hear(Notice::Recorded(called(12, "GetContext")));
    assert!(deck.text().contains("No record fits"), "{}", deck.text());
}

fn held(deck: &mut Deck) -> Vec<i64> {
    deck.model().audit.rows.iter().map(|row| row.seq).collect()
}

/// From `newest` down to `oldest`, without a gap and each once.
fn down(newest: i64, oldest: i64) -> Vec<i64> {
    (oldest..=newest).rev().collect()
}

/// The host is lost and comes back with records up to `newest`; what is asked then.
fn back_again(deck: &mut Deck, newest: i64) -> u64 {
    deck.settle(vec![Msg::Silent(Silence::Unreachable(None))]);
    let snapshot = Snapshot { seq: newest, ..busy() };
    let (generation, _, before) = asked(&deck.settle(vec![Msg::Subscribed(Box::new(snapshot))])).expect("asked again");
    assert_eq!(before, None);
    generation
}

#[test]
fn after_the_host_was_lost_nothing_is_missing_and_nothing_twice() {
    let mut deck = open(SIZE, (9, 1));
    let generation = back_again(&mut deck, 12);
    page(&mut deck, generation, (rows(12, 1), None, 12));
    assert_eq!(held(&mut deck), down(12, 1));

    let mut deck = open(SIZE, (600, 101));
    let generation = back_again(&mut deck, 700);
    page(&mut deck, generation, (rows(700, 201), Some(201), 700));
    assert_eq!(held(&mut deck), down(700, 101), "the new ones meet the old ones");
    assert_eq!(deck.model().audit.next, Some(101));

    let mut deck = open(SIZE, (9, 1));
    deck.key('j');
    let generation = back_again(&mut deck, 900);
    page(&mut deck, generation, (rows(900, 401), Some(401), 900));
    assert_eq!(held(&mut deck), down(900, 401), "what lies between is not known: the old ones are read again");
    assert!(deck.text().contains("following") && deck.rows()[5].contains("ReadMemory"), "{}", deck.text());
}

#[test]
fn what_is_heard_while_the_newest_are_read_replaces_none_of_them() {
    let mut deck = Deck::new(Snapshot { seq: 9, ..busy() }, SIZE);
    let (generation, ..) = asked(&deck.key('7')).unwrap();
    deck.hear(Notice::Recorded(called(10, "GetContext")));
    page(&mut deck, generation, (rows(9, 1), None, 9));
    assert_eq!(held(&mut deck), down(10, 1));

    let mut deck = open(SIZE, (9, 1));
    let generation = back_again(&mut deck, 12);
    deck.hear(Notice::Recorded(called(13, "GetContext")));
    page(&mut deck, generation, (rows(12, 1), None, 12));
    assert_eq!(held(&mut deck), down(13, 1));

    let mut deck = open(SIZE, (9, 1));
    let generation = back_again(&mut deck, 12);
    deck.hear(Notice::Recorded(called(13, "GetContext")));
    page(&mut deck, generation, (rows(13, 1), None, 13));
    assert_eq!(held(&mut deck), down(13, 1), "the page has it too");
}

#[test]
fn no_more_than_ten_thousand_are_held() {
    let mut deck = open(SIZE, (12_000, 2_001));
    assert_eq!(deck.model().audit.rows.len(), 10_000);
    deck.hear(Notice::Recorded(called(12_001, "GetContext")));
    let audit = &deck.model().audit;
    assert_eq!((audit.rows.len(), audit.rows.last().unwrap().seq, audit.next), (10_000, 2_002, Some(2_002)));
    assert_eq!(asked(&deck.key('G')), None, "older ones are found by a filter");
}

#[test]
fn what_could_not_be_read_says_why_and_is_asked_for_again() {
    let mut deck = Deck::new(busy(), SIZE);
    deck.key('7');
    rest(&mut deck, 150);
    assert!(!deck.rows()[4].contains('…'), "a short reading is not announced: {}", deck.text());
    rest(&mut deck, 100);
    assert!(deck.rows()[4].contains('…'), "{}", deck.text());
    deck.settle(vec![Msg::Answered(Asked::Of(Screen::Audit, About::Page { generation: 1 }), Err("the disk is full".to_owned()))]);
    assert!(deck.text().contains("could not be read: the disk is full. r asks again."), "{}", deck.text());
    assert!(asked(&deck.key('r')).is_some());
}

#[test]
fn the_place_in_the_chain_is_asked_for_when_the_cursor_rests() {
    let mut deck = open((120, 40), (9, 1));
    deck.key('j');
    let ask = |seq: i64| Effect::Ask(Asked::Of(Screen::Audit, About::Record { seq }), Request::Record { seq });
    deck.at_once(KeyCode::Char('j'));
    assert_eq!(rest(&mut deck, 79), []);
    assert_eq!(rest(&mut deck, 10), [ask(8)]);
    let record = |seq: i64, hash: &str| {
        Reply::Record(Box::new(AuditRecord { row: called(seq, "x"), hash: hash.repeat(16), previous: "00ff".repeat(16) }))
    };
    deck.answer(Asked::Of(Screen::Audit, About::Record { seq: 9 }), record(9, "aaaa"));
    assert!(!deck.text().contains("aaaa"), "an answer about another record");
    deck.answer(Asked::Of(Screen::Audit, About::Record { seq: 8 }), record(8, "5c1e"));
    assert!(deck.text().contains("8  5c1e 5c1e 5c1e") && deck.text().contains("7  00ff 00ff 00ff"), "{}", deck.text());
    assert!(
        matches!(&deck.key('y')[..], [Effect::Copy(text)] if text.contains(&"5c1e".repeat(16)) && text.contains("travel.md"))
    );
    assert!(matches!(&deck.key('o')[..], [Effect::Page { title, .. }] if title == "Record 8"));
}

#[test]
fn enter_looks_and_the_open_record_can_be_copied_from_any_screen() {
    let mut deck = open(SIZE, (9, 1));
    deck.press(KeyCode::Enter);
    assert!(matches!(deck.model().overlays.last(), Some(Overlay::Detail(detail)) if detail.of == Of::Record(9)));
    assert!(matches!(&deck.key('y')[..], [Effect::Copy(_)]));
    let mut deck = Deck::new(busy(), SIZE);
    deck.press(KeyCode::Tab);
    deck.key('j');
    deck.press(KeyCode::Enter);
    assert!(matches!(&deck.key('o')[..], [Effect::Page { .. }]), "{}", deck.text());
}

#[test]
fn what_a_record_says_beyond_the_rest_has_a_name_and_a_hash_is_short_here_and_whole_when_looked_at() {
    let mut deck = open((120, 40), (1, 1));
    let detail = serde_json::json!({ "args_hash": "44136fa355b3678a".repeat(4), "protocol": "2026-07-28", "tool": "GetContext", "moon": 7 });
    deck.hear(Notice::Recorded(AuditRow { detail: detail.as_object().unwrap().clone(), ..called(2, "GetContext") }));
    let text = deck.text();
    for line in
        ["args SHA-256   4413 6fa3 55b3 ", "MCP version    2026-07-28", "tool           GetContext", "further        moon: 7"]
    {
        assert!(text.contains(line), "{line}: {text}");
    }
    deck.press(KeyCode::Enter);
    assert!(deck.text().contains(&"44136fa355b3678a".repeat(2)), "{}", deck.text());
    assert!(matches!(&deck.key('y')[..], [Effect::Copy(text)] if text.contains(&"44136fa355b3678a".repeat(4))));
}

#[test]
fn a_click_selects_the_record_it_is_on_and_a_second_one_looks() {
    for size in [(60, 16), SIZE, (120, 40), (200, 60)] {
        let mut deck = filled(size);
        deck.click("REFUSED");
        let chosen = *deck.model().audit.records.chosen().expect("a click selects");
        let row = deck.model().audit.rows.iter().find(|row| row.seq == chosen).cloned().unwrap();
        assert_eq!(row.outcome, "refused", "{}", deck.text());
        assert!(deck.text().contains("paused"), "what is looked at does not move: {}", deck.text());
        deck.click("REFUSED");
        assert!(matches!(deck.model().overlays.last(), Some(Overlay::Detail(detail)) if detail.of == Of::Record(chosen)));
    }
}

#[test]
fn exporting_proposes_a_file_and_writes_what_the_filter_says() {
    let mut deck = open(SIZE, (9, 1));
    deck.key('e');
    assert!(deck.text().contains("audit-2026-12-01.jsonl"), "{}", deck.text());
    let effects = deck.press(KeyCode::Enter);
    assert_eq!(effects, [Effect::Export { what: Export::Audit(AuditFilter::default()), path: "audit-2026-12-01.jsonl".into() }]);
}

#[test]
fn a_chain_that_is_not_as_it_was_written_is_said_loudly() {
    for (found, said) in [
        (Verified::Broken { seq: 5 }, "Record 5 is not what was written"),
        (Verified::Truncated { seq: 9, remembered: 12 }, "this terminal saw 12 before"),
        (Verified::UnknownKey { seq: 3 }, "belongs to another key"),
    ] {
        let mut deck = open((120, 40), (9, 1));
        deck.settle(vec![Msg::Verified(Ok(found))]);
        assert!(deck.text().contains(said) && !deck.text().contains("chain ok"), "{}", deck.text());
    }
}

#[test]
fn contents_can_be_hidden() {
    let mut deck = open((120, 40), (9, 1));
    deck.model().blurred = true;
    deck.model().changed = true;
    deck.settle(Vec::new());
    assert!(!deck.text().contains("travel.md") && deck.text().contains("ReadMemory"), "{}", deck.text());
}

fn shot(name: &str, deck: &Deck) {
    let area = deck.buffer().area;
    insta::assert_snapshot!(format!("{name}-{}x{}", area.width, area.height), deck.text());
}

/// Different records, checked, the selected one with its place in the chain.
fn filled(size: (u16, u16)) -> Deck {
    let mut deck = open(size, (1, 1));
    for row in busy().activity.into_iter().filter(|row| row.seq > 1) {
        deck.hear(Notice::Recorded(row));
    }
    deck.settle(vec![Msg::Verified(Ok(Verified::Intact { seq: 6 }))]);
    deck
}

#[test]
fn looks() {
    for size in [(80, 24), (120, 40), (200, 60)] {
        shot("filled", &filled(size));
        shot("many", &open(size, (10_000, 9_501)));
    }
    let mut deck = Deck::new(busy(), SIZE);
    let (generation, ..) = asked(&deck.key('7')).unwrap();
    page(&mut deck, generation, (Vec::new(), None, 0));
    shot("empty", &deck);
    let mut deck = filled(SIZE);
    deck.settle(vec![Msg::Silent(Silence::Unreachable(None))]);
    shot("lost", &deck);
    let mut deck = filled(SIZE);
    deck.settle(vec![Msg::Verified(Ok(Verified::Broken { seq: 5 }))]);
    shot("broken", &deck);
    let mut deck = filled(SIZE);
    deck.key('z');
    shot("zoomed", &deck);
    shot("least", &filled((60, 16)));
    let mut deck = Deck::new(busy(), SIZE);
    let (generation, ..) = asked(&deck.key('7')).unwrap();
    rest(&mut deck, 250);
    shot("loading", &deck);
    let failed = Err("the disk is full".to_owned());
    deck.settle(vec![Msg::Answered(Asked::Of(Screen::Audit, About::Page { generation }), failed)]);
    shot("failed", &deck);
    for size in [(80, 24), (120, 40), (200, 60)] {
        let mut deck = filled(size);
        deck.key('/');
        typed(&mut deck, "outcome:refused who:web");
        let (generation, ..) = asked(&rest(&mut deck, 100)).unwrap();
        let fitting = busy().activity.into_iter().filter(|row| row.outcome == "refused").collect();
        page(&mut deck, generation, (fitting, None, 6));
        shot("filtering", &deck);
        deck.press(KeyCode::Enter);
        shot("filtered", &deck);
    }
}

#[test]
fn wide_and_hostile_text_keeps_borders_straight_and_ascii_is_ascii() {
    let names = ["日本語クライアント名前はとても長いです", "👩‍👩‍👧‍👦 e\u{301}", "\u{202E}evil\u{1b}[31m", &"x".repeat(9_000)];
    for size in [(60, 16), (80, 24), (120, 40), (200, 60)] {
        let mut deck = open(size, (1, 1));
        let plain = edges(&deck);
        for (seq, name) in (2..).zip(names) {
            let text = quarterdeck::text::safe(name);
            deck.hear(Notice::Recorded(AuditRow { actor: text.clone(), ..called(seq, &text) }));
        }
        assert_eq!(edges(&deck), plain, "{}", deck.text());
    }
    let theme = Theme::of(&Environment { utf8: false, ..able() }, false);
    let mut deck = Deck::with(busy(), (120, 40), theme);
    let (generation, ..) = asked(&deck.key('7')).unwrap();
    page(&mut deck, generation, (rows(9, 1), None, 9));
    assert!(deck.text().is_ascii(), "{}", deck.text());
}

fn edges(deck: &Deck) -> Vec<(u16, u16, String)> {
    let buffer = deck.buffer();
    let cells = buffer.area.positions().map(|at| (at.x, at.y, buffer[at].symbol().to_owned()));
    cells.filter(|(_, _, symbol)| "│┃╮╯┓┛".contains(symbol.as_str())).collect()
}
