//! The SQL of the audit.

use rusqlite::{Row, params};

use super::model::{Entry, Head, Seq, ToolCalls};
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
    let mut entries = back(db, None, before, most)?;
    entries.reverse();
    Ok(entries)
}

const BACK: &str = "SELECT seq, record FROM audit WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2";
const BACK_OF: &str = "SELECT seq, record FROM audit WHERE grant_id = ?3 AND seq < ?1 ORDER BY seq DESC LIMIT ?2";

/// The newest `most` entries before `before`, newest first; only those of a grant, when one is named.
pub(super) fn back(db: &Reader<'_>, grant: Option<&str>, before: Seq, most: i64) -> Result<Vec<Entry>, Error> {
    let rows = match grant {
        None => db.all(BACK, params![before, most], stored)?,
        Some(grant) => db.all(BACK_OF, params![before, most, grant], stored)?,
    };
    rows.into_iter().map(entry).collect()
}

fn stored(row: &Row<'_>) -> rusqlite::Result<(Seq, String)> {
    Ok((row.get(0)?, row.get(1)?))
}

fn entry((seq, record): (Seq, String)) -> Result<Entry, Error> {
    Ok(Entry { seq, record: serde_json::from_str(&record)? })
}

/// The row with this number, and the hash of the row before it.
pub(super) fn with_previous(db: &Reader<'_>, seq: Seq) -> Result<Option<(Entry, Digest, Option<Digest>)>, Error> {
    let sql = "SELECT seq, record, hash, (SELECT hash FROM audit WHERE seq = ?1 - 1) FROM audit WHERE seq = ?1";
    let found = db.one(sql, [seq], |row| Ok((stored(row)?, Digest(row.get(2)?), row.get::<_, Option<_>>(3)?.map(Digest))))?;
    found.map(|(row, hash, previous)| Ok((entry(row)?, hash, previous))).transpose()
}

const ISSUED: &str = "SELECT seq, record FROM audit WHERE grant_id = ?1 AND kind = 'grant.issued' ORDER BY at DESC LIMIT 1";

/// How a grant was issued.
pub(super) fn issued(db: &Reader<'_>, grant: &GrantId) -> Result<Option<Entry>, Error> {
    db.one(ISSUED, [&grant.0], stored)?.map(entry).transpose()
}

const APPROVALS: &str =
    "SELECT seq, record FROM audit WHERE kind = 'authorization.approved' AND seq < ?1 ORDER BY seq DESC LIMIT ?2";

/// The newest `most` approvals before `before`, newest first.
pub(super) fn approvals(db: &Reader<'_>, before: Seq, most: i64) -> Result<Vec<Entry>, Error> {
    db.all(APPROVALS, params![before, most], stored)?.into_iter().map(entry).collect()
}

/// The newest calls are found in the index; their tools are the first words of their objects.
const TOOLS: &str = "SELECT tool, count(*) AS calls, sum(failed) FROM (
        SELECT substr(record ->> '$.object', 1, instr(record ->> '$.object' || ' ', ' ') - 1) AS tool,
            record ->> '$.outcome' <> 'ok' AS failed
        FROM audit WHERE grant_id = ?1 AND kind = 'tool.called' AND at >= ?2 ORDER BY at DESC LIMIT ?3
    ) WHERE tool <> '' GROUP BY tool ORDER BY calls DESC, tool LIMIT ?4";

/// The tools a grant called since `since`, the most used first: the `most` first of them, counted over the newest `calls` calls.
pub(super) fn tools(db: &Reader<'_>, grant: &GrantId, since: UnixMs, (calls, most): (i64, i64)) -> Result<Vec<ToolCalls>, Error> {
    db.all(TOOLS, params![grant.0, since.0, calls, most], |row| {
        Ok(ToolCalls { tool: row.get(0)?, calls: row.get(1)?, failed: row.get(2)? })
    })
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

/// How SQLite goes about what a screen asks of a long audit.
#[cfg(test)]
pub(super) fn plans(db: &Reader<'_>) -> Result<Vec<String>, Error> {
    let plan = |sql: &str| {
        let unbound =
            format!("EXPLAIN QUERY PLAN {sql}").replace("?1", "'a'").replace("?2", "9").replace("?3", "'b'").replace("?4", "9");
        db.all(&unbound, [], |row| row.get::<_, String>(3)).map(|steps| steps.join("; "))
    };
    [BACK, BACK_OF, ISSUED, APPROVALS, TOOLS].map(plan).into_iter().collect()
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
