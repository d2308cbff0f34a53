//! Filtering the audit: what an owner types, and the one place that decides whether a record fits. The host reads its pages with it, and a
//! terminal the records it is told of, so the two cannot disagree.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::detail::AuditFilter;
use super::model::AuditRow;
use super::since::{moment, since};
use crate::text::{safe, shorten};

/// Most characters of what was typed in a sentence about it.
const TYPED: usize = 40;
/// How a record can have ended.
const OUTCOMES: [&str; 3] = ["ok", "refused", "failed"];
/// What can stand before a colon, and the field it is about.
const KEYS: [(&str, &str); 7] = [
    ("who", "who"),
    ("what", "what"),
    ("kind", "what"),
    ("object", "object"),
    ("outcome", "outcome"),
    ("grant", "grant"),
    ("since", "since"),
];

/// Why something typed is no filter: a sentence that says what to type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// A key that is none.
    #[error(
        "no filter is named \"{0}\": use who: what: object: outcome: grant: or since:, or put the words in quotes to look for them as they are"
    )]
    Unknown(String),
    /// A key and nothing after it.
    #[error("{0}: needs a value right after the colon, in quotes when it has spaces")]
    Empty(&'static str),
    /// A quotation mark without its other one.
    #[error("a quotation mark is open: type another one where the words end")]
    Quote,
    /// An outcome that no record has.
    #[error("\"{0}\" is no outcome: use ok, refused or failed")]
    Outcome(String),
    /// No moment.
    #[error(
        "\"{0}\" is no time: use 10:00 (today), 30m, 2h or 3d (ago), a day as 2026-11-30, or a moment as 2026-11-30T10:00:00Z"
    )]
    Since(String),
    /// Of these there can only be one.
    #[error("{0}: can be there only once")]
    Twice(&'static str),
}

impl AuditFilter {
    /// Whether this record is meant.
    pub fn matches(&self, row: &AuditRow) -> bool {
        let object = row.object.as_deref().unwrap_or_default();
        let reason = row.reason.as_deref().unwrap_or_default();
        let anywhere = [&row.actor, &row.kind, object, reason].map(str::to_lowercase);
        let [actor, kind, object, _] = &anywhere;
        any(&self.who, |part| actor.contains(part))
            && any(&self.what, |name| name.strip_suffix('*').map_or(kind == name, |start| kind.starts_with(start)))
            && any(&self.object, |part| object.contains(part))
            && any(&self.outcome, |start| row.outcome.to_lowercase().starts_with(start))
            && self.text.iter().all(|word| anywhere.iter().any(|text| text.contains(&word.to_lowercase())))
            && self.grant.as_deref().is_none_or(|grant| row.grant.as_deref().is_some_and(|of| of.eq_ignore_ascii_case(grant)))
            && self.reaches(&row.at)
    }

    /// Whether `at` is not before [`AuditFilter::since`]. A moment that cannot be read is reached by nothing.
    fn reaches(&self, at: &str) -> bool {
        self.since.as_deref().is_none_or(|since| moment(since).zip(moment(at)).is_some_and(|(since, at)| at >= since))
    }

    /// What an owner typed: terms between spaces, `who: what: object: outcome: grant: since:` and words to look for. Quotation marks hold
    /// words together, and make a word of what would be a term. For what `since:` takes see [`since`].
    ///
    /// # Errors
    /// [`FilterError`], which says what to type.
    pub fn parse(text: &str, now: Timestamp, zone: &TimeZone) -> Result<AuditFilter, FilterError> {
        let mut filter = AuditFilter::default();
        for term in terms(text)? {
            let Some((key, value)) = term.key()? else {
                filter.text.push(term.text);
                continue;
            };
            let value = value.to_owned();
            match key {
                "who" => filter.who.push(value),
                "object" => filter.object.push(value),
                "outcome" => filter.outcome.push(outcome(value)?),
                "grant" => once(&mut filter.grant, value, key)?,
                "since" => once(&mut filter.since, since(&value, now, zone)?, key)?,
                _what => filter.what.push(value),
            }
        }
        Ok(filter)
    }
}

/// Whether one of `wanted` fits, in small letters; when nothing is wanted everything does.
fn any(wanted: &[String], fits: impl Fn(&str) -> bool) -> bool {
    wanted.is_empty() || wanted.iter().any(|one| fits(&one.to_lowercase()))
}

/// The beginning of an outcome.
fn outcome(value: String) -> Result<String, FilterError> {
    let start = value.to_lowercase();
    if OUTCOMES.iter().any(|outcome| outcome.starts_with(&start)) { Ok(value) } else { Err(FilterError::Outcome(typed(&value))) }
}

fn once(place: &mut Option<String>, value: String, key: &'static str) -> Result<(), FilterError> {
    match place.replace(value) {
        None => Ok(()),
        Some(_before) => Err(FilterError::Twice(key)),
    }
}

fn typed(text: &str) -> String {
    shorten(&safe(text), TYPED)
}

/// What stands between two spaces, without its quotation marks.
#[derive(Default)]
struct Term {
    text: String,
    /// Where the first quotation mark was: a colon after it is no key's.
    quoted: Option<usize>,
}

impl Term {
    /// The key and its value; `None` for a word to look for: one without a colon, one that begins with a quotation mark, an address
    /// (`https://…`), a time of the day.
    fn key(&self) -> Result<Option<(&'static str, &str)>, FilterError> {
        let Some((key, value)) = self.text.split_once(':') else { return Ok(None) };
        let plain = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !plain || self.quoted.is_some_and(|at| at <= key.len()) || value.starts_with("//") {
            return Ok(None);
        }
        match KEYS.iter().find(|(name, _)| key.eq_ignore_ascii_case(name)) {
            Some((_, key)) if value.is_empty() => Err(FilterError::Empty(key)),
            Some((_, key)) => Ok(Some((key, value))),
            None if value.is_empty() => Ok(None),
            None => Err(FilterError::Unknown(typed(key))),
        }
    }
}

fn terms(text: &str) -> Result<Vec<Term>, FilterError> {
    let (mut terms, mut term, mut open) = (Vec::new(), Term::default(), false);
    for c in text.chars() {
        match c {
            '"' => {
                open = !open;
                term.quoted.get_or_insert(term.text.len());
            }
            c if c.is_whitespace() && !open => terms.push(std::mem::take(&mut term)),
            c => term.text.push(c),
        }
    }
    terms.push(term);
    terms.retain(|term| !term.text.is_empty());
    if open { Err(FilterError::Quote) } else { Ok(terms) }
}
