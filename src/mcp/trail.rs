//! What the audit will say about one request: gathered on the way, written once, before the answer goes out.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use serde_json::{Map, Value};

use super::Mcp;
use super::envelope::Era;
use super::registry::{Denied, Output};
use crate::access::{Caller, Principal, Standing};
use crate::audit::{Draft, Kind, Outcome};
use crate::clock::UnixMs;
use crate::digest::{Canonical, Digest};
use crate::store::{Error, Tx};
use crate::text;

/// Most characters of a name somebody sent.
const NAME: usize = 64;

/// A request as the tools see it: who calls, and what the audit will say about it.
#[derive(Clone)]
pub(super) struct Scene {
    pub(super) era: Era,
    pub(super) caller: Caller,
    pub(super) trail: Trail,
}

/// The trail of one request; clones share it.
#[derive(Clone)]
pub(crate) struct Trail(Arc<Inner>);

struct Inner {
    mcp: Mcp,
    caller: Caller,
    who: Principal,
    started: UnixMs,
    /// The protocol version the request speaks.
    protocol: OnceLock<&'static str>,
    /// What a tool call has told so far.
    noted: Mutex<Option<Draft>>,
    /// Whether the record is on disk: a tool that writes puts it into its own transaction.
    recorded: Arc<AtomicBool>,
    unavailable: AtomicBool,
}

impl Trail {
    /// Begins the trail of a request of this caller, now.
    pub(super) fn begin(mcp: &Mcp, caller: &Caller) -> Trail {
        Trail(Arc::new(Inner {
            mcp: mcp.clone(),
            caller: caller.clone(),
            who: Principal::Connection(caller.clone()),
            started: mcp.clock.now(),
            protocol: OnceLock::new(),
            noted: Mutex::new(None),
            recorded: Arc::default(),
            unavailable: AtomicBool::new(false),
        }))
    }

    /// Which version of the protocol the request speaks.
    pub(super) fn protocol(&self, version: &'static str) {
        let _said_before = self.0.protocol.set(version);
    }

    /// A tool is being called. Hashes of the arguments, never the arguments.
    pub(super) fn tool(&self, name: &str, given: &Map<String, Value>) {
        let name = text::shorten(&text::safe(name), NAME);
        // Until its end is known it has failed: it may be cut off anywhere.
        let draft = Draft { outcome: Outcome::Failed, ..Draft::refused(Kind::ToolCalled, "internal_error") };
        *self.0.noted.lock() = Some(draft.object(&name).with("tool", name).with("args_hash", hash(given)));
    }

    /// Whether a tool was called.
    pub(super) fn is_of_a_tool(&self) -> bool {
        self.0.noted.lock().is_some()
    }

    /// What the call is about.
    pub(super) fn object(&self, tool: &str, object: &str) {
        self.note(|draft| draft.object(format!("{tool} {object}").trim_end()));
    }

    /// How the call ended.
    pub(super) fn ended(&self, result: &Result<Output, Denied>) {
        if matches!(result, Err(Denied::Unavailable(_))) {
            self.0.unavailable.store(true, Ordering::SeqCst);
        }
        self.note(|draft| match result {
            Ok(output) => answered(draft, output),
            Err(denied) => {
                let outcome = match denied {
                    Denied::Unavailable(_) | Denied::Broken(_) => Outcome::Failed,
                    _ => Outcome::Refused,
                };
                Draft { outcome, reason: Some(denied.reason().to_owned()), ..draft }
            }
        });
    }

    fn note(&self, change: impl FnOnce(Draft) -> Draft) {
        let mut noted = self.0.noted.lock();
        *noted = noted.take().map(change);
    }

    /// What every record of a request says.
    fn finished(&self, draft: Draft) -> Draft {
        let took = u64::try_from(self.0.mcp.clock.now().since(self.0.started).as_millis()).unwrap_or(u64::MAX);
        match self.0.protocol.get() {
            Some(version) => draft.with("protocol", *version).took(took),
            None => draft.took(took),
        }
    }

    /// Writes the record of a call that will answer `output`, in the transaction of what the tool changes. A caller that may not do it any
    /// more has done nothing: see [`Trail::close`].
    pub(crate) fn settle(&self, tx: &mut Tx<'_>, output: &Output) -> Result<(), Error> {
        if self.0.mcp.access.standing(tx, &self.0.caller)? != Standing::Good {
            return Err(Error::Withdrawn);
        }
        let Some(draft) = self.0.noted.lock().clone() else { return Ok(()) };
        self.0.mcp.audit.append(tx, &self.0.who, self.finished(answered(draft, output)))?;
        let recorded = Arc::clone(&self.0.recorded);
        tx.after_commit(move || recorded.store(true, Ordering::SeqCst));
        Ok(())
    }

    /// Whether a tool could not use the store.
    pub(super) fn unavailable(&self) -> bool {
        self.0.unavailable.load(Ordering::SeqCst)
    }

    /// Writes the record, unless a tool has: that of the tool call, or `otherwise` when no tool was called. Answers how the caller stood
    /// then. One whose connection lost a scope meanwhile was refused, and of one without a connection there is nothing to record.
    ///
    /// # Errors
    /// When it could not be written; then the answer must not be given.
    pub(super) async fn close(&self, otherwise: Draft) -> Result<Standing, Error> {
        if self.0.recorded.load(Ordering::SeqCst) {
            return Ok(Standing::Good);
        }
        let draft = self.0.noted.lock().clone().unwrap_or(otherwise);
        let trail = self.clone();
        self.0.mcp.store.write(move |tx| trail.record(tx, draft)).await
    }

    fn record(&self, tx: &mut Tx<'_>, draft: Draft) -> Result<Standing, Error> {
        let standing = self.0.mcp.access.standing(tx, &self.0.caller)?;
        let draft = match standing {
            Standing::Good => draft,
            Standing::Narrowed => Draft { outcome: Outcome::Refused, reason: Some("scopes_changed".to_owned()), ..draft },
            Standing::Ended => return Ok(standing),
        };
        self.0.mcp.audit.append(tx, &self.0.who, self.finished(draft))?;
        Ok(standing)
    }
}

/// The record of a call that was done.
fn answered(draft: Draft, output: &Output) -> Draft {
    Draft { outcome: Outcome::Ok, reason: None, ..draft.with("result_hash", hash(output)) }
}

fn hash(value: &impl Canonical) -> String {
    // Parsed JSON always has a canonical form; an empty hash would only say that this one had none.
    Digest::of_json(value).map(|digest| digest.hex()).unwrap_or_default()
}
