//! Client id metadata documents: fetched only after the owner's passkey, and believed only in what is checked here.

use serde::Deserialize;
use serde_json::Value;
use url::Url;

use super::Oauth;
use super::model::{AuthMethod, ClientDocument, SigningAlgorithm};
use crate::http::FetchError;

const ACCEPT: &str = "application/json";
const NONE: &str = "none";
const PRIVATE_KEY_JWT: &str = "private_key_jwt";

/// Why a document was not accepted. The sentence is for the owner.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DocumentError {
    /// It could not be had.
    #[error("{0}")]
    Fetch(#[from] FetchError),
    /// Not a document of this kind.
    #[error("it is not a client document: {0}")]
    Malformed(String),
    /// Somebody else's.
    #[error("the document calls its client something else than its address")]
    OtherClient,
    /// It allows no return address.
    #[error("the document lists no return addresses")]
    NoRedirects,
    /// It proves itself in a way that is not offered here.
    #[error("the client wants to prove itself by {0}; none and private_key_jwt are possible here")]
    Method(String),
    /// It signs in a way that is not accepted here.
    #[error("the client signs with {0}; RS256 and ES256 are possible here")]
    Algorithm(String),
    /// Its keys are nowhere, or where somebody else could put them.
    #[error("the address of the client's keys must be https on the client's own host")]
    Keys,
}

/// The fields that are read; all others are ignored.
#[derive(Deserialize)]
struct Fields {
    client_id: String,
    #[serde(default)]
    redirect_uris: Vec<String>,
    #[serde(default)]
    client_name: Value,
    token_endpoint_auth_method: Option<String>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
    token_endpoint_auth_signing_alg: Option<String>,
    jwks_uri: Option<String>,
}

impl Oauth {
    /// Fetches and checks the document of an external client.
    pub(super) async fn document(&self, client_id: &str) -> Result<ClientDocument, DocumentError> {
        let url = Url::parse(client_id).map_err(|_| DocumentError::OtherClient)?;
        let value = self.outbound.get_json(&url, ACCEPT).await?;
        read(&url, client_id, value)
    }
}

/// What of the document at `url` counts.
pub(super) fn read(url: &Url, client_id: &str, value: Value) -> Result<ClientDocument, DocumentError> {
    let fields: Fields =
        serde_json::from_value(value).map_err(|error| DocumentError::Malformed(crate::text::shorten(&error.to_string(), 120)))?;
    if fields.client_id != client_id {
        return Err(DocumentError::OtherClient);
    }
    if fields.redirect_uris.is_empty() {
        return Err(DocumentError::NoRedirects);
    }
    let auth = match method(&fields)? {
        PRIVATE_KEY_JWT => AuthMethod::PrivateKeyJwt { jwks_uri: keys(url, &fields)?, algorithm: algorithm(&fields)? },
        _ => AuthMethod::None,
    };
    let name = fields.client_name.as_str().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    Ok(ClientDocument { redirect_uris: fields.redirect_uris, name, auth })
}

/// The method the client is held to: the one it registers, else the strongest it names, else none.
fn method(fields: &Fields) -> Result<&'static str, DocumentError> {
    let named: Vec<&str> = fields
        .token_endpoint_auth_method
        .iter()
        .chain(&fields.token_endpoint_auth_methods_supported)
        .map(String::as_str)
        .collect();
    let registered = fields.token_endpoint_auth_method.as_deref();
    match registered {
        Some(NONE) => return Ok(NONE),
        Some(PRIVATE_KEY_JWT) => return Ok(PRIVATE_KEY_JWT),
        _ => {}
    }
    if named.contains(&PRIVATE_KEY_JWT) {
        Ok(PRIVATE_KEY_JWT)
    } else if named.is_empty() || named.contains(&NONE) {
        Ok(NONE)
    } else {
        Err(DocumentError::Method(crate::text::shorten(&named.join(", "), 80)))
    }
}

fn algorithm(fields: &Fields) -> Result<Option<SigningAlgorithm>, DocumentError> {
    match fields.token_endpoint_auth_signing_alg.as_deref() {
        None => Ok(None),
        Some("RS256") => Ok(Some(SigningAlgorithm::RS256)),
        Some("ES256") => Ok(Some(SigningAlgorithm::ES256)),
        Some(other) => Err(DocumentError::Algorithm(crate::text::shorten(other, 40))),
    }
}

/// The address of the keys: on the client's own host and port, so that whoever can change them can change the document too.
fn keys(url: &Url, fields: &Fields) -> Result<String, DocumentError> {
    let given = fields.jwks_uri.as_deref().ok_or(DocumentError::Keys)?;
    let keys = Url::parse(given).map_err(|_| DocumentError::Keys)?;
    let same =
        keys.scheme() == "https" && keys.host() == url.host() && keys.port_or_known_default() == url.port_or_known_default();
    same.then(|| keys.to_string()).ok_or(DocumentError::Keys)
}
