//! The keys, their types and their defaults.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use cidr::IpCidr;

use super::PublicUrl;

/// The port assistants use unless told otherwise.
const PORT: u16 = 7420;

/// Everything the owner can set, validated.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Where the store, the memory files, the logs and the control socket are.
    pub state_dir: PathBuf,
    /// The door for assistants.
    pub assistants: Assistants,
    /// Whose board, memory and journal are served.
    pub host: HostConfig,
    /// The control center.
    pub terminal: Terminal,
    /// Grants and tokens.
    pub oauth: Oauth,
    /// Requests this program makes.
    pub outbound: Outbound,
    /// Bounds on what a stranger can ask for.
    pub limits: Limits,
    /// Proxies whose `X-Forwarded-For` is believed for rate limits: by default those on this machine, where tunnels end.
    pub trusted_proxies: Vec<IpCidr>,
    /// The log file.
    pub log: Log,
}

impl Config {
    /// The defaults, with `state_dir` as the place for everything.
    pub fn new(state_dir: PathBuf) -> Config {
        Config {
            state_dir,
            assistants: Assistants::default(),
            host: HostConfig::default(),
            terminal: Terminal::default(),
            oauth: Oauth::default(),
            outbound: Outbound::default(),
            limits: Limits::default(),
            trusted_proxies: vec![IpCidr::new_host(Ipv4Addr::LOCALHOST.into()), IpCidr::new_host(Ipv6Addr::LOCALHOST.into())],
            log: Log::default(),
        }
    }
}

/// The door for assistants.
#[derive(Clone, Debug, PartialEq)]
pub struct Assistants {
    /// Addresses to listen on. The first one's port is the one a default public URL names.
    pub listen: Vec<SocketAddr>,
    /// `None`: derived from the port as `http://localhost:<port>`. `Some(None)`: the empty string, no OAuth or MCP route is served.
    pub public_url: Option<Option<PublicUrl>>,
}

impl Default for Assistants {
    fn default() -> Assistants {
        let v4 = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT);
        let v6 = SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), PORT);
        Assistants { listen: vec![v4, v6], public_url: None }
    }
}

/// Whose board, memory and journal are served.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostConfig {
    /// The kind of host.
    pub kind: HostKind,
}

/// The kinds of host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostKind {
    /// Quarterdeck's own: Markdown files in the state directory, the journal in the store.
    #[default]
    Embedded,
}

/// The control center.
#[derive(Clone, Debug, PartialEq)]
pub struct Terminal {
    /// Draw with ASCII characters only; by default decided by the locale.
    pub ascii: Option<bool>,
    /// Lines instead of screens.
    pub plain: bool,
    /// Which colours it is drawn in.
    pub theme: ThemeChoice,
    /// The colour of the host's name in the first row.
    pub accent: Option<Accent>,
    /// Clicks and the wheel are taken from the terminal.
    pub mouse: bool,
    /// When something that waits makes itself heard.
    pub attention: Attention,
    /// A program with its arguments that is started then; empty for none.
    pub attention_command: Vec<String>,
    /// A QR code is black on white also with `NO_COLOR`.
    pub qr_color: bool,
    /// A QR code is not shown while the window does not have the focus.
    pub qr_hide_unfocused: bool,
}

impl Default for Terminal {
    fn default() -> Terminal {
        Terminal {
            ascii: None,
            plain: false,
            theme: ThemeChoice::Terminal,
            accent: None,
            mouse: true,
            attention: Attention::Unfocused,
            attention_command: Vec::new(),
            qr_color: true,
            qr_hide_unfocused: false,
        }
    }
}

/// Which colours the control center is drawn in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ThemeChoice {
    /// The terminal's own sixteen.
    #[default]
    Terminal,
    /// Light or dark, as the terminal's background is.
    Auto,
    /// A theme that is shipped, or the owner's file of this name: letters, digits, `-` and `_` only.
    Named(String),
}

/// A colour of the terminal's own that can be read on a light and on a dark background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accent {
    /// Colour 1.
    Red,
    /// Colour 2.
    Green,
    /// Colour 4.
    Blue,
    /// Colour 5.
    Magenta,
    /// Colour 6.
    Cyan,
}

/// When something that waits makes itself heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Attention {
    /// While the window does not have the focus.
    #[default]
    Unfocused,
    /// Also while it has.
    Always,
    /// Never.
    Never,
}

/// Grants and tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Oauth {
    /// A token unused for this long is refused. `None`: tokens live until revoked.
    pub idle_expiry: Option<Duration>,
}

/// Requests this program makes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outbound {
    /// Private address ranges it may connect to all the same.
    pub allow: Vec<IpCidr>,
    /// A PEM file of certificate authorities trusted besides the system's.
    pub ca_file: Option<PathBuf>,
}

/// Bounds on what a stranger can ask for.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Largest request body, in bytes; a larger one is answered 413 before anything else is looked at.
    pub request_bytes: usize,
    /// How long a request may take to arrive.
    pub request_timeout: Duration,
    /// Open HTTP connections; one more is answered 503 and closed.
    pub connections: usize,
    /// Open pages and ceremonies of each kind; one more pushes out the oldest of its kind. Also bounds the table of used client assertions.
    pub challenges: usize,
    /// How long an authorization or enrollment page can be submitted.
    pub challenge_lifetime: Duration,
    /// How long an authorization code can be exchanged.
    pub code_lifetime: Duration,
    /// How long a client document or key set may take, all in all.
    pub client_document_timeout: Duration,
    /// Largest client document or key set, in bytes.
    pub client_document_bytes: usize,
    /// The cache hint of `tools/list`, as its `ttlMs`. `None`: zero.
    pub tools_list_ttl: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            request_bytes: 1_048_576,
            request_timeout: Duration::from_secs(30),
            connections: 512,
            challenges: 1000,
            challenge_lifetime: Duration::from_secs(600),
            code_lifetime: Duration::from_secs(600),
            client_document_timeout: Duration::from_secs(10),
            client_document_bytes: 65_536,
            tools_list_ttl: None,
        }
    }
}

/// The log file.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// What is logged, as a `tracing` filter.
    pub filter: String,
    /// How many days of files are kept.
    pub keep_days: usize,
}

impl Default for Log {
    fn default() -> Log {
        Log { filter: "info,rmcp=warn".to_owned(), keep_days: 14 }
    }
}
