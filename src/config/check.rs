//! What only the whole configuration can tell: values that do not go together, and files it names.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use super::load::Places;
use super::{Config, ConfigError, Place};

const LISTEN: &str = "assistants.listen";
const CA_FILE: &str = "outbound.ca_file";

/// Checks `config`, whose keys were set at `places`, and makes a relative `outbound.ca_file` relative to the file that names it.
pub(super) fn whole(config: &mut Config, places: &Places) -> Result<(), ConfigError> {
    if let Some(place) = places.get(LISTEN) {
        listen(config).map_err(|problem| ConfigError::Value { place: place.clone(), key: LISTEN, problem })?;
    }
    if let (Some(path), Some(place)) = (&config.outbound.ca_file, places.get(CA_FILE)) {
        let path = beside(place, path);
        certificates(&path).map_err(|problem| ConfigError::Value { place: place.clone(), key: CA_FILE, problem })?;
        config.outbound.ca_file = Some(path);
    }
    Ok(())
}

/// The default needs no check: both loopbacks, one port.
fn listen(config: &Config) -> Result<(), String> {
    let addresses = &config.assistants.listen;
    if addresses.is_empty() {
        return Err("must name at least one address, found an empty list".to_owned());
    }
    if let Some((_, twice)) =
        addresses.iter().enumerate().find(|(at, address)| addresses.iter().take(*at).any(|one| one == *address))
    {
        return Err(format!("names {twice} twice"));
    }
    let url = config.assistants.public_url.as_ref().and_then(Option::as_ref);
    let https = url.is_some_and(|url| url.url().scheme() == "https");
    match addresses.iter().find(|address| !is_loopback(address)) {
        Some(open) if !https => Err(format!(
            "must be a loopback address unless assistants.public_url is an https address: {open} would show tokens to the network"
        )),
        _ => Ok(()),
    }
}

fn is_loopback(address: &SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}

fn beside(place: &Place, path: &Path) -> PathBuf {
    match place {
        Place::File { file, .. } => file.parent().map_or_else(|| path.to_owned(), |folder| folder.join(path)),
        Place::Variable(_) | Place::Flag(_) => path.to_owned(),
    }
}

fn certificates(path: &Path) -> Result<(), String> {
    let shown = crate::text::Untrusted::new(path.to_string_lossy()).safe_line(200);
    let unreadable = |cause: std::io::Error| format!("must be a file that can be read: {shown}: {cause}");
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(format!("must be a PEM file: {shown} is not a file"));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    let mut count = 0_usize;
    for certificate in CertificateDer::pem_slice_iter(&bytes) {
        certificate.map_err(|_| format!("must be a PEM file: {shown} has a damaged certificate"))?;
        count += 1;
    }
    if count == 0 { Err(format!("must hold at least one PEM certificate: {shown} holds none")) } else { Ok(()) }
}
