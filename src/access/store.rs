//! The SQL of the grants.

use rusqlite::{Row, params};

use super::known::Known;
use super::{Grant, Scopes};
use crate::clock::UnixMs;
use crate::digest::Digest;
use crate::id::GrantId;
use crate::store::{Error, Reader, Tx};

const COLUMNS: &str = "id, name, client_id, client_name, scopes, resource, public_url, created_at";

fn grant(row: &Row<'_>) -> rusqlite::Result<Grant> {
    Ok(Grant {
        id: GrantId(row.get(0)?),
        name: row.get(1)?,
        client_id: row.get(2)?,
        client_name: row.get(3)?,
        scopes: Scopes::parse_stored(&row.get::<_, String>(4)?),
        resource: row.get(5)?,
        public_url: row.get(6)?,
        created_at: UnixMs(row.get(7)?),
    })
}

pub(super) fn by_token(db: &Reader<'_>, token: &Digest) -> Result<Option<Grant>, Error> {
    db.one(&format!("SELECT {COLUMNS} FROM grants WHERE token_digest = ?1"), [token.0], grant)
}

pub(super) fn by_id(db: &Reader<'_>, id: &GrantId) -> Result<Option<Grant>, Error> {
    db.one(&format!("SELECT {COLUMNS} FROM grants WHERE id = ?1"), [&id.0], grant)
}

/// What the grant allows now; `None` when it has ended.
pub(super) fn scopes_of(db: &Reader<'_>, id: &GrantId) -> Result<Option<Scopes>, Error> {
    db.one("SELECT scopes FROM grants WHERE id = ?1", [&id.0], |row| Ok(Scopes::parse_stored(&row.get::<_, String>(0)?)))
}

pub(super) fn by_name(db: &Reader<'_>, name: &str) -> Result<Option<Grant>, Error> {
    db.one(&format!("SELECT {COLUMNS} FROM grants WHERE name = ?1"), [name], grant)
}

pub(super) fn all(db: &Reader<'_>) -> Result<Vec<Grant>, Error> {
    db.all(&format!("SELECT {COLUMNS} FROM grants ORDER BY name"), [], grant)
}

pub(super) fn any(db: &Reader<'_>) -> Result<bool, Error> {
    Ok(db.one("SELECT 1 FROM grants LIMIT 1", [], |_| Ok(()))?.is_some())
}

pub(super) fn count_by_client(db: &Reader<'_>, client_id: &str) -> Result<i64, Error> {
    let count = db.one("SELECT count(*) FROM grants WHERE client_id = ?1", [client_id], |row| row.get(0))?;
    Ok(count.unwrap_or(0))
}

pub(super) fn insert(tx: &mut Tx<'_>, new: &Grant, token: &Digest) -> Result<(), Error> {
    tx.run(
        &format!("INSERT INTO grants ({COLUMNS}, token_digest) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"),
        params![
            new.id.0,
            new.name,
            new.client_id,
            new.client_name,
            new.scopes.joined(),
            new.resource,
            new.public_url,
            new.created_at.0,
            token.0
        ],
    )?;
    Ok(())
}

pub(super) fn set_scopes(tx: &mut Tx<'_>, known: &Known, (id, scopes): (&GrantId, &Scopes)) -> Result<(), Error> {
    known.forget_after(tx);
    tx.run("UPDATE grants SET scopes = ?2 WHERE id = ?1", params![id.0, scopes.joined()])?;
    Ok(())
}

pub(super) fn delete(tx: &mut Tx<'_>, known: &Known, id: &GrantId) -> Result<(), Error> {
    known.forget_after(tx);
    tx.run("DELETE FROM grants WHERE id = ?1", [&id.0])?;
    Ok(())
}
