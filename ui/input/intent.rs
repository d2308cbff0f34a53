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

const OVERVIEW: &[Pane] = &[Pane::Needs, Pane::Connections, Pane::Activity];
const ALL: &[Pane] = Pane::ALL;

/// Every intent there is. Small letters look or open a question; capitals change something and always ask. The key bar shows them in this
/// order, and drops the last ones first.
#[rustfmt::skip]
pub(crate) const INTENTS: &[Entry] = &[
    entry!(Lists Open "open" "look" "look at all facts of the selected row" ALL),
    entry!(Overview Deny "deny" "deny…" "deny the selected authorization" &[Pane::Needs]),
    entry!(Overview Revoke "revoke" "revoke…" "end the selected connection" &[Pane::Connections]),
    entry!(Connections Revoke "revoke" "revoke…" "end the selected connection" &[Pane::Grants]),
    entry!(Connections Scopes "scopes" "scopes…" "change what the selected connection may do, with your passkey" &[Pane::Grants]),
    entry!(Connections Deny "deny" "deny…" "deny the selected authorization" &[Pane::Asking]),
    entry!(Connections Remove "remove" "remove…" "remove the selected passkey or client document" &[Pane::Passkeys, Pane::Clients]),
    entry!(Connections NewClient "new-client" "new client" "keep a client document here, for a client that has none of its own" &[Pane::Grants, Pane::Clients]),
    entry!(Audit Verify "verify" "verify" "check the whole audit against the end this terminal remembers" &[Pane::Records]),
    entry!(Everywhere Oldest "oldest" "oldest waiting" "go to what waits for you the longest" &[Pane::Needs]),
    entry!(Everywhere Enroll "enroll" "enroll a passkey" "a one-time link to enroll a passkey" OVERVIEW),
    entry!(Everywhere Filter "filter" "filter" "show only rows that fit" &[Pane::Connections, Pane::Activity, Pane::Grants, Pane::Records]),
    entry!(Lists Follow "follow" "pause" "stop or go on following what happens" &[Pane::Activity, Pane::Records]),
    entry!(Lists Export "export" "export…" "write the list to a new file, as JSON lines or CSV" &[Pane::Grants, Pane::Records]),
    entry!(Lists Pager "pager" "pager" "read the selected row's detail in your pager" &[Pane::Records]),
    entry!(Lists Copy "copy" "copy" "copy the selected row to the clipboard" &[Pane::Records]),
    entry!(Lists Sort "sort" "sort" "sort by the next column" &[Pane::Grants]),
    entry!(Everywhere NextPane "next-pane" "pane" "next pane" ALL),
    entry!(Everywhere Zoom "zoom" "zoom" "one pane over the whole window, and back"),
    entry!(Everywhere Retry "retry" "retry now" "try to reach the host now"),
    entry!(Everywhere Palette "palette" "command" "find any command by its words"),
    entry!(Everywhere Help "help" "help" "this help"),
    entry!(Everywhere Leave "leave" "quit" "leave; asks when the host runs in here"),
    entry!(Everywhere Overview "overview" "overview" "the screen Overview"),
    entry!(Everywhere Connections "connections" "connections" "the screen Connections"),
    entry!(Everywhere Audit "audit" "audit" "the screen Audit"),
    entry!(Everywhere Back "back" "back" "back, close, clear"),
    entry!(Everywhere PreviousPane "previous-pane" "pane" "pane before"),
    entry!(Everywhere Narrower "narrower" "narrower" "less room for the focused pane"),
    entry!(Everywhere Wider "wider" "wider" "more room for the focused pane"),
    entry!(Everywhere Mouse "mouse" "mouse" "release the mouse for selecting text, or take it again"),
    entry!(Everywhere Blur "blur" "blur" "hide contents for screen sharing, or show them again"),
    entry!(Everywhere Messages "messages" "messages" "what this terminal said lately"),
    entry!(Everywhere Keys "keys" "keys" "all keys as they are now, as keymap.toml writes them"),
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
    entry!(Question Confirm "confirm" "yes" "yes, do it"),
    entry!(Question KeepServing "keep-serving" "keep serving" "leave, and let the host go on in the background"),
    entry!(Question Close "close" "cancel" "no, change nothing"),
    entry!(Reading Down "down" "down" "scroll on"),
    entry!(Reading Up "up" "up" "scroll back"),
    entry!(Reading PageDown "page-down" "page" "a page on"),
    entry!(Reading PageUp "page-up" "page" "a page back"),
    entry!(Reading First "first" "top" "to the top"),
    entry!(Reading Close "close" "close" "close this"),
    entry!(Help Search "search" "search" "find a key by its words"),
    entry!(WaitingDetail Deny "deny" "deny…" "deny the authorization that is open"),
    entry!(ConnectionDetail Revoke "revoke" "revoke…" "end the connection that is open"),
    entry!(ConnectionDetail Scopes "scopes" "scopes…" "change what it may do, with your passkey"),
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
