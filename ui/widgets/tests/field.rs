//! The field.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::theme;
use crate::widgets::{Canvas, Field, Typed};

fn press(field: &mut Field, code: KeyCode) -> Typed {
    field.key(KeyEvent::new(code, KeyModifiers::NONE))
}

fn ctrl(field: &mut Field, c: char) -> Typed {
    field.key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL))
}

fn written(text: &str) -> Field {
    let mut field = Field::new(100);
    for c in text.chars() {
        assert_eq!(press(&mut field, KeyCode::Char(c)), Typed::Changed);
    }
    field
}

/// What is drawn in `cells` cells, and where the cursor stands.
fn drawn(field: &Field, cells: u16, ascii: bool) -> (String, Option<u16>) {
    let theme = theme(ascii);
    let mut buffer = Buffer::empty(Rect::new(0, 0, 30, 1));
    let cursor = field.draw(&mut Canvas { buffer: &mut buffer, theme: &theme, cursor: None }, (2, 0), cells, Style::new());
    let text: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
    (text.trim_end().to_owned(), cursor.map(|(x, _)| x))
}

#[test]
fn what_is_typed_stands_where_the_cursor_is() {
    let mut field = written("ac");
    assert_eq!(press(&mut field, KeyCode::Left), Typed::Moved);
    assert_eq!(press(&mut field, KeyCode::Char('b')), Typed::Changed);
    assert_eq!((field.text(), field.cursor()), ("abc", 2));
    assert_eq!(press(&mut field, KeyCode::Delete), Typed::Changed);
    assert_eq!(press(&mut field, KeyCode::Delete), Typed::Nothing);
    assert_eq!(press(&mut field, KeyCode::Backspace), Typed::Changed);
    assert_eq!((field.text(), field.cursor()), ("a", 1));
    field.clear();
    assert_eq!((field.text(), field.cursor()), ("", 0));
}

#[test]
fn a_word_the_line_and_the_ends_have_their_keys() {
    let mut field = written("one two");
    assert_eq!(press(&mut field, KeyCode::Home), Typed::Moved);
    assert_eq!((press(&mut field, KeyCode::Home), field.cursor()), (Typed::Nothing, 0));
    assert_eq!((press(&mut field, KeyCode::End), field.cursor()), (Typed::Moved, 7));
    assert_eq!((ctrl(&mut field, 'w'), field.text()), (Typed::Changed, "one "));
    assert_eq!((ctrl(&mut field, 'u'), field.text()), (Typed::Changed, ""));
    assert_eq!((ctrl(&mut field, 'y'), field.text()), (Typed::Nothing, ""), "nothing comes back from before");
}

#[test]
fn other_keys_are_not_for_the_field() {
    let mut field = written("a");
    for code in [KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::Up, KeyCode::F(1)] {
        assert_eq!(press(&mut field, code), Typed::Nothing);
    }
    let alt = KeyEvent::new(KeyCode::Char('x'), KeyModifiers::ALT);
    assert_eq!(field.key(alt), Typed::Nothing);
    let release = KeyEvent::new_with_kind(KeyCode::Char('x'), KeyModifiers::NONE, KeyEventKind::Release);
    assert_eq!(field.key(release), Typed::Nothing);
    assert_eq!(field.text(), "a");
}

#[test]
fn a_paste_is_one_line_of_what_can_be_seen() {
    for (pasted, text) in [
        ("one\r\ntwo\nthree\rfour\tfive\n", "one two three four five"),
        ("\u{1b}[31mred\u{7}", "[31mred"),
        ("a\u{202e}b\u{200b}c\u{feff}", "abc"),
        ("\n\n", ""),
        ("日本 é", "日本 é"),
    ] {
        let mut field = Field::new(100);
        assert!(!field.paste(pasted));
        assert_eq!(field.text(), text);
    }
    let mut field = written("ad");
    press(&mut field, KeyCode::Left);
    field.paste("bc");
    assert_eq!((field.text(), field.cursor()), ("abcd", 3));
}

#[test]
fn a_full_field_takes_nothing_more_and_says_so() {
    let mut field = Field::new(4);
    assert!(field.paste(&"日".repeat(1_000_000)));
    assert_eq!(field.text(), "日日日日");
    assert!(field.paste("x"));
    assert_eq!(press(&mut field, KeyCode::Char('x')), Typed::Nothing);
    press(&mut field, KeyCode::Backspace);
    assert_eq!(press(&mut field, KeyCode::Char('x')), Typed::Changed);
    assert_eq!(Field::new(4).holding("abcdef").text(), "abcd");
}

#[test]
fn a_character_that_cannot_be_seen_cannot_be_typed() {
    let mut field = Field::new(9);
    for c in ['\u{202e}', '\u{200b}', '\0', '\u{1b}', '\u{fe0f}'] {
        assert_eq!(press(&mut field, KeyCode::Char(c)), Typed::Nothing);
    }
    assert_eq!(field.text(), "");
}

#[test]
fn a_long_line_is_scrolled_so_that_the_cursor_can_be_seen() {
    let mut field = written("abcdefgh");
    assert_eq!(drawn(&field, 20, false), ("  abcdefgh".to_owned(), Some(10)));
    assert_eq!(drawn(&field, 5, false), ("  efgh".to_owned(), Some(6)));
    press(&mut field, KeyCode::Left);
    assert_eq!(drawn(&field, 5, false), ("  defgh".to_owned(), Some(6)));
    press(&mut field, KeyCode::Home);
    assert_eq!(drawn(&field, 5, false), ("  abcde".to_owned(), Some(2)));
}

#[test]
fn wide_characters_are_scrolled_as_a_whole() {
    let field = written("日本語");
    assert_eq!(drawn(&field, 6, false).1, Some(6));
    assert_eq!(drawn(&field, 6, false).0.replace(' ', ""), "本語");
    assert_eq!(drawn(&field, 1, false), (String::new(), Some(2)));
    assert_eq!(drawn(&field, 6, true), ("  ???".to_owned(), Some(5)));
}

#[test]
fn without_room_there_is_no_cursor() {
    let field = written("abc");
    assert_eq!(drawn(&field, 0, false), (String::new(), None));
    let theme = theme(false);
    let mut buffer = Buffer::empty(Rect::new(0, 0, 2, 1));
    let mut canvas = Canvas { buffer: &mut buffer, theme: &theme, cursor: None };
    assert_eq!(field.draw(&mut canvas, (2, 0), 9, Style::new()), None);
    assert_eq!(field.draw(&mut canvas, (0, 1), 9, Style::new()), None);
    assert_eq!(field.draw(&mut canvas, (0, 0), 9, Style::new()), Some((1, 0)), "the buffer ends before the field");
}

proptest! {
    #[test]
    fn whatever_is_pasted_the_cursor_stays_inside(text: String, back in 0_usize..20, cells in 0_u16..20, ascii: bool) {
        let mut field = Field::new(40).holding(&text);
        for _ in 0..back {
            press(&mut field, KeyCode::Left);
        }
        prop_assert!(field.text().chars().count() <= 40);
        prop_assert!(!quarterdeck::text::has_hidden(field.text()));
        let (_, cursor) = drawn(&field, cells, ascii);
        prop_assert_eq!(cursor.is_some(), cells > 0);
        prop_assert!(cursor.is_none_or(|x| (2..2 + cells).contains(&x)));
    }
}
