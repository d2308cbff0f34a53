//! A tool's parameters, and the arguments of a call checked against them. The schema clients see and the check come from one list.

use serde_json::{Map, Value, json};

/// Longest text that becomes part of a session key: several times a UUID.
const KEY: usize = 200;

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Text that is not blank.
    Text,
    /// Short visible text without whitespace and without `:`, because it becomes part of a session key.
    Key,
    /// `true` or `false`.
    Flag,
    /// A list of texts.
    Texts,
}

/// One parameter of a tool.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
    pub(crate) required: bool,
    pub(crate) description: &'static str,
}

impl Parameter {
    /// A parameter every call must give.
    pub(crate) fn required(name: &'static str, takes: Takes, description: &'static str) -> Parameter {
        Parameter { name, takes, required: true, description }
    }

    /// A parameter a call may leave out.
    pub(crate) fn optional(name: &'static str, takes: Takes, description: &'static str) -> Parameter {
        Parameter { name, takes, required: false, description }
    }

    fn schema(&self) -> Value {
        match self.takes {
            Takes::Text => json!({ "type": "string", "minLength": 1, "description": self.description }),
            Takes::Key => json!({
                "type": "string", "minLength": 1, "maxLength": KEY, "pattern": "^[^\\s:]+$", "description": self.description
            }),
            Takes::Flag => json!({ "type": "boolean", "description": self.description }),
            Takes::Texts => json!({
                "type": "array", "items": { "type": "string", "minLength": 1 }, "description": self.description
            }),
        }
    }
}

/// The JSON Schema (2020-12) of an object with exactly these properties.
pub(crate) fn schema(parameters: &[Parameter]) -> Map<String, Value> {
    let properties: Map<String, Value> = parameters.iter().map(|one| (one.name.to_owned(), one.schema())).collect();
    let required: Vec<&str> = parameters.iter().filter(|one| one.required).map(|one| one.name).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}

/// What is wrong with the arguments of a call: the first thing found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    /// Not one of the tool's parameters.
    #[error("there is no argument {0}")]
    Unknown(String),
    /// A required one is not there.
    #[error("the argument “{0}” is missing")]
    Missing(&'static str),
    /// Empty or blank, or not a text at all.
    #[error("“{0}” must be a text that is not blank")]
    Text(&'static str),
    /// Not usable in a session key.
    #[error("“{0}” must be a text without spaces, without “:” and without invisible characters, of at most {KEY} characters")]
    Key(&'static str),
    /// Not a boolean.
    #[error("“{0}” must be true or false")]
    Flag(&'static str),
    /// Not a list of texts.
    #[error("“{0}” must be a list of texts, none of them blank")]
    Texts(&'static str),
}

/// Arguments that passed the check.
#[derive(Clone, Debug)]
pub(crate) struct Arguments(Map<String, Value>);

impl Arguments {
    /// Checks `given`: nothing unknown, nothing missing, everything of its type. `null` counts as left out.
    pub(crate) fn check(parameters: &[Parameter], given: Map<String, Value>) -> Result<Arguments, Problem> {
        problem(parameters, &given).map_or(Ok(Arguments(given)), Err)
    }

    /// The text of `name`, when it was given.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// The same as an owned text.
    pub(crate) fn owned(&self, name: &str) -> Option<String> {
        self.text(name).map(str::to_owned)
    }

    /// A required text: the check has seen it.
    pub(crate) fn required(&self, name: &str) -> String {
        self.owned(name).unwrap_or_default()
    }

    /// Whether the flag `name` is set.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// The texts of `name`, when they were given.
    pub(crate) fn texts(&self, name: &str) -> Option<Vec<String>> {
        let list = self.0.get(name)?.as_array()?;
        Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    }

    /// All of them as `name=value`, for the audit's object.
    pub(crate) fn summary(&self) -> String {
        let pairs = self.0.iter().filter(|(_, value)| !value.is_null());
        pairs.map(|(name, value)| format!("{name}={}", plain(value))).collect::<Vec<_>>().join(" ")
    }
}

/// What is wrong with `given`: the first thing found.
pub(super) fn problem(parameters: &[Parameter], given: &Map<String, Value>) -> Option<Problem> {
    if let Some(name) = given.keys().find(|name| !parameters.iter().any(|one| one.name == name.as_str())) {
        return Some(Problem::Unknown(format!("“{}”", crate::text::shorten(&crate::text::safe(name), 60))));
    }
    parameters.iter().find_map(|one| match given.get(one.name).filter(|value| !value.is_null()) {
        None => one.required.then_some(Problem::Missing(one.name)),
        Some(value) => check(one, value).err(),
    })
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

fn check(one: &Parameter, value: &Value) -> Result<(), Problem> {
    let filled = |value: &Value| value.as_str().is_some_and(|text| !text.trim().is_empty());
    match one.takes {
        Takes::Text if !filled(value) => Err(Problem::Text(one.name)),
        Takes::Key if !filled(value) => Err(Problem::Text(one.name)),
        Takes::Key if !value.as_str().is_some_and(fits_a_key) => Err(Problem::Key(one.name)),
        Takes::Flag if !value.is_boolean() => Err(Problem::Flag(one.name)),
        Takes::Texts if !value.as_array().is_some_and(|list| list.iter().all(filled)) => Err(Problem::Texts(one.name)),
        Takes::Text | Takes::Key | Takes::Flag | Takes::Texts => Ok(()),
    }
}

fn fits_a_key(text: &str) -> bool {
    let parts = text.contains(|c: char| c == ':' || c.is_whitespace());
    !parts && !crate::text::has_hidden(text) && text.chars().count() <= KEY
}
