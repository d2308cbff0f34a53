//! Client documents, by properties: whatever a server answers, it is refused or means what it says.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use url::Url;

use crate::oauth::document::{DocumentError, read};
use crate::oauth::model::AuthMethod;

const CLIENT: &str = "https://client.example:8443/oauth.json";

/// Any JSON, and what documents say.
fn anything() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        CLIENT,
        "https://client.example/oauth.json",
        "https://client.example:8443/keys",
        "https://keys.example/keys",
        "http://client.example:8443/keys",
        "https://client.example:8443@evil.example/keys",
        "none",
        "private_key_jwt",
        "client_secret_basic",
        "RS256",
        "HS256",
        "https://app.example/callback",
    ]);
    let leaf = prop_oneof![
        4 => words.prop_map(Value::from),
        1 => any::<String>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(".{0,6}", inner, 0..3).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A good document with some of its fields changed or left out.
fn document() -> impl Strategy<Value = Value> {
    let good = json!({
        "client_id": CLIENT,
        "client_name": "A client",
        "redirect_uris": ["https://app.example/callback"],
        "token_endpoint_auth_method": "private_key_jwt",
        "token_endpoint_auth_methods_supported": ["none", "private_key_jwt"],
        "token_endpoint_auth_signing_alg": "ES256",
        "jwks_uri": "https://client.example:8443/keys",
    });
    let Value::Object(good) = good else { unreachable!() };
    let changes = prop::collection::btree_map(0..good.len(), prop::option::of(anything()), 0..4);
    let changed = changes.prop_map(move |changes| {
        let fields = good.iter().enumerate().filter_map(|(at, (key, value))| match changes.get(&at) {
            None => Some((key.clone(), value.clone())),
            Some(other) => other.clone().map(|other| (key.clone(), other)),
        });
        Value::Object(fields.collect::<Map<_, _>>())
    });
    prop_oneof![9 => changed, 1 => anything()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn a_document_is_refused_or_means_what_it_says(value in document()) {
        let said = value.clone();
        match read(&Url::parse(CLIENT).unwrap(), CLIENT, value) {
            Err(refused) => prop_assert!(!refused.to_string().is_empty() && !matches!(refused, DocumentError::Fetch(_))),
            Ok(read) => {
                prop_assert_eq!(&said["client_id"], CLIENT);
                prop_assert!(!read.redirect_uris.is_empty());
                prop_assert_eq!(json!(read.redirect_uris), said["redirect_uris"].clone());
                prop_assert!(read.name.is_none_or(|name| said["client_name"].as_str().unwrap().trim() == name));
                let method = said["token_endpoint_auth_method"].as_str();
                match read.auth {
                    AuthMethod::None => prop_assert_ne!(method, Some("private_key_jwt")),
                    AuthMethod::PrivateKeyJwt { jwks_uri, .. } => {
                        prop_assert_ne!(method, Some("none"));
                        let keys = Url::parse(&jwks_uri).unwrap();
                        prop_assert_eq!((keys.scheme(), keys.host_str(), keys.port()), ("https", Some("client.example"), Some(8443)));
                    }
                }
            }
        }
    }
}
