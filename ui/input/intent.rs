//! The table of intents: what a person can want, what it is called, and where.

use super::Place;
use crate::screens::Pane;

/// What the person wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Intent {
    Overview,
    Connections,
    Audit,
    Oldest,
    Palette,
    Filter,
    Help,
    Back,
    NextPane,
    PreviousPane,
    Zoom,
    Narrower,
    Wider,
    Enroll,
    Retry,
    Mouse,
    Blur,
    Edit,
    Messages,
    Keys,
    Leave,
    Interrupt,
    Suspend,
    Redraw,
    Down,
    Up,
    First,
    Last,
    PageDown,
    PageUp,
    HalfDown,
    HalfUp,
    Open,
    Follow,
    Sort,
    Copy,
    Export,
    Pager,
    Deny,
    Revoke,
    Scopes,
    NewClient,
    Remove,
    Verify,
    Bigger,
    Invert,
    NewLink,
    Browse,
    Confirm,
    KeepServing,
    Close,
    Search,
    Submit,
    Complete,
}

/// An intent at a place, and its words. Its keys are in the key map.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) intent: Intent,
    pub(crate) place: Place,
    /// In the key map, in plain mode, and when the palette is searched.
    pub(crate) name: &'static str,
    /// In the key bar, with `…` when it asks before it acts.
    pub(crate) short: &'static str,
    /// In the help and the palette.
    pub(crate) sentence: &'static str,
    /// In the key bar when one of these panes has the focus.
    pub(crate) bar: &'static [Pane],
}

macro_rules! entry {
    ($place:ident $intent:ident $name:literal $short:literal $sentence:literal $($bar:expr)?) => {
        Entry {
            intent: Intent::$intent,
            place: Place::$place,
            name: $name,
            short: $short,
            sentence: $sentence,
            bar: {
                #[allow(unused_mut, unused_assignments)]
                let mut bar: &'static [Pane] = &[];
                $(bar = $bar;)?
                bar
            },
        }
    };
}

const ENROLL: &[Pane] = &[Pane::Needs, Pane::Connections, Pane::Activity, Pane::Passkeys];
const ALL: &[Pane] = Pane::ALL;

/// Every intent there is. Small letters look or open a question; capitals change something and always ask. The key bar shows them in this
/// order, and drops the last ones first.
#[rustfmt::skip]
pub(crate) const INTENTS: &[Entry] = &[
    entry!(Lists Open "open" "look" "look at all facts of the selected row" ALL),
    entry!(Overview Deny "deny" "deny…" "deny the selected authorization" &[Pane::Needs]),
    entry!(Overview Revoke "revoke" "revoke…" "revoke the selected connection" &[Pane::Connections]),
    entry!(Connections Revoke "revoke" "revoke…" "revoke the selected connection" &[Pane::Grants]),
    entry!(Connections Scopes "scopes" "scopes…" "change the scopes of the selected connection" &[Pane::Grants]),
    entry!(Connections Deny "deny" "deny…" "deny the selected authorization" &[Pane::Asking]),
    entry!(Connections Remove "remove" "remove…" "remove the passkey or client document" &[Pane::Passkeys, Pane::Clients]),
    entry!(Connections NewClient "new-client" "new client" "keep a new client document here" &[Pane::Grants, Pane::Clients]),
    entry!(Everywhere Oldest "oldest" "oldest waiting" "go to what waits the longest" &[Pane::Needs]),
    entry!(Everywhere Enroll "enroll" "enroll a passkey" "enroll a passkey by a one-time link" ENROLL),
    entry!(Everywhere Filter "filter" "filter" "filter the rows by words" &[Pane::Connections, Pane::Activity, Pane::Grants, Pane::Records]),
    entry!(Lists Follow "follow" "pause" "pause what happens, or follow it again" &[Pane::Activity, Pane::Records]),
    entry!(Lists Export "export" "export…" "export the list to a new file" &[Pane::Grants, Pane::Records]),
    entry!(Lists Pager "pager" "pager" "read the selected row in your pager" &[Pane::Records]),
    entry!(Lists Copy "copy" "copy" "copy the selected row" &[Pane::Records]),
    entry!(Audit Verify "verify" "verify" "verify the whole audit" &[Pane::Records]),
    entry!(Lists Sort "sort" "sort" "sort by the next column" &[Pane::Grants]),
    entry!(Everywhere NextPane "next-pane" "pane" "next pane" ALL),
    entry!(Everywhere Zoom "zoom" "zoom" "zoom the pane over the window, or back"),
    entry!(Everywhere Retry "retry" "retry now" "retry to reach the host now"),
    entry!(Everywhere Palette "palette" "command" "find any command by its words"),
    entry!(Everywhere Help "help" "help" "this help"),
    entry!(Everywhere Leave "leave" "quit" "leave; asks when the host runs in here"),
    entry!(Everywhere Overview "overview" "overview" "go to the screen Overview"),
    entry!(Everywhere Connections "connections" "connections" "go to the screen Connections"),
    entry!(Everywhere Audit "audit" "audit" "go to the screen Audit"),
    entry!(Everywhere Back "back" "back" "back, close, clear"),
    entry!(Everywhere PreviousPane "previous-pane" "pane" "pane before"),
    entry!(Everywhere Narrower "narrower" "narrower" "narrower: less room for the list"),
    entry!(Everywhere Wider "wider" "wider" "wider: more room for the list"),
    entry!(Everywhere Mouse "mouse" "mouse" "release the mouse, or take it again"),
    entry!(Everywhere Blur "blur" "blur" "blur contents for screen sharing, or not"),
    entry!(Everywhere Edit "edit-board" "edit board" "edit the board your assistants read, in your editor"),
    entry!(Everywhere Messages "messages" "messages" "show the messages of this terminal"),
    entry!(Everywhere Keys "keys" "keys" "show all keys as keymap.toml writes them"),
    entry!(Always Interrupt "interrupt" "quit" "like leave; twice within 2 s leaves at once"),
    entry!(Always Suspend "suspend" "suspend" "suspend; asks when the host runs in here"),
    entry!(Always Redraw "redraw" "redraw" "draw the whole screen again"),
    entry!(Lists Down "down" "down" "next row"),
    entry!(Lists Up "up" "up" "row before"),
    entry!(Lists First "first" "first" "first row"),
    entry!(Lists Last "last" "last" "last row"),
    entry!(Lists PageDown "page-down" "page" "a page on"),
    entry!(Lists PageUp "page-up" "page" "a page back"),
    entry!(Lists HalfDown "half-down" "half" "half a page on"),
    entry!(Lists HalfUp "half-up" "half" "half a page back"),
    entry!(Enroll Bigger "bigger" "bigger" "draw the code bigger or smaller"),
    entry!(Enroll Invert "invert" "invert" "swap black and white"),
    entry!(Enroll Browse "browse" "open browser" "open the link in this machine's browser"),
    entry!(Enroll NewLink "new-link" "new link" "a new link; the one before is void"),
    entry!(Enroll Close "close" "close" "close; the link stays good"),
    entry!(Link Browse "browse" "open browser" "open the page in this machine's browser"),
    entry!(Link Copy "copy" "copy" "copy the address to the clipboard"),
    entry!(Link Close "close" "close" "close; the address stays good"),
    entry!(Question Confirm "confirm" "yes" "yes, do it"),
    entry!(Question KeepServing "keep-serving" "keep serving" "leave, and let the host go on in the background"),
    entry!(Question Close "close" "cancel" "no, change nothing"),
    entry!(Question Down "down" "down" "scroll on"),
    entry!(Question Up "up" "up" "scroll back"),
    entry!(Question PageDown "page-down" "page" "a page on"),
    entry!(Question PageUp "page-up" "page" "a page back"),
    entry!(Reading Down "down" "down" "scroll on"),
    entry!(Reading Up "up" "up" "scroll back"),
    entry!(Reading PageDown "page-down" "page" "a page on"),
    entry!(Reading PageUp "page-up" "page" "a page back"),
    entry!(Reading First "first" "top" "to the top"),
    entry!(Reading Close "close" "close" "close this"),
    entry!(Help Search "search" "search" "find a key by its words"),
    entry!(WaitingDetail Deny "deny" "deny…" "deny the authorization that is open"),
    entry!(ConnectionDetail Revoke "revoke" "revoke…" "revoke the connection that is open"),
    entry!(ConnectionDetail Scopes "scopes" "scopes…" "change its scopes, with your passkey"),
    entry!(RecordDetail Copy "copy" "copy" "copy the record to the clipboard"),
    entry!(RecordDetail Pager "pager" "pager" "read the record in your pager"),
    entry!(Palette Down "down" "down" "next command"),
    entry!(Palette Up "up" "up" "command before"),
    entry!(Palette Submit "submit" "run" "run the chosen command; one that asks still asks"),
    entry!(Palette Complete "complete" "complete" "complete what was typed"),
    entry!(Palette Close "close" "close" "close this"),
    entry!(Field Submit "submit" "done" "take what was typed"),
    entry!(Field Close "close" "cancel" "give it up"),
];

/// All entries of a place, in the order they are shown.
pub(crate) fn in_place(place: Place) -> impl Iterator<Item = &'static Entry> {
    INTENTS.iter().filter(move |entry| entry.place == place)
}
