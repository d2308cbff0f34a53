//! Return addresses: which may be used at all, which one a document lists, and how the answer is put on them. Pure.

use url::Url;
use url::form_urlencoded::{Serializer, parse};

/// Longest return address.
const LONGEST: usize = 2048;
/// What a browser would run, read or show instead of asking another program (RFC 6749 section 10.15, RFC 8252 section 7.1).
const NEVER: [&str; 12] =
    ["about", "blob", "data", "file", "filesystem", "ftp", "jar", "javascript", "mailto", "vbscript", "view-source", "ws"];
/// The parameters of an answer (RFC 6749 section 4.1.2, RFC 9207).
const ANSWER: [&str; 5] = ["code", "state", "iss", "error", "error_description"];
/// The names of this machine, each for itself: one does not stand for another (RFC 8252 section 7.3).
const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Why an address cannot be returned to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RedirectError {
    /// Not a URL in plain ASCII.
    #[error("it is not a complete URL")]
    NotAUrl,
    /// Something that runs or reads instead of answering.
    #[error("a browser must never be sent to an address of this kind")]
    Scheme,
    /// Unencrypted to another machine.
    #[error("only an address on this machine may do without https")]
    Plain,
    /// Misleading or unusable parts.
    #[error("it must not contain a fragment, a user name or a password")]
    Parts,
    /// It would answer before anyone asked.
    #[error("it must not contain a parameter of the answer, such as code or state")]
    Answered,
}

/// Checks that a browser could be sent to `uri`.
pub(crate) fn usable(uri: &str) -> Result<Url, RedirectError> {
    if uri.len() > LONGEST || !uri.bytes().all(in_a_uri) {
        return Err(RedirectError::NotAUrl);
    }
    let url = Url::parse(uri).map_err(|_| RedirectError::NotAUrl)?;
    if NEVER.contains(&url.scheme()) || url.scheme() == "wss" {
        return Err(RedirectError::Scheme);
    }
    if url.fragment().is_some() || !url.username().is_empty() || url.password().is_some() {
        return Err(RedirectError::Parts);
    }
    if url.scheme() == "http" && !is_loopback(uri) {
        return Err(RedirectError::Plain);
    }
    let query = url.query().unwrap_or_default();
    if parse(query.as_bytes()).any(|(name, _)| ANSWER.contains(&name.as_ref())) {
        return Err(RedirectError::Answered);
    }
    Ok(url)
}

/// Whether a document that lists `listed` allows `requested`: the same bytes, or the same loopback address on another port.
pub(crate) fn matches(requested: &str, listed: &str) -> bool {
    requested == listed || loopback(requested).is_some_and(|asked| loopback(listed) == Some(asked))
}

/// Whether `uri` is plain http on one of this machine's own names.
pub(crate) fn is_loopback(uri: &str) -> bool {
    loopback(uri).is_some()
}

/// `redirect_uri` with the answer behind it. What was there stays as it was, byte for byte.
pub(crate) fn answer(redirect_uri: &str, parameters: &[(&str, &str)]) -> String {
    let added = Serializer::new(String::new()).extend_pairs(parameters).finish();
    let joint = match redirect_uri.split_once('?') {
        None => "?",
        Some((_, query)) if query.is_empty() || query.ends_with('&') => "",
        Some(_) => "&",
    };
    format!("{redirect_uri}{joint}{added}")
}

/// The host as written and everything after the port.
fn loopback(uri: &str) -> Option<(&'static str, &str)> {
    if !uri.bytes().all(in_a_uri) {
        return None;
    }
    let rest = uri.strip_prefix("http://")?;
    let (host, rest) = LOOPBACK.into_iter().find_map(|host| Some((host, rest.strip_prefix(host)?)))?;
    let rest = match rest.strip_prefix(':') {
        None => rest,
        Some(port) => {
            let digits = port.bytes().take_while(u8::is_ascii_digit).count();
            let (port, rest) = port.split_at_checked(digits)?;
            port.parse::<u16>().ok()?;
            rest
        }
    };
    match rest {
        "" => Some((host, "/")),
        _ if rest.starts_with(['/', '?', '#']) => Some((host, rest)),
        _ => None,
    }
}

/// The characters of RFC 3986. Anything else is read differently by different programs.
pub(crate) fn in_a_uri(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}')
}
