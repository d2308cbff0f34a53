//! The tools assistants can call: what a tool is, which ones there are, and how a call is checked. Knows nothing of the protocol library.

use std::panic::AssertUnwindSafe;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use serde::Serialize;
use serde_json::{Map, Value};

use super::arguments::{self, Problem};
use super::trail::{Scene, Trail};
use crate::access::{Caller, Scope, Scopes};
use crate::digest::Canonical;
use crate::store;

pub(crate) use super::arguments::{Arguments, Parameter, Takes};

/// What a client may assume of a tool before it calls it (hints of the protocol).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Annotations {
    read_only_hint: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    destructive_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotent_hint: Option<bool>,
}

impl Annotations {
    /// The tool only reads.
    pub(crate) const READS: Annotations = Annotations { read_only_hint: true, destructive_hint: None, idempotent_hint: None };
    /// The tool adds something; it never changes or removes what is there.
    pub(crate) const ADDS: Annotations =
        Annotations { read_only_hint: false, destructive_hint: Some(false), idempotent_hint: Some(false) };
}

/// One call: who calls, with what, and what the audit will say about it.
pub(crate) struct Call {
    pub(crate) caller: Caller,
    pub(crate) arguments: Arguments,
    pub(crate) trail: Trail,
}

/// What a tool answers: a text for the model, and the same as data of the tool's output schema.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Output {
    // In the order of their names: see `Canonical`.
    pub(crate) structured: Value,
    pub(crate) text: String,
}

impl Canonical for Output {
    fn is_in_order(&self) -> bool {
        self.structured.is_in_order()
    }
}

/// What a tool answers when it did not do what was asked: a wire key and a sentence for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) reason: &'static str,
    pub(crate) message: String,
}

/// How a tool can fail.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It was asked for something it does not do.
    Refused(Refusal),
    /// The store could not be used: the whole request is answered "try again later".
    Unavailable(store::Error),
}

impl From<store::Error> for Fault {
    fn from(error: store::Error) -> Fault {
        Fault::Unavailable(error)
    }
}

/// The work of a tool.
pub(crate) type Handler = Box<dyn Fn(Call) -> BoxFuture<'static, Result<Output, Fault>> + Send + Sync>;

/// A tool.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: String,
    pub(crate) parameters: Vec<Parameter>,
    /// JSON Schema of [`Output::structured`].
    pub(crate) output_schema: Map<String, Value>,
    pub(crate) annotations: Annotations,
    /// All of them are needed.
    pub(crate) scopes: &'static [Scope],
    /// What a call is about, for the audit: a path, a conversation.
    pub(crate) object: fn(&Arguments) -> String,
    pub(crate) handler: Handler,
}

impl Tool {
    /// Whether these are arguments it takes.
    pub(super) fn takes(&self, given: &Map<String, Value>) -> bool {
        arguments::problem(&self.parameters, given).is_none()
    }

    /// JSON Schema of the arguments.
    pub(crate) fn input_schema(&self) -> Map<String, Value> {
        arguments::schema(&self.parameters)
    }
}

/// Why a call has no [`Output`].
#[derive(Debug, thiserror::Error)]
pub(crate) enum Denied {
    /// There is no such tool.
    #[error("there is no tool {0} here; tools/list names those there are. Nothing was done")]
    Unknown(String),
    /// The arguments are not what the tool takes.
    #[error("{tool}: {problem}. Nothing was done: correct the arguments and call again")]
    Arguments {
        /// The tool.
        tool: &'static str,
        /// The first thing that is wrong.
        problem: Problem,
    },
    /// The connection lacks a scope.
    #[error("{tool} needs the scope {} and this connection does not have it. Nothing was done. Only the owner can allow it, by \
             authorizing this connection again", Scopes::of(needed.iter().copied()).joined())]
    Scope {
        /// The tool.
        tool: &'static str,
        /// Every scope it needs.
        needed: &'static [Scope],
    },
    /// The tool's own answer.
    #[error("{}", .0.message)]
    Refused(Refusal),
    /// The store could not be used.
    #[error(transparent)]
    Unavailable(store::Error),
    /// The tool broke off: a fault of this program.
    #[error("{0} broke off, and whether it did anything is not known")]
    Broken(&'static str),
}

impl Denied {
    /// The short machine-readable reason.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Denied::Unknown(_) => "unknown_tool",
            Denied::Arguments { .. } => "invalid_arguments",
            Denied::Scope { .. } => "insufficient_scope",
            Denied::Refused(refusal) => refusal.reason,
            Denied::Unavailable(_) => "unavailable",
            Denied::Broken(_) => "internal_error",
        }
    }
}

/// All tools, sorted by name.
pub(crate) struct Registry(Vec<Tool>);

impl Registry {
    /// A registry of these.
    pub(crate) fn new(mut tools: Vec<Tool>) -> Registry {
        tools.sort_by_key(|tool| tool.name);
        Registry(tools)
    }

    /// Every tool.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.0.iter()
    }

    /// The tools a caller with these scopes can use.
    pub(crate) fn visible<'r>(&'r self, scopes: &'r Scopes) -> impl Iterator<Item = &'r Tool> {
        self.iter().filter(move |tool| scopes.covers(tool.scopes))
    }

    /// The tool of this name.
    pub(crate) fn find(&self, name: &str) -> Option<&Tool> {
        self.iter().find(|tool| tool.name == name)
    }

    /// Checks a call and runs it: is there such a tool, are the arguments right, may the caller. What happened goes into the trail.
    pub(super) async fn call(&self, name: &str, given: Map<String, Value>, scene: Scene) -> Result<Output, Denied> {
        let trail = scene.trail.clone();
        trail.tool(name, &given);
        let result = self.run(name, given, scene).await;
        trail.ended(&result);
        result
    }

    async fn run(&self, name: &str, given: Map<String, Value>, scene: Scene) -> Result<Output, Denied> {
        let Scene { caller, trail, .. } = scene;
        let tool = self.find(name).ok_or_else(|| Denied::Unknown(quoted(name)))?;
        let arguments =
            Arguments::check(&tool.parameters, given).map_err(|problem| Denied::Arguments { tool: tool.name, problem })?;
        trail.object(tool.name, &(tool.object)(&arguments));
        if !caller.scopes.covers(tool.scopes) {
            return Err(Denied::Scope { tool: tool.name, needed: tool.scopes });
        }
        // The protocol library would leave the request of a tool that panics unanswered.
        let work = AssertUnwindSafe((tool.handler)(Call { caller, arguments, trail })).catch_unwind();
        match work.await {
            Ok(Ok(output)) => Ok(output),
            Ok(Err(Fault::Refused(refusal))) => Err(Denied::Refused(refusal)),
            Ok(Err(Fault::Unavailable(error))) => Err(Denied::Unavailable(error)),
            Err(_panic) => Err(Denied::Broken(tool.name)),
        }
    }
}

/// A name somebody sent, harmless and short enough for a sentence.
fn quoted(name: &str) -> String {
    format!("“{}”", crate::text::shorten(&crate::text::safe(name), 60))
}
