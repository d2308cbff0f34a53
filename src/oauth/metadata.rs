//! The two documents a client begins with: whose tokens open the resource (RFC 9728), and how to get one (RFC 8414).

use serde::Serialize;

use super::Oauth;
use crate::access::Scope;

/// OAuth 2.0 protected resource metadata.
#[derive(Serialize)]
pub(crate) struct ResourceMetadata {
    resource: String,
    authorization_servers: [String; 1],
    scopes_supported: Vec<&'static str>,
    bearer_methods_supported: [&'static str; 1],
}

/// OAuth 2.0 authorization server metadata. No refresh tokens, so no `offline_access`; no registration endpoint.
#[derive(Serialize)]
pub(crate) struct ServerMetadata {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    revocation_endpoint: String,
    response_types_supported: [&'static str; 1],
    grant_types_supported: [&'static str; 1],
    code_challenge_methods_supported: [&'static str; 1],
    token_endpoint_auth_methods_supported: [&'static str; 2],
    token_endpoint_auth_signing_alg_values_supported: [&'static str; 2],
    client_id_metadata_document_supported: bool,
    authorization_response_iss_parameter_supported: bool,
    scopes_supported: Vec<&'static str>,
}

impl Oauth {
    /// For the origin as the resource.
    pub(crate) fn origin_metadata(&self) -> ResourceMetadata {
        self.resource_metadata(self.public_url.origin().to_owned())
    }

    /// For the MCP endpoint as the resource.
    pub(crate) fn endpoint_metadata(&self) -> ResourceMetadata {
        self.resource_metadata(self.public_url.mcp())
    }

    /// For this authorization server. The issuer has no trailing slash: clients compare it byte for byte.
    pub(crate) fn server_metadata(&self) -> ServerMetadata {
        ServerMetadata {
            issuer: self.public_url.origin().to_owned(),
            authorization_endpoint: self.public_url.join("/authorize"),
            token_endpoint: self.token_endpoint(),
            revocation_endpoint: self.public_url.join("/revoke"),
            response_types_supported: ["code"],
            grant_types_supported: ["authorization_code"],
            code_challenge_methods_supported: ["S256"],
            token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
            token_endpoint_auth_signing_alg_values_supported: ["RS256", "ES256"],
            client_id_metadata_document_supported: true,
            authorization_response_iss_parameter_supported: true,
            scopes_supported: scopes(),
        }
    }

    /// Where codes are exchanged: also an audience of client assertions.
    pub(super) fn token_endpoint(&self) -> String {
        self.public_url.join("/token")
    }

    fn resource_metadata(&self, resource: String) -> ResourceMetadata {
        ResourceMetadata {
            resource,
            authorization_servers: [self.public_url.origin().to_owned()],
            scopes_supported: scopes(),
            bearer_methods_supported: ["header"],
        }
    }
}

fn scopes() -> Vec<&'static str> {
    Scope::ALL.into_iter().map(Scope::name).collect()
}
