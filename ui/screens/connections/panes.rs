//! The lists of the screen: their titles, columns, rows, and what they say when there are none.

use quarterdeck::control::{AuditRow, ClientDocument, Connection, JournalEntry, Passkey, Waiting};
use ratatui::layout::Rect;

use super::list::{List, Place, instead};
use super::{Shown, asking_ids, passkey_ids, told};
use crate::app::{Model, PaneHit};
use crate::screens::Pane;
use crate::screens::words::{
    LEGEND, bare, brief, client, grouped, host, in_one, letters, outcome_role, refusal, result, state_role, state_word, veil,
    veiled, who,
};
use crate::theme::{Role, Theme};
use crate::widgets::{Canvas, Column, Cut, Frame, Row, sparkline, width};

/// Prose in what is left.
const PROSE: Column = Column { title: "", cells: None, right: false, cut: Cut::End };

/// Draws a list.
pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>, (pane, rect): (Pane, Rect), hint: &str) -> PaneHit {
    let right = right(model, pane);
    let focused = model.connections.focus == pane;
    let title = title(model, pane);
    let legend = if width(LEGEND) + 6 <= usize::from(rect.width) { LEGEND } else { "" };
    let bottom = if pane == Pane::Grants { legend } else { hint };
    let place = Place { pane, rect, frame: Frame { title: &title, right: &right, bottom, focused } };
    match pane {
        Pane::Calls | Pane::Journal if selected(model).is_none() => {
            place.says(canvas, (&super::about::unselected(model), Role::Muted))
        }
        Pane::Asking => asking(model, canvas, &place),
        Pane::Calls => calls(model, canvas, &place),
        Pane::Journal => journal(model, canvas, &place),
        Pane::Passkeys => passkeys(model, canvas, &place),
        Pane::Clients => clients(model, canvas, &place),
        Pane::Refused => refused(model, canvas, &place),
        _ => grants(model, canvas, &place),
    }
}

/// What a pane is called where panes are named one after the other.
pub(super) fn short(pane: Pane) -> &'static str {
    match pane {
        Pane::Asking => "asking",
        Pane::Calls => "records",
        Pane::Journal => "journal",
        Pane::Passkeys => "passkeys",
        Pane::Clients => "clients",
        Pane::Refused => "refused",
        _ => "connections",
    }
}

fn title(model: &Model, pane: Pane) -> String {
    match (pane, selected(model)) {
        (Pane::Calls, Some(one)) => return format!("What {} did", one.name),
        (Pane::Journal, Some(one)) => return format!("What {} recorded", one.name),
        _ => {}
    }
    let title = match pane {
        Pane::Asking => "Waits for you",
        Pane::Calls => "Records",
        Pane::Journal => "Journal",
        Pane::Passkeys => "Passkeys",
        Pane::Clients => "Client documents kept here",
        Pane::Refused => "Refused in the last hour",
        _ => "Connections",
    };
    title.to_owned()
}

fn right(model: &Model, pane: Pane) -> String {
    let (facts, connections) = (&model.facts, &model.connections);
    let some = |count: usize| if count == 0 { String::new() } else { count.to_string() };
    match pane {
        Pane::Asking => format!("{} waiting", facts.waits()),
        Pane::Calls => selected(model).map(|one| format!("{} calls in 24 h", grouped(one.calls_24h))).unwrap_or_default(),
        Pane::Journal => some(connections.entry_ids().len()),
        Pane::Passkeys => some(facts.passkeys.len()),
        Pane::Clients => some(connections.client_ids().len()),
        Pane::Refused => some(connections.refused_ids().len()),
        _ => counts(model),
    }
}

fn counts(model: &Model) -> String {
    let facts = &model.facts;
    let live = if model.connected() { format!("{} live", facts.live()) } else { "read-only".to_owned() };
    let mut parts = vec![model.connections.sort.words().to_owned(), live];
    if facts.waits() > 0 {
        parts.push(format!("{} waiting", facts.waits()));
    }
    parts.push(format!("{} in all", facts.connections.len()));
    parts.join(" · ")
}

/// The connection the cursor is on.
pub(super) fn selected(model: &Model) -> Option<&Connection> {
    model.facts.connection(model.connections.grants.chosen()?)
}

/// From this width on there is room for the calls of each hour.
const BY_HOUR: u16 = 76;
/// From this width on there is room for the day of approval.
const APPROVED: u16 = 110;

fn grant_columns(width: u16) -> &'static [Column] {
    const NARROW: &[Column] = &[
        Column::left("name", 14),
        Column::rest("client"),
        Column::left("scopes", 7),
        Column::left("state", 10),
        Column::left("seen", 8),
        Column::right("24h", 4),
    ];
    const USUAL: &[Column] = &[
        Column::left("name", 16),
        Column::rest("client"),
        Column::left("scopes", 7),
        Column::left("state", 10),
        Column::left("seen", 8),
        Column::right("24h", 5),
        Column::left("", 8),
    ];
    const WIDE: &[Column] = &[
        Column::left("name", 24),
        Column::rest("client"),
        Column::left("scopes", 7),
        Column::left("state", 10),
        Column::left("approved", 8),
        Column::left("seen", 8),
        Column::right("24h", 6),
        Column::left("", 24),
    ];
    match width {
        0..BY_HOUR => NARROW,
        BY_HOUR..APPROVED => USUAL,
        _ => WIDE,
    }
}

fn grants(model: &Model, canvas: &mut Canvas<'_>, place: &Place<'_>) -> PaneHit {
    let connections = &model.connections;
    if model.facts.connections.is_empty() {
        let address = model.facts.address();
        let text = address.map_or_else(
            || "The door is closed: set assistants.public_url, and start again.".to_owned(),
            |address| {
                let how = model.setup.keymap.say("{overview} shows how");
                format!("No assistant is connected. Give one the address {address} — {how}.")
            },
        );
        return place.says(canvas, (&text, Role::Muted));
    }
    if connections.fitting.is_empty() {
        return place.says(canvas, (&model.setup.keymap.say("No row fits the filter: {back} clears it."), Role::Muted));
    }
    let (theme, width) = (canvas.theme, place.rect.width);
    let columns = grant_columns(width);
    let list = List { ids: &connections.fitting, selection: &connections.grants, columns, heading: true };
    place.rows(canvas, &list, |grant| model.facts.connection(grant).map(|one| grant_row(model, theme, (one, width))))
}

fn grant_row(model: &Model, theme: &Theme, (one, width): (&Connection, u16)) -> Row {
    let mut row = vec![
        (one.name.clone(), Role::Text),
        (host(model, &one.client_id), Role::Text),
        (letters(&one.scopes), Role::Text),
        (state_word(one.state).to_owned(), state_role(one.state)),
    ];
    if width >= APPROVED {
        row.push((model.clock(&one.created_at), Role::Text));
    }
    let seen = one.last_used_at.as_ref().map_or_else(|| "—".to_owned(), |at| model.clock(at));
    row.extend([(seen, Role::Text), (brief(one.calls_24h), Role::Text)]);
    if width >= BY_HOUR {
        let hours: Vec<u64> = one.calls_by_hour.iter().map(|calls| u64::try_from(*calls).unwrap_or(0)).collect();
        let cells = if width >= APPROVED { 24 } else { 8 };
        row.push((sparkline(theme, &hours, cells), Role::Accent));
    }
    row
}

fn asking(model: &Model, canvas: &mut Canvas<'_>, place: &Place<'_>) -> PaneHit {
    const NARROW: &[Column] =
        &[Column::who("who asks", 18), Column::rest("answer goes to"), Column::left("scopes", 7), Column::left("expires", 8)];
    const USUAL: &[Column] =
        &[Column::rest("who asks"), Column::rest("answer goes to"), Column::left("scopes", 7), Column::left("expires", 8)];
    let ids = asking_ids(&model.facts);
    if ids.is_empty() {
        return place.says(canvas, ("Nobody asks. An assistant that asks to connect appears here.", Role::Muted));
    }
    let narrow = place.rect.width < BY_HOUR;
    let columns = if narrow { NARROW } else { USUAL };
    let row = |one: &Waiting| {
        vec![
            (if narrow { host(model, &one.client_id) } else { client(model, &one.client_id) }, Role::Text),
            (bare(&one.redirect_uri), Role::Text),
            (letters(&one.scopes), Role::Text),
            (model.clock(&one.expires_at), Role::Text),
        ]
    };
    let list = List { ids: &ids, selection: &model.connections.asking, columns, heading: false };
    place.rows(canvas, &list, |id| model.facts.waiting(id).map(row))
}

/// From this width on, what was done and on what have columns of their own.
const WIDE: u16 = 100;

fn calls(model: &Model, canvas: &mut Canvas<'_>, place: &Place<'_>) -> PaneHit {
    let connections = &model.connections;
    let shown = connections.looked().map_or(Shown::Nothing, |looked| looked.detail.shown(model.now.tick));
    let rows = match shown {
        Shown::There(detail) => Shown::There(&detail.recent),
        Shown::Failed(why) => Shown::Failed(why),
        Shown::Loading => Shown::Loading,
        Shown::Nothing => Shown::Nothing,
    };
    let found = if let Shown::There(rows) = rows { rows.as_slice() } else { &[] };
    if let Some((text, role)) = instead(model, rows, || "No record yet. Every call it makes appears here.".to_owned()) {
        return place.says(canvas, (&text, role));
    }
    let wide = place.rect.width >= WIDE;
    let ids = connections.call_ids();
    let list = List { ids: &ids, selection: &connections.calls, columns: record_columns(wide), heading: false };
    place.rows(canvas, &list, |seq| found.iter().find(|row| row.seq == *seq).map(|row| record_row(model, row, wide)))
}

fn record_columns(wide: bool) -> &'static [Column] {
    const NARROW: &[Column] = &[Column::left("time", 8), Column::rest("what, on"), Column::right("result", 9)];
    const WIDE: &[Column] = &[Column::left("time", 8), Column::left("what", 22), Column::rest("on"), Column::right("result", 24)];
    if wide { WIDE } else { NARROW }
}

fn record_row(model: &Model, record: &AuditRow, wide: bool) -> Row {
    let record = veiled(model, record);
    let (time, role) = ((model.clock(&record.at), Role::Muted), outcome_role(&record.outcome));
    if !wide {
        return vec![time, (in_one(&record), Role::Text), (result(&record, None), role)];
    }
    let object = record.object.clone().unwrap_or_default();
    vec![time, (record.kind.clone(), Role::Text), (object, Role::Text), (result(&record, record.reason.as_deref()), role)]
}

fn journal(model: &Model, canvas: &mut Canvas<'_>, place: &Place<'_>) -> PaneHit {
    const NARROW: &[Column] = &[Column::left("time", 8), PROSE];
    const FULL: &[Column] = &[Column::left("time", 8), PROSE, PROSE, PROSE];
    let connections = &model.connections;
    let shown = connections.looked().map_or(Shown::Nothing, |looked| looked.journal.shown(model.now.tick));
    let found = if let Shown::There(entries) = &shown { entries.as_slice() } else { &[] };
    let may = selected(model).is_some_and(|one| one.scopes.iter().any(|scope| scope == "experience:write"));
    let empty = || {
        let text = if may { "Nothing yet. What it records of its work appears here." } else { RECORDS_NOT };
        text.to_owned()
    };
    if let Some((text, role)) = instead(model, shown, empty) {
        return place.says(canvas, (&text, role));
    }
    let wide = place.rect.width >= WIDE;
    let row = |entry: &JournalEntry| {
        let mut row = vec![(model.clock(&entry.at), Role::Muted)];
        if wide {
            row.push((veil(model, &entry.said), Role::Text));
        }
        row.push((veil(model, &entry.did), Role::Text));
        if wide {
            row.push((veil(model, &entry.outcome), Role::Text));
        }
        row
    };
    let ids = connections.entry_ids();
    let columns = if wide { FULL } else { NARROW };
    let list = List { ids: &ids, selection: &connections.journal, columns, heading: false };
    place.rows(canvas, &list, |id| found.iter().find(|entry| entry.id == *id).map(row))
}

const RECORDS_NOT: &str = "Nothing, and it may not record: S can allow experience:write.";

fn passkeys(model: &Model, canvas: &mut Canvas<'_>, place: &Place<'_>) -> PaneHit {
    const COLUMNS: &[Column] = &[Column::rest("name"), Column::left("", 17), Column::left("", 14)];
    let ids = passkey_ids(&model.facts);
    if ids.is_empty() {
        return place.says(canvas, ("None: nothing can be approved. p enrolls one.", Role::Muted));
    }
    let row = |passkey: &Passkey| {
        let used = passkey.last_used_at.as_ref();
        let used = used.map_or_else(|| "never used".to_owned(), |at| format!("used {}", model.clock(at)));
        let label = passkey.label.clone().unwrap_or_else(|| passkey.id.clone());
        vec![(label, Role::Text), (format!("enrolled {}", model.clock(&passkey.created_at)), Role::Muted), (used, Role::Text)]
    };
    let list = List { ids: &ids, selection: &model.connections.passkeys, columns: COLUMNS, heading: false };
    place.rows(canvas, &list, |id| model.facts.passkeys.iter().find(|passkey| passkey.id == *id).map(row))
}

fn clients(model: &Model, canvas: &mut Canvas<'_>, place: &Place<'_>) -> PaneHit {
    const COLUMNS: &[Column] = &[Column::left("name", 20), Column::rest("returns to")];
    let connections = &model.connections;
    let shown = connections.documents.shown(model.now.tick);
    let found = if let Shown::There(list) = &shown { list.as_slice() } else { &[] };
    let empty = || "None. n keeps one for a client without its own.".to_owned();
    if let Some((text, role)) = instead(model, shown, empty) {
        return place.says(canvas, (&text, role));
    }
    let row = |one: &ClientDocument| {
        vec![(told::client_name(&one.client_id).to_owned(), Role::Text), (one.redirect_uris.join(", "), Role::Text)]
    };
    let ids = connections.client_ids();
    let list = List { ids: &ids, selection: &connections.clients, columns: COLUMNS, heading: false };
    place.rows(canvas, &list, |id| found.iter().find(|one| one.client_id == *id).map(row))
}

fn refused(model: &Model, canvas: &mut Canvas<'_>, place: &Place<'_>) -> PaneHit {
    const COLUMNS: &[Column] = &[Column::left("time", 8), Column::who("who", 20), Column::rest("what")];
    let connections = &model.connections;
    let shown = connections.refusals.shown(model.now.tick);
    let found = if let Shown::There(rows) = &shown { rows.as_slice() } else { &[] };
    let empty = || "Nothing was refused in the last hour.".to_owned();
    if let Some((text, role)) = instead(model, shown, empty) {
        return place.says(canvas, (&text, role));
    }
    let row = |record: &AuditRow| {
        let who = who(model, &record.actor);
        vec![(model.clock(&record.at), Role::Muted), (who, Role::Text), (refusal(record), Role::Warn)]
    };
    let ids = connections.refused_ids();
    let list = List { ids: &ids, selection: &connections.refused, columns: COLUMNS, heading: false };
    place.rows(canvas, &list, |seq| found.iter().find(|row| row.seq == *seq).map(row))
}
