//! What can happen.

use std::path::PathBuf;

use crossterm::event::{KeyEvent, MouseEvent};
use quarterdeck::control::offline::Verified;
use quarterdeck::control::{Notice, Reply, Snapshot};

use super::Asked;
use crate::terminal::Copied;
use crate::theme::Theme;

/// One thing that happened, in the order it happened.
#[derive(Clone, Debug)]
pub(crate) enum Msg {
    Key(KeyEvent),
    /// Text was pasted: of use only to an open field.
    Paste(String),
    Mouse(MouseEvent),
    Resize(u16, u16),
    /// The terminal got or lost the focus.
    Focus(bool),
    Notice(Box<Notice>),
    /// A fresh picture of everything: after the start, after notices were lost, after the host came back.
    Subscribed(Box<Snapshot>),
    /// There are no notices any more.
    Silent(Silence),
    /// The host answered, or a sentence why it did not.
    Answered(Asked, Result<Box<Reply>, String>),
    /// Whether the browser could be started.
    Browsed(bool),
    /// What became of a text for the clipboard.
    Copied(Copied),
    /// Where a list was written and how many rows it has, or why it was not.
    Exported(Result<(PathBuf, u64), String>),
    /// What checking the whole audit found, or why it could not be checked.
    Verified(Result<Verified, String>),
    /// Something could not be done, for this reason.
    Failed(String),
    /// The theme's file was saved; or a sentence why the colours stay as they were.
    ThemeChanged(Result<Theme, String>),
    /// The process was stopped and goes on.
    Continued,
    /// The process was told to end.
    Terminate,
    /// A time that [`super::Model::next_wake`] named has come.
    Wake,
}

/// Why there are no notices. None of these says that a host in this process is gone: only the host itself does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// They ended without a word.
    Ended,
    /// The host is there and cannot tell now how everything is: its sentence.
    Refused(String),
    /// The host cannot be reached; a sentence when it is there and does not want to talk.
    Unreachable(Option<String>),
}
