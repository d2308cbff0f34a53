//! `private_key_jwt`.

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::{KeyPair as RsaKeyPair, KeySize};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::json;

use super::*;
use crate::testing::START;

/// A client with a key, its document and its key set on a local https server.
struct Client {
    door: Door,
    server: HttpsServer,
    client_id: String,
    key: Key,
}

/// A key pair: what signs, and its public half as the key set has it.
struct Key {
    algorithm: Algorithm,
    private: EncodingKey,
    public: Value,
}

/// The two that are accepted; the other one of a pair is always another algorithm.
const BOTH: [(Algorithm, Algorithm); 2] = [(Algorithm::ES256, Algorithm::RS256), (Algorithm::RS256, Algorithm::ES256)];

const APP: &str = "https://app.example/callback";
const KID: &str = "the-key";

fn new_key(algorithm: Algorithm) -> Key {
    let (private, public) = match algorithm {
        Algorithm::RS256 => rsa(),
        _ => ec(),
    };
    Key { algorithm, private, public }
}

fn rsa() -> (EncodingKey, Value) {
    let pair = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
    let public = pair.public_key();
    let number = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    let (n, e) =
        (number(public.modulus().big_endian_without_leading_zero()), number(public.exponent().big_endian_without_leading_zero()));
    let public = json!({ "kty": "RSA", "use": "sig", "alg": "RS256", "kid": KID, "n": n, "e": e });
    // The DER of PKCS#8 ends with that of PKCS#1, which is what the encoder takes.
    let document = AsDer::<Pkcs8V1Der<'_>>::as_der(&pair).unwrap();
    let inner = document.as_ref().windows(4).skip(1).position(|four| four[..2] == [0x30, 0x82]).unwrap() + 1;
    (EncodingKey::from_rsa_der(&document.as_ref()[inner..]), public)
}

fn ec() -> (EncodingKey, Value) {
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &aws_lc_rs::rand::SystemRandom::new()).unwrap();
    let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref()).unwrap();
    let point = pair.public_key().as_ref();
    let (x, y) = (URL_SAFE_NO_PAD.encode(&point[1..33]), URL_SAFE_NO_PAD.encode(&point[33..65]));
    let public = json!({ "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": KID, "x": x, "y": y });
    (EncodingKey::from_ec_der(document.as_ref()), public)
}

impl Client {
    async fn new(change: impl Fn(&mut Value, &str) + Send + Sync + 'static) -> Client {
        Client::signing(Algorithm::ES256, change).await
    }

    async fn signing(algorithm: Algorithm, change: impl Fn(&mut Value, &str) + Send + Sync + 'static) -> Client {
        let key = new_key(algorithm);
        let public = key.public.clone();
        let dir = tempfile::tempdir().unwrap().keep();
        let own = std::sync::Arc::new(std::sync::OnceLock::<String>::new());
        let of = std::sync::Arc::clone(&own);
        let server = HttpsServer::start(&dir, move |path| {
            let origin = of.get().unwrap();
            if path == "/two.json" {
                return http_answer("200 OK", "", &json!({ "keys": [new_key(algorithm).public, public] }).to_string());
            }
            if path == "/jwks.json" {
                return http_answer("200 OK", "", &json!({ "keys": [{ "kty": "unheard-of" }, public] }).to_string());
            }
            let mut document = json!({
                "client_id": format!("{origin}/client.json"),
                "redirect_uris": [APP],
                "token_endpoint_auth_method": "private_key_jwt",
                "jwks_uri": format!("{origin}/jwks.json"),
            });
            change(&mut document, origin);
            http_answer("200 OK", "", &document.to_string())
        });
        let origin = server.url("localhost", "").to_string().trim_end_matches('/').to_owned();
        own.set(origin.clone()).unwrap();
        let door = Door::with(|config| {
            config.outbound.allow = vec!["127.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()];
            config.outbound.ca_file = Some(server.ca_file.clone());
            config.limits.challenges = 3;
        })
        .await;
        Client { door, server, client_id: format!("{origin}/client.json"), key }
    }

    async fn approve(&self, name: &str) -> Answer {
        let page = self.door.open(&self.client_id, APP).await;
        self.door.approve(&page, name).await
    }

    fn claims(&self, jti: &str) -> Value {
        let now = START / 1000;
        json!({ "iss": self.client_id, "sub": self.client_id, "aud": ORIGIN, "iat": now, "exp": now + 300, "jti": jti })
    }

    fn sign(&self, claims: &Value) -> String {
        let header = Header { kid: Some(KID.to_owned()), ..Header::new(self.key.algorithm) };
        encode(&header, claims, &self.key.private).unwrap()
    }

    async fn exchange(&self, code: &str, assertion: &str) -> Answer {
        let kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
        self.exchange_as(code, kind, assertion).await
    }

    async fn exchange_as(&self, code: &str, kind: &str, assertion: &str) -> Answer {
        let changed = [
            ("client_id", self.client_id.as_str()),
            ("redirect_uri", APP),
            ("client_assertion_type", kind),
            ("client_assertion", assertion),
        ];
        self.door.exchange_with(code, &changed).await
    }
}

/// A39, A40
#[tokio::test]
async fn a_signed_assertion_for_the_issuer_or_the_token_endpoint_gets_a_token() {
    let audiences = [json!(ORIGIN), json!("http://localhost:7420/token"), json!(["https://other.example", ORIGIN])];
    for (algorithm, _other) in BOTH {
        let client = Client::signing(algorithm, |_, _| {}).await;
        for (n, audience) in audiences.iter().enumerate() {
            let code = client.approve(&format!("chat-{n}")).await.onward("code");
            let mut claims = client.claims(&format!("jti-{n}"));
            claims["aud"] = audience.clone();
            let answer = client.exchange(&code, &client.sign(&claims)).await;
            let body = answer.json();
            assert_eq!(answer.status, StatusCode::OK, "{algorithm:?}: {body}");
            assert!(body.get("refresh_token").is_none() && body.get("expires_in").is_none());
        }
    }
}

/// A41
#[tokio::test]
async fn every_broken_assertion_is_invalid_client_and_uses_the_code_up() {
    for (algorithm, other) in BOTH {
        let client = Client::signing(algorithm, |_, _| {}).await;
        for (case, assertion) in broken(&client, other) {
            let code = client.approve("chat").await.onward("code");
            let refused = client.exchange(&code, &assertion).await;
            assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{algorithm:?}, {case}: {}", refused.body);
            refused.is_refused(401, "invalid_client");
            let right = client.exchange(&code, &client.sign(&client.claims(case))).await;
            right.is_refused(400, "invalid_grant");
        }
        let code = client.approve("chat").await.onward("code");
        client.exchange_as(&code, "urn:other", &client.sign(&client.claims("t"))).await.is_refused(401, "invalid_client");
        assert!(client.door.connections().await.is_empty());
    }
}

fn broken(client: &Client, other: Algorithm) -> Vec<(&'static str, String)> {
    let now = START / 1000;
    let change = |name: &str, value: Value| {
        let mut claims = client.claims("a-jti");
        claims[name] = value;
        client.sign(&claims)
    };
    let header = |header: Header, key: &EncodingKey| encode(&header, &client.claims("a-jti"), key).unwrap();
    let kid = |alg| Header { kid: Some(KID.to_owned()), ..Header::new(alg) };
    let unsigned = {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        format!("{}.{}.", part(&json!({ "alg": "none", "kid": KID })), part(&client.claims("a-jti")))
    };
    let own = client.key.algorithm;
    let (stranger, unfitting) = (new_key(own).private, new_key(other).private);
    vec![
        ("none at all", String::new()),
        ("HS256", header(kid(Algorithm::HS256), &EncodingKey::from_secret(b"0123456789abcdef0123456789abcdef").unwrap())),
        ("alg none", unsigned),
        ("another key", header(kid(own), &stranger)),
        ("the other algorithm", header(kid(other), &unfitting)),
        ("unknown kid", header(Header { kid: Some("x".to_owned()), ..Header::new(own) }, &client.key.private)),
        ("iss", change("iss", json!("https://other.example/id"))),
        ("sub", change("sub", json!("https://other.example/id"))),
        ("aud", change("aud", json!("https://other.example"))),
        ("expired with the skew", change("exp", json!(now - 60))),
        ("too far ahead", change("exp", json!(now + 661))),
        ("no exp", change("exp", Value::Null)),
        ("nbf", change("nbf", json!(now + 61))),
        ("iat", change("iat", json!(now + 61))),
        ("no jti", change("jti", json!(""))),
    ]
}

/// Some client libraries cannot name their key.
#[tokio::test]
async fn the_only_key_need_not_be_named_and_one_of_several_must() {
    for algorithm in [Algorithm::ES256, Algorithm::RS256] {
        let nameless = |client: &Client| encode(&Header::new(algorithm), &client.claims("a-jti"), &client.key.private).unwrap();
        let one = Client::signing(algorithm, |_, _| {}).await;
        let code = one.approve("one").await.onward("code");
        assert_eq!(one.exchange(&code, &nameless(&one)).await.status, StatusCode::OK);
        let several =
            Client::signing(algorithm, |document, origin| document["jwks_uri"] = json!(format!("{origin}/two.json"))).await;
        let code = several.approve("several").await.onward("code");
        several.exchange(&code, &nameless(&several)).await.is_refused(401, "invalid_client");
    }
}

#[tokio::test]
async fn a_minute_of_skew_is_forgiven_in_each_direction() {
    let client = Client::new(|_, _| {}).await;
    let now = START / 1000;
    for (name, claim, value) in [("late", "exp", now - 59), ("early", "nbf", now + 60), ("ahead", "exp", now + 660)] {
        let code = client.approve(name).await.onward("code");
        let mut claims = client.claims(name);
        claims[claim] = json!(value);
        assert_eq!(client.exchange(&code, &client.sign(&claims)).await.status, StatusCode::OK, "{name}");
    }
}

/// A42
#[tokio::test]
async fn an_assertion_works_once_and_a_full_table_refuses_until_it_empties() {
    let client = Client::new(|_, _| {}).await;
    let assertion = client.sign(&client.claims("once"));
    let code = client.approve("one").await.onward("code");
    assert_eq!(client.exchange(&code, &assertion).await.status, StatusCode::OK);
    let code = client.approve("two").await.onward("code");
    let replayed = client.exchange(&code, &assertion).await;
    replayed.is_refused(401, "invalid_client");
    assert!(replayed.body.contains("used before"));

    for jti in ["second", "third"] {
        let code = client.approve(jti).await.onward("code");
        assert_eq!(client.exchange(&code, &client.sign(&client.claims(jti))).await.status, StatusCode::OK);
    }
    let code = client.approve("four").await.onward("code");
    let full = client.exchange(&code, &client.sign(&client.claims("fourth"))).await;
    full.is_refused(401, "invalid_client");
    assert!(full.body.contains("Too many assertions"));
    client.door.fixture.pass(Duration::from_secs(721));
    let code = client.approve("five").await.onward("code");
    let mut later = client.claims("fifth");
    later["exp"] = json!(START / 1000 + 900);
    assert_eq!(client.exchange(&code, &client.sign(&later)).await.status, StatusCode::OK);
}

/// A43
#[tokio::test]
async fn a_document_whose_keys_or_methods_cannot_be_used_is_refused_after_the_passkey() {
    type Change = fn(&mut Value, &str);
    let cases: [(Change, &str); 6] = [
        (|document, _| document["jwks_uri"] = json!("https://other.example/jwks.json"), "own host"),
        (|document, origin| document["jwks_uri"] = json!(format!("{}/jwks.json", origin.replace("https", "http"))), "own host"),
        (|document, _| document["jwks_uri"] = Value::Null, "own host"),
        (|document, _| document["jwks_uri"] = json!("https://localhost/jwks.json"), "own host"),
        (|document, _| document["token_endpoint_auth_signing_alg"] = json!("HS256"), "HS256"),
        (|document, _| document["token_endpoint_auth_method"] = json!("client_secret_basic"), "client_secret_basic"),
    ];
    for (change, reason) in cases {
        let client = Client::new(change).await;
        client.approve("chat").await.is_page_again(reason);
        assert_eq!(client.server.connections(), 1);
    }
}

#[tokio::test]
async fn of_several_methods_the_strongest_binds_and_a_named_algorithm_too() {
    let client = Client::new(|document, _| {
        document["token_endpoint_auth_method"] = Value::Null;
        document["token_endpoint_auth_methods_supported"] = json!(["none", "private_key_jwt"]);
        document["token_endpoint_auth_signing_alg"] = json!("RS256");
    })
    .await;
    let code = client.approve("chat").await.onward("code");
    client.exchange(&code, "").await.is_refused(401, "invalid_client");
    let code = client.approve("chat").await.onward("code");
    client.exchange(&code, &client.sign(&client.claims("es"))).await.is_refused(401, "invalid_client");
}

/// A42: a restart forgets nothing that was used, and nothing that was not.
#[tokio::test]
async fn after_a_restart_what_was_used_is_used_and_what_was_not_still_works() {
    let mut client = Client::new(|_, _| {}).await;
    let (used_code, unused_code) = (client.approve("one").await.onward("code"), client.approve("two").await.onward("code"));
    let (used_page, open_page) = (client.door.open(&client.client_id, APP).await, client.door.open(&client.client_id, APP).await);
    assert_eq!(client.door.approve(&used_page, "three").await.status, StatusCode::FOUND);
    let assertion = client.sign(&client.claims("once"));
    assert_eq!(client.exchange(&used_code, &assertion).await.status, StatusCode::OK);
    let token = client.door.connect("four").await;

    client.door.restart().await;
    assert_eq!(client.door.call(&token).await, StatusCode::OK);
    assert_eq!(client.door.approve(&used_page, "three").await.status, StatusCode::BAD_REQUEST);
    client.exchange(&used_code, &client.sign(&client.claims("new"))).await.is_refused(400, "invalid_grant");
    let spare = client.door.approve(&open_page, "five").await.onward("code");
    let replayed = client.exchange(&spare, &assertion).await;
    replayed.is_refused(401, "invalid_client");
    assert!(replayed.body.contains("used before"), "{replayed:?}");
    assert_eq!(client.exchange(&unused_code, &client.sign(&client.claims("fresh"))).await.status, StatusCode::OK);
}
