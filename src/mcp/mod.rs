//! MCP: the one endpoint assistants call, and the tools behind it.
//!
//! A request passes the gate (origin, host, token), the envelope check (JSON, JSON-RPC, protocol version), the protocol library, and a
//! tool of the registry; then it is recorded in the audit, and only then answered. What cannot be recorded is not answered. Two eras of
//! the protocol are served on one address, both without sessions and without streams, so every request stands for itself and a revoke
//! holds from the next one on. The registry does not know the library: a tool is a name, parameters, scopes and a handler, given by
//! the capability it belongs to.

mod adapter;
mod answer;
mod arguments;
mod challenge;
mod envelope;
mod gate;
pub(crate) mod http;
mod instructions;
mod plain;
mod refused;
pub(crate) mod registry;
mod service;
#[cfg(test)]
mod tests;
mod trail;

pub(crate) use service::Mcp;
