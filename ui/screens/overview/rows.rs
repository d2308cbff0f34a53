//! The rows of the three lists, and their columns at each width.

use quarterdeck::control::{AuditRow, Connection, Waiting};

use crate::app::Model;
use crate::screens::Size;
use crate::screens::words::{bare, brief, client, deed, letters, state_role, state_word};
use crate::theme::{Role, Theme};
use crate::widgets::{Column, Row, sparkline};

pub(super) fn needs_columns(size: Size) -> &'static [Column] {
    const SMALL: &[Column] =
        &[Column::rest("who asks"), Column::rest("answer goes to"), Column::left("scopes", 7), Column::left("since", 8)];
    const LARGE: &[Column] = &[
        Column::rest("who asks"),
        Column::rest("answer goes to"),
        Column::left("scopes", 7),
        Column::left("since", 8),
        Column::left("expires", 8),
    ];
    if size == Size::Small { SMALL } else { LARGE }
}

pub(super) fn needs_row(model: &Model, waiting: &Waiting, size: Size) -> Row {
    let mut row = vec![
        (client(model, &waiting.client_id), Role::Text),
        (bare(&waiting.redirect_uri), Role::Text),
        (letters(&waiting.scopes), Role::Text),
        (model.clock(&waiting.since), Role::Text),
    ];
    if size != Size::Small {
        row.push((model.clock(&waiting.expires_at), Role::Text));
    }
    row
}

/// Below this width there is no room for the client, which the details tell.
const CLIENT_SHOWN: u16 = 100;

pub(super) fn connection_columns(width: u16) -> &'static [Column] {
    const NARROW: &[Column] = &[
        Column::rest("name"),
        Column::left("scopes", 7),
        Column::left("state", 10),
        Column::left("seen", 8),
        Column::right("24h", 5),
        Column::left("", 12),
    ];
    const LARGE: &[Column] = &[
        Column::left("name", 24),
        Column::rest("client"),
        Column::left("scopes", 7),
        Column::left("state", 10),
        Column::left("seen", 8),
        Column::right("24h", 6),
        Column::left("", 24),
    ];
    if width < CLIENT_SHOWN { NARROW } else { LARGE }
}

pub(super) fn connection_row(model: &Model, theme: &Theme, (connection, width): (&Connection, u16)) -> Row {
    let seen = connection.last_used_at.as_ref().map_or_else(|| "—".to_owned(), |at| model.clock(at));
    let mut row = vec![(connection.name.clone(), Role::Text)];
    if width >= CLIENT_SHOWN {
        row.push((client(model, &connection.client_id), Role::Text));
    }
    row.extend([
        (letters(&connection.scopes), Role::Text),
        (state_word(connection.state).to_owned(), state_role(connection.state)),
    ]);
    let calls: Vec<u64> = connection.calls_by_hour.iter().map(|calls| u64::try_from(*calls).unwrap_or(0)).collect();
    let line = sparkline(theme, &calls, if width < CLIENT_SHOWN { 12 } else { 24 });
    row.extend([(seen, Role::Text), (brief(connection.calls_24h), Role::Text), (line, Role::Accent)]);
    row
}

/// From this width on, what was done and on what have columns of their own.
pub(super) const WIDE_ACTIVITY: u16 = 125;

pub(super) fn activity_columns(wide: bool) -> &'static [Column] {
    const SMALL: &[Column] =
        &[Column::left("time", 8), Column::who("who", 16), Column::rest("what, on"), Column::right("result", 10)];
    const LARGE: &[Column] = &[
        Column::left("time", 8),
        Column::who("who", 24),
        Column::left("what", 22),
        Column::rest("on"),
        Column::right("result", 24),
    ];
    if wide { LARGE } else { SMALL }
}

pub(super) fn activity_row(model: &Model, record: &AuditRow, wide: bool) -> Row {
    let mut row = vec![(model.clock(&record.at), Role::Muted)];
    row.extend(deed(model, record, wide));
    row
}
