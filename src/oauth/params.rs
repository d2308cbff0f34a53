//! The parameters of a request: each at most once (RFC 6749 section 3.1), one without a value as if it were not there.

use std::fmt;

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use url::form_urlencoded::parse;

/// Longest query: longer ones have nothing to do with authorization, and every open page keeps its own.
const LONGEST_QUERY: usize = 16_384;

/// Why the parameters could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ParamsError {
    /// Twice the same.
    #[error("the parameter {0} is there more than once")]
    Repeated(String),
    /// A query beyond all measure.
    #[error("the request is longer than {LONGEST_QUERY} bytes")]
    Long,
    /// Not a form, and not JSON made of text.
    #[error("the request is neither a form nor a JSON object with text in it")]
    Unreadable,
    /// Announced as something else.
    #[error("the request must be sent as application/x-www-form-urlencoded")]
    MediaType,
}

/// Names and values in the order they came.
pub(crate) struct Params(Vec<(String, String)>);

impl Params {
    /// Those of a query.
    pub(crate) fn query(query: &str) -> Result<Params, ParamsError> {
        if query.len() > LONGEST_QUERY {
            return Err(ParamsError::Long);
        }
        Params::once(parse(query.as_bytes()).into_owned().collect(), "")
    }

    /// Those of a body: a form, or a JSON object. `many` may come more than once.
    pub(crate) fn body(headers: &HeaderMap, body: &[u8], many: &str) -> Result<Params, ParamsError> {
        let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        match kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
            "application/x-www-form-urlencoded" => Params::once(parse(body).into_owned().collect(), many),
            "application/json" => Params::json(body, many),
            _ => Err(ParamsError::MediaType),
        }
    }

    /// The value, if there is one that is not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(of, value)| of == name && !value.is_empty()).map(|(_, value)| value.as_str())
    }

    /// The value, or nothing as text.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// All values that are not empty.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(of, value)| of == name && !value.is_empty()).map(|(_, value)| value.as_str())
    }

    fn json(body: &[u8], many: &str) -> Result<Params, ParamsError> {
        let Fields(fields) = serde_json::from_slice(body).map_err(|_| ParamsError::Unreadable)?;
        let mut all = Vec::new();
        for (name, value) in fields {
            match value {
                Value::String(text) => all.push((name, text)),
                Value::Array(texts) if name == many => {
                    for text in texts {
                        all.push((name.clone(), text.as_str().ok_or(ParamsError::Unreadable)?.to_owned()));
                    }
                }
                Value::Null => {}
                _ => return Err(ParamsError::Unreadable),
            }
        }
        Params::once(all, many)
    }

    fn once(all: Vec<(String, String)>, many: &str) -> Result<Params, ParamsError> {
        let mut names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).filter(|name| *name != many).collect();
        names.sort_unstable();
        let twice = names.windows(2).find_map(|pair| match pair {
            [one, other] if one == other => Some((*one).to_owned()),
            _ => None,
        });
        twice.map_or(Ok(Params(all)), |name| Err(ParamsError::Repeated(crate::text::shorten(&crate::text::safe(&name), 40))))
    }
}

/// The fields of a JSON object as they stand there. A map would keep the last of two fields of one name and say nothing.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Fields, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        from.deserialize_map(Object)
    }
}
