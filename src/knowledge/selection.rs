//! Which entries a reading of the journal is about: the filters, checked.

use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::clock::UnixMs;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// The furthest back an interval reaches.
const LONGEST: Duration = Duration::from_secs(31 * 24 * 60 * 60);

/// The filters as they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) date: Option<String>,
    pub(crate) interval: Option<String>,
    pub(crate) from: Option<String>,
    pub(crate) to: Option<String>,
    pub(crate) session: Option<String>,
    pub(crate) types: Option<Vec<String>>,
    pub(crate) kind: Option<String>,
    pub(crate) after: Option<String>,
    pub(crate) show: Option<String>,
    pub(crate) unfiltered: bool,
    pub(crate) count_only: bool,
    pub(crate) sessions: bool,
    pub(crate) json: bool,
}

/// Why a reading cannot be done as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UsageError {
    #[error("date must be a day as 2026-12-01 (UTC)")]
    Date,
    #[error("from and to must be times as 09:30 (UTC)")]
    Time,
    #[error("from must be before to")]
    Order,
    #[error("interval must be a number of minutes or hours as 30m or 2h, 31 days at most")]
    Interval,
    #[error("interval counts back from now and does not go with date, from or to")]
    IntervalAndDate,
    #[error(
        "this would read the whole day: give a filter (interval, from, to, session, types, kind or after), or set unfiltered to true"
    )]
    Unfiltered,
    #[error("count_only and sessions are two different summaries: ask for one")]
    TwoSummaries,
    #[error("show is about one entry: it goes with date and json only")]
    ShowAndFilters,
    #[error("there is no entry {0} in the journal")]
    NoSuchEntry(String),
    #[error("more than one entry begins with {0}: give more of its id")]
    Ambiguous(String),
}

/// Checked filters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    pub(crate) since: UnixMs,
    /// Exclusive.
    pub(crate) until: UnixMs,
    /// Time and number of the entry to begin after.
    pub(crate) after: (i64, i64),
    pub(crate) session: Option<String>,
    pub(crate) source: Option<String>,
    pub(crate) types: Option<Vec<String>>,
    /// What the time is, for a sentence.
    pub(crate) when: String,
}

impl Asked {
    /// The selection, all but `after`, which only the journal can resolve.
    pub(crate) fn selection(&self, now: UnixMs) -> Result<Selection, UsageError> {
        if self.count_only && self.sessions {
            return Err(UsageError::TwoSummaries);
        }
        let summary = self.count_only || self.sessions;
        if !self.unfiltered && !summary && !self.narrows() {
            return Err(UsageError::Unfiltered);
        }
        let (since, until, when) = self.time(now)?;
        Ok(Selection {
            since,
            until,
            after: (i64::MIN, 0),
            session: self.session.clone(),
            source: self.kind.clone(),
            types: self.types.clone(),
            when,
        })
    }

    fn narrows(&self) -> bool {
        let texts = [&self.interval, &self.from, &self.to, &self.session, &self.kind, &self.after];
        texts.iter().any(|filter| filter.is_some()) || self.types.as_ref().is_some_and(|types| !types.is_empty())
    }

    /// Whether `show` comes with filters that mean nothing to it.
    pub(crate) fn more_than_show(&self) -> bool {
        self.narrows() || self.unfiltered || self.count_only || self.sessions
    }

    fn time(&self, now: UnixMs) -> Result<(UnixMs, UnixMs, String), UsageError> {
        let dated = self.date.is_some() || self.from.is_some() || self.to.is_some();
        if let Some(interval) = &self.interval {
            if dated {
                return Err(UsageError::IntervalAndDate);
            }
            let back = interval_of(interval)?;
            return Ok((now.minus(back), now.plus(Duration::from_millis(1)), format!("in the last {interval}")));
        }
        if self.after.is_some() && !dated {
            return Ok((UnixMs(i64::MIN), UnixMs(i64::MAX), "after that entry".to_owned()));
        }
        let today = now.day();
        let date = self.date.as_deref().unwrap_or(&today);
        let day = day_of(date)?;
        let from = self.from.as_deref().map(time_of).transpose()?.unwrap_or(Duration::ZERO);
        let to = self.to.as_deref().map(time_of).transpose()?.unwrap_or(DAY);
        if from >= to {
            return Err(UsageError::Order);
        }
        Ok((day.plus(from), day.plus(to), format!("on {date} (UTC)")))
    }
}

impl Selection {
    /// The types as SQLite's JSON functions read them.
    pub(super) fn types_json(&self) -> Result<Option<String>, serde_json::Error> {
        self.types.as_ref().filter(|types| !types.is_empty()).map(serde_json::to_string).transpose()
    }
}

/// The first moment of a day written as `2026-12-01`.
pub(super) fn day_of(text: &str) -> Result<UnixMs, UsageError> {
    let date: Date = text.parse().map_err(|_| UsageError::Date)?;
    // The parser takes more than the one form.
    if date.to_string() != text {
        return Err(UsageError::Date);
    }
    let start = date.to_zoned_datetime(TimeZone::UTC).map_err(|_| UsageError::Date)?;
    Ok(UnixMs(start.timestamp().as_millisecond()))
}

/// `09:30`, or `24:00` for the end of the day.
fn time_of(text: &str) -> Result<Duration, UsageError> {
    let two = |part: &str| (part.len() == 2).then(|| number(part)).flatten();
    let (hours, minutes) = text.split_once(':').ok_or(UsageError::Time)?;
    match (two(hours), two(minutes)) {
        (Some(hours @ 0..=23), Some(minutes @ 0..=59)) => Ok(Duration::from_secs(hours * 3600 + minutes * 60)),
        (Some(24), Some(0)) => Ok(DAY),
        _ => Err(UsageError::Time),
    }
}

/// `30m` or `2h`.
fn interval_of(text: &str) -> Result<Duration, UsageError> {
    let (count, unit) = match (text.strip_suffix('m'), text.strip_suffix('h')) {
        (Some(count), _) => (count, 60),
        (_, Some(count)) => (count, 3600),
        _ => return Err(UsageError::Interval),
    };
    let seconds = number(count).and_then(|count| count.checked_mul(unit)).ok_or(UsageError::Interval)?;
    let back = Duration::from_secs(seconds);
    if back.is_zero() || back > LONGEST { Err(UsageError::Interval) } else { Ok(back) }
}

/// Digits only: no sign, no spaces.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
