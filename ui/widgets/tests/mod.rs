//! Tests of what screens are drawn with: in both sets of characters, with wide and hostile text, and without any room.

mod charts;
mod diff;
mod field;
mod fuzzy;

use crate::terminal::Environment;
use crate::theme::Theme;

#[test]
fn an_address_loses_its_path_and_then_the_start_of_its_host_and_never_what_was_done_with_it() {
    let cut = |text: &str, most| super::fit(&theme(false), text, most, super::Cut::Host);
    let long = "https://claude.ai.login.evil.invalid/oauth/client.json";
    assert_eq!(cut(long, 42), "https://claude.ai.login.evil.invalid/oa…on");
    assert_eq!(cut(long, 20), "…login.evil.invalid…");
    assert_eq!(cut("claude.ai.login.evil.invalid", 13), "…evil.invalid");
    assert_eq!(cut(&format!("authorization.denied {long}"), 40), "authorization.deni… …login.evil.invalid…");
    assert_eq!(cut("ReadMemory preferences/travel.md", 12), "ReadMe…el.md", "no address");
    assert_eq!(cut(long, 1), "d");
}

fn theme(ascii: bool) -> Theme {
    let environment = Environment::read(|name| match name {
        "LANG" => Some("C.UTF-8".to_owned()),
        "TERM" => Some("xterm".to_owned()),
        _ => None,
    });
    Theme::of(&environment, ascii)
}
