//! The help: from the table of commands, and from that of the intents' reasons.

use super::command::{COMMANDS, Command, named, unknown};
use super::model::{Do, Plain, say};

/// `help`, `help WORD`.
pub(super) fn help(_plain: &mut Plain, word: &str) -> Vec<Do> {
    if word.is_empty() {
        let lines = COMMANDS.iter().map(sentence).collect::<Vec<_>>().join("\n");
        return say(format!(
            "{lines}\nNames and ids are typed as they are printed; the first four characters of an id are enough. Letters of words in \
             capitals stand for what you type."
        ));
    }
    match named(&word.to_lowercase()) {
        Some(command) => say(sentence(command)),
        None => say(unknown(&word.to_lowercase())),
    }
}

fn sentence(command: &Command) -> String {
    let typed = format!("{} {}", command.name, command.arguments);
    format!("{}: {}", typed.trim(), command.sentence)
}
