//! The enrollment overlay.

use std::path::Path;

use quarterdeck::config;
use quarterdeck::control::{Notice, Refusal, Reply, Request};
use ratatui::style::{Color, Modifier};

use crate::app::{Asked, Effect, Msg};
use crate::terminal::Environment;
use crate::testing::*;
use crate::theme::{Depth, Themes};

const LONG: &str = "https://quarterdeck.tail-1f2e.ts.net";

/// Reads the code that is on the screen. Cells are drawn in pixels, by the colours they really have.
fn decode(deck: &Deck) -> Option<String> {
    const SCALE: usize = 4;
    let buffer = deck.buffer();
    let (width, height) = (usize::from(buffer.area.width), usize::from(buffer.area.height));
    let value = |colour: Color| match colour {
        Color::Rgb(0, 0, 0) | Color::Indexed(16) | Color::Black => 0_u8,
        Color::Rgb(255, 255, 255) | Color::Indexed(231) | Color::White => 255,
        _ => 128,
    };
    let pixel = |x: usize, y: usize| {
        let cell = &buffer[(u16::try_from(x / SCALE).unwrap(), u16::try_from(y / (2 * SCALE)).unwrap())];
        let upper = (y / SCALE).is_multiple_of(2);
        let foreground = match cell.symbol() {
            "█" => true,
            "▀" => upper,
            "▄" => !upper,
            _ => false,
        };
        let reversed = cell.modifier.contains(Modifier::REVERSED);
        match if foreground != reversed { cell.fg } else { cell.bg } {
            // A dark terminal without colours.
            Color::Reset if foreground != reversed => 255,
            Color::Reset => 0,
            colour => value(colour),
        }
    };
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(width * SCALE, height * 2 * SCALE, pixel);
    image.detect_grids().first().and_then(|grid| grid.decode().ok()).map(|(_, text)| text)
}

#[test]
fn qr_is_black_on_white_in_every_theme() {
    for depth in [Depth::True, Depth::Indexed, Depth::Sixteen] {
        for (no_color, utf8) in [(false, true), (true, true), (false, false)] {
            for theme in every_theme(&Environment { dumb: false, utf8, no_color, depth, rehearsal: None }) {
                let mut deck = Deck::with(fresh(LONG), (120, 60), theme);
                deck.key('p');
                deck.answer(Asked::EnrollLink, link(LONG));
                let expected = Some(format!("{LONG}/enroll#Zm9vYmFyYmF6cXV4MTIzNA"));
                assert_eq!(decode(&deck), expected, "{depth:?} {no_color} {utf8}\n{}", deck.text());
                deck.key('b');
                assert_eq!(decode(&deck), expected, "bigger: {depth:?} {no_color} {utf8}\n{}", deck.text());
            }
        }
    }
}

#[test]
fn qr_has_no_colour_when_the_owner_says_so_and_is_dark_on_light_in_a_dark_terminal() {
    let config = config::Terminal { qr_color: false, ..config::Terminal::default() };
    let environment = Environment { no_color: true, ..able() };
    let (theme, _) = Themes::new(&config, Path::new("/nowhere"), &environment, || None).first();
    for keys in ["p", "pb", "pi", "pbi"] {
        let mut deck = Deck::with(fresh(LONG), (120, 60), theme.clone());
        deck.key('p');
        deck.answer(Asked::EnrollLink, link(LONG));
        keys.chars().skip(1).for_each(|key| drop(deck.key(key)));
        assert!(deck.buffer().content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
        assert_eq!(
            decode(&deck).is_some(),
            !keys.contains('i'),
            "{keys}: inverted it is right in a light terminal\n{}",
            deck.text()
        );
    }
}

#[test]
fn the_code_fits_the_smallest_usual_terminal() {
    assert!(decode(&enrolling(LONG, (80, 24))).is_some());
}

#[test]
fn inverted_is_white_on_black() {
    let mut deck = enrolling(LONG, (80, 24));
    deck.key('i');
    assert_eq!(decode(&deck), None);
    deck.key('i');
    assert!(decode(&deck).is_some());
}

#[test]
fn qr_says_the_size_it_needs() {
    let mut deck = enrolling(LONG, (80, 24));
    deck.key('b');
    let text = deck.text();
    assert!(text.contains("The code needs a window of 84×43."), "{text}");
    assert!(text.contains("b draws it smaller."), "{text}");
    let deck = enrolling(LONG, (80, 20));
    assert!(deck.text().contains("The code needs a window of 43×23."), "{}", deck.text());
    assert!(deck.text().contains("/enroll#"), "the link is there to type");
    assert!(decode(&enrolling(LONG, (60, 23))).is_some(), "and then it fits");
}

#[test]
fn a_loopback_address_has_no_code_but_the_browser() {
    let mut deck = enrolling(LOCAL, (80, 24));
    assert_eq!(decode(&deck), None);
    assert!(deck.text().contains("assistants.public_url to its https address"), "{}", deck.text());
    let effects = deck.key('o');
    assert!(matches!(&effects[..], [Effect::Browse(link)] if link.0.starts_with(LOCAL)));
    let heard = Msg::Answered(Asked::EnrollLink, Ok(Box::new(link(LOCAL))));
    let logged = format!("{effects:?} {heard:?} {:?}", deck.model().overlays);
    assert!(!logged.contains("enroll#"), "what is logged by mistake shows no link: {logged}");
}

#[test]
fn a_public_link_is_not_opened_here() {
    let mut deck = enrolling(PUBLIC, (80, 24));
    assert_eq!(deck.key('o'), []);
    assert!(deck.text().contains("scan the code"), "{}", deck.text());
}

#[test]
fn the_countdown_draws_once_a_second_and_ends() {
    let mut deck = enrolling(LONG, (80, 24));
    assert!(deck.text().contains("09:59 left") || deck.text().contains("10:00 left"), "{}", deck.text());
    let before = deck.pump.frames;
    deck.pass(10_000);
    assert_eq!(deck.pump.frames - before, 10);
    deck.pass(600_000);
    assert!(deck.text().contains("The link has expired."), "{}", deck.text());
    let asked = Effect::Ask(Asked::EnrollLink, Request::PasskeyAdd);
    assert_eq!(deck.key('n'), [asked]);
}

#[test]
fn a_link_that_is_still_good_is_shown_again_and_not_voided() {
    use crossterm::event::KeyCode;
    let again = Effect::Ask(Asked::EnrollLink, Request::PasskeyAdd);
    let mut deck = enrolling(LOCAL, (80, 24));
    deck.press(KeyCode::Esc);
    assert_eq!(deck.key('p'), []);
    assert!(deck.text().contains("/enroll#"), "{}", deck.text());
    deck.press(KeyCode::Esc);
    deck.hear(Notice::Recorded(row(9, "12:41:11", ("command:0", "passkey.link_issued"), None)));
    assert_eq!(deck.key('p'), std::slice::from_ref(&again), "another link took its place");
    deck.answer(Asked::EnrollLink, link(LOCAL));
    deck.press(KeyCode::Esc);
    deck.pass(600_000);
    assert_eq!(deck.key('p'), [again], "it has expired");
}

#[test]
fn a_link_that_another_one_replaced_is_not_shown_as_good() {
    let issued = |expires_at: &str| {
        let mut record = row(9, "12:41:11", ("command:0", "passkey.link_issued"), None);
        record.detail.insert("expires_at".to_owned(), expires_at.into());
        Notice::Recorded(record)
    };
    let mut deck = enrolling(LONG, (80, 24));
    deck.hear(issued("2026-12-01T12:51:10.000Z"));
    assert!(decode(&deck).is_some(), "it is the record of this one\n{}", deck.text());
    let mut deck = enrolling(LONG, (80, 24));
    deck.hear(issued("2026-12-01T12:51:11.000Z"));
    assert_eq!(decode(&deck), None);
    assert!(deck.text().contains("A newer link took its place") && deck.text().contains("Press n"), "{}", deck.text());
    assert_eq!(deck.key('n'), [Effect::Ask(Asked::EnrollLink, Request::PasskeyAdd)]);
}

#[test]
fn it_closes_itself_when_the_passkey_is_there() {
    let mut deck = enrolling(LONG, (80, 24));
    deck.hear(Notice::Recorded(row(2, "12:41:11", ("passkey:5c1e", "passkey.added"), None)));
    assert!(deck.model().overlays.is_empty());
    assert!(deck.text().contains("a passkey was enrolled"), "{}", deck.text());
}

#[test]
fn a_refusal_is_shown_where_the_link_would_be() {
    let mut deck = Deck::new(fresh(LOCAL), (80, 24));
    deck.key('p');
    deck.answer(
        Asked::EnrollLink,
        Reply::Refused(Refusal { reason: "unavailable".to_owned(), message: "The store cannot be written.".to_owned() }),
    );
    assert!(deck.text().contains("The store cannot be written."), "{}", deck.text());
}
