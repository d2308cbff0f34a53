//! The text an assistant begins a turn with.

use serde_json::Value;

use super::board::Board;
use super::contract::{CONTRACT, WHAT_THIS_IS};

/// Who asks, in which conversation, on which day.
pub(super) struct Turn<'t> {
    pub(super) name: &'t str,
    pub(super) conversation: &'t str,
    /// The UTC day.
    pub(super) today: &'t str,
}

/// Everything an assistant needs at the start of a turn, the board whole and last.
pub(super) fn render(turn: &Turn<'_>, board: &Board) -> String {
    let Turn { name, conversation, today } = turn;
    let (quoted, session) = (Value::from(*conversation), Value::from(format!("{name}:{conversation}")));
    let rev = board.rev();
    let lines = board.text.lines().count();
    let text = &board.text;
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!(
        "\
You are the connection “{name}”: what you record is attributed to that name.
{WHAT_THIS_IS}

conversation: {conversation}
board_rev: {rev}

{CONTRACT}

To read the past:
- ReadMemory {{\"path\": \"topics/<name>.md\"}} or {{\"path\": \"entities/<name>.md\"}}: a file the board mentions.
- ReadEvents {{\"date\": \"{today}\", \"types\": [\"external.record\"]}}: what was recorded today ({today}, UTC). \
{{\"interval\": \"2h\"}} reads back from now, {{\"session\": {session}}} this conversation, \
{{\"show\": \"<event id>\"}} one entry whole.

To record, once, before your final reply:
- RecordExperience {{\"conversation\": {quoted}, \"board_rev\": \"{rev}\", \"said\": \"<the message, word for word>\", \
\"did\": \"<what you did>\", \"outcome\": \"<how it ended>\"}}

The board follows, {lines} lines. It is whole only if a line “END board” with the same numbers closes it: if that line is missing, \
your copy was cut, so say that and do not rely on it.
----- board lines={lines} rev={rev}
{text}{end}----- END board lines={lines} rev={rev}
"
    )
}
