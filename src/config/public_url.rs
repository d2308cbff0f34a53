//! The public URL: the one address every document, link and token names.

use std::fmt;

use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// An https origin without a port, or `http://localhost` with any port. Nothing else can be a WebAuthn origin and an OAuth issuer at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PublicUrl {
    origin: String,
    host: String,
    url: Url,
}

/// Why an address cannot be the public URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublicUrlError {
    /// It does not parse.
    #[error("{0:?} is not a URL; it looks like \"https://deck.example.com\"")]
    NotAUrl(String),
    /// Neither https nor the loopback exception.
    #[error("{0:?} must be an https address; only http://localhost is allowed without TLS")]
    Scheme(String),
    /// More than an origin.
    #[error("{0:?} must be the bare origin: no path, query, fragment or user name")]
    NotAnOrigin(String),
    /// An https address with a port.
    #[error("{0:?} must not carry a port: assistants reach it on 443")]
    Port(String),
    /// An address in place of a name.
    #[error("{0:?} must name a host: a passkey cannot belong to an IP address")]
    Address(String),
}

impl PublicUrl {
    /// Parses and normalises: lowercase host, no trailing slash.
    ///
    /// # Errors
    /// [`PublicUrlError`] says what is wrong with it.
    pub fn parse(text: &str) -> Result<PublicUrl, PublicUrlError> {
        let given = || text.to_owned();
        let url = Url::parse(text.trim()).map_err(|_| PublicUrlError::NotAUrl(given()))?;
        let host = match url.host() {
            Some(Host::Domain(host)) => host.to_owned(),
            Some(_) => return Err(PublicUrlError::Address(given())),
            None => return Err(PublicUrlError::NotAUrl(given())),
        };
        let local = url.scheme() == "http" && host == "localhost";
        if url.scheme() != "https" && !local {
            return Err(PublicUrlError::Scheme(given()));
        }
        let bare = matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
        if !bare || !url.username().is_empty() || url.password().is_some() {
            return Err(PublicUrlError::NotAnOrigin(given()));
        }
        if url.scheme() == "https" && url.port().is_some() {
            return Err(PublicUrlError::Port(given()));
        }
        let origin = url.origin().ascii_serialization();
        Ok(PublicUrl { origin, host, url })
    }

    /// `http://localhost:<port>`: what a fresh installation uses.
    ///
    /// # Errors
    /// None for any port; the type says so because it goes through [`PublicUrl::parse`].
    pub fn localhost(port: u16) -> Result<PublicUrl, PublicUrlError> {
        PublicUrl::parse(&format!("http://localhost:{port}"))
    }

    /// The origin without a trailing slash: the issuer, the WebAuthn origin, what grants are bound to.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The host name: the WebAuthn relying party id.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The same as a URL.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Whether only this machine reaches it.
    pub fn is_loopback(&self) -> bool {
        self.host == "localhost"
    }

    /// The origin followed by `path`, which begins with a slash.
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// The address to paste into an assistant: the MCP endpoint.
    pub fn mcp(&self) -> String {
        self.join("/mcp")
    }
}

impl TryFrom<String> for PublicUrl {
    type Error = PublicUrlError;

    fn try_from(text: String) -> Result<PublicUrl, PublicUrlError> {
        PublicUrl::parse(&text)
    }
}

impl From<PublicUrl> for String {
    fn from(url: PublicUrl) -> String {
        url.origin
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin)
    }
}
