//! Requests, clients, approvals.

use serde::{Deserialize, Serialize};

use crate::access::Scopes;
use crate::audit::Seq;
use crate::passkeys::PasskeyId;

/// Who keeps a client's document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum ClientKind {
    /// The client itself, at its `client_id`.
    External,
    /// The owner, here, under this name.
    Local {
        /// The last part of the `client_id`.
        name: String,
    },
    /// This program: its own command line.
    BuiltIn {
        /// The last part of the `client_id`.
        name: String,
    },
}

/// What a client asked for, as the page shows it and the passkey says yes to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AuthorizationRequest {
    pub(crate) client: ClientKind,
    pub(crate) client_id: String,
    /// Byte for byte as it came.
    pub(crate) redirect_uri: String,
    /// Opaque; comes back with the answer.
    pub(crate) state: Option<String>,
    /// The SHA-256 of a secret that only the client has (RFC 7636).
    pub(crate) code_challenge: String,
    pub(crate) scopes: Scopes,
    /// The exact form of the resource that was asked for.
    pub(crate) resource: String,
}

/// How a client proves at the token endpoint who it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub(crate) enum AuthMethod {
    /// By the code verifier alone.
    None,
    /// By a signed assertion too (RFC 7523).
    PrivateKeyJwt {
        /// Where its keys are.
        jwks_uri: String,
        /// The one algorithm its document names; either of ours when it names none.
        algorithm: Option<SigningAlgorithm>,
    },
}

/// How an assertion may be signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum SigningAlgorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    RS256,
    /// ECDSA on P-256 with SHA-256.
    ES256,
}

/// What is used of a client's document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClientDocument {
    pub(crate) redirect_uris: Vec<String>,
    /// What the client calls itself.
    pub(crate) name: Option<String>,
    pub(crate) auth: AuthMethod,
}

/// What the owner said yes to: what a code stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Approval {
    /// Whose yes it was.
    pub(crate) passkey: PasskeyId,
    pub(crate) request: AuthorizationRequest,
    /// The connection's name, as the owner typed it.
    pub(crate) name: String,
    /// Those that were ticked.
    pub(crate) scopes: Scopes,
    pub(crate) client_name: Option<String>,
    pub(crate) auth: AuthMethod,
    /// Whether the owner was told that it ends the connection of this name.
    pub(crate) replaces: bool,
    /// The number of the audit's record of it; none in a code of an older version.
    #[serde(default)]
    pub(crate) record: Option<Seq>,
}
