//! Control: what a terminal or a command may ask the host, and what it is told.
//!
//! The same [`Client`] works over a channel (the control center in the host's own process) and over `control.sock` (an attached one, a
//! one-shot command). A subscriber gets a [`Snapshot`] and then [`Notice`]s; those of audit records carry the record's number, which goes on from
//! the snapshot's. One that lags is told so and asks for another snapshot. The types here are of their own: no capability's type crosses this border. All text in them that somebody
//! else chose is safe already (see [`crate::text`]).

mod authorizations;
mod client;
mod connection;
mod detail;
pub mod examine;
mod filter;
mod follow;
mod frame;
mod hello;
mod look;
mod model;
pub mod offline;
mod records;
mod serve;
mod service;
mod since;
mod socket;
#[cfg(test)]
mod tests;
mod view;

pub use client::{Client, ClientError, ConnectError, Notices};
pub use detail::{
    AuditFilter, AuditPage, AuditRecord, ConnectionDetail, JournalEntry, JournalPage, JournalQuery, ScopesPage, ToolUse,
};
pub use filter::FilterError;
pub use model::{
    AuditRow, ClientDocument, Connection, ConnectionState, EnrollLink, Hello, Notice, PROTOCOL, Passkey, Refusal, Reply, Request,
    Revoked, SecretUrl, Snapshot, Status, TerminalName, Waiting,
};
pub use since::since;
pub use socket::AddressError;

pub(crate) use serve::Control;
pub(crate) use service::Service;
pub(crate) use socket::SocketError;
