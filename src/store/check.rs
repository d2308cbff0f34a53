//! Whether a database file is whole, and what to do when it is not: damage does not go by itself.

use std::path::Path;

use rusqlite::{Connection, ErrorCode};

use super::{Error, read_only};

/// What brings a store back. The log of a damaged file must go with it: it would be copied into whatever stands in its place.
pub(crate) const RESTORE: &str = "stop the host, move quarterdeck.db, quarterdeck.db-wal and quarterdeck.db-shm out of the state directory, put a backup there as \
     quarterdeck.db, and start again";

/// Whether the file itself, not its disk or a lock, is at fault.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    let damage = [ErrorCode::DatabaseCorrupt, ErrorCode::NotADatabase];
    error.sqlite_error_code().is_some_and(|code| damage.contains(&code))
}

/// What is said of an error.
pub(super) fn sentence(error: &rusqlite::Error) -> String {
    match is_damage(error) {
        true => format!("the store is damaged ({error}): put a backup in its place; \"quarterdeck doctor\" says how"),
        false => format!("the store could not be used: {error}"),
    }
}

/// What is damaged in the database at `path`, if anything is: also while a host writes to it.
pub(crate) fn damaged(path: &Path) -> Result<Option<String>, Error> {
    Ok(damage(&read_only(path)?)?)
}

/// What is damaged, or `None` when every page of the file can be read and stands where it belongs. Reads all of it: a fast disk takes a
/// second for a million audit records.
pub(super) fn damage(conn: &Connection) -> rusqlite::Result<Option<String>> {
    let found = conn.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    match found {
        Ok(found) if found == "ok" => Ok(None),
        // The first line names the database, which is always the same one.
        Ok(found) => Ok(Some(found.lines().last().unwrap_or_default().to_owned())),
        Err(error) if is_damage(&error) => Ok(Some(error.to_string())),
        Err(error) => Err(error),
    }
}
