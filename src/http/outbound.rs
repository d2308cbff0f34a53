//! The one way out. A stranger may have chosen the address, so nothing about the other side is believed.

use std::error::Error as _;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use cidr::IpCidr;
use futures::StreamExt as _;
use http::StatusCode;
use http::header::ACCEPT;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Certificate, Client, redirect};
use serde_json::Value;
use tokio::sync::OnceCell;
use url::{Host, Url};

use super::address::{first_blocked, is_allowed, is_blocked};
use crate::config::Config;

/// Why nothing was fetched.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchError {
    /// Only https proves who answers.
    #[error("{0} is not an https address")]
    NotHttps(String),
    /// A name or password in an address is there to mislead.
    #[error("the address has a user name or password in it")]
    UserInfo,
    /// It leads to this machine or a private network.
    #[error("{host} leads to {address}, which is not a public address")]
    Blocked {
        /// The name or literal in the address.
        host: String,
        /// What it stands for.
        address: IpAddr,
    },
    /// No connection, or no trust in who answered it.
    #[error("{host} could not be reached: {cause}")]
    Unreachable {
        /// The name or literal in the address.
        host: String,
        /// What the connection ended with.
        cause: String,
    },
    /// All in all too slow.
    #[error("{host} did not answer completely within {most:?}")]
    Slow {
        /// The name or literal in the address.
        host: String,
        /// How long the whole request may take.
        most: Duration,
    },
    /// Anything but 200; a redirect is not followed.
    #[error("{host} answered with status {} instead of 200", .status.as_u16())]
    Status {
        /// The name or literal in the address.
        host: String,
        /// What it answered.
        status: StatusCode,
    },
    /// More than is read.
    #[error("{host} sent more than {most} bytes")]
    Large {
        /// The name or literal in the address.
        host: String,
        /// Most bytes that are read.
        most: usize,
    },
    /// Not JSON.
    #[error("{host} did not send JSON: {cause}")]
    NotJson {
        /// The name or literal in the address.
        host: String,
        /// Where it stopped being JSON.
        cause: serde_json::Error,
    },
    /// This machine cannot make requests: no certificate authorities, an unreadable `outbound.ca_file`.
    #[error("this machine is not set up for requests to others: {0}")]
    Setup(String),
}

/// The client; clones share it. It is made at the first request, so a machine without certificate authorities can start all the same.
#[derive(Clone)]
pub(crate) struct Outbound(Arc<Inner>);

struct Inner {
    allow: Arc<[IpCidr]>,
    ca_file: Option<PathBuf>,
    most_time: Duration,
    most_bytes: usize,
    client: OnceCell<Client>,
}

impl Outbound {
    /// A client with the owner's exceptions and limits.
    pub(crate) fn new(config: &Config) -> Outbound {
        Outbound(Arc::new(Inner {
            allow: config.outbound.allow.clone().into(),
            ca_file: config.outbound.ca_file.clone(),
            most_time: config.limits.client_document_timeout,
            most_bytes: config.limits.client_document_bytes,
            client: OnceCell::new(),
        }))
    }

    /// Fetches a JSON document, asking for the media types in `accept`. The answer's own media type is not looked at.
    pub(crate) async fn get_json(&self, url: &Url, accept: &str) -> Result<Value, FetchError> {
        let host = self.0.permit(url)?;
        let fetch = self.0.fetch(url, &host, accept);
        let body = match tokio::time::timeout(self.0.most_time, fetch).await {
            Ok(fetched) => fetched?,
            Err(_elapsed) => return Err(FetchError::Slow { host, most: self.0.most_time }),
        };
        serde_json::from_slice(&body).map_err(|cause| FetchError::NotJson { host, cause })
    }
}

impl Inner {
    /// The host of an address that may be asked at all. A literal never reaches the resolver, so it is judged here.
    fn permit(&self, url: &Url) -> Result<String, FetchError> {
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            Some(Host::Domain(_)) => None,
            None => return Err(FetchError::NotHttps(url.to_string())),
        };
        let host = url.host_str().unwrap_or_default().to_owned();
        let chosen_by_owner = url.scheme() == "http" && literal.is_some_and(|address| is_allowed(address, &self.allow));
        if url.scheme() != "https" && !chosen_by_owner {
            return Err(FetchError::NotHttps(url.to_string()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(FetchError::UserInfo);
        }
        match literal.filter(|address| is_blocked(*address, &self.allow)) {
            Some(address) => Err(FetchError::Blocked { host, address }),
            None => Ok(host),
        }
    }

    async fn fetch(&self, url: &Url, host: &str, accept: &str) -> Result<Vec<u8>, FetchError> {
        let client = self.client.get_or_try_init(|| self.build()).await?;
        let failed = |error: reqwest::Error| failure(host, &error);
        let answer = client.get(url.clone()).header(ACCEPT, accept).send().await.map_err(failed)?;
        if answer.status() != StatusCode::OK {
            return Err(FetchError::Status { host: host.to_owned(), status: answer.status() });
        }
        let mut chunks = answer.bytes_stream();
        let mut body = Vec::new();
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(failed)?;
            if body.len().saturating_add(chunk.len()) > self.most_bytes {
                return Err(FetchError::Large { host: host.to_owned(), most: self.most_bytes });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    async fn build(&self) -> Result<Client, FetchError> {
        let setup = |cause: &dyn std::fmt::Display| FetchError::Setup(cause.to_string());
        let mut own = Vec::new();
        if let Some(path) = &self.ca_file {
            let pem = tokio::fs::read(path).await.map_err(|error| setup(&format!("{}: {error}", path.display())))?;
            own = Certificate::from_pem_bundle(&pem).map_err(|error| setup(&format!("{}: {error}", path.display())))?;
        }
        // The library looks for the process's one provider and panics without; somebody may have been here first.
        let _already = rustls::crypto::aws_lc_rs::default_provider().install_default();
        Client::builder()
            .dns_resolver(Arc::new(Guarded { allow: Arc::clone(&self.allow) }))
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .no_proxy()
            .referer(false)
            .pool_max_idle_per_host(0)
            .user_agent(concat!("Quarterdeck/", env!("CARGO_PKG_VERSION")))
            .tls_certs_merge(own)
            .build()
            .map_err(|error| setup(&root(&error)))
    }
}

/// Resolves a name and hands over its addresses only when every one of them may be connected to. The connection goes to one of these
/// addresses, so a name cannot mean something else a moment later.
struct Guarded {
    allow: Arc<[IpCidr]>,
}

/// A name with an address that is not public.
#[derive(Debug, thiserror::Error)]
#[error("{0} is not a public address")]
struct NotPublic(IpAddr);

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let allow = Arc::clone(&self.allow);
        Box::pin(async move {
            let all: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            match first_blocked(&all, &allow) {
                Some(address) => Err(NotPublic(address).into()),
                None => Ok(Box::new(all.into_iter()) as Addrs),
            }
        })
    }
}

fn failure(host: &str, error: &reqwest::Error) -> FetchError {
    let host = host.to_owned();
    let mut source = error.source();
    while let Some(cause) = source {
        if let Some(NotPublic(address)) = cause.downcast_ref() {
            return FetchError::Blocked { host, address: *address };
        }
        source = cause.source();
    }
    FetchError::Unreachable { host, cause: root(error) }
}

/// An error's last cause: the only one that says something.
fn root(error: &dyn std::error::Error) -> String {
    let mut last = error;
    while let Some(cause) = last.source() {
        last = cause;
    }
    last.to_string()
}
