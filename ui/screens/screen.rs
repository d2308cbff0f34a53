//! Which screens and panes there are.

use serde::{Deserialize, Serialize};

use crate::input::Place;

/// A screen. Their numbers are final; those that are missing here do not exist yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Screen {
    #[default]
    Overview,
    Connections,
    Audit,
}

impl Screen {
    pub(crate) const ALL: [Screen; 3] = [Screen::Overview, Screen::Connections, Screen::Audit];

    /// Its number and name, as the tabs show them.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Screen::Overview => "1 Overview",
            Screen::Connections => "3 Connections",
            Screen::Audit => "7 Audit",
        }
    }

    /// Where its own keys are.
    pub(crate) fn place(self) -> Place {
        match self {
            Screen::Overview => Place::Overview,
            Screen::Connections => Place::Connections,
            Screen::Audit => Place::Audit,
        }
    }
}

/// A part of a screen that can have the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Pane {
    /// Overview: what waits for the owner.
    Needs,
    /// Overview: who is connected.
    Connections,
    /// Overview: what happens.
    Activity,
    /// Connections: the list.
    Grants,
    /// Connections: who asks to connect.
    Asking,
    /// Connections: the newest records of the selected connection.
    Calls,
    /// Connections: what the selected connection recorded.
    Journal,
    /// Connections: the passkeys.
    Passkeys,
    /// Connections: client documents kept here.
    Clients,
    /// Connections: what was refused in the last hour.
    Refused,
    /// Audit: the list.
    Records,
}

impl Pane {
    pub(crate) const ALL: &[Pane] = &[
        Pane::Needs,
        Pane::Connections,
        Pane::Activity,
        Pane::Grants,
        Pane::Asking,
        Pane::Calls,
        Pane::Journal,
        Pane::Passkeys,
        Pane::Clients,
        Pane::Refused,
        Pane::Records,
    ];
}

/// The three widths there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Size {
    Small,
    Medium,
    Large,
}

impl Size {
    /// By the columns of the terminal.
    pub(crate) fn of(columns: u16) -> Size {
        match columns {
            0..100 => Size::Small,
            100..180 => Size::Medium,
            _ => Size::Large,
        }
    }
}
