//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Where each shell looks for them.
const COMPLETIONS: &str = "\
Put them where your shell looks for them:
  bash        quarterdeck completions bash > ~/.local/share/bash-completion/completions/quarterdeck
  zsh         quarterdeck completions zsh > a file named _quarterdeck in a directory of $fpath
  fish        quarterdeck completions fish > ~/.config/fish/completions/quarterdeck.fish
  elvish      quarterdeck completions elvish >> ~/.config/elvish/rc.elv
  powershell  quarterdeck completions powershell >> $PROFILE";

/// Be in charge of your AI assistants. Without a verb: the control center, attached when a host runs already.
#[derive(Debug, Parser)]
#[command(name = "quarterdeck", version, about)]
pub struct Arguments {
    #[command(flatten)]
    pub options: Options,
    /// Lines instead of screens, for screen readers and terminals that cannot move their cursor
    #[arg(long)]
    pub plain: bool,
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

/// Typed before or after the verb.
#[derive(Debug, Args)]
pub struct Options {
    /// The configuration file
    #[arg(long, global = true, value_name = "FILE", env = "QUARTERDECK_CONFIG")]
    pub config: Option<PathBuf>,
    /// Where everything is kept (also QUARTERDECK_STATE_DIR)
    #[arg(long, global = true, value_name = "DIR")]
    pub state_dir: Option<PathBuf>,
    /// Answer with one JSON document
    #[arg(long, global = true)]
    pub json: bool,
    /// Addresses to listen on, between commas
    #[arg(long, global = true, value_name = "ADDRESSES")]
    pub listen: Option<String>,
    /// The https address assistants use; empty closes the door
    #[arg(long, global = true, value_name = "URL")]
    pub public_url: Option<String>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Run without a terminal, until SIGTERM or ctrl-c
    Serve {
        /// In a session of its own, away from any terminal: how a control center that is left lets serving go on
        #[arg(long, hide = true)]
        detached: bool,
    },
    /// Stop the host that runs, wherever it was started
    Stop,
    /// Address, passkeys, connections, what waits
    Status,
    /// Who is connected
    Connections,
    /// End a connection, at once and for good
    Revoke {
        /// The connection's name
        name: String,
    },
    /// Print a link to a page on which your passkey changes what a connection may do
    Scopes {
        /// The connection's name
        name: String,
    },
    /// Enroll, list and remove passkeys
    #[command(subcommand)]
    Passkey(Passkey),
    /// Keep client documents here, for clients that have none of their own
    #[command(subcommand)]
    Client(Client),
    /// Read, follow, export and check the audit
    #[command(subcommand_precedence_over_arg = true)]
    Audit(Box<Audit>),
    /// Read what assistants recorded
    Journal(Journal),
    /// Write a consistent copy of the store to a new file
    Backup {
        /// The file; it must not exist
        path: PathBuf,
    },
    /// Check the configuration, and show what in it is not the default
    #[command(subcommand)]
    Config(Config),
    /// Look at everything that can be in the way, and say what to do
    Doctor,
    /// Print completions for a shell
    #[command(after_help = COMPLETIONS)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Passkeys.
#[derive(Debug, Subcommand)]
pub enum Passkey {
    /// Print a one-time link, good for ten minutes
    Add,
    /// Show all passkeys
    List,
    /// Remove one
    Remove {
        /// Its id, or the beginning of it
        id: String,
    },
}

/// Client documents.
#[derive(Debug, Subcommand)]
pub enum Client {
    /// Keep a document
    Add {
        /// The last part of the client id
        name: String,
        /// Where the answer may go: a loopback address; repeat for more
        #[arg(long, required = true, value_name = "URI")]
        redirect: Vec<String>,
    },
    /// Show all documents
    List,
    /// Remove one
    Remove {
        /// Its name
        name: String,
    },
}

/// The audit.
#[derive(Debug, Args)]
pub struct Audit {
    #[command(subcommand)]
    pub verb: Option<AuditVerb>,
    #[command(flatten)]
    pub which: Which,
    /// The newest so many
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub limit: u32,
    /// Go on with what is added, until ctrl-c
    #[arg(long)]
    pub follow: bool,
    /// As CSV
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

impl Audit {
    /// Whether anything was said about the reading.
    pub fn narrows(&self) -> bool {
        let Which { since, who, kind, object, outcome, grant, filter } = &self.which;
        let lists = [who, kind, object, outcome, filter];
        self.follow || self.csv || since.is_some() || grant.is_some() || lists.iter().any(|list| !list.is_empty())
    }
}

/// What is done with the audit besides reading it.
#[derive(Debug, Subcommand)]
pub enum AuditVerb {
    /// Is it as it was written? Ends with 0 intact, 1 could not check, 10 broken, 11 truncated, 12 unknown key
    Verify,
    /// Write records to a new file: JSON Lines, or CSV when it is called .csv
    Export {
        /// The file; it must not exist
        path: PathBuf,
        #[command(flatten)]
        which: Which,
        /// As CSV whatever the file is called
        #[arg(long)]
        csv: bool,
    },
}

/// Which audit records. A flag that may come more than once means any of its values.
#[derive(Debug, Args)]
pub struct Which {
    /// Not before: 10:00 (today), 30m, 2h or 3d (ago), 2026-11-30, or an RFC 3339 moment
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Part of who did it
    #[arg(long, value_name = "WHO")]
    pub who: Vec<String>,
    /// What was done: tool.called, or the beginning of it as tool.*
    #[arg(long, value_name = "KIND", visible_alias = "what")]
    pub kind: Vec<String>,
    /// Part of what it was done to
    #[arg(long, value_name = "OBJECT")]
    pub object: Vec<String>,
    /// How it ended
    #[arg(long, value_parser = ["ok", "refused", "failed"])]
    pub outcome: Vec<String>,
    /// The id of a grant
    #[arg(long, value_name = "ID")]
    pub grant: Option<String>,
    /// The same as typed in the terminal: who:dots what:tool.* since:1h, or words to look for
    #[arg(value_name = "FILTER")]
    pub filter: Vec<String>,
}

/// The journal.
#[derive(Debug, Args)]
pub struct Journal {
    /// Not before: 10:00 (today), 30m, 2h or 3d (ago), 2026-11-30, or an RFC 3339 moment
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Only of this connection
    #[arg(long, value_name = "CONNECTION")]
    pub from: Option<String>,
    /// Only of this type
    #[arg(long = "type", value_name = "TYPE")]
    pub kind: Option<String>,
    /// The newest so many
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub limit: u32,
}

/// The configuration.
#[derive(Debug, Subcommand)]
pub enum Config {
    /// Is it right?
    Check,
}
