//! The key map: the defaults are whole, the owner's file goes over them, and what would be dangerous is refused.

use std::collections::BTreeMap;

use super::keymap::DEFAULTS;
use super::rules::asks;
use super::*;

fn load(text: &str) -> Result<Keymap, Vec<String>> {
    Keymap::load(text, "keymap.toml").map_err(|error| error.sentences())
}

fn refused(text: &str) -> Vec<String> {
    load(text).expect_err("this map must be refused")
}

fn keys(map: &Keymap, place: Place, name: &str) -> Vec<String> {
    let entry = in_place(place).find(|entry| entry.name == name).unwrap();
    map.keys(entry).iter().map(ToString::to_string).collect()
}

#[test]
fn each_line_of_the_defaults_is_an_intent_and_every_intent_has_a_line() {
    let file: BTreeMap<String, BTreeMap<String, Vec<String>>> = toml::from_str(DEFAULTS).unwrap();
    for entry in INTENTS {
        assert!(file[entry.place.section()].contains_key(entry.name), "{entry:?}");
    }
    assert_eq!(file.values().map(BTreeMap::len).sum::<usize>(), INTENTS.len());
    assert!(file.values().flat_map(BTreeMap::values).flatten().all(|name| Key::parse(name).is_some()));
}

#[test]
fn the_defaults_are_a_file_the_owner_could_have_written() {
    assert_eq!(load(DEFAULTS).map(|_| ()), Ok(()));
    assert_eq!(load("").map(|_| ()), Ok(()));
}

#[test]
fn a_sentence_names_the_keys_the_owner_has() {
    let sentence = "choose with {down} and {up}, or {sort}.";
    assert_eq!(Keymap::default().say(sentence), "choose with j and k, or s.");
    let own = load("[lists]\ndown = [\"f2\"]\nsort = []\n[everywhere]\npalette = [\"f9\"]\n").unwrap();
    assert_eq!(own.say(sentence), "choose with f2 and k, or f9 sort.");
    assert_eq!(own.say("{down"), "f9 down", "a brace that is not closed hides nothing");
    for name in ["retry", "back", "enroll", "new-link", "browse", "next-pane", "export", "overview", "deny", "revoke"] {
        assert!(INTENTS.iter().any(|entry| entry.name == name), "a sentence names {name}");
    }
}

#[test]
fn a_line_goes_over_the_default_and_the_others_stay() {
    let map = load("[lists]\nsort = [\"t\", \"f5\"]\n[overview]\nrevoke = []\n").unwrap();
    assert_eq!(keys(&map, Place::Lists, "sort"), ["t", "f5"]);
    assert_eq!(keys(&map, Place::Overview, "revoke"), Vec::<String>::new());
    assert_eq!(keys(&map, Place::Connections, "revoke"), ["R"]);
}

#[test]
fn everything_that_is_wrong_is_told_with_its_line() {
    let told = refused("[list]\ndown = [\"j\"]\n[lists]\ndwon = [\"j\"]\nsort = \"s\"\ncopy = [\"alt-x\", \"Enter\"]\n");
    assert_eq!(told.len(), 5, "{told:#?}");
    assert_eq!(told[0], "keymap.toml:1: there is no section [list]; did you mean lists?");
    assert_eq!(told[1], "keymap.toml:4: [lists] has no dwon; did you mean down?");
    assert_eq!(told[2], "keymap.toml:5: sort must be a list of keys, as sort = [\"x\", \"ctrl-d\"]");
    assert!(told[3].starts_with("keymap.toml:6: \"alt-x\" is no key: a key is one character, enter, esc"), "{}", told[3]);
    assert!(told[4].starts_with("keymap.toml:6: \"Enter\" is no key"));
}

#[test]
fn a_name_nothing_is_like_gets_the_names_there_are() {
    assert_eq!(refused("[audit]\nxyzzy = []\n"), ["keymap.toml:2: [audit] has no xyzzy; it has verify"]);
}

#[test]
fn a_file_that_is_no_toml_names_the_line() {
    let told = refused("[lists]\ndown = [\n");
    assert!(told[0].starts_with("keymap.toml:") && told[0].contains("this is not TOML"), "{told:?}");
    let told = refused("lists = 3\n");
    assert_eq!(told, ["keymap.toml:1: lists must be a section: write [lists] with its lines below it"]);
}

#[test]
fn hidden_characters_of_a_name_are_shown() {
    let told = refused("\"li\u{202e}sts\" = 1\n");
    assert!(told[0].contains("U+202E"), "{told:?}");
}

#[test]
fn two_lines_with_one_key_are_both_named() {
    let told = refused("[lists]\nsort = [\"t\"]\n\n[everywhere]\nzoom = [\"t\"]\n");
    let both = "keymap.toml:5: the key t would mean both [everywhere] zoom (keymap.toml:5) and [lists] sort (keymap.toml:2): \
        give one of them another key, or [] for none";
    assert_eq!(told, [both]);
}

#[test]
fn a_key_of_a_default_is_a_conflict_until_that_one_is_changed_too() {
    let told = refused("[lists]\nsort = [\"z\"]\n");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("[lists] sort (keymap.toml:2) and [everywhere] zoom (default)"), "{told:?}");
    assert!(load("[lists]\nsort = [\"z\"]\n[everywhere]\nzoom = [\"f2\"]\n").is_ok());
}

#[test]
fn the_same_key_on_two_screens_is_no_conflict() {
    assert!(load("[audit]\nverify = [\"n\"]\n").is_ok(), "n is Connections' own");
}

#[test]
fn nothing_that_hands_press_blindly_says_yes() {
    for (key, why) in
        [("enter", "enter and space"), ("space", "enter and space"), ("R", "opens a question"), ("d", "opens a question")]
    {
        for answer in ["confirm", "keep-serving"] {
            let told = refused(&format!("[question]\n{answer} = [\"{key}\"]\n"));
            assert!(told[0].starts_with(&format!("keymap.toml:2: [question] {answer}: {key} cannot")), "{told:?}");
            assert!(told[0].contains(why), "{told:?}");
        }
    }
    assert!(load("[question]\nconfirm = [\"f9\"]\n").is_ok());
}

#[test]
fn no_key_that_opens_a_question_can_be_made_the_one_that_answers_it() {
    let asking: Vec<_> = INTENTS.iter().filter(|entry| asks(entry)).collect();
    for entry in &asking {
        let text = format!("[{}]\n{} = [\"Y\"]\n", entry.place.section(), entry.name);
        let told = refused(&text).join("\n");
        assert!(told.contains("[question] confirm: Y cannot") || told.contains("mean both"), "{text}{told}");
    }
    let names: Vec<&str> = asking.iter().map(|entry| entry.name).collect();
    for name in ["revoke", "deny", "remove", "scopes", "leave", "suspend", "interrupt"] {
        assert!(names.contains(&name), "{name}");
    }
}

#[test]
fn the_ways_out_stay() {
    let told = |text: &str| refused(text).join("\n");
    assert!(told("[always]\ninterrupt = [\"f10\"]\n").contains("ctrl-c must be among its keys"));
    assert!(told("[question]\nclose = [\"n\"]\n").contains("esc must be among its keys"));
    assert!(told("[question]\nconfirm = []\n").contains("no question could be answered"));
    for place in ["reading", "enroll", "palette", "field"] {
        assert!(told(&format!("[{place}]\nclose = []\n")).contains("there would be no way out"), "{place}");
    }
}

#[test]
fn no_letter_has_a_meaning_where_letters_are_text() {
    for (place, name) in [("palette", "down"), ("field", "submit"), ("always", "redraw")] {
        let told = refused(&format!("[{place}]\n{name} = [\"ü\"]\n")).join("\n");
        assert!(told.contains("it is text where something is typed"), "{told}");
    }
    assert!(load("[palette]\ndown = [\"ctrl-n\", \"down\"]\n").is_ok());
}
