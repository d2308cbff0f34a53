//! What can be set, by whom, and the sentence for everything that cannot.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proptest::prelude::*;

use super::key::KEYS;
use super::nearest::nearest;
use super::{Config, ConfigError, Flags, PublicUrl, Sources, ThemeChoice, load};

const EXAMPLE: &str = include_str!("../../config.example.toml");

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("quarterdeck.toml")
    }

    fn sources(&self) -> Sources {
        Sources { file: self.file(), default_state_dir: PathBuf::from("/state"), ..Sources::default() }
    }

    /// Loads with `text` as the file.
    fn load(&self, text: impl AsRef<[u8]>) -> Result<Config, ConfigError> {
        std::fs::write(self.file(), text).unwrap();
        load(&self.sources())
    }

    /// The sentence after the file's name.
    fn refusal(&self, text: impl AsRef<[u8]>) -> String {
        let sentence = self.load(text).unwrap_err().to_string();
        let name = format!("{} ", self.file().display());
        sentence.strip_prefix(&name).unwrap_or_else(|| panic!("{sentence:?} does not begin with the file")).to_owned()
    }
}

fn defaults() -> Config {
    Config::new(PathBuf::from("/state"))
}

fn refusal(text: &str) -> String {
    Folder::new().refusal(text)
}

fn from_environment(pairs: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let folder = Folder::new();
    let environment = pairs.iter().map(|(name, value)| (name.into(), value.into())).collect();
    load(&Sources { environment, ..folder.sources() })
}

fn certificate() -> String {
    rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap().cert.pem()
}

/// The example with the mark of every line that is a key taken away.
fn uncommented() -> String {
    let is_key = |line: &str| line.strip_prefix('#').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
    EXAMPLE.lines().map(|line| if is_key(line) { &line[1..] } else { line }).collect::<Vec<_>>().join("\n")
}

/// A169
#[test]
fn without_a_file_everything_is_at_its_default() {
    assert_eq!(load(&Folder::new().sources()).unwrap(), defaults());
}

#[test]
fn the_example_as_it_is_and_uncommented_is_the_defaults() {
    assert_eq!(Folder::new().load(EXAMPLE).unwrap(), defaults());
    assert_eq!(Folder::new().load(uncommented()).unwrap(), defaults());
}

#[test]
fn the_example_has_every_key_in_order_each_with_a_line_that_says_why() {
    let mut section = String::new();
    let mut names = Vec::new();
    let lines: Vec<&str> = EXAMPLE.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = format!("{name}.");
        } else if let Some((name, _)) =
            line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).and_then(|rest| rest.split_once(" = "))
        {
            names.push(format!("{section}{name}"));
            assert!(lines[at - 1].starts_with("# "), "{name} has no line that says why");
        }
    }
    assert_eq!(names, KEYS.iter().map(|key| key.name).collect::<Vec<_>>());
}

#[test]
fn every_key_changes_something_and_every_field_has_a_key() {
    let folder = Folder::new();
    std::fs::write(folder.0.path().join("ca.pem"), certificate()).unwrap();
    let other = folder.load(OTHER).unwrap();
    let Config { state_dir: _, assistants, host, terminal, oauth, outbound, limits, trusted_proxies, log } = defaults();
    assert_ne!(other.assistants.listen, assistants.listen);
    assert_ne!(other.assistants.public_url, assistants.public_url);
    assert_eq!(other.host, host, "there is one kind so far");
    assert_ne!(other.terminal.ascii, terminal.ascii);
    assert_ne!(other.terminal.plain, terminal.plain);
    assert_ne!(other.terminal.theme, terminal.theme);
    assert_ne!(other.terminal.accent, terminal.accent);
    assert_ne!(other.terminal.mouse, terminal.mouse);
    assert_ne!(other.terminal.attention, terminal.attention);
    assert_ne!(other.terminal.attention_command, terminal.attention_command);
    assert_ne!(other.terminal.qr_color, terminal.qr_color);
    assert_ne!(other.terminal.qr_hide_unfocused, terminal.qr_hide_unfocused);
    assert_ne!(other.oauth.idle_expiry, oauth.idle_expiry);
    assert_ne!(other.outbound.allow, outbound.allow);
    assert_eq!(other.outbound.ca_file, Some(folder.0.path().join("ca.pem")), "relative to the file that names it");
    assert_ne!(other.trusted_proxies, trusted_proxies);
    assert_ne!(other.log.filter, log.filter);
    assert_ne!(other.log.keep_days, log.keep_days);
    let (a, b) = (other.limits, limits);
    assert_ne!(a.request_bytes, b.request_bytes);
    assert_ne!(a.request_timeout, b.request_timeout);
    assert_ne!(a.connections, b.connections);
    assert_ne!(a.challenges, b.challenges);
    assert_ne!(a.challenge_lifetime, b.challenge_lifetime);
    assert_ne!(a.code_lifetime, b.code_lifetime);
    assert_ne!(a.client_document_timeout, b.client_document_timeout);
    assert_ne!(a.client_document_bytes, b.client_document_bytes);
    assert_ne!(a.tools_list_ttl, b.tools_list_ttl);
}

/// Every key at another value than its default.
const OTHER: &str = r#"
trusted_proxies = ["10.0.0.0/8"]
assistants = { listen = ["127.0.0.1:9"], public_url = "https://deck.example.com" }
host.kind = "embedded"
oauth.idle_expiry = "30d"
outbound = { allow = ["127.0.0.0/8", "::1/128"], ca_file = "ca.pem" }
log = { filter = "debug", keep_days = 3 }
[limits]
request_bytes = 0x1000
request_timeout = "1m 30s"
connections = 7
challenges = 8
challenge_lifetime = "1h"
code_lifetime = "1 minute"
client_document_timeout = "500ms"
client_document_bytes = 9
tools_list_ttl = "5s"
[terminal]
ascii = true
plain = true
theme = "dark"
accent = "cyan"
mouse = false
attention = "always"
attention_command = ["notify-send", "it rings"]
qr_color = false
qr_hide_unfocused = true
"#;

#[test]
fn flag_goes_over_environment_over_file_over_default() {
    let folder = Folder::new();
    let port = |config: &Config| config.assistants.listen[0].port();
    let mut sources = folder.sources();
    std::fs::write(folder.file(), "assistants.listen = [\"127.0.0.1:1\"]").unwrap();
    assert_eq!(port(&load(&sources).unwrap()), 1);
    sources.environment = vec![("QUARTERDECK_ASSISTANTS_LISTEN".into(), "127.0.0.1:2, [::1]:2".into())];
    assert_eq!(port(&load(&sources).unwrap()), 2);
    assert_eq!(load(&sources).unwrap().assistants.listen.len(), 2);
    sources.flags = Flags { listen: Some("127.0.0.1:3".into()), public_url: Some(String::new()), state_dir: None };
    let config = load(&sources).unwrap();
    assert_eq!(port(&config), 3);
    assert_eq!(config.assistants.public_url, Some(None));
}

#[test]
fn the_state_directory_is_the_flag_the_variable_or_the_default() {
    let folder = Folder::new();
    let mut sources = folder.sources();
    sources.environment = vec![("QUARTERDECK_STATE_DIR".into(), "/variable".into())];
    assert_eq!(load(&sources).unwrap().state_dir, Path::new("/variable"));
    sources.flags.state_dir = Some("/flag".into());
    assert_eq!(load(&sources).unwrap().state_dir, Path::new("/flag"));
    sources.flags.state_dir = Some(PathBuf::new());
    assert_eq!(load(&sources).unwrap_err().to_string(), "--state-dir: the state directory must not be empty");
}

#[test]
fn every_key_can_be_set_by_its_variable() {
    let folder = Folder::new();
    let ca_file = folder.0.path().join("ca.pem");
    std::fs::write(&ca_file, certificate()).unwrap();
    for (key, value) in [
        ("TRUSTED_PROXIES", "10.0.0.0/8,::1/128"),
        ("ASSISTANTS_LISTEN", "127.0.0.1:1"),
        ("ASSISTANTS_PUBLIC_URL", ""),
        ("TERMINAL_ASCII", "true"),
        ("TERMINAL_PLAIN", "true"),
        ("TERMINAL_THEME", "auto"),
        ("TERMINAL_ACCENT", "red"),
        ("TERMINAL_MOUSE", "false"),
        ("TERMINAL_ATTENTION", "never"),
        ("TERMINAL_ATTENTION_COMMAND", "notify-send,it rings"),
        ("TERMINAL_QR_COLOR", "false"),
        ("TERMINAL_QR_HIDE_UNFOCUSED", "true"),
        ("OAUTH_IDLE_EXPIRY", "30d"),
        ("OUTBOUND_ALLOW", "10.0.0.0/8"),
        ("OUTBOUND_CA_FILE", ca_file.to_str().unwrap()),
        ("LIMITS_REQUEST_BYTES", "1"),
        ("LIMITS_REQUEST_TIMEOUT", "1s"),
        ("LIMITS_CONNECTIONS", "1"),
        ("LIMITS_CHALLENGES", "1"),
        ("LIMITS_CHALLENGE_LIFETIME", "1s"),
        ("LIMITS_CODE_LIFETIME", "1s"),
        ("LIMITS_CLIENT_DOCUMENT_TIMEOUT", "1s"),
        ("LIMITS_CLIENT_DOCUMENT_BYTES", "1"),
        ("LIMITS_TOOLS_LIST_TTL", "1s"),
        ("LOG_FILTER", "debug"),
        ("LOG_KEEP_DAYS", "1"),
    ] {
        let config = from_environment(&[(&format!("QUARTERDECK_{key}"), value)]).unwrap();
        assert_ne!(config, Config::new("/state".into()), "{key}");
    }
    assert_eq!(from_environment(&[("QUARTERDECK_HOST_KIND", "embedded")]).unwrap(), defaults());
}

#[test]
fn no_two_keys_share_a_variable() {
    let mut names: Vec<String> = KEYS.iter().map(super::key::Key::variable).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), KEYS.len());
}

#[test]
fn an_unknown_variable_is_refused_and_other_programs_variables_are_not_looked_at() {
    let error = from_environment(&[("QUARTERDECK_PUBLIC_URL", "x")]).unwrap_err().to_string();
    assert_eq!(
        error,
        "QUARTERDECK_PUBLIC_URL is not a variable of this program; did you mean QUARTERDECK_ASSISTANTS_PUBLIC_URL?"
    );
    let error = from_environment(&[("QUARTERDECK_STATE", "x")]).unwrap_err().to_string();
    assert!(error.ends_with("did you mean QUARTERDECK_STATE_DIR?"), "{error}");
    assert_eq!(from_environment(&[("HOME", "x"), ("QUARTERDECK_CONFIG", "x"), ("QUARTER", "x")]).unwrap(), defaults());
    let folder = Folder::new();
    let environment = vec![("QUARTERDECK_THEME".into(), "x".into())];
    let sources = Sources { environment, read_elsewhere: &["QUARTERDECK_THEME"], ..folder.sources() };
    assert_eq!(load(&sources).unwrap(), defaults());
}

#[test]
fn a_wrong_variable_or_flag_is_named_with_its_key() {
    let error = from_environment(&[("QUARTERDECK_LIMITS_CONNECTIONS", "many")]).unwrap_err().to_string();
    assert_eq!(
        error,
        "QUARTERDECK_LIMITS_CONNECTIONS: limits.connections must be a whole number from 1 to 1000000, found \"many\""
    );
    let folder = Folder::new();
    let flags = Flags { listen: Some("7420".into()), ..Flags::default() };
    let error = load(&Sources { flags, ..folder.sources() }).unwrap_err().to_string();
    assert!(error.starts_with("--listen: assistants.listen must be a list of addresses with ports"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_not_text_is_one_sentence() {
    use std::os::unix::ffi::OsStringExt as _;
    let folder = Folder::new();
    let environment = vec![("QUARTERDECK_LOG_FILTER".into(), std::ffi::OsString::from_vec(vec![0xff]))];
    let error = load(&Sources { environment, ..folder.sources() }).unwrap_err().to_string();
    assert_eq!(error, "QUARTERDECK_LOG_FILTER: the value is not UTF-8 text");
}

/// A169
#[test]
fn a_wrong_value_is_one_sentence_with_file_line_key_and_what_was_found() {
    let duration = r#"must be a duration above zero and of at most 366 days, such as "30s", "10m" or "1h 30m""#;
    for (text, sentence) in [
        ("\n[limits]\nrequest_bytes = \"1M\"", "line 3: limits.request_bytes must be a whole number from 1 to 1073741824, found \"1M\"".to_owned()),
        ("limits.request_bytes = 0", "line 1: limits.request_bytes must be a whole number from 1 to 1073741824, found 0".to_owned()),
        ("limits.challenges = -1", "line 1: limits.challenges must be a whole number from 1 to 1000000, found -1".to_owned()),
        ("limits.connections = 99999999999999999999", "line 1: limits.connections must be a whole number from 1 to 1000000, found a number that is too large".to_owned()),
        ("limits.connections = 1.5", "line 1: limits.connections must be a whole number from 1 to 1000000, found a fraction".to_owned()),
        ("log.keep_days = 2026-12-01", "line 1: log.keep_days must be a whole number from 1 to 3650, found a date or time".to_owned()),
        ("limits.code_lifetime = \"0s\"", format!("line 1: limits.code_lifetime {duration}, found \"0s\"")),
        ("limits.code_lifetime = \"10m ago\"", format!("line 1: limits.code_lifetime {duration}, found \"10m ago\"")),
        ("limits.code_lifetime = \"2 years\"", format!("line 1: limits.code_lifetime {duration}, found \"2 years\"")),
        ("limits.code_lifetime = 600", format!("line 1: limits.code_lifetime {duration}, found 600")),
        ("limits.tools_list_ttl = \"soon\"", "line 1: limits.tools_list_ttl must be a duration of at most 366 days, such as \"30s\" or \"0s\", found \"soon\"".to_owned()),
        ("oauth.idle_expiry = \"0s\"", "line 1: oauth.idle_expiry must be \"never\" or a duration above zero and of at most 366 days, such as \"30d\", found \"0s\"".to_owned()),
        ("terminal.ascii = \"yes\"", "line 1: terminal.ascii must be true, false or \"auto\", found \"yes\"".to_owned()),
        ("terminal.plain = 1", "line 1: terminal.plain must be true or false, found 1".to_owned()),
        ("terminal.accent = \"yellow\"", "line 1: terminal.accent must be \"red\", \"green\", \"blue\", \"magenta\", \"cyan\", or \"\" for none, found \"yellow\"".to_owned()),
        ("terminal.attention = true", "line 1: terminal.attention must be \"unfocused\", \"always\" or \"never\", found true".to_owned()),
        ("terminal.attention_command = \"notify-send\"", "line 1: terminal.attention_command must be a list of a program and its arguments, such as [\"notify-send\", \"quarterdeck\"], found \"notify-send\"".to_owned()),
        ("terminal.attention_command = [\"\", \"x\"]", "line 1: terminal.attention_command must be a list of a program and its arguments, such as [\"notify-send\", \"quarterdeck\"], found a list that begins with an empty text".to_owned()),
        ("terminal.attention_command = [\"a\\u0000b\"]", "line 1: terminal.attention_command must be a list of a program and its arguments, such as [\"notify-send\", \"quarterdeck\"], found \"a⟨U+0000⟩b\"".to_owned()),
        ("host.kind = \"duoduo\"", "line 1: host.kind must be \"embedded\", found \"duoduo\"".to_owned()),
        ("host.kind = 1", "line 1: host.kind must be \"embedded\", found 1".to_owned()),
        ("log.filter = \"a=b=c\"", "line 1: log.filter must be a log filter such as \"info\" or \"info,rmcp=warn\", found \"a=b=c\"".to_owned()),
        ("outbound.allow = [\"10.0.0.1/8\"]", "line 1: outbound.allow must be a list of address ranges, such as [\"10.1.0.0/16\", \"::1/128\"], found \"10.0.0.1/8\"".to_owned()),
        ("trusted_proxies = \"10.0.0.0/8\"", "line 1: trusted_proxies must be a list of address ranges, such as [\"10.1.0.0/16\", \"::1/128\"], found \"10.0.0.0/8\"".to_owned()),
        ("limits = 5", "line 1: limits must be a table: write [limits] with its keys below it, found 5".to_owned()),
        ("[limits.connections]", "line 1: limits.connections must be a whole number from 1 to 1000000, found a table".to_owned()),
    ] {
        assert_eq!(refusal(text), sentence);
    }
}

#[test]
fn a_theme_is_a_name_and_never_a_path() {
    for (name, theme) in [
        ("terminal", ThemeChoice::Terminal),
        ("auto", ThemeChoice::Auto),
        ("high-contrast", ThemeChoice::Named("high-contrast".to_owned())),
        ("my_Own-2", ThemeChoice::Named("my_Own-2".to_owned())),
    ] {
        assert_eq!(Folder::new().load(format!("terminal.theme = \"{name}\"")).unwrap().terminal.theme, theme);
    }
    for name in ["", "../dark", "/etc/theme", "dark.toml", "a b", &"n".repeat(65)] {
        let sentence = refusal(&format!("terminal.theme = \"{name}\""));
        assert!(
            sentence.starts_with("line 1: terminal.theme must be \"terminal\", \"auto\", or the name of a theme"),
            "{sentence}"
        );
    }
}

#[test]
fn a_public_url_that_cannot_be_one_says_why() {
    for (url, why) in [
        ("http://deck.example.com", "must be an https address"),
        ("https://deck.example.com:8443", "must not carry a port"),
        ("https://deck.example.com/x", "must be the bare origin"),
        ("https://192.0.2.1", "must name a host"),
        ("deck", "is not a URL"),
    ] {
        let sentence = refusal(&format!("assistants.public_url = \"{url}\""));
        assert!(sentence.starts_with("line 1: assistants.public_url cannot be used: ") && sentence.contains(why), "{sentence}");
    }
    let closed = Folder::new().load("assistants.public_url = \"\"").unwrap();
    assert_eq!(closed.assistants.public_url, Some(None));
}

#[test]
fn an_unknown_key_is_named_with_its_line_and_the_key_that_was_meant() {
    for (text, sentence) in [
        ("[limits]\nrequest_byte = 1", "line 2: limits.request_byte is not a key; did you mean limits.request_bytes?"),
        ("[limit]\nrequest_bytes = 1", "line 2: limit.request_bytes is not a key; did you mean limits.request_bytes?"),
        ("public_url = \"\"", "line 1: public_url is not a key; did you mean assistants.public_url?"),
        ("state_dir = \"/\"", "line 1: state_dir is not a key; config.example.toml lists them all"),
        ("[zzz]", "line 1: zzz is not a key; config.example.toml lists them all"),
        ("[host]\nkind.x = 1", "line 2: host.kind must be \"embedded\", found a table"),
        ("\"\\u202Ex\\n\" = 1", "line 1: ⟨U+202E⟩x⟨U+000A⟩ is not a key; config.example.toml lists them all"),
    ] {
        assert_eq!(refusal(text), sentence);
    }
}

#[test]
fn of_several_errors_the_first_in_the_file_is_told() {
    assert!(refusal("zzz = 1\naaa = 1").starts_with("line 1: zzz"));
}

#[test]
fn text_that_is_not_toml_names_the_line() {
    let sentence = refusal("[limits]\nconnections = \n");
    assert!(sentence.starts_with("line 2: this is not TOML: ") && !sentence.contains('\n'), "{sentence}");
    let sentence = refusal("log.keep_days = 1\nlog.keep_days = 2");
    assert!(sentence.starts_with("line 2: this is not TOML: "), "{sentence}");
}

#[test]
fn a_file_that_cannot_be_read_is_one_sentence() {
    let folder = Folder::new();
    let mut sources = folder.sources();
    sources.file_is_named = true;
    assert!(load(&sources).unwrap_err().to_string().contains("quarterdeck.toml does not exist"));
    sources.file = folder.0.path().to_owned();
    assert!(load(&sources).unwrap_err().to_string().ends_with(" is not a file"));
    std::fs::write(folder.file(), "").unwrap();
    sources.file = folder.file().join("quarterdeck.toml");
    assert!(load(&sources).unwrap_err().to_string().contains(" cannot be read: "));
    assert!(folder.refusal(vec![b'#'; (1 << 20) + 1]).starts_with("is larger than 1048576 bytes"));
    assert_eq!(folder.refusal(b"# one\n# \xff\n"), "line 2: the file is not UTF-8 text");
    assert_eq!(folder.refusal(b"\xff\xfel\0o\0g\0"), "line 1: the file is not UTF-8 text");
}

#[test]
fn a_byte_order_mark_means_nothing() {
    assert_eq!(Folder::new().load("\u{feff}log.keep_days = 3").unwrap().log.keep_days, 3);
}

/// A169
#[test]
fn addresses_beyond_loopback_need_an_https_public_url() {
    for open in ["0.0.0.0:7420", "[::]:7420", "192.0.2.1:7420"] {
        let file = format!("assistants.listen = [\"127.0.0.1:7420\", \"{open}\"]\n");
        let sentence = refusal(&file);
        assert!(
            sentence.starts_with("line 1: assistants.listen must be a loopback address unless") && sentence.contains(open),
            "{sentence}"
        );
        for refused in ["http://localhost:7420", ""] {
            assert!(refusal(&format!("{file}assistants.public_url = \"{refused}\"")).contains("must be a loopback address"));
        }
        Folder::new().load(format!("{file}assistants.public_url = \"https://deck.example.com\"")).unwrap();
    }
    Folder::new().load("assistants.listen = [\"127.1.2.3:1\", \"[::ffff:127.0.0.1]:1\"]").unwrap();
}

#[test]
fn no_address_and_the_same_address_twice_are_refused_and_a_free_port_on_two_addresses_is_not() {
    assert_eq!(
        refusal("assistants.listen = []"),
        "line 1: assistants.listen must name at least one address, found an empty list"
    );
    let twice = refusal("assistants.listen = [\"127.0.0.1:0\", \"127.0.0.1:0\"]");
    assert_eq!(twice, "line 1: assistants.listen names 127.0.0.1:0 twice");
    Folder::new().load("assistants.listen = [\"127.0.0.1:0\", \"[::1]:0\"]").unwrap();
}

#[test]
fn a_ca_file_must_hold_a_certificate() {
    let folder = Folder::new();
    let pem = folder.0.path().join("ca.pem");
    let text = "outbound.ca_file = \"ca.pem\"";
    assert!(folder.refusal(text).starts_with("line 1: outbound.ca_file must be a file that can be read: "));
    std::fs::write(&pem, "no certificate here\n").unwrap();
    assert!(folder.refusal(text).contains("must hold at least one PEM certificate"));
    std::fs::write(&pem, "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n").unwrap();
    assert!(folder.refusal(text).contains("damaged certificate"));
    std::fs::remove_file(&pem).unwrap();
    std::fs::create_dir(&pem).unwrap();
    assert!(folder.refusal(text).contains("is not a file"));
    std::fs::remove_dir(&pem).unwrap();
    std::fs::write(&pem, certificate()).unwrap();
    assert_eq!(folder.load(text).unwrap().outbound.ca_file, Some(pem));
}

#[test]
fn the_nearest_name_is_found_and_nothing_is_guessed_for_a_strange_one() {
    let known = || KEYS.iter().map(|key| key.name);
    assert_eq!(nearest("limits.conections", known()), Some("limits.connections"));
    assert_eq!(nearest("Log.Filter", known()), Some("log.filter"));
    assert_eq!(nearest("colour", known()), None);
    assert_eq!(nearest(&"a".repeat(100_000), known()), None);
}

/// `config` as a file, every key written out.
fn written(config: &Config) -> String {
    let mut out = String::new();
    let quoted = |items: Vec<String>| items.iter().map(|item| format!("\"{item}\"")).collect::<Vec<_>>().join(", ");
    let ranges = |ranges: &[cidr::IpCidr]| quoted(ranges.iter().map(|range| format!("{range:#}")).collect());
    let url = match &config.assistants.public_url {
        None => "auto".to_owned(),
        Some(url) => url.as_ref().map(|url| url.origin().to_owned()).unwrap_or_default(),
    };
    let limits = &config.limits;
    let idle = config.oauth.idle_expiry.map_or("never".to_owned(), |time| format!("{}ms", time.as_millis()));
    writeln!(out, "trusted_proxies = [{}]", ranges(&config.trusted_proxies)).unwrap();
    writeln!(out, "[assistants]\nlisten = [{}]", quoted(config.assistants.listen.iter().map(ToString::to_string).collect()))
        .unwrap();
    writeln!(
        out,
        "public_url = \"{url}\"\n[terminal]\nascii = {}",
        config.terminal.ascii.map_or("\"auto\"".to_owned(), |on| on.to_string())
    )
    .unwrap();
    writeln!(out, "[oauth]\nidle_expiry = \"{idle}\"\n[outbound]\nallow = [{}]", ranges(&config.outbound.allow)).unwrap();
    writeln!(out, "[limits]\nrequest_bytes = {}\nconnections = {}", limits.request_bytes, limits.connections).unwrap();
    writeln!(out, "challenges = {}\nclient_document_bytes = {}", limits.challenges, limits.client_document_bytes).unwrap();
    for (key, time) in [
        ("request_timeout", limits.request_timeout),
        ("challenge_lifetime", limits.challenge_lifetime),
        ("code_lifetime", limits.code_lifetime),
        ("client_document_timeout", limits.client_document_timeout),
        ("tools_list_ttl", limits.tools_list_ttl.unwrap_or_default()),
    ] {
        writeln!(out, "{key} = \"{}\"", jiff::fmt::friendly::SpanPrinter::new().unsigned_duration_to_string(&time)).unwrap();
    }
    writeln!(out, "[log]\nkeep_days = {}", config.log.keep_days).unwrap();
    out
}

fn time() -> impl Strategy<Value = Duration> {
    (1_u64..=366 * 24 * 60 * 60 * 1000).prop_map(Duration::from_millis)
}

prop_compose! {
    fn limits()(sizes in prop::array::uniform4(1_usize..=1_000_000), times in prop::array::uniform4(time()), ttl in prop::option::of(time()))
        -> super::Limits
    {
        super::Limits {
            request_bytes: sizes[0], connections: sizes[1], challenges: sizes[2], client_document_bytes: sizes[3],
            request_timeout: times[0], challenge_lifetime: times[1], code_lifetime: times[2], client_document_timeout: times[3],
            tools_list_ttl: ttl,
        }
    }
}

prop_compose! {
    fn valid()(
        ports in prop::collection::btree_set(any::<u16>(), 1..4),
        url in prop::sample::select(vec![None, Some(""), Some("https://deck.example.com"), Some("http://localhost:8000")]),
        ascii in any::<Option<bool>>(), idle in prop::option::of(time()), limits in limits(),
        range in any::<(u32, u8)>(), keep_days in 1_usize..3650,
    ) -> Config {
        let mut config = defaults();
        config.assistants.listen = ports.into_iter().map(|port| std::net::SocketAddr::from(([127, 0, 0, 1], port))).collect();
        config.assistants.public_url = url.map(|url| (!url.is_empty()).then(|| PublicUrl::parse(url).unwrap()));
        config.terminal.ascii = ascii;
        config.oauth.idle_expiry = idle;
        let (network, length) = (range.0, range.1 % 33);
        let network = network & u32::MAX.checked_shl(32 - u32::from(length)).unwrap_or(0);
        config.outbound.allow = vec![cidr::IpCidr::new(std::net::Ipv4Addr::from(network).into(), length).unwrap()];
        config.trusted_proxies = config.outbound.allow.clone();
        config.limits = limits;
        config.log.keep_days = keep_days;
        config
    }
}

/// An error of `text`, if it has one, is one line, not long, and names the file.
fn told_well(text: &[u8]) {
    let folder = Folder::new();
    if let Err(error) = folder.load(text) {
        let sentence = error.to_string();
        assert!(sentence.starts_with(folder.file().to_str().unwrap()), "{sentence}");
        assert!(sentence.len() < 2000 && !crate::text::has_hidden(&sentence), "{sentence:?}");
    }
}

proptest! {
    #[test]
    fn a_valid_configuration_is_the_same_after_being_written_and_loaded(config in valid()) {
        prop_assert_eq!(Folder::new().load(written(&config)).unwrap(), config);
    }

    #[test]
    fn any_bytes_are_loaded_or_refused_in_one_sentence(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        told_well(&bytes);
    }

    #[test]
    fn any_value_of_any_key_is_loaded_or_refused_in_one_sentence(at in 0..KEYS.len(), value in r#"("[^"\\]{0,20}"|-?[0-9]{1,25}|true|\[.{0,20}\]|\{.{0,10}\}|.{0,20})"#) {
        told_well(format!("{} = {value}", KEYS[at].name).as_bytes());
    }

    #[test]
    fn any_key_is_known_or_refused_in_one_sentence(key in "[a-z_.\"\\\\u2020E\u{202e}]{0,30}") {
        told_well(format!("{key} = 1").as_bytes());
    }
}
