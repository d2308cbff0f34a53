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

/// The pool. Trouble is told to the writer, which also finds out when it is over.
pub(super) struct Readers {
    /// For look-ups: they are made on threads that must not wait for somebody's long list.
    quick: Mutex<Connection>,
    long: Vec<Mutex<Connection>>,
    writer: Writer,
    turn: std::sync::atomic::AtomicUsize,
}

impl Readers {
    pub(super) fn new((quick, long): (Connection, Vec<Connection>), writer: Writer) -> Readers {
        let long = long.into_iter().map(Mutex::new).collect();
        Readers { quick: Mutex::new(quick), long, writer, turn: std::sync::atomic::AtomicUsize::new(0) }
    }

    /// A look-up: on any idle connection, or after another look-up.
    pub(super) fn quick<T, E: From<Error>>(&self, query: impl FnOnce(&Reader<'_>) -> Result<T, E>) -> Result<T, E> {
        let idle = std::iter::once(&self.quick).chain(&self.long).find_map(Mutex::try_lock);
        self.ask(&idle.unwrap_or_else(|| self.quick.lock()), query)
    }

    /// A query that may take long: on an idle connection, or on the next one in turn.
    pub(super) fn long<T, E: From<Error>>(&self, query: impl FnOnce(&Reader<'_>) -> Result<T, E>) -> Result<T, E> {
        if let Some(idle) = self.long.iter().find_map(Mutex::try_lock) {
            return self.ask(&idle, query);
        }
        let turn = self.turn.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let next = turn.checked_rem(self.long.len()).and_then(|at| self.long.get(at));
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
