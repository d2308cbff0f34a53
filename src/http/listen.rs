//! Binding: all addresses first, so that a taken port is one sentence and nothing has started.

use std::io::ErrorKind;
use std::net::SocketAddr;

use tokio::net::TcpListener;

/// Why an address cannot be listened on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BindError {
    /// Somebody else has it.
    #[error("{0} is in use by another program: stop it, or set assistants.listen (or --listen) to another port")]
    InUse(SocketAddr),
    /// A port below 1024 as an ordinary user, usually.
    #[error("{0} may not be listened on by this user: choose a port above 1023 with assistants.listen (or --listen)")]
    Denied(SocketAddr),
    /// Anything else.
    #[error("{address} cannot be listened on: {cause}")]
    Other {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        cause: std::io::Error,
    },
    /// Nothing is left to listen on.
    #[error("assistants.listen names no address this machine has")]
    None,
}

/// Bound sockets and the addresses they have.
pub(crate) struct Listeners {
    pub(crate) sockets: Vec<TcpListener>,
    pub(crate) addresses: Vec<SocketAddr>,
}

impl Listeners {
    /// Binds every address. A machine without IPv6 does without the IPv6 loopback; a port of 0 takes the port the first address got.
    pub(crate) async fn bind(wanted: &[SocketAddr]) -> Result<Listeners, BindError> {
        let mut bound = Listeners { sockets: Vec::new(), addresses: Vec::new() };
        for &address in wanted {
            let address = match bound.addresses.first() {
                Some(first) if address.port() == 0 => SocketAddr::new(address.ip(), first.port()),
                _ => address,
            };
            match TcpListener::bind(address).await {
                Ok(socket) => bound.take(socket, address)?,
                Err(cause) if absent(address, &cause) => {
                    tracing::warn!(%address, "this machine has no IPv6 loopback; listening without it");
                }
                Err(cause) => return Err(refusal(address, cause)),
            }
        }
        if bound.sockets.is_empty() { Err(BindError::None) } else { Ok(bound) }
    }

    /// The port a default public URL names.
    pub(crate) fn port(&self) -> u16 {
        self.addresses.first().map_or(0, SocketAddr::port)
    }

    fn take(&mut self, socket: TcpListener, wanted: SocketAddr) -> Result<(), BindError> {
        let address = socket.local_addr().map_err(|cause| refusal(wanted, cause))?;
        self.sockets.push(socket);
        self.addresses.push(address);
        Ok(())
    }
}

fn absent(address: SocketAddr, cause: &std::io::Error) -> bool {
    let no_family = cause.raw_os_error() == Some(rustix::io::Errno::AFNOSUPPORT.raw_os_error());
    address.is_ipv6() && address.ip().is_loopback() && (no_family || cause.kind() == ErrorKind::AddrNotAvailable)
}

fn refusal(address: SocketAddr, cause: std::io::Error) -> BindError {
    match cause.kind() {
        ErrorKind::AddrInUse => BindError::InUse(address),
        ErrorKind::PermissionDenied => BindError::Denied(address),
        _ => BindError::Other { address, cause },
    }
}
