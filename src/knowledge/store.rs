//! The SQL of the journal.

use rusqlite::{Row, params};

use super::Event;
use super::listing::Wanted;
use super::selection::Selection;
use crate::clock::UnixMs;
use crate::store::{Error, Reader, Tx};

const COLUMNS: &str = "n, id, at, type, session_key, source_kind";
/// Of a payload, which may have a megabyte, what a row shows: the beginnings of its texts, with room for the spaces a row leaves out, and
/// who recorded it.
const BRIEF: &str = "json_object('text', substr(payload ->> '$.text', 1, 500), 'did', substr(payload ->> '$.did', 1, 500), \
    'outcome', substr(payload ->> '$.outcome', 1, 500), 'client', json_object('id', substr(payload ->> '$.client.id', 1, 2048)))";
/// The entries of a [`Selection`], which is given as the parameters 1 to 7. The bounds on time are always there, so the index is used.
const SELECTED: &str = "FROM journal WHERE at >= ?1 AND at < ?2 AND (at, n) > (?3, ?4) \
    AND (?5 IS NULL OR session_key = ?5) AND (?6 IS NULL OR source_kind = ?6) \
    AND (?7 IS NULL OR type IN (SELECT value FROM json_each(?7)))";

/// Where an entry is.
pub(super) struct Place {
    pub(super) id: String,
    pub(super) at: UnixMs,
    pub(super) n: i64,
}

fn place(row: &Row<'_>) -> rusqlite::Result<Place> {
    Ok(Place { id: row.get(0)?, at: UnixMs(row.get(1)?), n: row.get(2)? })
}

type Raw = (Event, String);

fn raw(row: &Row<'_>) -> rusqlite::Result<Raw> {
    let event = Event {
        n: row.get(0)?,
        id: row.get(1)?,
        at: UnixMs(row.get(2)?),
        kind: row.get(3)?,
        session_key: row.get(4)?,
        source: row.get(5)?,
        payload: serde_json::Map::new(),
    };
    Ok((event, row.get(6)?))
}

fn event((event, payload): Raw) -> Result<Event, Error> {
    Ok(Event { payload: serde_json::from_str(&payload)?, ..event })
}

pub(super) fn insert(tx: &mut Tx<'_>, new: &Event, dedup: &str) -> Result<(), Error> {
    tx.run(
        "INSERT INTO journal (id, at, type, session_key, source_kind, payload, dedup) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![new.id, new.at.0, new.kind, new.session_key, new.source, serde_json::to_string(&new.payload)?, dedup],
    )?;
    Ok(())
}

pub(super) fn by_dedup(db: &Reader<'_>, dedup: &str) -> Result<Option<(String, UnixMs)>, Error> {
    db.one("SELECT id, at FROM journal WHERE dedup = ?1", [dedup], |row| Ok((row.get(0)?, UnixMs(row.get(1)?))))
}

/// Whether an entry has this id: then the same id.
pub(super) fn by_id(db: &Reader<'_>, id: &str) -> Result<Option<Place>, Error> {
    db.one("SELECT id, at, n FROM journal WHERE id = ?1", [id], place)
}

/// The entry with everything it holds.
pub(super) fn whole(db: &Reader<'_>, id: &str) -> Result<Option<Event>, Error> {
    db.one(&format!("SELECT {COLUMNS}, payload FROM journal WHERE id = ?1"), [id], raw)?.map(event).transpose()
}

/// At most two entries whose id begins with `start`: two mean that it is not enough.
pub(super) fn by_short_id(db: &Reader<'_>, start: &str) -> Result<Vec<Place>, Error> {
    // What follows is a hexadecimal digit, and those come before `g`: a range of the index.
    db.all("SELECT id, at, n FROM journal WHERE id > ?1 AND id < ?1 || 'g' LIMIT 2", [start], place)
}

/// The first `most` entries of a selection, oldest first, their payloads cut to what a row shows.
pub(super) fn select(db: &Reader<'_>, of: &Selection, most: i64) -> Result<Vec<Event>, Error> {
    let sql = format!("SELECT {COLUMNS}, {BRIEF} {SELECTED} ORDER BY at, n LIMIT ?8");
    let (after_at, after_n) = of.after;
    let given = params![of.since.0, of.until.0, after_at, after_n, of.session, of.source, of.types_json()?, most];
    db.all(&sql, given, raw)?.into_iter().map(event).collect()
}

/// Of a payload, what the owner is shown: its texts, each at most one character longer than asked, so that a cut one can be marked.
const TEXTS: &str = "json_object('text', substr(payload ->> '$.text', 1, ?7), 'from', substr(payload ->> '$.from', 1, ?7), \
    'did', substr(payload ->> '$.did', 1, ?7), 'outcome', substr(payload ->> '$.outcome', 1, ?7), \
    'artifact', substr(payload ->> '$.artifact', 1, ?7), 'model', substr(payload ->> '$.model', 1, ?7))";

/// The newest wanted entries in the places from `from` to before `before`, newest first.
pub(super) fn back(db: &Reader<'_>, wanted: &Wanted, from: i64, before: i64) -> Result<Vec<Event>, Error> {
    let sql = format!(
        "SELECT {COLUMNS}, {TEXTS} FROM journal WHERE n >= ?1 AND n < ?2 AND (?3 IS NULL OR source_kind = ?3) \
         AND (?4 IS NULL OR type = ?4) AND at >= ?5 ORDER BY n DESC LIMIT ?6"
    );
    let since = wanted.since.map_or(i64::MIN, |since| since.0);
    let given = params![from, before, wanted.source, wanted.kind, since, wanted.most, wanted.longest.saturating_add(1)];
    db.all(&sql, given, raw)?.into_iter().map(event).collect()
}

/// The place from which on entries since `since` are found, if there are any, and the last one of all: a step or two in an index each.
pub(super) fn places(db: &Reader<'_>, since: Option<UnixMs>) -> Result<Option<(i64, i64)>, Error> {
    let first = match since {
        None => db.one("SELECT n FROM journal ORDER BY n LIMIT 1", [], |row| row.get(0))?,
        Some(since) => db.one("SELECT n FROM journal WHERE at >= ?1 ORDER BY at, n LIMIT 1", [since.0], |row| row.get(0))?,
    };
    let last = db.one("SELECT n FROM journal ORDER BY n DESC LIMIT 1", [], |row| row.get(0))?;
    Ok(first.zip(last))
}

/// How many entries of each type a selection has.
pub(super) fn count(db: &Reader<'_>, of: &Selection) -> Result<Vec<(String, i64)>, Error> {
    let sql = format!("SELECT type, count(*) {SELECTED} GROUP BY type ORDER BY type");
    let (after_at, after_n) = of.after;
    let given = params![of.since.0, of.until.0, after_at, after_n, of.session, of.source, of.types_json()?];
    db.all(&sql, given, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// A session with entries in a selection.
pub(super) struct Session {
    pub(super) key: String,
    pub(super) entries: i64,
    pub(super) last_at: UnixMs,
}

/// The sessions of a selection, the latest first.
pub(super) fn sessions(db: &Reader<'_>, of: &Selection, most: i64) -> Result<Vec<Session>, Error> {
    let sql = format!("SELECT session_key, count(*), max(at) {SELECTED} GROUP BY session_key ORDER BY max(at) DESC LIMIT ?8");
    let (after_at, after_n) = of.after;
    let given = params![of.since.0, of.until.0, after_at, after_n, of.session, of.source, of.types_json()?, most];
    db.all(&sql, given, |row| Ok(Session { key: row.get(0)?, entries: row.get(1)?, last_at: UnixMs(row.get(2)?) }))
}
