//! The flags and words that say which audit records are meant.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use quarterdeck::control::{AuditFilter, FilterError, since};

use crate::args::Which;

/// The present moment and the zone of this machine.
#[allow(clippy::disallowed_methods, reason = "a command asks once, at its edge")]
pub fn here() -> (Timestamp, TimeZone) {
    (Timestamp::now(), TimeZone::system())
}

/// The filter of the words, narrowed by the flags.
pub fn filter(which: Which, (now, zone): &(Timestamp, TimeZone)) -> Result<AuditFilter, FilterError> {
    let mut filter = AuditFilter::parse(&which.filter.join(" "), *now, zone)?;
    filter.who.extend(which.who);
    filter.what.extend(which.kind);
    filter.object.extend(which.object);
    filter.outcome.extend(which.outcome);
    if which.grant.is_some() && filter.grant.is_some() {
        return Err(FilterError::Twice("grant"));
    }
    filter.grant = which.grant.or(filter.grant);
    if let Some(time) = which.since {
        let moment = since(&time, *now, zone)?;
        if filter.since.replace(moment).is_some() {
            return Err(FilterError::Twice("since"));
        }
    }
    Ok(filter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn which() -> Which {
        Which {
            since: None,
            who: vec!["dots".to_owned()],
            kind: vec!["tool.*".to_owned()],
            object: Vec::new(),
            outcome: vec!["ok".to_owned()],
            grant: None,
            filter: ["who:notes", "tea", "object:a"].map(str::to_owned).to_vec(),
        }
    }

    fn at() -> (Timestamp, TimeZone) {
        ("2026-12-01T09:30:00Z".parse().unwrap(), TimeZone::UTC)
    }

    #[test]
    fn words_and_flags_are_one_filter() {
        let made = filter(Which { since: Some("1h".to_owned()), ..which() }, &at()).unwrap();
        let text = "who:notes who:dots what:tool.* object:a outcome:ok since:1h tea";
        assert_eq!(made, AuditFilter::parse(text, at().0, &at().1).unwrap());
    }

    #[test]
    fn what_there_can_be_only_one_of_is_given_once() {
        let twice = |word: &str, flags: Which| {
            let filter = super::filter(Which { filter: vec![word.to_owned()], ..flags }, &at());
            filter.unwrap_err()
        };
        assert_eq!(twice("since:1h", Which { since: Some("2h".to_owned()), ..which() }), FilterError::Twice("since"));
        assert_eq!(twice("grant:a", Which { grant: Some("b".to_owned()), ..which() }), FilterError::Twice("grant"));
    }
}
