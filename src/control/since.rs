//! Moments as an owner types them.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::FilterError;
use crate::clock::UnixMs;
use crate::text::{safe, shorten};

/// Most characters of what was typed in a sentence about it.
const TYPED: usize = 40;

/// The moment that `text` names, as RFC 3339 in UTC: `10:00` is today in `zone`, `30m`, `2h` and `3d` count back from `now` (a day is 24
/// hours), `2026-11-30` is the beginning of that day in `zone`, and an RFC 3339 moment is itself. A time that a zone leaves out or has twice
/// is the one an hour later, and the first.
///
/// # Errors
/// [`FilterError::Since`] for anything else.
pub fn since(text: &str, now: Timestamp, zone: &TimeZone) -> Result<String, FilterError> {
    let text = text.trim();
    let found = clock(text, now, zone).or_else(|| back(text, now)).or_else(|| day(text, zone)).or_else(|| text.parse().ok());
    match found {
        Some(moment) => Ok(UnixMs(moment.as_millisecond()).rfc3339()),
        None => Err(FilterError::Since(shorten(&safe(text), TYPED))),
    }
}

/// The moment that [`since`] wrote.
pub(super) fn moment(text: &str) -> Option<UnixMs> {
    Some(UnixMs(text.parse::<Timestamp>().ok()?.as_millisecond()))
}

/// `9:30`, `09:30`: today.
fn clock(text: &str, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let (hour, minute) = text.split_once(':')?;
    let fits = matches!(hour.len(), 1 | 2) && minute.len() == 2;
    let (hour, minute) = (number(hour)?, number(minute)?);
    let time = fits.then(|| Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, 0, 0).ok())??;
    let today = now.to_zoned_datetime(zone.clone()).date();
    Some(today.to_datetime(time).to_zoned_datetime(zone.clone()).ok()?.timestamp())
}

/// `30m`, `2h`, `3d`: so long ago.
fn back(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.to_ascii_lowercase();
    let units = [('m', 60), ('h', 60 * 60), ('d', 24 * 60 * 60)];
    let (count, unit) = units.iter().find_map(|(letter, seconds)| Some((text.strip_suffix(*letter)?, *seconds)))?;
    now.checked_sub(SignedDuration::from_secs(number(count)?.checked_mul(unit)?)).ok()
}

/// `2026-11-30`: its beginning.
fn day(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let date: Date = text.parse().ok()?;
    // The parser takes more than the one form.
    let plain = date.to_string() == text;
    plain.then(|| date.to_zoned_datetime(zone.clone()).ok().map(|start| start.timestamp()))?
}

/// Digits only: no sign, no spaces.
fn number(text: &str) -> Option<i64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}
