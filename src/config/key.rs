//! Every key: its name, the shape it has in an environment variable, and how a value gets into the [`Config`].

use std::path::PathBuf;

use super::given::{Given, Wrong};
use super::{Accent, Attention, Config, HostKind, PublicUrl, ThemeChoice};

/// Largest sizes and counts. They only catch slips: a bound that is a thousand times too large protects nothing.
const MOST_BYTES: usize = 1 << 30;
const MOST_COUNT: usize = 1_000_000;
const MOST_DAYS: usize = 3_650;
/// Longest name of a theme: it becomes the name of a file.
const LONGEST_THEME: usize = 64;

/// How the text of an environment variable is read.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Text,
    Number,
    Flag,
    /// Items between commas; the empty text is the empty list.
    List,
}

pub(super) struct Key {
    pub(super) name: &'static str,
    shape: Shape,
    pub(super) set: fn(&mut Config, &Given) -> Result<(), Wrong>,
}

impl Key {
    /// The key of this name.
    pub(super) fn named(name: &str) -> Option<&'static Key> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// The environment variable: `QUARTERDECK_ASSISTANTS_PUBLIC_URL`.
    pub(super) fn variable(&self) -> String {
        format!("{}{}", super::environment::PREFIX, self.name.replace('.', "_").to_uppercase())
    }

    /// A text as the value it stands for; what does not fit stays text and is refused as such.
    pub(super) fn read(&self, text: &str) -> Given {
        let plain = || Given::Text(text.to_owned());
        match self.shape {
            Shape::Text => plain(),
            Shape::Number => text.trim().parse().map_or_else(|_| plain(), Given::Number),
            Shape::Flag => text.trim().parse().map_or_else(|_| plain(), Given::Flag),
            Shape::List if text.trim().is_empty() => Given::List(Vec::new()),
            Shape::List => Given::List(text.split(',').map(|item| Given::Text(item.trim().to_owned())).collect()),
        }
    }
}

/// In the order of `config.example.toml`.
pub(super) const KEYS: &[Key] = &[
    Key { name: "trusted_proxies", shape: Shape::List, set: |config, given| put(&mut config.trusted_proxies, given.ranges()) },
    Key {
        name: "assistants.listen",
        shape: Shape::List,
        set: |config, given| put(&mut config.assistants.listen, given.addresses()),
    },
    Key {
        name: "assistants.public_url",
        shape: Shape::Text,
        set: |config, given| put(&mut config.assistants.public_url, public_url(given)),
    },
    Key { name: "host.kind", shape: Shape::Text, set: |config, given| put(&mut config.host.kind, host_kind(given)) },
    Key { name: "terminal.ascii", shape: Shape::Flag, set: |config, given| put(&mut config.terminal.ascii, ascii(given)) },
    Key { name: "terminal.plain", shape: Shape::Flag, set: |config, given| put(&mut config.terminal.plain, given.flag()) },
    Key { name: "terminal.theme", shape: Shape::Text, set: |config, given| put(&mut config.terminal.theme, theme(given)) },
    Key { name: "terminal.accent", shape: Shape::Text, set: |config, given| put(&mut config.terminal.accent, accent(given)) },
    Key { name: "terminal.mouse", shape: Shape::Flag, set: |config, given| put(&mut config.terminal.mouse, given.flag()) },
    Key {
        name: "terminal.attention",
        shape: Shape::Text,
        set: |config, given| put(&mut config.terminal.attention, attention(given)),
    },
    Key {
        name: "terminal.attention_command",
        shape: Shape::List,
        set: |config, given| put(&mut config.terminal.attention_command, given.command()),
    },
    Key { name: "terminal.qr_color", shape: Shape::Flag, set: |config, given| put(&mut config.terminal.qr_color, given.flag()) },
    Key {
        name: "terminal.qr_hide_unfocused",
        shape: Shape::Flag,
        set: |config, given| put(&mut config.terminal.qr_hide_unfocused, given.flag()),
    },
    Key {
        name: "oauth.idle_expiry",
        shape: Shape::Text,
        set: |config, given| put(&mut config.oauth.idle_expiry, idle_expiry(given)),
    },
    Key { name: "outbound.allow", shape: Shape::List, set: |config, given| put(&mut config.outbound.allow, given.ranges()) },
    Key { name: "outbound.ca_file", shape: Shape::Text, set: |config, given| put(&mut config.outbound.ca_file, ca_file(given)) },
    Key {
        name: "limits.request_bytes",
        shape: Shape::Number,
        set: |config, given| put(&mut config.limits.request_bytes, given.count(1..=MOST_BYTES)),
    },
    Key {
        name: "limits.request_timeout",
        shape: Shape::Text,
        set: |config, given| put(&mut config.limits.request_timeout, given.duration()),
    },
    Key {
        name: "limits.connections",
        shape: Shape::Number,
        set: |config, given| put(&mut config.limits.connections, given.count(1..=MOST_COUNT)),
    },
    Key {
        name: "limits.challenges",
        shape: Shape::Number,
        set: |config, given| put(&mut config.limits.challenges, given.count(1..=MOST_COUNT)),
    },
    Key {
        name: "limits.challenge_lifetime",
        shape: Shape::Text,
        set: |config, given| put(&mut config.limits.challenge_lifetime, given.duration()),
    },
    Key {
        name: "limits.code_lifetime",
        shape: Shape::Text,
        set: |config, given| put(&mut config.limits.code_lifetime, given.duration()),
    },
    Key {
        name: "limits.client_document_timeout",
        shape: Shape::Text,
        set: |config, given| put(&mut config.limits.client_document_timeout, given.duration()),
    },
    Key {
        name: "limits.client_document_bytes",
        shape: Shape::Number,
        set: |config, given| put(&mut config.limits.client_document_bytes, given.count(1..=MOST_BYTES)),
    },
    Key {
        name: "limits.tools_list_ttl",
        shape: Shape::Text,
        set: |config, given| put(&mut config.limits.tools_list_ttl, given.duration_or_zero()),
    },
    Key { name: "log.filter", shape: Shape::Text, set: |config, given| put(&mut config.log.filter, filter(given)) },
    Key {
        name: "log.keep_days",
        shape: Shape::Number,
        set: |config, given| put(&mut config.log.keep_days, given.count(1..=MOST_DAYS)),
    },
];

fn put<T>(into: &mut T, value: Result<T, Wrong>) -> Result<(), Wrong> {
    *into = value?;
    Ok(())
}

fn public_url(given: &Given) -> Result<Option<Option<PublicUrl>>, Wrong> {
    match given.text(r#"an https address such as "https://deck.example.com", "auto", or "" to close the door"#)? {
        "auto" => Ok(None),
        "" => Ok(Some(None)),
        text => PublicUrl::parse(text)
            .map(|url| Some(Some(url)))
            .map_err(|error| Wrong(format!("cannot be used: {}", crate::text::Untrusted::new(error.to_string()).safe_line(200)))),
    }
}

fn host_kind(given: &Given) -> Result<HostKind, Wrong> {
    let must = r#""embedded""#;
    match given.text(must)? {
        "embedded" => Ok(HostKind::Embedded),
        _ => Err(given.wrong(must)),
    }
}

fn ascii(given: &Given) -> Result<Option<bool>, Wrong> {
    match given {
        Given::Flag(flag) => Ok(Some(*flag)),
        Given::Text(text) if text == "auto" => Ok(None),
        _ => Err(given.wrong(r#"true, false or "auto""#)),
    }
}

/// Nothing that leads out of the folder of themes is a name.
fn theme(given: &Given) -> Result<ThemeChoice, Wrong> {
    let must = r#""terminal", "auto", or the name of a theme in letters, digits, "-" and "_""#;
    let part_of_a_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match given.text(must)? {
        "terminal" => Ok(ThemeChoice::Terminal),
        "auto" => Ok(ThemeChoice::Auto),
        name if (1..=LONGEST_THEME).contains(&name.len()) && name.chars().all(part_of_a_name) => {
            Ok(ThemeChoice::Named(name.to_owned()))
        }
        _ => Err(given.wrong(must)),
    }
}

fn accent(given: &Given) -> Result<Option<Accent>, Wrong> {
    let must = r#""red", "green", "blue", "magenta", "cyan", or "" for none"#;
    match given.text(must)? {
        "" => Ok(None),
        "red" => Ok(Some(Accent::Red)),
        "green" => Ok(Some(Accent::Green)),
        "blue" => Ok(Some(Accent::Blue)),
        "magenta" => Ok(Some(Accent::Magenta)),
        "cyan" => Ok(Some(Accent::Cyan)),
        _ => Err(given.wrong(must)),
    }
}

fn attention(given: &Given) -> Result<Attention, Wrong> {
    let must = r#""unfocused", "always" or "never""#;
    match given.text(must)? {
        "unfocused" => Ok(Attention::Unfocused),
        "always" => Ok(Attention::Always),
        "never" => Ok(Attention::Never),
        _ => Err(given.wrong(must)),
    }
}

fn idle_expiry(given: &Given) -> Result<Option<std::time::Duration>, Wrong> {
    match given {
        Given::Text(text) if text == "never" => Ok(None),
        _ => given
            .duration()
            .map(Some)
            .map_err(|_| given.wrong(r#""never" or a duration above zero and of at most 366 days, such as "30d""#)),
    }
}

fn ca_file(given: &Given) -> Result<Option<PathBuf>, Wrong> {
    let path = given.text(r#"the path of a PEM file, or "" for none"#)?;
    Ok((!path.is_empty()).then(|| PathBuf::from(path)))
}

fn filter(given: &Given) -> Result<String, Wrong> {
    let must = r#"a log filter such as "info" or "info,rmcp=warn""#;
    let text = given.text(must)?;
    match tracing_subscriber::EnvFilter::builder().parse(text) {
        Ok(_) if !text.trim().is_empty() => Ok(text.to_owned()),
        _ => Err(given.wrong(must)),
    }
}
