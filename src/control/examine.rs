//! What a doctor looks at, whether a host runs or not: what the store holds, how its end is, and who answers at the public URL.
//!
//! All of it is quick but the look at every page of the store. Whether the whole audit is as it was written is for
//! [`super::offline::verify`].

use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use cidr::IpCidr;
use serde_json::Value;
use url::Url;

use super::offline::{OfflineError, Remembered, key_in, store_in};
use super::view;
use crate::audit::{self, Signed, Signer};
use crate::config::{Config, PublicUrl};
use crate::http::{FetchError, Outbound};
use crate::passkeys;
use crate::store;

/// The document that names its issuer (RFC 8414), and is cheap to make.
const METADATA: &str = "/.well-known/oauth-authorization-server";

/// What the store holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The public URL each passkey was made under.
    pub passkeys: Vec<String>,
    /// The newest audit record; 0 when there is none.
    pub seq: i64,
    /// When it was made: RFC 3339, UTC.
    pub newest_at: Option<String>,
    /// How the end of the audit is.
    pub end: End,
}

/// The newest audit records, recomputed, against the head that was remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// As they were written.
    Intact,
    /// A record among the newest is not what was written, or the remembered one is not among them any more.
    Changed,
    /// What was remembered was signed with another key.
    OtherKey,
    /// The newest checkpoint was signed with another key, up to this record.
    Exchanged(i64),
    /// It was signed with another key up to this record, and with the present one since.
    Since(i64),
    /// There is no key, and one signed the audit up to this record.
    NoKey(i64),
}

/// Looks into the store in `state_dir`, and at the head remembered in the file `memory`.
///
/// # Errors
/// [`OfflineError`]: it cannot be read.
pub fn kept(state_dir: &Path, memory: &Path) -> Result<Kept, OfflineError> {
    let store = store_in(state_dir)?;
    if let Some(found) = store::damaged(&store)? {
        return Err(OfflineError::Damaged(found));
    }
    let signer = match key_in(state_dir) {
        Ok(signer) => Some(signer),
        Err(OfflineError::NoKey(_)) => None,
        Err(error) => return Err(error),
    };
    let tail = audit::tail(&store)?;
    let end = end(&store, (state_dir, memory), (signer.as_ref(), tail.intact))?;
    let passkeys = passkeys::origins(&store)?.iter().map(|origin| view::address(origin)).collect();
    Ok(Kept { passkeys, seq: tail.seq, newest_at: tail.newest_at.map(|at| at.rfc3339()), end })
}

fn end(
    store: &Path,
    (state_dir, memory): (&Path, &Path),
    (signer, intact): (Option<&Signer>, bool),
) -> Result<End, OfflineError> {
    let signed = audit::signed(store, signer)?;
    let signer = match (signer, signed) {
        (None, Signed::Foreign(seq)) => return Ok(End::NoKey(seq)),
        (Some(_), Signed::Foreign(seq)) => return Ok(End::Exchanged(seq)),
        (None, _) => return Ok(if intact { End::Intact } else { End::Changed }),
        (Some(signer), _) => signer,
    };
    let Ok(seen) = Remembered::of(state_dir, memory)?.head(signer.id())? else { return Ok(End::OtherKey) };
    let stands = intact && signed != Signed::Forged && audit::end(store, seen)?.1;
    Ok(match signed {
        _ if !stands => End::Changed,
        Signed::Since(seq) => End::Since(seq),
        _ => End::Intact,
    })
}

/// Who answers at the public URL, as seen from this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// A Quarterdeck that names this public URL as its own.
    Here,
    /// Something else, or one with another public URL: the issuer it names, if it names one.
    Elsewhere(Option<String>),
    /// The name leads to an address that is not public.
    Private(IpAddr),
    /// The certificate is not one for it: a sentence without its subject.
    Certificate(String),
    /// It answers with an error of its own, as a tunnel without a host behind it does.
    Status(u16),
    /// There is no answer: a sentence.
    Silent(String),
}

/// Asks the public URL who it is. `listen` is an address the host listens on: a public URL of this machine only is asked there.
pub async fn reach(config: &Config, public_url: &PublicUrl, listen: Option<SocketAddr>) -> Reach {
    let mut config = config.clone();
    let url = match listen.filter(|_| public_url.is_loopback()) {
        Some(address) => {
            config.outbound.allow.push(IpCidr::new_host(address.ip()));
            format!("http://{address}{METADATA}")
        }
        None => public_url.join(METADATA),
    };
    match Url::parse(&url) {
        Ok(url) => judged(Outbound::new(&config).get_json(&url, "application/json").await, public_url.origin()),
        Err(error) => Reach::Silent(format!("{url} is not an address: {error}")),
    }
}

/// What an answer says about who gave it.
fn judged(answer: Result<Value, FetchError>, origin: &str) -> Reach {
    match answer {
        Ok(document) => match document.get("issuer").and_then(Value::as_str) {
            Some(issuer) if issuer == origin => Reach::Here,
            issuer => Reach::Elsewhere(issuer.map(view::address)),
        },
        Err(FetchError::NotJson { .. }) => Reach::Elsewhere(None),
        Err(FetchError::Blocked { address, .. }) => Reach::Private(address),
        Err(FetchError::Status { status, .. }) => Reach::Status(status.as_u16()),
        Err(FetchError::Unreachable { cause, .. }) if cause.to_lowercase().contains("certificate") => {
            Reach::Certificate(certificate(&cause))
        }
        Err(FetchError::Unreachable { host, cause }) if cause.contains("lookup address") => {
            Reach::Silent(format!("the name {} is not known in the DNS", view::address(&host)))
        }
        Err(error) => Reach::Silent(view::address(&error.to_string())),
    }
}

/// What is wrong with a certificate, in words for its owner.
fn certificate(cause: &str) -> String {
    let plain: String = cause.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let known = [
        ("unknownissuer", "is signed by an authority this machine does not know"),
        ("expired", "has expired"),
        ("notvalidyet", "is not valid yet: it is from the future, or the clock of this machine is wrong"),
        ("notvalidforname", "is for another name"),
        ("revoked", "was revoked by its authority"),
    ];
    let told = known.into_iter().find(|(word, _)| plain.contains(word));
    told.map_or_else(|| format!("cannot be trusted: {}", view::address(cause)), |(_, words)| words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{HttpsServer, http_answer};

    const ORIGIN: &str = "https://deck.example.com";

    /// What is found at a server that answers with `body`, for a client that trusts it or does not.
    async fn found(status: &'static str, body: &'static str, trusted: bool) -> Reach {
        let dir = tempfile::tempdir().unwrap();
        let server = HttpsServer::start(dir.path(), move |_path| http_answer(status, "", body));
        let mut config = Config::new(dir.path().to_owned());
        config.outbound.allow = vec!["127.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()];
        config.outbound.ca_file = trusted.then(|| server.ca_file.clone());
        judged(Outbound::new(&config).get_json(&server.url("127.0.0.1", METADATA), "application/json").await, ORIGIN)
    }

    #[tokio::test]
    async fn who_answers_is_told_apart_by_the_issuer_it_names() {
        assert_eq!(found("200 OK", r#"{"issuer":"https://deck.example.com"}"#, true).await, Reach::Here);
        let other = Reach::Elsewhere(Some("https://other.example".to_owned()));
        assert_eq!(found("200 OK", r#"{"issuer":"https://other.example"}"#, true).await, other);
        assert_eq!(found("200 OK", "<p>a page</p>", true).await, Reach::Elsewhere(None));
        assert_eq!(found("502 Bad Gateway", "", true).await, Reach::Status(502));
    }

    #[tokio::test]
    async fn a_certificate_nobody_vouches_for_is_a_sentence() {
        let words = "is signed by an authority this machine does not know".to_owned();
        assert_eq!(found("200 OK", "{}", false).await, Reach::Certificate(words));
    }

    #[test]
    fn the_usual_faults_of_certificates_have_words_of_their_own() {
        for (cause, words) in [
            ("invalid peer certificate: certificate expired: verification time 2 (UNIX)", "has expired"),
            ("invalid peer certificate: certificate not valid for name \"deck.example.com\"", "is for another name"),
            ("invalid peer certificate: certificate not valid yet: verification time 1", "is not valid yet"),
            ("invalid peer certificate: BadEncoding", "cannot be trusted: invalid peer certificate: BadEncoding"),
        ] {
            assert!(certificate(cause).starts_with(words), "{cause}: {}", certificate(cause));
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_into_a_private_network_is_told_and_not_asked() {
        let config = Config::new("/nowhere".into());
        let url: Url = "https://10.0.0.1/".parse().unwrap();
        let answer = Outbound::new(&config).get_json(&url, "application/json").await;
        assert_eq!(judged(answer, ORIGIN), Reach::Private("10.0.0.1".parse().unwrap()));
    }
}
