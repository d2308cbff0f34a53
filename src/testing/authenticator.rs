//! A software authenticator with the browser around it. Everything a real one would refuse to do can be asked of it.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::Fixture;
use crate::access::Principal;
use crate::digest::Digest;
use crate::id::Rng;
use crate::passkeys::{Passkeys, Submitted};

const USER_PRESENT: u8 = 0x01;
const USER_VERIFIED: u8 = 0x04;
const ATTESTED: u8 = 0x40;

/// One ES256 passkey on one device, used in a browser at `origin`.
pub(crate) struct Authenticator {
    key: EcdsaKeyPair,
    /// The credential id.
    pub(crate) credential: Vec<u8>,
    /// What the browser says it is at.
    pub(crate) origin: String,
    /// Whether it checks who is there before it signs.
    pub(crate) verifies: bool,
    /// What it says its counter is. Stays as it is set: 0 is an authenticator without one.
    pub(crate) counter: u32,
}

impl Authenticator {
    /// A passkey that has not been registered anywhere. `rng` gives it its credential id.
    pub(crate) fn new(origin: &str, rng: &Rng) -> Authenticator {
        Authenticator {
            key: EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap(),
            credential: rng.bytes::<32>().to_vec(),
            origin: origin.to_owned(),
            verifies: true,
            counter: 0,
        }
    }

    /// What `navigator.credentials.create` makes of `publicKey` options.
    pub(crate) fn register(&self, options: &Value) -> Value {
        let mut data = self.data(options["rp"]["id"].as_str().unwrap(), ATTESTED);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.credential.len()).unwrap().to_be_bytes());
        data.extend(&self.credential);
        data.extend(self.cose_key());
        let mut attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        attestation.push(u8::try_from(data.len()).unwrap());
        attestation.extend(&data);
        json!({
            "id": encode(&self.credential),
            "rawId": encode(&self.credential),
            "type": "public-key",
            "clientExtensionResults": { "credProps": { "rk": true } },
            "response": {
                "attestationObject": encode(&attestation),
                "clientDataJSON": encode(&self.client_data("webauthn.create", options)),
                "transports": ["internal"],
            },
        })
    }

    /// What `navigator.credentials.get` makes of `publicKey` options, even when they do not allow this passkey.
    pub(crate) fn assert(&self, options: &Value) -> Value {
        let data = self.data(options["rpId"].as_str().unwrap(), 0);
        let client = self.client_data("webauthn.get", options);
        let signed = [data.as_slice(), &Digest::of(&client).0].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        json!({
            "id": encode(&self.credential),
            "rawId": encode(&self.credential),
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "authenticatorData": encode(&data),
                "clientDataJSON": encode(&client),
                "signature": encode(signature.as_ref()),
            },
        })
    }

    /// The same device and passkey, seen by a browser elsewhere.
    pub(crate) fn at(mut self, origin: &str) -> Authenticator {
        self.origin = origin.to_owned();
        self
    }

    fn data(&self, rp_id: &str, flags: u8) -> Vec<u8> {
        let verified = if self.verifies { USER_VERIFIED } else { 0 };
        let mut data = Digest::of(rp_id.as_bytes()).0.to_vec();
        data.push(USER_PRESENT | verified | flags);
        data.extend(self.counter.to_be_bytes());
        data
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        json!({ "type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": false }).to_string().into()
    }

    /// The public key as COSE (RFC 9053, EC2 on P-256), in CBOR.
    fn cose_key(&self) -> Vec<u8> {
        let point = self.key.public_key().as_ref();
        let (x, y) = (&point[1..33], &point[33..65]);
        [b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20".as_slice(), x, b"\x22\x58\x20", y].concat()
    }
}

/// Enrolls a fresh passkey through the service. Only the first one: a further one needs an assertion.
pub(crate) async fn enroll(fixture: &Fixture, passkeys: &Passkeys) -> Authenticator {
    let public_url = fixture.base.public_url.as_ref().unwrap();
    let authenticator = Authenticator::new(public_url.origin(), &fixture.base.rng);
    let link = passkeys.issue_link(&Principal::System).await.ok().unwrap();
    let secret = link.url.split_once('#').unwrap().1.to_owned();
    let offer = passkeys.enroll_options(&secret).await.ok().unwrap();
    let submitted = Submitted {
        secret,
        challenge: offer.options["challenge"].as_str().unwrap().to_owned(),
        label: Some("Test device".to_owned()),
        response: authenticator.register(&offer.options),
        assertion: None,
    };
    passkeys.enroll(submitted).await.unwrap();
    authenticator
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
