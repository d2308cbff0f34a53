//! Reading the journal: rows, summaries, one entry.

use super::selection::{Asked, Selection, UsageError, day_of};
use super::store::Place;
use super::{Knowledge, rows, store};
use crate::clock::UnixMs;
use crate::store::{Error, Reader};

/// Rows in one answer: some 60 kB, which a model can still read.
const ROWS: i64 = 200;
/// Fewest characters of an id to show an entry by: `evt_` and eight.
const SHORTEST: usize = 12;

/// Why a reading has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// It was asked for in a way that cannot be answered.
    #[error(transparent)]
    Usage(#[from] UsageError),
    /// The store could not be used.
    #[error(transparent)]
    Store(#[from] Error),
}

impl Knowledge {
    /// What the journal says to `asked`, as text.
    pub(crate) async fn events(&self, asked: Asked) -> Result<String, ReadError> {
        let now = self.clock.now();
        self.store.read(move |db| answer(db, &asked, now)).await
    }
}

fn answer(db: &Reader<'_>, asked: &Asked, now: UnixMs) -> Result<String, ReadError> {
    if let Some(id) = &asked.show {
        if asked.more_than_show() {
            return Err(UsageError::ShowAndFilters.into());
        }
        let place = find(db, id, asked.date.as_deref())?;
        let event = store::whole(db, &place.id)?.ok_or(UsageError::NoSuchEntry(place.id))?;
        return Ok(rows::whole(&event, asked.json));
    }
    let mut selection = asked.selection(now)?;
    if let Some(id) = &asked.after {
        let anchor = find(db, id, None)?;
        selection.after = (anchor.at.0, anchor.n);
    }
    if asked.count_only {
        return Ok(rows::count(&store::count(db, &selection)?, &selection, asked.json));
    }
    if asked.sessions {
        return Ok(rows::sessions(&store::sessions(db, &selection, ROWS)?, &selection, asked.json));
    }
    listing(db, &selection, asked.json)
}

fn listing(db: &Reader<'_>, selection: &Selection, json: bool) -> Result<String, ReadError> {
    let events = store::select(db, selection, ROWS)?;
    let all: i64 = store::count(db, selection)?.iter().map(|(_, count)| count).sum();
    let shown = i64::try_from(events.len()).unwrap_or(ROWS);
    Ok(rows::listing(&events, selection, all.saturating_sub(shown), json))
}

/// The entry of this id, whole or short; of that day, when one is named.
fn find(db: &Reader<'_>, id: &str, date: Option<&str>) -> Result<Place, ReadError> {
    let shown = crate::text::shorten(&crate::text::safe(id), 60);
    let day = date.map(day_of).transpose()?.map(UnixMs::day);
    let found = match store::by_id(db, id)? {
        Some(place) => Some(place),
        None if id.len() >= SHORTEST && id.starts_with("evt_") => {
            let mut some = store::by_short_id(db, id)?;
            if some.len() > 1 {
                return Err(UsageError::Ambiguous(shown).into());
            }
            some.pop()
        }
        None => None,
    };
    let on_day = |place: &Place| day.as_ref().is_none_or(|day| *day == place.at.day());
    Ok(found.filter(on_day).ok_or(UsageError::NoSuchEntry(shown))?)
}
