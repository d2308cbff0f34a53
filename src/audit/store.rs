//! The SQL of the audit.

use rusqlite::params;

use super::model::{Entry, Head, Record, Seq};
use crate::clock::UnixMs;
use crate::digest::Digest;
use crate::id::GrantId;
use crate::store::{Error, Reader, Tx};

/// The end of the chain.
pub(super) fn head(db: &Reader<'_>) -> Result<Head, Error> {
    let row = db.one("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1", [], |row| {
        Ok(Head { seq: row.get(0)?, hash: Digest(row.get(1)?) })
    })?;
    Ok(row.unwrap_or(Head::EMPTY))
}

pub(super) fn insert(tx: &mut Tx<'_>, head: &Head, canonical: &str) -> Result<(), Error> {
    tx.run("INSERT INTO audit (seq, record, hash) VALUES (?1, ?2, ?3)", params![head.seq, canonical, head.hash.0])?;
    Ok(())
}

/// A stored row, unread: what verification looks at.
pub(super) struct Raw {
    pub(super) seq: Seq,
    pub(super) record: String,
    pub(super) hash: Digest,
}

/// At most `most` rows from `from` on, in order.
pub(super) fn raw_from(db: &Reader<'_>, from: Seq, most: i64) -> Result<Vec<Raw>, Error> {
    db.all("SELECT seq, record, hash FROM audit WHERE seq >= ?1 ORDER BY seq LIMIT ?2", params![from, most], |row| {
        Ok(Raw { seq: row.get(0)?, record: row.get(1)?, hash: Digest(row.get(2)?) })
    })
}

/// The newest `most` entries before `before`, oldest first.
pub(super) fn page(db: &Reader<'_>, before: Seq, most: i64) -> Result<Vec<Entry>, Error> {
    let rows =
        db.all("SELECT seq, record FROM audit WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2", params![before, most], |row| {
            Ok((row.get::<_, Seq>(0)?, row.get::<_, String>(1)?))
        })?;
    rows.into_iter().rev().map(|(seq, record)| Ok(Entry { seq, record: serde_json::from_str::<Record>(&record)? })).collect()
}

/// Records of a grant's use: of a tool, and of the protocol itself.
const CALLED: &str = "tool.called";
const ASKED: &str = "mcp.request";
/// The latest of one kind, and how many of it: answered from the index `audit_by_grant`, without reading a record.
const LATEST: &str = "SELECT at FROM audit WHERE grant_id = ?1 AND kind = ?2 ORDER BY at DESC LIMIT 1";
const SINCE: &str = "SELECT count(*) FROM audit WHERE grant_id = ?1 AND kind = ?2 AND at > ?3";

/// When a grant was last used.
pub(super) fn last_used_at(db: &Reader<'_>, grant: &GrantId) -> Result<Option<UnixMs>, Error> {
    let latest = |kind: &str| db.one(LATEST, params![grant.0, kind], |row| row.get(0).map(UnixMs));
    Ok(latest(CALLED)?.max(latest(ASKED)?))
}

/// How many tools a grant called after `since`.
pub(super) fn calls_since(db: &Reader<'_>, grant: &GrantId, since: UnixMs) -> Result<i64, Error> {
    Ok(db.one(SINCE, params![grant.0, CALLED, since.0], |row| row.get(0))?.unwrap_or(0))
}

const HOURLY: &str = "SELECT (at - ?3) / 3600000, count(*) FROM audit WHERE grant_id = ?1 AND kind = ?2 AND at >= ?3 GROUP BY 1";

/// How many tools a grant called in each hour from `start` on: hours after it, and the calls. Hours without a call are not there.
pub(super) fn calls_per_hour(db: &Reader<'_>, grant: &GrantId, start: UnixMs) -> Result<Vec<(i64, i64)>, Error> {
    db.all(HOURLY, params![grant.0, CALLED, start.0], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The steps in which SQLite finds the use of a grant.
#[cfg(test)]
pub(super) fn steps(db: &Reader<'_>) -> Result<Vec<String>, Error> {
    let steps = |sql: &str, given: &[&dyn rusqlite::ToSql]| db.all(&format!("EXPLAIN {sql}"), given, |row| row.get(1));
    let found = [LATEST, SINCE, HOURLY].map(|sql| match sql {
        LATEST => steps(sql, params!["", CALLED]),
        _ => steps(sql, params!["", CALLED, 0]),
    });
    found.into_iter().collect::<Result<Vec<_>, _>>().map(|steps| steps.concat())
}

/// A stored checkpoint.
pub(super) struct Checkpoint {
    pub(super) head: Head,
    pub(super) at: UnixMs,
    pub(super) key_id: String,
    pub(super) signature: Vec<u8>,
}

pub(super) fn last_checkpoint(db: &Reader<'_>) -> Result<Option<Seq>, Error> {
    db.one("SELECT seq FROM checkpoints ORDER BY seq DESC LIMIT 1", [], |row| row.get(0))
}

/// When the first record that no checkpoint covers was made.
pub(super) fn first_uncovered(db: &Reader<'_>) -> Result<Option<UnixMs>, Error> {
    let covered = last_checkpoint(db)?.unwrap_or(0);
    db.one("SELECT at FROM audit WHERE seq > ?1 ORDER BY seq LIMIT 1", [covered], |row| row.get(0).map(UnixMs))
}

pub(super) fn insert_checkpoint(tx: &mut Tx<'_>, made: &Checkpoint) -> Result<(), Error> {
    tx.run(
        "INSERT OR IGNORE INTO checkpoints (seq, at, hash, key_id, signature) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![made.head.seq, made.at.0, made.head.hash.0, made.key_id, made.signature],
    )?;
    Ok(())
}

pub(super) fn checkpoints(db: &Reader<'_>) -> Result<Vec<Checkpoint>, Error> {
    db.all("SELECT seq, at, hash, key_id, signature FROM checkpoints ORDER BY seq", [], |row| {
        Ok(Checkpoint {
            head: Head { seq: row.get(0)?, hash: Digest(row.get(2)?) },
            at: UnixMs(row.get(1)?),
            key_id: row.get(3)?,
            signature: row.get(4)?,
        })
    })
}
