//! Migrations: numbered, applied in order, never edited after a release. The file's `user_version` says which is the last.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::OpenError;

const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001_door.sql"),
    include_str!("migrations/0002_look.sql"),
    include_str!("migrations/0003_columns.sql"),
];

/// The version a current store has.
pub(super) fn newest() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Brings `conn` to the newest version, each step in a transaction of its own.
pub(super) fn run(conn: &mut Connection, path: &Path) -> Result<(), OpenError> {
    let sqlite = |cause| OpenError::of(path, cause);
    let found: i64 = conn.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(sqlite)?;
    if found > newest() {
        return Err(OpenError::Newer { path: path.to_owned(), found, known: newest() });
    }
    if found == newest() {
        return Ok(());
    }
    let done = usize::try_from(found).unwrap_or(0);
    for (step, sql) in (1_i64..).zip(MIGRATIONS).skip(done) {
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sqlite)?;
        tx.execute_batch(sql).map_err(sqlite)?;
        tx.pragma_update(None, "user_version", step).map_err(sqlite)?;
        tx.commit().map_err(sqlite)?;
    }
    if found > 0 {
        // What a step copied leaves its old pages behind. Where there is no room to do without them, they are used again by what comes.
        let _smaller = conn.execute_batch("VACUUM");
    }
    // What a step rewrote has gone through the log, which would stay as long as that.
    conn.pragma_update(None, "wal_checkpoint", "TRUNCATE").map_err(sqlite)
}
