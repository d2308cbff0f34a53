//! A value as it was given, in the file or in the environment, and what it can be read as.

use std::fmt;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::time::Duration;

use cidr::IpCidr;
use jiff::SpanRelativeTo;
use jiff::fmt::friendly::SpanParser;

use crate::text::Untrusted;

/// Most characters of a value that an error repeats.
const REPEATED: usize = 60;
/// Longest duration: what is longer is a slip of the keyboard, and arithmetic on it could overflow.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// What a value cannot be used for, as the rest of a sentence that begins with its key.
pub(super) struct Wrong(pub(super) String);

/// A value, not validated yet.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Given {
    Text(String),
    Number(i64),
    Flag(bool),
    List(Vec<Given>),
    /// Something no key takes, in words: a table, a date.
    Other(&'static str),
}

impl Given {
    /// "must be …, found …".
    pub(super) fn wrong(&self, must: &str) -> Wrong {
        Wrong(format!("must be {must}, found {self}"))
    }

    pub(super) fn text(&self, must: &str) -> Result<&str, Wrong> {
        match self {
            Given::Text(text) => Ok(text),
            _ => Err(self.wrong(must)),
        }
    }

    pub(super) fn flag(&self) -> Result<bool, Wrong> {
        match self {
            Given::Flag(flag) => Ok(*flag),
            _ => Err(self.wrong("true or false")),
        }
    }

    /// A program with its arguments, or nothing. It is started as it stands here: no shell reads it.
    pub(super) fn command(&self) -> Result<Vec<String>, Wrong> {
        let must = r#"a list of a program and its arguments, such as ["notify-send", "quarterdeck"]"#;
        let words = self.each(must, |text| (!text.contains('\0')).then(|| text.to_owned()))?;
        if words.first().is_some_and(String::is_empty) {
            return Err(Wrong(format!("must be {must}, found a list that begins with an empty text")));
        }
        Ok(words)
    }

    /// A whole number within `bounds`.
    pub(super) fn count(&self, bounds: RangeInclusive<usize>) -> Result<usize, Wrong> {
        let number = match self {
            Given::Number(number) => usize::try_from(*number).ok(),
            _ => None,
        };
        let wrong = || self.wrong(&format!("a whole number from {} to {}", bounds.start(), bounds.end()));
        number.filter(|number| bounds.contains(number)).ok_or_else(wrong)
    }

    /// A duration above zero.
    pub(super) fn duration(&self) -> Result<Duration, Wrong> {
        let must = r#"a duration above zero and of at most 366 days, such as "30s", "10m" or "1h 30m""#;
        self.span().filter(|span| !span.is_zero()).ok_or_else(|| self.wrong(must))
    }

    /// A duration, or nothing for zero.
    pub(super) fn duration_or_zero(&self) -> Result<Option<Duration>, Wrong> {
        let span = self.span().ok_or_else(|| self.wrong(r#"a duration of at most 366 days, such as "30s" or "0s""#))?;
        Ok((!span.is_zero()).then_some(span))
    }

    fn span(&self) -> Option<Duration> {
        let Given::Text(text) = self else { return None };
        let span = SpanParser::new().parse_span(text).ok()?;
        let signed = span.to_duration(SpanRelativeTo::days_are_24_hours()).ok()?;
        Duration::try_from(signed).ok().filter(|span| *span <= LONGEST)
    }

    pub(super) fn addresses(&self) -> Result<Vec<SocketAddr>, Wrong> {
        let must = r#"a list of addresses with ports, such as ["127.0.0.1:7420", "[::1]:7420"]"#;
        self.each(must, |text| text.parse().ok())
    }

    pub(super) fn ranges(&self) -> Result<Vec<IpCidr>, Wrong> {
        self.each(r#"a list of address ranges, such as ["10.1.0.0/16", "::1/128"]"#, |text| text.parse().ok())
    }

    /// On one line, as it would be written in the file.
    pub(super) fn line(&self) -> String {
        match self {
            Given::List(items) => format!("[{}]", items.iter().map(Given::line).collect::<Vec<_>>().join(", ")),
            plain => plain.to_string(),
        }
    }

    fn each<T>(&self, must: &str, read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, Wrong> {
        let Given::List(items) = self else { return Err(self.wrong(must)) };
        let one = |item: &Given| match item {
            Given::Text(text) => read(text).ok_or_else(|| item.wrong(must)),
            _ => Err(item.wrong(must)),
        };
        items.iter().map(one).collect()
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Text(text) => write!(f, "\"{}\"", Untrusted::new(text).safe_line(REPEATED)),
            Given::Number(number) => write!(f, "{number}"),
            Given::Flag(flag) => write!(f, "{flag}"),
            Given::List(_) => f.write_str("a list"),
            Given::Other(what) => f.write_str(what),
        }
    }
}
