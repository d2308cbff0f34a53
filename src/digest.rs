//! SHA-256 digests: of tokens (what the store keeps instead of them), of canonical JSON (what a decision names).

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// 32 bytes of SHA-256. Compared in constant time; shown in lowercase hexadecimal.
#[derive(Clone, Copy)]
pub(crate) struct Digest(pub(crate) [u8; 32]);

impl Digest {
    /// The digest of `bytes`.
    pub(crate) fn of(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// The digest of the parts one after the other.
    pub(crate) fn of_parts(parts: &[&[u8]]) -> Digest {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part);
        }
        Digest(hash.finalize().into())
    }

    /// The digest of `value` as canonical JSON (RFC 8785): the same value always has the same digest.
    ///
    /// # Errors
    /// When the value cannot be written as JSON, for example a map with keys that are not strings.
    pub(crate) fn of_json(value: &impl Canonical) -> Result<Digest, serde_json::Error> {
        Ok(Digest::of(canonical_json(value)?.as_bytes()))
    }

    /// All 64 hexadecimal characters.
    pub(crate) fn hex(&self) -> String {
        crate::id::hex(&self.0)
    }

    /// From what [`Digest::hex`] wrote.
    pub(crate) fn parse_hex(text: &str) -> Option<Digest> {
        let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?;
        bytes.try_into().ok().map(Digest)
    }

    /// The first 16 hexadecimal characters: enough to tell things apart, too short to prove anything.
    pub(crate) fn short(&self) -> String {
        self.hex().chars().take(16).collect()
    }
}

/// The one way of writing `value` as JSON (RFC 8785).
pub(crate) fn canonical_json(value: &impl Canonical) -> Result<String, serde_json::Error> {
    if value.is_in_order() { serde_json::to_string(value) } else { serde_json_canonicalizer::to_string(value) }
}

/// What can be written in the one way.
pub(crate) trait Canonical: Serialize {
    /// Whether it is written so by itself, which is nearly always: all keys are ASCII and in order, and all numbers whole and small enough
    /// for every reader. Then nothing has to be sorted.
    fn is_in_order(&self) -> bool;
}

impl Canonical for Value {
    fn is_in_order(&self) -> bool {
        // 2^53: beyond it whole numbers are not what they are for readers that know floating-point numbers only.
        const EXACT: u64 = 1 << 53;
        match self {
            Value::Null | Value::Bool(_) | Value::String(_) => true,
            Value::Number(number) => number.as_i64().is_some_and(|number| number.unsigned_abs() < EXACT),
            Value::Array(list) => list.iter().all(Canonical::is_in_order),
            Value::Object(map) => map.is_in_order(),
        }
    }
}

impl Canonical for Map<String, Value> {
    fn is_in_order(&self) -> bool {
        self.keys().is_sorted() && self.iter().all(|(key, value)| key.is_ascii() && value.is_in_order())
    }
}

impl PartialEq for Digest {
    fn eq(&self, other: &Digest) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for Digest {}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::{Canonical as _, Digest, canonical_json};

    /// RFC 8785 section 3.2.2 (its sample input and output).
    #[test]
    fn the_sample_of_the_standard_is_written_as_the_standard_says() {
        let input = r#"{
            "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
            "literals": [null, true, false]
        }"#;
        let value: Value = serde_json::from_str(input).unwrap();
        let expected = r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#;
        assert_eq!(canonical_json(&value).unwrap(), expected);
    }

    /// RFC 8785 section 3.2.3: by UTF-16 code units, so the emoji comes before U+FB33.
    #[test]
    fn keys_are_sorted_as_the_standard_says() {
        let value = json!({ "\u{20ac}": 5, "\r": 1, "\u{fb33}": 7, "1": 2, "\u{1f600}": 6, "\u{80}": 3, "\u{f6}": 4 });
        let expected = "{\"\\r\":1,\"1\":2,\"\u{80}\":3,\"\u{f6}\":4,\"\u{20ac}\":5,\"\u{1f600}\":6,\"\u{fb33}\":7}";
        assert_eq!(canonical_json(&value).unwrap(), expected);
    }

    #[test]
    fn a_digest_is_sha_256_in_lowercase_hexadecimal() {
        let abc = Digest::of(b"abc");
        assert_eq!(abc.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!((abc.short().as_str(), format!("{abc:?}").as_str()), ("ba7816bf8f01cfea", "ba7816bf8f01cfea"));
        assert_eq!(Digest::of_parts(&[b"a", b"", b"bc"]), abc);
        assert_ne!(Digest::of(b"abd"), abc);
    }

    #[test]
    fn numbers_that_not_every_reader_has_are_left_to_the_standard() {
        for (value, plain) in [
            (json!(9_007_199_254_740_991_i64), true),
            (json!(-5), true),
            (json!(9_007_199_254_740_992_i64), false),
            (json!(1.0), false),
            (json!(u64::MAX), false),
            (json!({ "é": 1 }), false),
            (json!([{ "a": null, "b": [1] }]), true),
        ] {
            assert_eq!(value.is_in_order(), plain, "{value}");
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::hash_map(".{0,6}", inner, 0..6).prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_order_of_keys_never_matters(pairs in prop::collection::hash_map(".{0,8}", any_json(), 0..8)) {
            let there: Map<String, Value> = pairs.clone().into_iter().collect();
            let mut turned: Vec<_> = pairs.into_iter().collect();
            turned.reverse();
            let back: Map<String, Value> = turned.into_iter().collect();
            prop_assert_eq!(Digest::of_json(&there).unwrap(), Digest::of_json(&back).unwrap());
        }

        #[test]
        fn canonical_json_is_the_same_value_and_stays_as_it_is(value in any_json()) {
            let canonical = canonical_json(&value).unwrap();
            let read: Value = serde_json::from_str(&canonical).unwrap();
            prop_assert_eq!(&canonical_json(&read).unwrap(), &canonical);
            prop_assert_eq!(serde_json_canonicalizer::to_string(&value).unwrap(), canonical, "both ways write the same");
        }

        #[test]
        fn what_is_in_order_is_written_as_the_standard_says(pairs in prop::collection::btree_map("[ -~]{0,6}", (".{0,12}", any::<i32>()), 0..8)) {
            let value: Value = serde_json::to_value(pairs).unwrap();
            prop_assert!(value.is_in_order());
            prop_assert_eq!(canonical_json(&value).unwrap(), serde_json_canonicalizer::to_string(&value).unwrap());
        }
    }
}
