//! A local https server that answers whatever a test wants, and the authority that vouches for it.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// From the path of a request to the bytes of the whole answer. `None` keeps the caller waiting.
type Answer = Box<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// A server on a port of its own, valid for `localhost` and the loopback addresses.
pub(crate) struct HttpsServer {
    /// Where it listens.
    pub(crate) address: SocketAddr,
    /// The PEM file of the authority that signed its certificate: for `outbound.ca_file`.
    pub(crate) ca_file: PathBuf,
    connections: Arc<AtomicUsize>,
}

impl HttpsServer {
    /// Starts one whose authority's certificate is written into `dir`. It lives until the test's process ends.
    pub(crate) fn start(dir: &Path, answer: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> HttpsServer {
        let (config, ca) = certify(&["localhost", "127.0.0.1", "::1"]);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let ca_file = dir.join(format!("ca-{}.pem", address.port()));
        std::fs::write(&ca_file, ca).unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let (count, answer) = (Arc::clone(&connections), Arc::new(Box::new(answer) as Answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                count.fetch_add(1, Ordering::SeqCst);
                let (config, answer) = (Arc::clone(&config), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, config, &answer));
            }
        });
        HttpsServer { address, ca_file, connections }
    }

    /// Its address under this name.
    pub(crate) fn url(&self, host: &str, path: &str) -> url::Url {
        url::Url::parse(&format!("https://{host}:{}{path}", self.address.port())).unwrap()
    }

    /// How many connections were made to it so far.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// A whole HTTP answer.
pub(crate) fn http_answer(status: &str, headers: &str, body: &str) -> Option<String> {
    Some(format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n{body}", body.len()))
}

fn serve(stream: TcpStream, config: Arc<ServerConfig>, answer: &Answer) {
    let mut tls = StreamOwned::new(ServerConnection::new(config).unwrap(), stream);
    let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        // A client that does not trust the certificate hangs up here.
        let Ok(1..) = tls.read(&mut buffer).inspect(|read| request.extend(&buffer[..*read])) else { return };
    }
    let line = String::from_utf8(request).unwrap();
    match answer(line.split(' ').nth(1).unwrap()) {
        Some(text) => {
            // A client that has seen enough hangs up while this writes.
            let _hung_up = tls.write_all(text.as_bytes());
            tls.conn.send_close_notify();
            let _hung_up = tls.flush();
        }
        // Until the client gives up.
        None => while matches!(tls.read(&mut buffer), Ok(1..)) {},
    }
}

fn certify(names: &[&str]) -> (Arc<ServerConfig>, String) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let ca_key = KeyPair::generate().unwrap();
    let ca = params.self_signed(&ca_key).unwrap();
    let key = KeyPair::generate().unwrap();
    let names = CertificateParams::new(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).unwrap();
    let certificate = names.signed_by(&key, &Issuer::new(params, ca_key)).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der())))
        .unwrap();
    (Arc::new(config), ca.pem())
}
