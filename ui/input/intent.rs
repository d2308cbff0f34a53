//! The table of intents.

use crossterm::event::KeyCode;

use super::Key;
use crate::screens::overview::Pane;

/// What the person wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    Open,
    Deny,
    Revoke,
    Follow,
    Enroll,
    Retry,
    Down,
    Up,
    First,
    Last,
    PageDown,
    PageUp,
    HalfDown,
    HalfUp,
    NextPane,
    PreviousPane,
    Back,
    Help,
    Suspend,
    Redraw,
    Leave,
    Interrupt,
    Bigger,
    Invert,
    NewLink,
    Browse,
    Confirm,
    Close,
}

/// Where a key has its meaning. Overlays come before the screen, the screen before everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Overview,
    Lists,
    Everywhere,
    /// The enrollment overlay.
    Enroll,
    /// A question.
    Question,
    /// Help and details: text to read.
    Reading,
    /// The detail of an authorization that waits, besides.
    WaitingDetail,
    /// The detail of a connection, besides.
    ConnectionDetail,
    /// Works above any overlay.
    Always,
}

/// An intent, its keys and its words.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) intent: Intent,
    pub(crate) place: Place,
    pub(crate) keys: &'static [Key],
    /// The keys as they are written.
    pub(crate) shown: &'static str,
    /// In the key bar, with `…` when it asks before it acts.
    pub(crate) short: &'static str,
    /// In the help.
    pub(crate) sentence: &'static str,
    /// In the key bar when one of these panes has the focus.
    pub(crate) bar: &'static [Pane],
}

const ANY: &[Pane] = &[Pane::Needs, Pane::Connections, Pane::Activity];

macro_rules! entry {
    ($place:ident $intent:ident [$($key:expr),*] $shown:literal $short:literal $sentence:literal $bar:expr) => {
        Entry {
            intent: Intent::$intent,
            place: Place::$place,
            keys: &[$($key),*],
            shown: $shown,
            short: $short,
            sentence: $sentence,
            bar: $bar,
        }
    };
}

const ESC: Key = Key::named(KeyCode::Esc);
const ENTER: Key = Key::named(KeyCode::Enter);
const DOWN: Key = Key::named(KeyCode::Down);
const UP: Key = Key::named(KeyCode::Up);

/// Every intent there is. Small letters look or open a question; capitals change something and always ask.
#[rustfmt::skip]
pub(crate) const INTENTS: &[Entry] = &[
    entry!(Overview Open [ENTER] "enter" "look" "look at all facts of the selected row" ANY),
    entry!(Overview Deny [Key::char('d')] "d" "deny…" "deny the selected authorization" &[Pane::Needs]),
    entry!(Overview Revoke [Key::char('R')] "R" "revoke…" "end the selected connection" &[Pane::Connections]),
    entry!(Overview Follow [Key::char(' ')] "space" "pause" "stop or go on following the activity" &[Pane::Activity]),
    entry!(Overview Enroll [Key::char('p')] "p" "enroll a passkey" "a one-time link to enroll a passkey" ANY),
    entry!(Overview Retry [Key::char('r')] "r" "retry now" "try to reach the host now" &[]),
    entry!(Lists Down [Key::char('j'), DOWN] "j ↓" "down" "next row" &[]),
    entry!(Lists Up [Key::char('k'), UP] "k ↑" "up" "row before" &[]),
    entry!(Lists First [Key::char('g'), Key::named(KeyCode::Home)] "g home" "first" "first row" &[]),
    entry!(Lists Last [Key::char('G'), Key::named(KeyCode::End)] "G end" "last" "last row" &[]),
    entry!(Lists PageDown [Key::named(KeyCode::PageDown)] "pgdn" "page" "a page on" &[]),
    entry!(Lists PageUp [Key::named(KeyCode::PageUp)] "pgup" "page" "a page back" &[]),
    entry!(Lists HalfDown [Key::ctrl('d')] "ctrl-d" "half" "half a page on" &[]),
    entry!(Lists HalfUp [Key::ctrl('u')] "ctrl-u" "half" "half a page back" &[]),
    entry!(Everywhere NextPane [Key::named(KeyCode::Tab)] "tab" "pane" "next pane" ANY),
    entry!(Everywhere PreviousPane [Key::named(KeyCode::BackTab)] "shift-tab" "pane" "pane before" &[]),
    entry!(Everywhere Back [ESC] "esc" "back" "back, close, clear" &[]),
    entry!(Everywhere Help [Key::char('?'), Key::named(KeyCode::F(1))] "? F1" "help" "this help" &[]),
    entry!(Everywhere Leave [Key::char('q')] "q" "quit" "leave; asks when the host runs in here" &[]),
    entry!(Always Interrupt [Key::ctrl('c')] "ctrl-c" "quit" "like q; twice within 2 s leaves at once" &[]),
    entry!(Always Suspend [Key::ctrl('z')] "ctrl-z" "suspend" "suspend; asks when the host runs in here" &[]),
    entry!(Always Redraw [Key::ctrl('l')] "ctrl-l" "redraw" "draw the whole screen again" &[]),
    entry!(Enroll Bigger [Key::char('b')] "b" "bigger" "draw the code bigger or smaller" &[]),
    entry!(Enroll Invert [Key::char('i')] "i" "invert" "swap black and white" &[]),
    entry!(Enroll Browse [Key::char('o')] "o" "open browser" "open the link in this machine's browser" &[]),
    entry!(Enroll NewLink [Key::char('n')] "n" "new link" "a new link; the one before is void" &[]),
    entry!(Enroll Close [ESC] "esc" "close" "close; the link stays good" &[]),
    entry!(Question Confirm [Key::char('Y')] "Y" "yes" "yes, do it" &[]),
    entry!(Question Close [ESC] "esc" "cancel" "no, change nothing" &[]),
    entry!(Reading Down [Key::char('j'), DOWN] "j ↓" "down" "scroll on" &[]),
    entry!(Reading Up [Key::char('k'), UP] "k ↑" "up" "scroll back" &[]),
    entry!(Reading PageDown [Key::named(KeyCode::PageDown), Key::ctrl('d')] "pgdn" "page" "a page on" &[]),
    entry!(Reading PageUp [Key::named(KeyCode::PageUp), Key::ctrl('u')] "pgup" "page" "a page back" &[]),
    entry!(Reading First [Key::char('g'), Key::named(KeyCode::Home)] "g" "top" "to the top" &[]),
    entry!(Reading Close [ESC, Key::char('q'), Key::char('?'), Key::named(KeyCode::F(1)), ENTER] "esc" "close" "close this" &[]),
    entry!(WaitingDetail Deny [Key::char('d')] "d" "deny…" "deny the authorization that is open" &[]),
    entry!(ConnectionDetail Revoke [Key::char('R')] "R" "revoke…" "end the connection that is open" &[]),
];
