//! The tools of this capability: GetContext, ReadMemory, ReadEvents, RecordExperience.

use futures::FutureExt as _;
use serde_json::{Map, Value, json};

use super::board::Board;
use super::context::{self, Turn};
use super::contract::CONTRACT;
use super::events::ReadError;
use super::folder::MemoryError;
use super::selection::Asked;
use super::{Experience, Knowledge, Receipt};
use crate::access::Scope;
use crate::mcp::registry::{Annotations, Arguments, Call, Fault, Handler, Output, Parameter, Refusal, Takes, Tool};

/// The four tools over `knowledge`.
pub(crate) fn tools(knowledge: &Knowledge) -> Vec<Tool> {
    vec![get_context(knowledge), read_memory(knowledge), read_events(knowledge), record_experience(knowledge)]
}

/// A handler over a clone of the service.
fn handler<F>(knowledge: &Knowledge, work: impl Fn(Knowledge, Call) -> F + Send + Sync + 'static) -> Handler
where
    F: Future<Output = Result<Output, Fault>> + Send + 'static,
{
    let knowledge = knowledge.clone();
    Box::new(move |call| work(knowledge.clone(), call).boxed())
}

/// The schema of an object with exactly these properties.
fn object(properties: Value, required: &[&str]) -> Map<String, Value> {
    let schema = json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false
    });
    schema.as_object().cloned().unwrap_or_default()
}

/// `daemon_error` is the wire key that clients of the tether channel know for "the host answered with an error": with the embedded host
/// there is no daemon, and the meaning is the same.
fn refused(error: &impl std::fmt::Display) -> Fault {
    Fault::Refused(Refusal { reason: "daemon_error", message: format!("{error}. Nothing was read") })
}

impl From<MemoryError> for Fault {
    fn from(error: MemoryError) -> Fault {
        refused(&error)
    }
}

impl From<ReadError> for Fault {
    fn from(error: ReadError) -> Fault {
        match error {
            ReadError::Usage(usage) => refused(&usage),
            ReadError::Store(error) => Fault::Unavailable(error),
        }
    }
}

fn get_context(knowledge: &Knowledge) -> Tool {
    Tool {
        name: "GetContext",
        title: "Begin a turn: the board and the conversation",
        description: format!(
            "Returns who you are here, a conversation id, how to read the past and how to record, and the owner's board, whole.\n\n{CONTRACT}"
        ),
        parameters: vec![Parameter::optional(
            "conversation",
            Takes::Key,
            "The conversation id an earlier GetContext gave you; leave it out in the first turn",
        )],
        output_schema: object(
            json!({ "conversation": { "type": "string" }, "board_rev": { "type": "string" } }),
            &["conversation", "board_rev"],
        ),
        annotations: Annotations::READS,
        scopes: &[Scope::ContextRead],
        object: |arguments| arguments.required("conversation"),
        handler: handler(knowledge, |knowledge, call| async move {
            let board = knowledge.board().await?.ok_or_else(no_board)?;
            let conversation = call.arguments.owned("conversation").unwrap_or_else(|| knowledge.new_conversation());
            Ok(opened(&knowledge, &call.caller.name, &conversation, &board))
        }),
    }
}

fn no_board() -> Fault {
    let message = "the owner has no board at present. Go on without it, say so in your reply, and do not make one up. The other tools \
                   work as usual: record with the board_rev “none” and, in a new conversation, an id of your own";
    Fault::Refused(Refusal { reason: "no_board", message: message.to_owned() })
}

fn opened(knowledge: &Knowledge, name: &str, conversation: &str, board: &Board) -> Output {
    let today = knowledge.clock.now().day();
    Output {
        text: context::render(&Turn { name, conversation, today: &today }, board),
        structured: json!({ "conversation": conversation, "board_rev": board.rev() }),
    }
}

fn read_memory(knowledge: &Knowledge) -> Tool {
    Tool {
        name: "ReadMemory",
        title: "Read a memory file",
        description:
            "Returns one of the owner's memory files as it is. The board names the files there are: entities/<name>.md for \
                      people, projects and things, topics/<name>.md for subjects."
                .to_owned(),
        parameters: vec![Parameter::required("path", Takes::Text, "Relative to the memory folder, as in topics/travel.md")],
        output_schema: object(json!({ "path": { "type": "string" } }), &["path"]),
        annotations: Annotations::READS,
        scopes: &[Scope::MemoryRead],
        object: |arguments| arguments.required("path"),
        handler: handler(knowledge, |knowledge, call| async move {
            let path = call.arguments.required("path");
            let text = knowledge.memory(path.clone()).await?;
            Ok(Output { text, structured: json!({ "path": path }) })
        }),
    }
}

fn read_events(knowledge: &Knowledge) -> Tool {
    Tool {
        name: "ReadEvents",
        title: "Read the journal",
        description: "Returns entries of the journal, oldest first, one line each: time · type, session and a short text, id. Entries of \
                      type external.record are what assistants recorded of their turns. Times are UTC. A whole day needs a filter or \
                      unfiltered. When there is more than one answer holds, its last line says how to go on."
            .to_owned(),
        parameters: filters(),
        output_schema: object(json!({}), &[]),
        annotations: Annotations::READS,
        scopes: &[Scope::EventsRead],
        object: Arguments::summary,
        handler: handler(knowledge, |knowledge, call| async move {
            let text = knowledge.events(asked(&call.arguments)).await?;
            Ok(Output { text, structured: json!({}) })
        }),
    }
}

fn filters() -> Vec<Parameter> {
    vec![
        Parameter::optional("date", Takes::Text, "A day as 2026-12-01; today when left out"),
        Parameter::optional("interval", Takes::Text, "Back from now, as 30m or 2h; not with date, from or to"),
        Parameter::optional("from", Takes::Text, "From this time of the day on, as 09:30"),
        Parameter::optional("to", Takes::Text, "Before this time of the day, as 17:00"),
        Parameter::optional("session", Takes::Text, "Only this session: <connection>:<conversation>"),
        Parameter::optional("types", Takes::Texts, "Only these types, as [\"external.record\"]"),
        Parameter::optional("kind", Takes::Text, "Only from this source: the name of a connection"),
        Parameter::optional("after", Takes::Text, "Only what came after the entry with this id"),
        Parameter::optional("unfiltered", Takes::Flag, "Read a whole day without a filter"),
        Parameter::optional("count_only", Takes::Flag, "Only how many there are of each type"),
        Parameter::optional("sessions", Takes::Flag, "Only which sessions there are"),
        Parameter::optional("json", Takes::Flag, "One JSON object per line, with full ids"),
        Parameter::optional("show", Takes::Text, "One entry whole, by its id; the short id of a row will do"),
    ]
}

fn asked(arguments: &Arguments) -> Asked {
    Asked {
        date: arguments.owned("date"),
        interval: arguments.owned("interval"),
        from: arguments.owned("from"),
        to: arguments.owned("to"),
        session: arguments.owned("session"),
        types: arguments.texts("types"),
        kind: arguments.owned("kind"),
        after: arguments.owned("after"),
        show: arguments.owned("show"),
        unfiltered: arguments.flag("unfiltered"),
        count_only: arguments.flag("count_only"),
        sessions: arguments.flag("sessions"),
        json: arguments.flag("json"),
    }
}

fn record_experience(knowledge: &Knowledge) -> Tool {
    Tool {
        name: "RecordExperience",
        title: "Record a turn in the journal",
        description: format!(
            "Adds one entry to the journal, under the name of your connection. Sending the same turn again adds nothing.\n\n{CONTRACT}"
        ),
        parameters: vec![
            Parameter::required("conversation", Takes::Key, "The conversation id GetContext gave you"),
            Parameter::required("board_rev", Takes::Text, "The board_rev GetContext gave you"),
            Parameter::required("said", Takes::Text, "The message you were given, word for word"),
            Parameter::required("did", Takes::Text, "What you did"),
            Parameter::required("outcome", Takes::Text, "How it really ended"),
            Parameter::optional("from", Takes::Text, "Who the message came from, when not from the owner"),
            Parameter::optional("artifact", Takes::Text, "Where the result is: an address, a file name"),
            Parameter::optional("model", Takes::Text, "The model you are"),
        ],
        output_schema: object(
            json!({
                "ok": { "type": "boolean" }, "event_id": { "type": "string" }, "ts": { "type": "string" },
                "duplicate": { "type": "boolean" }
            }),
            &["ok"],
        ),
        annotations: Annotations::ADDS,
        scopes: &[Scope::ExperienceWrite],
        object: |arguments| arguments.required("conversation"),
        handler: handler(knowledge, |knowledge, call| async move {
            let Call { caller, arguments, trail } = call;
            let settle = move |tx: &mut crate::store::Tx<'_>, receipt: &Receipt| trail.settle(tx, &recorded(receipt));
            let receipt = knowledge.record(&caller, experience(&arguments), settle).await?;
            Ok(recorded(&receipt))
        }),
    }
}

fn experience(arguments: &Arguments) -> Experience {
    Experience {
        conversation: arguments.required("conversation"),
        board_rev: arguments.required("board_rev"),
        said: arguments.required("said"),
        from: arguments.owned("from"),
        did: arguments.required("did"),
        outcome: arguments.required("outcome"),
        artifact: arguments.owned("artifact"),
        model: arguments.owned("model"),
    }
}

fn recorded(receipt: &Receipt) -> Output {
    let Receipt { event_id, at, duplicate } = receipt;
    let at = at.rfc3339();
    let text = match duplicate {
        false => format!("Recorded as {event_id} at {at}."),
        true => format!("This was recorded before, as {event_id} at {at}; nothing was added."),
    };
    Output { text, structured: json!({ "ok": true, "event_id": event_id, "ts": at, "duplicate": duplicate }) }
}
