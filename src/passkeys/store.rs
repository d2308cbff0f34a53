//! The SQL of passkeys, of the enrollment link and of ceremonies.

use rusqlite::{Row, params};
use serde_json::Value;

use super::model::{Ceremony, CeremonyKind, Credential, Enrolled, Listed, OpenCeremonies, OpenCeremony, PasskeyId};
use crate::clock::UnixMs;
use crate::digest::Digest;
use crate::store::{Error, Reader, Tx};

pub(super) fn any_under(db: &Reader<'_>, origin: &str) -> Result<bool, Error> {
    Ok(db.one("SELECT 1 FROM passkeys WHERE public_url = ?1 LIMIT 1", [origin], |_| Ok(()))?.is_some())
}

pub(super) fn count_under(db: &Reader<'_>, origin: &str) -> Result<i64, Error> {
    let count = db.one("SELECT count(*) FROM passkeys WHERE public_url = ?1", [origin], |row| row.get(0))?;
    Ok(count.unwrap_or(0))
}

/// The passkeys made under `origin`, oldest first.
pub(super) fn enrolled(db: &Reader<'_>, origin: &str) -> Result<Vec<Enrolled>, Error> {
    let rows = db.all("SELECT id, credential FROM passkeys WHERE public_url = ?1 ORDER BY created_at, id", [origin], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    })?;
    rows.into_iter()
        .map(|(id, credential)| Ok(Enrolled { id: PasskeyId(id), credential: serde_json::from_str(&credential)? }))
        .collect()
}

/// All passkeys, oldest first; `here` is set for those under `origin`.
pub(super) fn all(db: &Reader<'_>, origin: Option<&str>) -> Result<Vec<Listed>, Error> {
    db.all("SELECT id, label, public_url, created_at, last_used_at FROM passkeys ORDER BY created_at, id", [], |row: &Row<'_>| {
        let public_url: String = row.get(2)?;
        Ok(Listed {
            id: PasskeyId(row.get(0)?),
            label: row.get(1)?,
            here: origin == Some(public_url.as_str()),
            public_url,
            created_at: UnixMs(row.get(3)?),
            last_used_at: row.get::<_, Option<i64>>(4)?.map(UnixMs),
        })
    })
}

pub(super) fn exists(db: &Reader<'_>, id: &PasskeyId) -> Result<bool, Error> {
    Ok(db.one("SELECT 1 FROM passkeys WHERE id = ?1", [&id.0], |_| Ok(()))?.is_some())
}

pub(super) fn insert(tx: &mut Tx<'_>, new: &Listed, credential: &Credential) -> Result<(), Error> {
    let credential = serde_json::to_string(credential)?;
    tx.run(
        "INSERT INTO passkeys (id, credential, label, public_url, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![new.id.0, credential, new.label, new.public_url, new.created_at.0],
    )?;
    Ok(())
}

/// After an assertion: the credential with its new counter, and when it was used.
pub(super) fn used(tx: &mut Tx<'_>, one: &Enrolled, at: UnixMs) -> Result<(), Error> {
    let credential = serde_json::to_string(&one.credential)?;
    tx.run("UPDATE passkeys SET credential = ?2, last_used_at = ?3 WHERE id = ?1", params![one.id.0, credential, at.0])?;
    Ok(())
}

pub(super) fn delete(tx: &mut Tx<'_>, id: &PasskeyId) -> Result<(), Error> {
    tx.run("DELETE FROM passkeys WHERE id = ?1", [&id.0])?;
    Ok(())
}

pub(super) fn user_handle(db: &Reader<'_>) -> Result<Option<String>, Error> {
    db.one("SELECT user_handle FROM owner WHERE id = 1", [], |row| row.get(0))
}

pub(super) fn set_user_handle(tx: &mut Tx<'_>, handle: &str) -> Result<(), Error> {
    tx.run("INSERT INTO owner (id, user_handle) VALUES (1, ?1)", [handle])?;
    Ok(())
}

pub(super) fn set_link(tx: &mut Tx<'_>, digest: &Digest, issued_at: UnixMs, expires_at: UnixMs) -> Result<(), Error> {
    tx.run(
        "INSERT OR REPLACE INTO enroll_links (id, digest, issued_at, expires_at) VALUES (1, ?1, ?2, ?3)",
        params![digest.0, issued_at.0, expires_at.0],
    )?;
    Ok(())
}

/// The digest of the link, if it has not expired at `now`.
pub(super) fn live_link(db: &Reader<'_>, now: UnixMs) -> Result<Option<Digest>, Error> {
    db.one("SELECT digest FROM enroll_links WHERE expires_at > ?1", [now.0], |row| row.get(0).map(Digest))
}

pub(super) fn delete_link(tx: &mut Tx<'_>) -> Result<(), Error> {
    tx.run("DELETE FROM enroll_links", [])?;
    Ok(())
}

/// Makes room for one more ceremony of this kind: expired ones go, then its oldest until fewer than `most` are left. Answers how many went.
/// Strangers who open authorization pages push out each other's, never the owner's enrollment.
pub(super) fn make_room(tx: &mut Tx<'_>, now: UnixMs, kind: CeremonyKind, most: usize) -> Result<usize, Error> {
    let expired = tx.run("DELETE FROM ceremonies WHERE expires_at <= ?1", [now.0])?;
    let keep = i64::try_from(most.saturating_sub(1)).unwrap_or(i64::MAX);
    // The rowid rises with every insert, so it is the age.
    let oldest = tx.run(
        "DELETE FROM ceremonies WHERE kind = ?2 AND rowid <=
         (SELECT rowid FROM ceremonies WHERE kind = ?2 ORDER BY rowid DESC LIMIT 1 OFFSET ?1)",
        params![keep, kind.name()],
    )?;
    Ok(expired + oldest)
}

/// A ceremony to be written.
pub(super) struct NewCeremony<'a> {
    pub(super) challenge: &'a str,
    pub(super) id: &'a str,
    pub(super) kind: CeremonyKind,
    pub(super) state: &'a str,
    pub(super) binding: &'a Value,
    pub(super) created_at: UnixMs,
    pub(super) expires_at: UnixMs,
}

pub(super) fn insert_ceremony(tx: &mut Tx<'_>, new: &NewCeremony<'_>) -> Result<(), Error> {
    tx.run(
        "INSERT INTO ceremonies (challenge, id, kind, state, binding, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            new.challenge,
            new.id,
            new.kind.name(),
            new.state,
            new.binding.to_string(),
            new.created_at.0,
            new.expires_at.0
        ],
    )?;
    Ok(())
}

/// Whether there is a ceremony with this challenge and kind that has not expired at `now`.
pub(super) fn waits(db: &Reader<'_>, kind: CeremonyKind, challenge: &str, now: UnixMs) -> Result<bool, Error> {
    let found = db.one(
        "SELECT 1 FROM ceremonies WHERE challenge = ?1 AND kind = ?2 AND expires_at > ?3",
        params![challenge, kind.name(), now.0],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Deletes the ceremony with this challenge and kind, and answers it unless it had expired at `now`.
pub(super) fn take(tx: &mut Tx<'_>, kind: CeremonyKind, challenge: &str, now: UnixMs) -> Result<Option<Ceremony>, Error> {
    let row = tx.one(
        "SELECT state, binding, expires_at FROM ceremonies WHERE challenge = ?1 AND kind = ?2",
        params![challenge, kind.name()],
        |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, UnixMs(row.get(2)?))),
    )?;
    let Some((state, binding, expires_at)) = row else { return Ok(None) };
    tx.run("DELETE FROM ceremonies WHERE challenge = ?1", [challenge])?;
    if expires_at <= now {
        return Ok(None);
    }
    Ok(Some(Ceremony { challenge: challenge.to_owned(), kind, state, binding: serde_json::from_str(&binding)? }))
}

/// The ceremonies of this kind that have not expired at `now`: the newest `most` of them, and how many there are.
pub(super) fn open(db: &Reader<'_>, kind: CeremonyKind, now: UnixMs, most: usize) -> Result<OpenCeremonies, Error> {
    let (total, first_ends) = db
        .one(
            "SELECT count(*), min(expires_at) FROM ceremonies WHERE kind = ?1 AND expires_at > ?2",
            params![kind.name(), now.0],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<i64>>(1)?.map(UnixMs))),
        )?
        .unwrap_or_default();
    let mut newest = db.all(
        "SELECT id, binding, created_at, expires_at FROM ceremonies WHERE kind = ?1 AND expires_at > ?2 \
         ORDER BY rowid DESC LIMIT ?3",
        params![kind.name(), now.0, i64::try_from(most).unwrap_or(i64::MAX)],
        |row| {
            let (id, binding) = (row.get(0)?, row.get(1)?);
            Ok(OpenCeremony { id, binding, created_at: UnixMs(row.get(2)?), expires_at: UnixMs(row.get(3)?) })
        },
    )?;
    newest.reverse();
    Ok(OpenCeremonies { newest, total: usize::try_from(total).unwrap_or(usize::MAX), first_ends })
}

/// Deletes the ceremony of this kind with this public id, and answers its binding, unless it had expired at `now`.
pub(super) fn close(tx: &mut Tx<'_>, kind: CeremonyKind, id: &str, now: UnixMs) -> Result<Option<Value>, Error> {
    let binding = tx.one(
        "SELECT binding FROM ceremonies WHERE id = ?1 AND kind = ?2 AND expires_at > ?3",
        params![id, kind.name(), now.0],
        |row| row.get::<_, String>(0),
    )?;
    let Some(binding) = binding else { return Ok(None) };
    tx.run("DELETE FROM ceremonies WHERE id = ?1", [id])?;
    Ok(Some(serde_json::from_str(&binding)?))
}
