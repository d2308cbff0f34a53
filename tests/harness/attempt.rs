//! One authorization of a client, as a value: what it asks for, and how it exchanges what it gets. Nothing is sent here.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use url::Url;

/// Where the answer goes; nobody listens there.
pub const REDIRECT: &str = "http://127.0.0.1:51730/callback";

/// What a client keeps between the page and the exchange.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub origin: String,
    pub client_id: String,
    pub redirect: String,
    pub verifier: String,
}

/// 32 random bytes as text.
pub fn random() -> String {
    let mut bytes = [0_u8; 32];
    aws_lc_rs::rand::fill(&mut bytes).unwrap();
    URL_SAFE_NO_PAD.encode(bytes)
}

impl Attempt {
    /// Of the built-in client.
    pub fn new(origin: &str) -> Attempt {
        Attempt::of(origin, &format!("{origin}/clients/quarterdeck"), REDIRECT)
    }

    /// Of the client with this id.
    pub fn of(origin: &str, client_id: &str, redirect: &str) -> Attempt {
        let text = str::to_owned;
        Attempt { origin: text(origin), client_id: text(client_id), redirect: text(redirect), verifier: random() }
    }

    fn resource(&self) -> String {
        format!("{}/mcp", self.origin)
    }

    /// Where the client sends its user.
    pub fn page(&self) -> String {
        let mut url: Url = format!("{}/authorize", self.origin).parse().unwrap();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.client_id)
            .append_pair("redirect_uri", &self.redirect)
            .append_pair("state", &self.verifier[..8])
            .append_pair("resource", &self.resource())
            .append_pair("code_challenge_method", "S256")
            .append_pair("code_challenge", &URL_SAFE_NO_PAD.encode(Sha256::digest(&self.verifier)));
        url.into()
    }

    /// What the client sends to the token endpoint.
    pub fn exchange(&self, code: &str) -> Vec<(String, String)> {
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("client_id", &self.client_id),
            ("redirect_uri", &self.redirect),
            ("resource", &self.resource()),
            ("code_verifier", &self.verifier),
        ];
        fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
    }
}
