//! The commands: words with the names of the intents, and why some intents have no meaning in lines.

use quarterdeck::config::nearest;

use super::model::{Do, Plain, say};
use super::{change, help, look, settle};

/// Said instead of what needs the host when it is not there.
pub(super) const NEEDS_HOST: &str = "not connected to the host: this works when it is back (retry tries now)";

/// A command.
pub(super) struct Command {
    pub(super) name: &'static str,
    /// What is typed behind it.
    pub(super) arguments: &'static str,
    pub(super) sentence: &'static str,
    /// The host is asked.
    host: bool,
    run: fn(&mut Plain, &str) -> Vec<Do>,
}

macro_rules! command {
    ($name:literal $arguments:literal $host:literal $run:path, $sentence:literal) => {
        Command { name: $name, arguments: $arguments, sentence: $sentence, host: $host, run: $run }
    };
}

/// All of them, in the order of the help.
pub(super) const COMMANDS: &[Command] = &[
    command!("overview" "" false look::overview, "how the host is, who is connected, what waits"),
    command!("connections" "[WORD]" true look::connections, "connections, passkeys, client documents, refused attempts of the last hour"),
    command!("audit" "[FILTER]" true look::audit, "the newest records, as who:claude what:tool.* outcome:refused since:1h"),
    command!("more" "" true look::more, "the records before those"),
    command!("oldest" "" false look::oldest, "what waits for you the longest"),
    command!("show" "WHAT" false look::show, "all about a connection, an authorization, a record, a passkey or a journal entry"),
    command!("journal" "[NAME]" true look::journal, "what assistants recorded, of one connection or all"),
    command!("deny" "ID" true change::deny, "refuse an authorization; asks"),
    command!("revoke" "NAME" true change::revoke, "end a connection; asks"),
    command!("scopes" "NAME" true change::scopes, "a link to change what a connection may do, with your passkey"),
    command!("enroll" "" true change::enroll, "a one-time link to enroll a passkey; the one before is void"),
    command!("new-client" "NAME ADDRESS..." true change::new_client, "keep a client document here, for a client that has none"),
    command!("remove" "ID or NAME" true change::remove, "remove a passkey or a client document; asks"),
    command!("verify" "" false settle::verify, "check the whole audit against the end this terminal remembers"),
    command!("export" "FILE [FILTER]" true settle::export, "write records to a new file: .csv is a table, anything else JSON lines"),
    command!("filter" "[FILTER]" false settle::filter, "print only records that fit; alone: all again"),
    command!("sort" "[name|used|calls]" false settle::sort, "the order of the connections; alone: the next one"),
    command!("pause" "" false settle::pause, "print no more records"),
    command!("follow" "" false settle::follow, "print records again"),
    command!("blur" "" false settle::blur, "hide what the journal says, or show it again"),
    command!("messages" "" false settle::messages, "what was done here lately"),
    command!("retry" "" false settle::retry, "try to reach the host now"),
    command!("keys" "" false settle::keys, "the keys of plain mode"),
    command!("help" "[WORD]" false help::help, "this help, or one command"),
    command!("leave" "" false settle::leave, "leave; asks when the host runs in here"),
    command!("keep-serving" "" false settle::keep_serving, "leave, and let the host go on in the background; asks"),
];

/// Other words for a command.
pub(super) const ALIASES: &[(&str, &str)] =
    &[("open", "show"), ("page-down", "more"), ("new-link", "enroll"), ("quit", "leave"), ("exit", "leave")];

/// Intents that are about a screen and not about the host.
pub(super) const WITHOUT: &[(&str, &str)] = &[
    ("search", "help WORD looks for a word"),
    ("edit-board", "the board is the file memory/CLAUDE.md in the state directory: edit it with any editor"),
    ("pager", "all of it is printed here"),
    ("copy", "what is printed is the terminal's: it copies it"),
    ("palette", "type the command; help lists all of them"),
    ("submit", "enter ends a line"),
    ("complete", "type the whole word; the nearest one is named"),
    ("confirm", "a question is answered with the name it asks for"),
    ("close", "an empty line gives a question up"),
    ("back", "nothing is open"),
    ("interrupt", "that is ctrl-c"),
    ("suspend", "ctrl-z is the shell's; a host in this process stands still with it"),
    ("redraw", "nothing is drawn"),
    ("zoom", "there are no panes"),
    ("narrower", "there are no panes"),
    ("wider", "there are no panes"),
    ("next-pane", "there are no panes"),
    ("previous-pane", "there are no panes"),
    ("mouse", "the mouse is never taken"),
    ("bigger", "the code has one size; the link is beside it"),
    ("invert", "the code is always black on white; the link is beside it"),
    ("browse", "the link is printed: open it where the passkey is"),
    ("down", "lists are printed whole; more reads on in the audit"),
    ("up", "lists are printed whole"),
    ("first", "lists are printed whole"),
    ("last", "lists are printed whole"),
    ("page-up", "lists are printed whole"),
    ("half-down", "lists are printed whole; more reads on in the audit"),
    ("half-up", "lists are printed whole"),
];

/// The command of this name.
pub(super) fn named(word: &str) -> Option<&'static Command> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == word).map_or(word, |(_, name)| name);
    COMMANDS.iter().find(|command| command.name == name)
}

/// Does what was typed.
pub(super) fn run(plain: &mut Plain, text: &str) -> Vec<Do> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if word.is_empty() {
        return Vec::new();
    }
    match named(&word.to_lowercase()) {
        Some(command) if command.host && !plain.model.connected() => say(NEEDS_HOST),
        Some(command) => (command.run)(plain, rest.trim()),
        None => say(unknown(&word.to_lowercase())),
    }
}

/// What is said to a word that is no command.
pub(super) fn unknown(word: &str) -> String {
    if let Some((_, why)) = WITHOUT.iter().find(|(name, _)| *name == word) {
        return format!("{word} has no meaning in plain mode: {why}.");
    }
    match nearest(word, COMMANDS.iter().map(|command| command.name)) {
        Some(name) => format!("There is no command \"{word}\". Did you mean {name}? Type help for all of them."),
        None => format!("There is no command \"{word}\". Type help for all of them."),
    }
}
