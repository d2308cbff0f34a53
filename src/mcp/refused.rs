//! Everything the endpoint refuses before a tool is reached. `http.rs` says with which status.

use serde_json::Value;

use crate::access::BearerError;

/// Why a request was not served.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refused {
    /// A page of another origin calls (DNS rebinding, cross-site requests).
    #[error("this endpoint is not for pages of other origins")]
    Origin,
    /// The request was sent to a name this is not reached under (DNS rebinding).
    #[error("this endpoint is not served under that host name")]
    Host,
    /// No token.
    #[error("{}", BearerError::Missing)]
    NoToken,
    /// A token nobody has any more, or never had.
    #[error("{}", BearerError::Unknown)]
    UnknownToken,
    /// Neither streams nor sessions are offered: nothing but POST is of use.
    #[error("this endpoint takes POST only")]
    Method,
    /// Not JSON by its own account.
    #[error("the content type must be application/json")]
    ContentType,
    /// Not JSON.
    #[error("the body is not JSON")]
    NotJson,
    /// A batch: no version served here has them.
    #[error("batches are not served: send one request")]
    Batch,
    /// JSON, and not JSON-RPC.
    #[error("{what}")]
    Invalid {
        /// The request's id, when it could be read.
        id: Option<Value>,
        /// What is wrong.
        what: &'static str,
    },
    /// JSON-RPC with parameters that no method takes.
    #[error("{what}")]
    Params {
        /// The request's id.
        id: Option<Value>,
        /// What is wrong.
        what: &'static str,
    },
    /// A version without handshake that is not served.
    #[error("this protocol version is not served")]
    ModernVersion {
        /// The request's id.
        id: Option<Value>,
        /// The version asked for.
        requested: String,
    },
    /// A version with handshake that is not served.
    #[error("this protocol version is not served; these are: {}", super::envelope::VERSIONS.join(", "))]
    LegacyVersion,
    /// A method the version does not have.
    #[error("there is no method {method} in this protocol version")]
    NoSuchMethod {
        /// The request's id.
        id: Option<Value>,
        /// The method.
        method: String,
    },
    /// The store could not be used: to check the token, to do the work, or to record it. Why is in the log and nobody else's business.
    #[error("this cannot be answered just now; keep your token and try again")]
    Unavailable,
}

impl Refused {
    /// The short machine-readable reason, for the audit.
    pub(super) fn reason(&self) -> &'static str {
        match self {
            Refused::Origin => "origin",
            Refused::Host => "host",
            Refused::NoToken => "no_token",
            Refused::UnknownToken => "unknown_token",
            Refused::Unavailable => "unavailable",
            Refused::Method => "method_not_allowed",
            Refused::ContentType => "content_type",
            Refused::NotJson => "parse_error",
            Refused::Batch => "batch",
            Refused::Invalid { .. } => "invalid_request",
            Refused::Params { .. } => "invalid_params",
            Refused::ModernVersion { .. } | Refused::LegacyVersion => "unsupported_version",
            Refused::NoSuchMethod { .. } => "method_not_found",
        }
    }
}
