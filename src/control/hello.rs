//! The first frame of each side, and what is said when the two sides are of different versions.

use super::model::{Hello, PROTOCOL, TerminalName};

impl Hello {
    /// This program's, from a terminal or (`None`) a command or the host.
    pub(super) fn here(terminal: Option<TerminalName>) -> Hello {
        Hello { protocol: PROTOCOL, version: env!("CARGO_PKG_VERSION").to_owned(), terminal }
    }
}

/// Why a host and a client cannot talk, and which of the two must be started again: the older one. `None` when they can.
pub(super) fn skew(host: &Hello, client: &Hello) -> Option<String> {
    let (host_version, client_version) = (shown(&host.version), shown(&client.version));
    match host.protocol.cmp(&client.protocol) {
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Less => Some(format!(
            "the running host is version {host_version}, older than this program ({client_version}): stop the host and start it again"
        )),
        std::cmp::Ordering::Greater => Some(format!(
            "the running host is version {host_version}, newer than this program ({client_version}): start this program again in the host's version"
        )),
    }
}

fn shown(version: &str) -> String {
    crate::text::shorten(&crate::text::safe(version), 32)
}
