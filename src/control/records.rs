//! Reading back: pages of the audit, one record of it, pages of the journal.
//!
//! A request does a bounded amount of work and its answer fits a frame, whatever is asked for and however little of it there is; the answer
//! then says where to go on.

use serde::Serialize;

use super::detail::{AuditFilter, AuditPage, AuditRecord, JournalEntry, JournalPage, JournalQuery};
use super::model::{AuditRow, Refusal, Reply};
use super::service::{Service, refusal, refused};
use super::since::moment;
use super::view;
use crate::audit::{Audit, Entry};
use crate::clock::UnixMs;
use crate::knowledge::Wanted;
use crate::store::{Error, Reader};

/// Most records or entries of one answer.
const MOST: u32 = 500;
/// Records read from the store at a time, and looked at for one answer: some tens of milliseconds.
const STEP: i64 = 250;
const LOOKED_AT: i64 = 5_000;
/// Bytes of one answer after which it gets no further item: half of a frame, and no item is nearly as large as the other half.
const BYTES: usize = 2 * 1_048_576;
/// How far a clock may have been set back between two records. A record that much older than asked ends the search.
const CLOCK_BACK_MS: i64 = 24 * 60 * 60 * 1000;
/// Most characters of one text of a journal entry: more than a screen shows.
const LONGEST: usize = 4_000;
/// Entries of the journal read at a time: of the longest, a few megabytes.
const ENTRIES: i64 = 25;

/// An answer that is being filled.
struct Filling<T> {
    items: Vec<T>,
    most: usize,
    bytes: usize,
}

impl<T: Serialize> Filling<T> {
    fn of(most: u32) -> Filling<T> {
        Filling { items: Vec::new(), most: usize::try_from(most.clamp(1, MOST)).unwrap_or(1), bytes: 0 }
    }

    /// Adds one. There is always room for the first.
    fn add(&mut self, item: T) -> Result<(), Error> {
        self.bytes = self.bytes.saturating_add(serde_json::to_vec(&item)?.len());
        self.items.push(item);
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.items.len() >= self.most || self.bytes >= BYTES
    }
}

impl Service {
    pub(super) async fn audit(&self, filter: AuditFilter, before: Option<i64>, most: u32) -> Result<Reply, Refusal> {
        let since = readable(filter.since.as_deref())?;
        let audit = self.base.audit.clone();
        let search = Search { filter, since, before: before.unwrap_or(i64::MAX), most };
        self.base.store.read(move |db| search.page(db, &audit)).await.map(Reply::Audit).map_err(refusal)
    }

    pub(super) async fn record(&self, seq: i64) -> Result<Reply, Refusal> {
        let audit = self.base.audit.clone();
        match self.base.store.read(move |db| audit.link(db, seq)).await.map_err(refusal)? {
            Some(link) => Ok(Reply::Record(Box::new(AuditRecord {
                row: view::row(&link.entry),
                hash: link.hash.hex(),
                previous: link.previous.hex(),
            }))),
            None => Err(refused("not_found", &format!("the audit has no record {seq}"))),
        }
    }

    pub(super) async fn journal(&self, query: JournalQuery) -> Result<Reply, Refusal> {
        let since = readable(query.since.as_deref())?;
        let JournalQuery { source, kind, mut before, most, .. } = query;
        let mut page = Filling::of(most);
        loop {
            let longest = i64::try_from(LONGEST).unwrap_or(i64::MAX);
            let wanted = Wanted { source: source.clone(), kind: kind.clone(), since, before, most: ENTRIES, longest };
            let stretch = self.knowledge.back(wanted).await.map_err(refusal)?;
            // Fewer than asked for: everything that is looked at for one answer was.
            let looked_at = i64::try_from(stretch.events.len()).is_ok_and(|found| found < ENTRIES);
            for event in stretch.events {
                before = Some(event.n);
                page.add(view::entry(&event, LONGEST)).map_err(refusal)?;
                if page.is_full() {
                    return Ok(journal_page(page, before));
                }
            }
            before = stretch.next;
            if looked_at || before.is_none() {
                return Ok(journal_page(page, before));
            }
        }
    }
}

fn journal_page(page: Filling<JournalEntry>, next: Option<i64>) -> Reply {
    Reply::Journal(JournalPage { entries: page.items, next })
}

/// A moment as [`super::since()`] writes it.
fn readable(since: Option<&str>) -> Result<Option<UnixMs>, Refusal> {
    let unreadable = || refused("invalid_request", "since must be a moment as 2026-12-01T09:30:00.000Z");
    since.map(|since| moment(since).ok_or_else(unreadable)).transpose()
}

/// One look backwards through the audit.
struct Search {
    filter: AuditFilter,
    /// That of the filter.
    since: Option<UnixMs>,
    before: i64,
    most: u32,
}

impl Search {
    fn page(&self, db: &Reader<'_>, audit: &Audit) -> Result<AuditPage, Error> {
        let total = audit.total(db)?;
        // The index answers for one grant; ids are small letters.
        let grant = self.filter.grant.as_deref().map(str::to_ascii_lowercase);
        let (mut page, mut before, mut looked_at) = (Filling::<AuditRow>::of(self.most), self.before, 0);
        loop {
            let entries = audit.back(db, grant.as_deref(), before, STEP)?;
            let last = i64::try_from(entries.len()).is_ok_and(|found| found < STEP);
            for entry in entries {
                if self.is_past(&entry) {
                    return Ok(AuditPage { rows: page.items, next: None, total });
                }
                before = entry.seq;
                let row = view::row(&entry);
                if self.filter.matches(&row) {
                    page.add(row)?;
                }
                if page.is_full() {
                    return Ok(AuditPage { rows: page.items, next: (before > 1).then_some(before), total });
                }
            }
            looked_at += STEP;
            if last || looked_at >= LOOKED_AT {
                return Ok(AuditPage { rows: page.items, next: (!last).then_some(before), total });
            }
        }
    }

    /// Whether nothing before this entry can be new enough.
    fn is_past(&self, entry: &Entry) -> bool {
        self.since.is_some_and(|since| entry.record.at.0 < since.0.saturating_sub(CLOCK_BACK_MS))
    }
}
