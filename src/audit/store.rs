//! The SQL of the audit.

use rusqlite::{Row, params};

use super::model::{Entry, Head, Record, Seq, ToolCalls};
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

const INSERT: &str = "INSERT INTO audit (seq, record, hash, at, kind, grant_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

/// Stores `record` as `canonical` at the new end of the chain.
pub(super) fn insert(tx: &mut Tx<'_>, head: &Head, (record, canonical): (&Record, &str)) -> Result<(), Error> {
    let Asked { at, kind, grant } = Asked::of(record);
    tx.run(INSERT, params![head.seq, canonical, head.hash.0, at, kind, grant])?;
    Ok(())
}

/// What stands beside a record to be asked for.
#[derive(PartialEq, Eq)]
pub(super) struct Asked {
    at: i64,
    kind: String,
    grant: Option<String>,
}

impl Asked {
    /// What must stand beside `record`.
    pub(super) fn of(record: &Record) -> Asked {
        Asked { at: record.at.0, kind: record.kind.name(), grant: record.grant.as_ref().map(|grant| grant.0.clone()) }
    }
}

/// A stored row, unread: what verification looks at.
pub(super) struct Raw {
    pub(super) seq: Seq,
    pub(super) record: String,
    pub(super) hash: Digest,
    pub(super) asked: Asked,
}

impl Raw {
    /// The record, if it is one and what stands beside it says the same.
    pub(super) fn record(&self) -> Option<Record> {
        let record = serde_json::from_str::<Record>(&self.record).ok()?;
        (Asked::of(&record) == self.asked).then_some(record)
    }
}

/// At most `most` rows from `from` on, in order.
pub(super) fn raw_from(db: &Reader<'_>, from: Seq, most: i64) -> Result<Vec<Raw>, Error> {
    let sql = "SELECT seq, record, hash, at, kind, grant_id FROM audit WHERE seq >= ?1 ORDER BY seq LIMIT ?2";
    db.all(sql, params![from, most], |row| {
        let asked = Asked { at: row.get(3)?, kind: row.get(4)?, grant: row.get(5)? };
        Ok(Raw { seq: row.get(0)?, record: row.get(1)?, hash: Digest(row.get(2)?), asked })
    })
}

/// The newest `most` entries before `before`, oldest first.
pub(super) fn page(db: &Reader<'_>, before: Seq, most: i64) -> Result<Vec<Entry>, Error> {
    let mut entries = back(db, before, most)?;
    entries.reverse();
    Ok(entries)
}

const BACK: &str = "SELECT seq, record FROM audit WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2";

/// The newest `most` entries before `before`, newest first.
pub(super) fn back(db: &Reader<'_>, before: Seq, most: i64) -> Result<Vec<Entry>, Error> {
    db.all(BACK, params![before, most], stored)?.into_iter().map(entry).collect()
}

/// The kinds of a grant's records: from one to the next in the index, which holds few of them and many records of each.
const KINDS: &str = "WITH RECURSIVE kinds(kind) AS (
        SELECT min(kind) FROM audit WHERE grant_id = ?1
        UNION ALL
        SELECT (SELECT min(kind) FROM audit WHERE grant_id = ?1 AND kind > kinds.kind) FROM kinds WHERE kinds.kind IS NOT NULL
    ) SELECT kind FROM kinds WHERE kind IS NOT NULL";
const OF_KIND: &str = "SELECT at, seq FROM audit WHERE grant_id = ?1 AND kind = ?2 AND (at, seq) < (?3, ?4)
    ORDER BY at DESC, seq DESC LIMIT ?5";

/// The newest `most` entries of a grant that were made before `before`, newest first. By their time, which is the order of their numbers
/// unless the clock was set back.
pub(super) fn back_of(db: &Reader<'_>, grant: &str, before: Seq, most: i64) -> Result<Vec<Entry>, Error> {
    let at: i64 = db.one("SELECT at FROM audit WHERE seq = ?1", [before], |row| row.get(0))?.unwrap_or(i64::MAX);
    let mut newest: Vec<(i64, Seq)> = Vec::new();
    for kind in db.all(KINDS, [grant], |row| row.get::<_, String>(0))? {
        newest.extend(db.all(OF_KIND, params![grant, kind, at, before, most], |row| Ok((row.get(0)?, row.get(1)?)))?);
    }
    newest.sort_unstable_by(|one, other| other.cmp(one));
    newest.truncate(usize::try_from(most).unwrap_or(0));
    let row = |seq| db.one("SELECT seq, record FROM audit WHERE seq = ?1", [seq], stored);
    newest.into_iter().filter_map(|(_, seq)| row(seq).transpose()).map(|row| row.and_then(entry)).collect()
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

/// One stretch at a time: grouping all of them by hour would sort what the index has in order already.
const BETWEEN: &str = "SELECT count(*) FROM audit WHERE grant_id = ?1 AND kind = ?2 AND at >= ?3 AND at < ?4";

/// How many tools a grant called from one moment on and before another.
pub(super) fn calls_between(db: &Reader<'_>, grant: &GrantId, (from, to): (UnixMs, UnixMs)) -> Result<i64, Error> {
    Ok(db.one(BETWEEN, params![grant.0, CALLED, from.0, to.0], |row| row.get(0))?.unwrap_or(0))
}

/// The steps in which SQLite finds the use of a grant.
#[cfg(test)]
pub(super) fn steps(db: &Reader<'_>) -> Result<Vec<String>, Error> {
    let steps = |sql: &str, given: &[&dyn rusqlite::ToSql]| db.all(&format!("EXPLAIN {sql}"), given, |row| row.get(1));
    let found = [LATEST, SINCE, BETWEEN].map(|sql| match sql {
        LATEST => steps(sql, params!["", CALLED]),
        SINCE => steps(sql, params!["", CALLED, 0]),
        _ => steps(sql, params!["", CALLED, 0, 0]),
    });
    found.into_iter().collect::<Result<Vec<_>, _>>().map(|steps| steps.concat())
}

/// How SQLite goes about what a screen asks of a long audit.
#[cfg(test)]
pub(super) fn plans(db: &Reader<'_>) -> Result<Vec<String>, Error> {
    let plan = |sql: &str| {
        let unbound = format!("EXPLAIN QUERY PLAN {sql}")
            .replace("?1", "'a'")
            .replace("?2", "9")
            .replace("?3", "7")
            .replace("?4", "9")
            .replace("?5", "9");
        db.all(&unbound, [], |row| row.get::<_, String>(3)).map(|steps| steps.join("; "))
    };
    [BACK, OF_KIND, ISSUED, APPROVALS, TOOLS, KINDS].map(plan).into_iter().collect()
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

/// The newest checkpoint's number, and the key that signed it.
pub(super) fn last_signed(db: &Reader<'_>) -> Result<Option<(Seq, String)>, Error> {
    db.one("SELECT seq, key_id FROM checkpoints ORDER BY seq DESC LIMIT 1", [], |row| Ok((row.get(0)?, row.get(1)?)))
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
