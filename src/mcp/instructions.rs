//! What a client is told about this server when it connects.

use super::registry::Registry;
use crate::knowledge;

/// What this is, the contract of every turn, and the tools there are: nothing that is not served is mentioned.
pub(super) fn text(registry: &Registry) -> String {
    let tools: Vec<String> = registry.iter().map(|tool| format!("- {}: {}", tool.name, tool.title)).collect();
    format!("{}\n\n{}\n\nThe tools here:\n{}", knowledge::WHAT_THIS_IS, knowledge::CONTRACT, tools.join("\n"))
}
