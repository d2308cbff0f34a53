//! The SQL of codes, used client assertions, and client documents kept here.

use rusqlite::{Row, params};

use super::model::Approval;
use crate::clock::UnixMs;
use crate::digest::Digest;
use crate::store::{Error, Reader, Tx};

/// A client document kept here.
pub(super) struct Kept {
    pub(super) name: String,
    pub(super) redirect_uris: Vec<String>,
    pub(super) created_at: UnixMs,
}

/// Forgets the codes that have expired at `now`.
pub(super) fn forget_codes(tx: &mut Tx<'_>, now: UnixMs) -> Result<(), Error> {
    tx.run("DELETE FROM codes WHERE expires_at <= ?1", [now.0])?;
    Ok(())
}

pub(super) fn insert_code(tx: &mut Tx<'_>, digest: &Digest, approval: &Approval, until: UnixMs) -> Result<(), Error> {
    tx.run(
        "INSERT INTO codes (digest, name, client_id, request, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![digest.0, approval.name, approval.request.client_id, serde_json::to_string(approval)?, until.0],
    )?;
    Ok(())
}

/// What the code stands for, unless it has expired at `now`. One that an older version wrote down and that says too little is none: it would
/// have lasted ten minutes at most.
pub(super) fn code(db: &Reader<'_>, digest: &Digest, now: UnixMs) -> Result<Option<Approval>, Error> {
    let text = db.one("SELECT request FROM codes WHERE digest = ?1 AND expires_at > ?2", params![digest.0, now.0], |row| {
        row.get::<_, String>(0)
    })?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

/// The same, and the code is used up.
pub(super) fn take_code(tx: &mut Tx<'_>, digest: &Digest, now: UnixMs) -> Result<Option<Approval>, Error> {
    let approval = code(tx, digest, now)?;
    tx.run("DELETE FROM codes WHERE digest = ?1", [digest.0])?;
    Ok(approval)
}

/// Voids the codes of a connection's name; answers how many could still have been exchanged at `now`.
pub(super) fn void_codes(tx: &mut Tx<'_>, name: &str, now: UnixMs) -> Result<usize, Error> {
    let live = tx.run("DELETE FROM codes WHERE name = ?1 AND expires_at > ?2", params![name, now.0])?;
    tx.run("DELETE FROM codes WHERE name = ?1", [name])?;
    Ok(live)
}

/// Forgets assertions that have expired at `now`, and answers how many are remembered.
pub(super) fn remembered(tx: &mut Tx<'_>, now: UnixMs) -> Result<i64, Error> {
    tx.run("DELETE FROM assertions WHERE expires_at <= ?1", [now.0])?;
    Ok(tx.one("SELECT count(*) FROM assertions", [], |row| row.get(0))?.unwrap_or(0))
}

/// Remembers an assertion as used; `false` when it was used before.
pub(super) fn use_assertion(tx: &mut Tx<'_>, client_id: &str, jti: &str, until: UnixMs) -> Result<bool, Error> {
    let added = tx.run(
        "INSERT OR IGNORE INTO assertions (client_id, jti, expires_at) VALUES (?1, ?2, ?3)",
        params![client_id, jti, until.0],
    )?;
    Ok(added == 1)
}

pub(super) fn kept(db: &Reader<'_>, name: &str) -> Result<Option<Kept>, Error> {
    let row = db.one("SELECT name, redirect_uris, created_at FROM clients WHERE name = ?1", [name], columns)?;
    row.map(read).transpose()
}

/// All documents kept here, by name.
pub(super) fn all_kept(db: &Reader<'_>) -> Result<Vec<Kept>, Error> {
    let rows = db.all("SELECT name, redirect_uris, created_at FROM clients ORDER BY name", [], columns)?;
    rows.into_iter().map(read).collect()
}

pub(super) fn keep(tx: &mut Tx<'_>, new: &Kept) -> Result<(), Error> {
    let redirect_uris = serde_json::to_string(&new.redirect_uris)?;
    tx.run(
        "INSERT INTO clients (name, redirect_uris, created_at) VALUES (?1, ?2, ?3)",
        params![new.name, redirect_uris, new.created_at.0],
    )?;
    Ok(())
}

/// `false` when there was none.
pub(super) fn forget(tx: &mut Tx<'_>, name: &str) -> Result<bool, Error> {
    Ok(tx.run("DELETE FROM clients WHERE name = ?1", [name])? == 1)
}

fn columns(row: &Row<'_>) -> rusqlite::Result<(String, String, i64)> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
}

fn read((name, redirect_uris, created_at): (String, String, i64)) -> Result<Kept, Error> {
    Ok(Kept { name, redirect_uris: serde_json::from_str(&redirect_uris)?, created_at: UnixMs(created_at) })
}
