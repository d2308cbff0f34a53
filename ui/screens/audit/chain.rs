//! Whether the audit is as it was written: checked once when the screen is opened, and whenever the owner asks.

use jiff::Timestamp;
use quarterdeck::control::offline::Verified;

use crate::app::{Effect, Model};
use crate::screens::Screen;
use crate::theme::Role;

/// What is known of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Chain {
    #[default]
    Unchecked,
    Checking,
    Found(Verified, Timestamp),
    /// It could not be checked, for this reason.
    Failed(String),
}

/// Checks it, unless it is being checked.
pub(super) fn verify(model: &mut Model) -> Vec<Effect> {
    if model.audit.chain == Chain::Checking {
        return Vec::new();
    }
    model.audit.chain = Chain::Checking;
    vec![Effect::Verify]
}

/// Checks it the first time.
pub(super) fn begin(model: &mut Model) -> Vec<Effect> {
    if model.audit.chain == Chain::Unchecked { verify(model) } else { Vec::new() }
}

/// It was checked.
pub(crate) fn verified(model: &mut Model, found: Result<Verified, String>) {
    model.audit.chain = match found {
        Ok(found) => Chain::Found(found, model.now.wall),
        Err(why) => Chain::Failed(why),
    };
    // On the screen itself it stands above the records.
    if let Some((sentence, _)) = alarm(model).filter(|_| model.screen != Screen::Audit) {
        model.toasts.fail(&sentence);
    }
}

/// In a few words, for the border.
pub(super) fn words(model: &Model) -> String {
    match &model.audit.chain {
        Chain::Unchecked => "chain not checked yet".to_owned(),
        Chain::Checking => "checking the chain …".to_owned(),
        Chain::Failed(_) => "chain could not be checked".to_owned(),
        Chain::Found(Verified::Intact { seq }, at) => {
            format!("chain ok to {} at {}", crate::screens::words::grouped(*seq), model.clock(&at.to_string()))
        }
        Chain::Found(Verified::Broken { seq }, _) => format!("BROKEN at {seq}"),
        Chain::Found(Verified::Truncated { seq, .. }, _) => format!("CUT OFF after {seq}"),
        Chain::Found(Verified::UnknownKey { seq }, _) => format!("UNKNOWN KEY at {seq}"),
    }
}

/// What is said when it is not as it was written, or nobody knows.
pub(super) fn alarm(model: &Model) -> Option<(String, Role)> {
    const NEXT: &str = "Keep a copy (quarterdeck backup PATH) and find out who can write to the state directory.";
    let sentence = match &model.audit.chain {
        Chain::Found(Verified::Broken { seq }, _) => format!("Record {seq} is not what was written, or is missing. {NEXT}"),
        Chain::Found(Verified::Truncated { seq, remembered }, _) => {
            format!("The audit ends at {seq}, but this terminal saw {remembered} before: its end was cut off. {NEXT}")
        }
        Chain::Found(Verified::UnknownKey { seq }, _) => {
            format!("What is remembered or signed at {seq} belongs to another key: the store or its key was exchanged. {NEXT}")
        }
        Chain::Failed(why) => return Some((why.clone(), Role::Warn)),
        _ => return None,
    };
    Some((sentence, Role::Danger))
}
