//! Reading: a [`Reader`] has no method that writes, and its connection refuses to.

use std::cell::RefCell;

use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension as _, Params, Row};

use super::writer::Writer;
use super::{Error, health};

/// A connection seen as something to ask.
pub(crate) struct Reader<'c> {
    pub(super) conn: &'c Connection,
    /// What the file or its disk, not the question, was at fault for.
    pub(super) trouble: RefCell<Option<Error>>,
}

impl<'c> Reader<'c> {
    /// A reader on a connection of one's own: verification of a store that no host has open.
    pub(crate) fn on(conn: &'c Connection) -> Reader<'c> {
        Reader { conn, trouble: RefCell::new(None) }
    }

    /// Keeps the fault of the store, if it was one.
    pub(super) fn noted<T>(&self, result: rusqlite::Result<T>) -> Result<T, Error> {
        result.map_err(|error| {
            let fault = health::is_fault(&error);
            let error = Error::from(error);
            if fault {
                *self.trouble.borrow_mut() = Some(error.clone());
            }
            error
        })
    }

    /// The first row, if there is one.
    pub(crate) fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        row: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, Error> {
        self.noted(self.conn.prepare_cached(sql).and_then(|mut statement| statement.query_row(params, row).optional()))
    }

    /// All rows. The caller's SQL carries the limit.
    pub(crate) fn all<T>(
        &self,
        sql: &str,
        params: impl Params,
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        self.noted(self.conn.prepare_cached(sql).and_then(|mut statement| statement.query_map(params, row)?.collect()))
    }
}

/// The pool. A look-up takes the first idle connection, or waits for the next one in turn. Trouble is told to the writer, which also
/// finds out when it is over.
pub(super) struct Readers {
    all: Vec<Mutex<Connection>>,
    writer: Writer,
    turn: std::sync::atomic::AtomicUsize,
}

impl Readers {
    pub(super) fn new(all: Vec<Connection>, writer: Writer) -> Readers {
        Readers { all: all.into_iter().map(Mutex::new).collect(), writer, turn: std::sync::atomic::AtomicUsize::new(0) }
    }

    pub(super) fn with<T, E: From<Error>>(&self, query: impl FnOnce(&Reader<'_>) -> Result<T, E>) -> Result<T, E> {
        if let Some(idle) = self.all.iter().find_map(Mutex::try_lock) {
            return self.ask(&idle, query);
        }
        let turn = self.turn.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let next = turn.checked_rem(self.all.len()).and_then(|at| self.all.get(at));
        match next {
            Some(conn) => self.ask(&conn.lock(), query),
            None => Err(E::from(Error::Closed)),
        }
    }

    fn ask<T, E>(&self, conn: &Connection, query: impl FnOnce(&Reader<'_>) -> Result<T, E>) -> Result<T, E> {
        let reader = Reader::on(conn);
        let answer = query(&reader);
        if let Some(fault) = reader.trouble.take() {
            self.writer.unreadable(fault);
        }
        answer
    }
}
