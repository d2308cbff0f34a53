//! Files, colours, contrast, and what a terminal makes of a theme.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use quarterdeck::config::{self, Accent, ThemeChoice};
use ratatui::style::{Color, Modifier, Style};

use super::palette::Palette;
use super::role::ROLES;
use super::shipped::{SHIPPED, shipped};
use super::{Background, Depth, Role, Theme, Themes, colour, file};
use crate::terminal::Environment;
use crate::testing::able;

/// How long the system may take to say that a file was saved.
const PATIENCE: Duration = Duration::from_secs(30);

fn named(name: &str) -> config::Terminal {
    config::Terminal { theme: ThemeChoice::Named(name.to_owned()), ..config::Terminal::default() }
}

fn themes(config: &config::Terminal, folder: &Path, environment: &Environment) -> Themes {
    Themes::new(config, folder, environment, || panic!("nobody asks the terminal"))
}

fn palette(text: &str) -> Palette {
    file::parse(Path::new("mine.toml"), text).unwrap()
}

fn refusal(text: &str) -> String {
    file::parse(Path::new("mine.toml"), text).unwrap_err().to_string()
}

fn channels(colour: Color) -> (u8, u8, u8) {
    match colour {
        Color::Rgb(red, green, blue) => (red, green, blue),
        Color::Indexed(number @ 16..) => colour::rgb(number),
        other => panic!("{other} is the owner's: nobody knows what it looks like"),
    }
}

/// WCAG 2.2, relative luminance.
fn luminance(colour: Color) -> f64 {
    let (red, green, blue) = channels(colour);
    let linear = |channel: u8| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/// WCAG 2.2, contrast ratio.
fn contrast(a: Color, b: Color) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn contrast_is_what_the_standard_says() {
    assert!((contrast(Color::Rgb(0, 0, 0), Color::Rgb(255, 255, 255)) - 21.0).abs() < 1e-9);
    assert!((contrast(Color::Rgb(119, 119, 119), Color::Rgb(255, 255, 255)) - 4.478).abs() < 1e-3);
}

#[test]
fn light_and_dark_have_contrast() {
    for (name, text) in SHIPPED {
        let least = if name == "high-contrast" { 7.0 } else { 4.5 };
        for palette in [palette(text), palette(text).indexed()] {
            let base = palette.base();
            for (role_name, role) in ROLES {
                let style = palette.style(role);
                let (fg, bg) = (style.fg.or(base.fg).unwrap(), style.bg.or(base.bg).unwrap());
                let ratio = contrast(fg, bg);
                assert!(ratio >= least, "{name}.{role_name}: {fg} on {bg} is {ratio:.2}, {least} at least");
                assert!(
                    !style.add_modifier.contains(Modifier::DIM),
                    "{name}.{role_name}: dim makes the contrast anybody's guess"
                );
            }
        }
    }
}

#[test]
fn every_shipped_file_has_every_role_with_a_colour_of_its_own() {
    for (name, text) in SHIPPED {
        let table: toml::Table = text.parse().unwrap();
        for (role, _) in ROLES {
            assert!(table.get(role).is_some_and(|style| style.get("fg").is_some()), "{name} has no {role}");
        }
        assert_eq!(table.len(), ROLES.len(), "{name}");
        assert!(palette(text).base().bg.is_some(), "{name} has no background");
    }
}

#[test]
fn a_light_background_is_light_and_a_dark_one_is_dark() {
    let background = |name: &str| luminance(palette(shipped(name).unwrap()).base().bg.unwrap());
    assert!(background("light") > 0.5 && background("dark") < 0.1 && background("high-contrast") < 0.1);
}

#[test]
fn roles_are_in_the_order_of_their_table() {
    for (place, (name, role)) in ROLES.into_iter().enumerate() {
        assert_eq!(role as usize, place, "{name}");
    }
}

#[test]
fn a_file_says_a_style_in_all_its_parts() {
    let style = palette(r##"accent = { fg = "#0a0B0c", bg = "bright-white", bold = true, dim = false, italic = true, underline = true, reverse = true }"##)
        .style(Role::Accent);
    let modifiers = Modifier::BOLD | Modifier::ITALIC | Modifier::UNDERLINED | Modifier::REVERSED;
    assert_eq!(style, Style::new().fg(Color::Rgb(10, 11, 12)).bg(Color::White).add_modifier(modifiers));
    let numbers = palette("[accent]\nfg = 0x10\nbg = 7\n").style(Role::Accent);
    assert_eq!((numbers.fg, numbers.bg), (Some(Color::Indexed(16)), Some(Color::Gray)));
}

#[test]
fn what_a_file_leaves_out_is_as_in_the_terminals_own_theme() {
    let (mine, own) = (palette("ok = { fg = \"blue\" }"), Palette::terminal());
    assert_eq!(mine.style(Role::Ok).fg, Some(Color::Blue));
    for (name, role) in ROLES.into_iter().filter(|(_, role)| *role != Role::Ok) {
        assert_eq!(mine.style(role), own.style(role), "{name}");
    }
    assert_eq!(mine.base(), Style::new());
}

#[test]
fn a_mistake_is_one_sentence_with_file_line_key_and_what_is_allowed() {
    let colour = r##"must be "#rrggbb", a name such as "red" or "bright-red", or a number from 0 to 255"##;
    let style = r##"must be a style such as { fg = "#6cb6ff", bold = true }"##;
    for (text, sentence) in [
        ("\nacent = { fg = 1 }", "line 2: acent is not a role; the roles are text, muted, accent, ok, warn, danger, title, selected, diff_add, diff_del".to_owned()),
        ("ok = { bg = 1 }\nwarn = { bold = true,\n  blink = true }", "line 3: warn.blink is not a part of a style; the parts are fg, bg, bold, dim, italic, underline and reverse".to_owned()),
        ("ok = { fg = \"#12345\" }", format!("line 1: ok.fg {colour}, found \"#12345\"")),
        ("ok = { fg = \"#+12345\" }", format!("line 1: ok.fg {colour}, found \"#+12345\"")),
        ("ok = { bg = \"teal\" }", format!("line 1: ok.bg {colour}, found \"teal\"")),
        ("ok = { bg = \"\\u001b[1m\\n\" }", format!("line 1: ok.bg {colour}, found \"⟨U+001B⟩[1m⟨U+000A⟩\"")),
        ("ok = { fg = 256 }", format!("line 1: ok.fg {colour}, found 256")),
        ("ok = { fg = -1 }", format!("line 1: ok.fg {colour}, found -1")),
        ("ok = { fg = [1, 2, 3] }", format!("line 1: ok.fg {colour}, found a list")),
        ("ok = { bold = 1 }", "line 1: ok.bold must be true or false, found 1".to_owned()),
        ("ok = \"red\"", format!("line 1: ok {style}, found \"red\"")),
        ("zzz = 1\nok = 1", "line 1: zzz is not a role; the roles are text, muted, accent, ok, warn, danger, title, selected, diff_add, diff_del".to_owned()),
    ] {
        assert_eq!(refusal(text), format!("mine.toml {sentence}"));
    }
    assert!(refusal("ok = {\n").starts_with("mine.toml line 1: this is not TOML: "), "{}", refusal("ok = {\n"));
}

#[test]
fn a_file_that_cannot_be_read_is_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("mine.toml");
    let refusal = || themes(&named("mine"), folder.path(), &able()).load().unwrap_err().to_string();
    assert!(
        refusal()
            .ends_with("mine.toml does not exist, and no shipped theme has this name: those are light, dark and high-contrast")
    );
    std::fs::write(&mine, b"# \xff").unwrap();
    assert!(refusal().contains("mine.toml cannot be read: "));
    std::fs::write(&mine, vec![b'#'; (1 << 16) + 1]).unwrap();
    assert!(refusal().ends_with("is larger than 65536 bytes: it is not a theme"));
    std::fs::remove_file(&mine).unwrap();
    std::fs::create_dir(&mine).unwrap();
    assert!(refusal().ends_with("mine.toml is not a file"));
}

#[test]
fn a_theme_that_cannot_be_used_at_the_start_leaves_the_terminals_own_colours_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let (theme, said) = themes(&named("mine"), folder.path(), &able()).first();
    assert_eq!(theme.style(Role::Accent).fg, Some(Color::Cyan));
    assert!(said.unwrap().contains("mine.toml does not exist"));
    assert!(themes(&named("dark"), folder.path(), &able()).first().1.is_none());
}

#[test]
fn the_owners_file_goes_over_a_shipped_theme_of_the_same_name() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("dark.toml"), "accent = { fg = 201 }").unwrap();
    let theme = themes(&named("dark"), folder.path(), &able()).load().unwrap();
    assert_eq!(theme.style(Role::Accent).fg, Some(Color::Indexed(201)));
}

#[test]
fn the_nearest_colour_of_256_is_found() {
    for (exact, number) in
        [((0, 0, 0), 16), ((255, 255, 255), 231), ((95, 135, 175), 67), ((8, 8, 8), 232), ((238, 238, 238), 255)]
    {
        assert_eq!(colour::indexed(Color::Rgb(exact.0, exact.1, exact.2)), Color::Indexed(number));
    }
    assert_eq!(colour::indexed(Color::Rgb(254, 1, 1)), Color::Indexed(196));
    assert_eq!(colour::indexed(Color::Rgb(29, 30, 28)), Color::Indexed(234));
    for own in [Color::Red, Color::Indexed(3), Color::Indexed(200), Color::Reset] {
        assert_eq!(colour::indexed(own), own);
    }
    for number in 16..=255 {
        let (red, green, blue) = colour::rgb(number);
        let found = colour::indexed(Color::Rgb(red, green, blue));
        assert_eq!(channels(found), (red, green, blue), "a colour of the 256 is its own nearest");
    }
}

#[test]
fn with_256_colours_nothing_is_truecolor() {
    let folder = Path::new("/nowhere");
    for (name, _) in SHIPPED {
        let theme = themes(&named(name), folder, &Environment { depth: Depth::Indexed, ..able() }).load().unwrap();
        for style in ROLES.map(|(_, role)| theme.style(role)).into_iter().chain([theme.base()]) {
            assert!([style.fg, style.bg].into_iter().flatten().all(|colour| matches!(colour, Color::Indexed(16..))), "{style:?}");
        }
    }
}

#[test]
fn with_16_colours_a_theme_of_more_is_not_used_and_one_of_16_is() {
    let folder = tempfile::tempdir().unwrap();
    let environment = Environment { depth: Depth::Sixteen, ..able() };
    let (theme, said) = themes(&named("dark"), folder.path(), &environment).first();
    assert_eq!((theme.base(), theme.style(Role::Accent).fg), (Style::new(), Some(Color::Cyan)));
    assert_eq!(said.unwrap(), "the theme dark needs more colours than this terminal's 16: the terminal's own are used");
    std::fs::write(folder.path().join("mine.toml"), "accent = { fg = \"blue\" }").unwrap();
    let (theme, said) = themes(&named("mine"), folder.path(), &environment).first();
    assert_eq!((theme.style(Role::Accent).fg, said), (Some(Color::Blue), None));
}

#[test]
fn without_colour_attributes_are_left_and_what_stood_out_by_its_background_is_reversed() {
    for depth in [Depth::True, Depth::Sixteen] {
        for name in ["light", "dark", "high-contrast"] {
            let theme =
                themes(&named(name), Path::new("/nowhere"), &Environment { no_color: true, depth, ..able() }).load().unwrap();
            assert_eq!(theme.base(), Style::new());
            for (_, role) in ROLES {
                assert_eq!((theme.style(role).fg, theme.style(role).bg), (None, None), "{name} {role:?}");
            }
            assert!(!theme.style(Role::Selected).add_modifier.is_empty(), "{name}: the selected row can be seen");
            assert!(theme.style(Role::Danger).add_modifier.contains(Modifier::BOLD), "{name}");
        }
    }
}

#[test]
fn auto_follows_the_terminal_and_does_not_ask_when_it_would_not_matter() {
    let config = config::Terminal { theme: ThemeChoice::Auto, ..config::Terminal::default() };
    let background = |answer| Themes::new(&config, Path::new("/nowhere"), &able(), || answer).load().unwrap().base().bg;
    assert_eq!(background(Some(Background::Light)), Some(Color::Rgb(255, 255, 255)));
    assert_eq!(background(Some(Background::Dark)), Some(Color::Rgb(0x16, 0x18, 0x1d)));
    assert_eq!(background(None), None, "no answer: the terminal's own colours");
    for environment in [Environment { no_color: true, ..able() }, Environment { depth: Depth::Sixteen, ..able() }] {
        assert_eq!(themes(&config, Path::new("/nowhere"), &environment).first().1, None);
    }
}

#[test]
fn the_hosts_colour_can_be_read_in_every_theme() {
    for accent in [Accent::Red, Accent::Green, Accent::Blue, Accent::Magenta, Accent::Cyan] {
        let config = config::Terminal { accent: Some(accent), ..named("light") };
        let host = |environment: &Environment| themes(&config, Path::new("/nowhere"), environment).first().0.host();
        let style = host(&able()).unwrap();
        assert!(contrast(style.fg.unwrap(), style.bg.unwrap()) >= 7.0, "{accent:?}");
        assert!(host(&Environment { depth: Depth::Sixteen, ..able() }).unwrap().add_modifier.contains(Modifier::REVERSED));
        assert_eq!(host(&Environment { no_color: true, ..able() }), None);
    }
    assert_eq!(Theme::of(&able(), false).host(), None, "without the key it is a name like others");
}

/// Watches `file` in `folder` with this text in it.
fn watching(folder: &Path, text: &str) -> (PathBuf, super::watch::Watch, mpsc::Receiver<Result<Theme, String>>) {
    let file = folder.join("mine.toml");
    std::fs::write(&file, text).unwrap();
    let (tell, told) = mpsc::channel();
    let watch = themes(&named("mine"), folder, &able()).watch(move |theme| tell.send(theme).unwrap()).unwrap();
    (file, watch, told)
}

#[test]
fn a_file_that_is_saved_is_read_again_and_a_broken_one_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let (file, _watch, told) = watching(folder.path(), "ok = { fg = \"green\" }");
    std::fs::write(&file, "ok = { fg = \"blue\" }").unwrap();
    let theme = told.recv_timeout(PATIENCE).unwrap().unwrap();
    assert_eq!(theme.style(Role::Ok).fg, Some(Color::Blue));
    std::fs::write(&file, "ok = { fg = \"bleu\" }").unwrap();
    let sentence = told.recv_timeout(PATIENCE).unwrap().unwrap_err();
    assert!(
        sentence.contains("mine.toml line 1: ok.fg must be") && sentence.ends_with("; the colours stay as they were"),
        "{sentence}"
    );
}

#[test]
fn a_file_put_in_the_place_of_the_old_one_is_read_and_other_files_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let (file, _watch, told) = watching(folder.path(), "ok = { fg = \"green\" }");
    std::fs::write(folder.path().join("other.toml"), "zzz = 1").unwrap();
    std::fs::rename(&file, folder.path().join("mine.toml~")).unwrap();
    let new = folder.path().join(".mine.toml.swp");
    std::fs::write(&new, "ok = { fg = \"blue\" }").unwrap();
    std::fs::rename(&new, &file).unwrap();
    let theme = told.recv_timeout(PATIENCE).unwrap().unwrap();
    assert_eq!(theme.style(Role::Ok).fg, Some(Color::Blue), "the first that is told is the new one");
}

#[test]
fn a_file_behind_a_link_is_watched_where_it_is() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let real = elsewhere.path().join("colours.toml");
    std::os::unix::fs::symlink(&real, folder.path().join("mine.toml")).unwrap();
    let (_file, _watch, told) = watching(folder.path(), "ok = { fg = \"green\" }");
    std::fs::write(&real, "ok = { fg = \"blue\" }").unwrap();
    assert_eq!(told.recv_timeout(PATIENCE).unwrap().unwrap().style(Role::Ok).fg, Some(Color::Blue));
}

#[test]
fn nothing_is_watched_for_the_terminals_own_colours_and_for_a_folder_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    assert!(themes(&config::Terminal::default(), folder.path(), &able()).watch(drop).is_none());
    assert!(themes(&named("dark"), &folder.path().join("themes"), &able()).watch(drop).is_none());
    assert!(themes(&named("dark"), folder.path(), &able()).watch(drop).is_some());
}
