//! Return addresses, by properties.

use proptest::prelude::*;

use crate::oauth::redirect::{RedirectError, answer, is_loopback, matches, usable};

fn loopback() -> impl Strategy<Value = (String, String)> {
    let host = prop_oneof![Just("127.0.0.1"), Just("localhost"), Just("[::1]")];
    (host, "(/[a-z0-9._~%-]{0,12}){0,3}", proptest::option::of("[a-z]{1,5}=[a-z0-9%+]{0,5}")).prop_map(|(host, path, query)| {
        (host.to_owned(), format!("{path}{}", query.map(|q| format!("?{q}")).unwrap_or_default()))
    })
}

proptest! {
    #[test]
    fn any_two_ports_of_one_loopback_address_match((host, rest) in loopback(), one: u16, other: u16) {
        let (asked, listed) = (format!("http://{host}:{one}{rest}"), format!("http://{host}:{other}{rest}"));
        let bare = format!("http://{host}{rest}");
        prop_assert!(matches(&asked, &listed) && matches(&asked, &bare));
    }

    #[test]
    fn a_difference_anywhere_else_does_not((host, rest) in loopback(), port: u16, tail in "[a-z0-9/]{1,4}") {
        let listed = format!("http://{host}{rest}x");
        for other in [
            format!("http://{host}:{port}{rest}x{tail}"),
            format!("https://{host}:{port}{rest}x"),
            format!("http://{host}.example:{port}{rest}x"),
            format!("http://user@{host}:{port}{rest}x"),
            format!("HTTP://{host}:{port}{rest}x"),
        ] {
            prop_assert!(!matches(&other, &listed), "{}", other);
        }
    }

    #[test]
    fn nothing_else_matches_but_itself(one in "\\PC{0,40}", other in "\\PC{0,40}") {
        prop_assert!(matches(&one, &one));
        prop_assume!(one != other && !is_loopback(&one));
        prop_assert!(!matches(&one, &other));
    }

    #[test]
    fn what_is_loopback_leads_to_this_machine(host in "(127[.]0[.]0[.]1|localhost|\\[::1\\])", tail in "[a-z0-9.:@?#/\\\\-]{0,8}") {
        let text = format!("http://{host}{tail}");
        let leads_here = url::Url::parse(&text).is_ok_and(|url| url.host_str() == Some(host.as_str()));
        prop_assert!(leads_here || !is_loopback(&text), "{}", text);
    }

    #[test]
    fn the_answer_comes_behind_the_untouched_address((host, rest) in loopback(), state in "\\PC{0,20}") {
        let uri = format!("http://{host}{rest}");
        let whole = answer(&uri, &[("code", "c"), ("state", &state)]);
        prop_assert!(whole.starts_with(&uri) && whole.is_ascii());
        let back = url::Url::parse(&whole).unwrap();
        prop_assert!(back.query_pairs().any(|(name, value)| name == "state" && value == state));
        prop_assert!(back.query_pairs().any(|(name, value)| name == "code" && value == "c"));
    }

    #[test]
    fn reading_any_text_never_panics(text in "\\PC{0,60}") {
        let _usable_or_not = usable(&text);
        let _loopback_or_not = is_loopback(&text);
    }
}

/// A47, A63
#[test]
fn one_name_of_this_machine_does_not_stand_for_another() {
    for (requested, listed) in [
        ("http://localhost/callback", "http://127.0.0.1/callback"),
        ("http://[::1]/callback", "http://localhost/callback"),
        ("https://localhost:1/callback", "https://localhost/callback"),
        ("http://localhost:1/callback", "http://localhost:/callback"),
        ("http://localhost:65536/callback", "http://localhost/callback"),
        ("http://localhost:1/call back", "http://localhost/call back"),
    ] {
        assert!(!matches(requested, listed), "{requested} {listed}");
    }
    assert!(matches("http://localhost:1", "http://localhost/"));
}

#[test]
fn the_answer_joins_what_query_there_is() {
    for (uri, whole) in [
        ("https://a.example/b", "https://a.example/b?x=1"),
        ("https://a.example/b?", "https://a.example/b?x=1"),
        ("https://a.example/b?c=d", "https://a.example/b?c=d&x=1"),
        ("https://a.example/b?c=d&", "https://a.example/b?c=d&x=1"),
        ("https://A.example:443/%7Eb/../c", "https://A.example:443/%7Eb/../c?x=1"),
        ("cursor://a.b/callback", "cursor://a.b/callback?x=1"),
    ] {
        assert_eq!(answer(uri, &[("x", "1")]), whole);
    }
}

#[test]
fn what_a_browser_would_run_is_told_from_what_it_cannot_read() {
    assert_eq!(usable("JavaScript:alert(1)"), Err(RedirectError::Scheme));
    assert_eq!(usable("view-source:https://a.example/"), Err(RedirectError::Scheme));
    assert_eq!(usable("https://a.example/b|c"), Err(RedirectError::NotAUrl));
    assert_eq!(usable("http://a.example/"), Err(RedirectError::Plain));
    assert_eq!(usable("https://a.example/?x=1&iss=y"), Err(RedirectError::Answered));
    assert!(usable("com.example.app:/callback").is_ok());
}
