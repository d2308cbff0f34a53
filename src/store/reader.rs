//! Reading: a [`Reader`] has no method that writes, and its connection refuses to.

use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension as _, Params, Row};

use super::Error;

/// A connection seen as something to ask.
pub(crate) struct Reader<'c>(pub(super) &'c Connection);

impl<'c> Reader<'c> {
    /// A reader on a connection of one's own: verification of a store that no host has open.
    pub(crate) fn on(conn: &'c Connection) -> Reader<'c> {
        Reader(conn)
    }

    /// The first row, if there is one.
    pub(crate) fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        row: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, Error> {
        Ok(self.0.prepare_cached(sql)?.query_row(params, row).optional()?)
    }

    /// All rows. The caller's SQL carries the limit.
    pub(crate) fn all<T>(
        &self,
        sql: &str,
        params: impl Params,
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        let mut statement = self.0.prepare_cached(sql)?;
        let rows = statement.query_map(params, row)?.collect::<rusqlite::Result<Vec<T>>>()?;
        Ok(rows)
    }
}

/// The pool. A look-up takes the first idle connection, or waits for the next one in turn.
pub(super) struct Readers {
    all: Vec<Mutex<Connection>>,
    turn: std::sync::atomic::AtomicUsize,
}

impl Readers {
    pub(super) fn new(all: Vec<Connection>) -> Readers {
        Readers { all: all.into_iter().map(Mutex::new).collect(), turn: std::sync::atomic::AtomicUsize::new(0) }
    }

    pub(super) fn with<T, E: From<Error>>(&self, query: impl FnOnce(&Reader<'_>) -> Result<T, E>) -> Result<T, E> {
        if let Some(idle) = self.all.iter().find_map(Mutex::try_lock) {
            return query(&Reader(&idle));
        }
        let turn = self.turn.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let next = turn.checked_rem(self.all.len()).and_then(|at| self.all.get(at));
        match next {
            Some(conn) => query(&Reader(&conn.lock())),
            None => Err(E::from(Error::Closed)),
        }
    }
}
