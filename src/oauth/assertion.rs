//! Client assertions: a client proves with its key who it is (RFC 7523 section 3).

use std::time::Duration;

use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use url::Url;

use super::model::SigningAlgorithm;
use super::{Oauth, store};
use crate::clock::UnixMs;
use crate::http::FetchError;
use crate::store::{Error, Tx};

/// The type of assertion the token endpoint takes.
pub(super) const TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const ACCEPT: &str = "application/jwk-set+json, application/json";
/// How far two honest clocks may be apart, in seconds.
const SKEW: f64 = 60.0;
/// How far ahead an assertion may expire, in seconds: as long as it has to be remembered.
const AHEAD: f64 = 600.0;
/// Longest `jti` that is remembered.
const JTI: usize = 256;

/// Why an assertion proves nothing. The sentence is for the client's developer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AssertionError {
    /// There is none.
    #[error("this client has to prove itself with client_assertion and client_assertion_type {TYPE}")]
    Missing,
    /// Not a JSON Web Token in the form that is taken.
    #[error("client_assertion is not a signed JSON Web Token")]
    Malformed,
    /// Signed with an algorithm that is not taken.
    #[error("client_assertion must be signed with RS256 or ES256, as the client's document says")]
    Algorithm,
    /// The keys could not be had.
    #[error("the client's keys could not be fetched: {0}")]
    Keys(#[from] FetchError),
    /// No such key, or no kid and several keys it could be.
    #[error("the kid of client_assertion must name one of the client's keys for this algorithm, unless there is only one")]
    Key,
    /// Not signed by that key.
    #[error("the signature of client_assertion is not the client's")]
    Signature,
    /// Another client's.
    #[error("iss and sub of client_assertion must both be the client_id")]
    Client,
    /// For somebody else.
    #[error("aud of client_assertion must be the issuer or the token endpoint")]
    Audience,
    /// Too late, too early, or good for too long.
    #[error("client_assertion is not valid now: {0}")]
    Time(&'static str),
    /// Nothing that makes it single-use.
    #[error("client_assertion needs a jti of at most {JTI} characters")]
    Jti,
    /// Used before.
    #[error("client_assertion was used before: make a new one for every request")]
    Used,
    /// The table of used ones is full.
    #[error("too many assertions are in use just now; try again in a few minutes")]
    Full,
}

/// An assertion that is good, but for its single use.
#[derive(Debug)]
pub(super) struct Proof {
    client_id: String,
    jti: String,
    until: UnixMs,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audience,
    exp: f64,
    nbf: Option<f64>,
    iat: Option<f64>,
    #[serde(default)]
    jti: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

impl Audience {
    fn names(&self, one: &str) -> bool {
        match self {
            Audience::One(aud) => aud == one,
            Audience::Many(all) => all.iter().any(|aud| aud == one),
        }
    }
}

/// Whom an assertion has to prove.
pub(super) struct Expected<'a> {
    pub(super) client_id: &'a str,
    pub(super) jwks_uri: &'a str,
    pub(super) algorithm: Option<SigningAlgorithm>,
}

impl Oauth {
    /// Checks everything but whether it was used before. Fetches the client's keys, so never inside a transaction.
    pub(super) async fn prove(&self, assertion: &str, expected: &Expected<'_>) -> Result<Proof, AssertionError> {
        let header = decode_header(assertion).map_err(|_| AssertionError::Malformed)?;
        let signed = match header.alg {
            Algorithm::RS256 => SigningAlgorithm::RS256,
            Algorithm::ES256 => SigningAlgorithm::ES256,
            _ => return Err(AssertionError::Algorithm),
        };
        if expected.algorithm.is_some_and(|only| only != signed) {
            return Err(AssertionError::Algorithm);
        }
        // An extension that has to be understood is not.
        if header.crit.is_some() {
            return Err(AssertionError::Malformed);
        }
        let key = self.key(expected.jwks_uri, header.kid.as_deref(), header.alg).await?;
        let claims = decode::<Claims>(assertion, &key, &only_the_signature(header.alg)).map_err(|error| match error.kind() {
            jsonwebtoken::errors::ErrorKind::Json(_) => AssertionError::Malformed,
            _ => AssertionError::Signature,
        })?;
        self.judge(claims.claims, expected.client_id)
    }

    /// Uses the proof up: a second time it is refused.
    pub(super) fn spend(&self, tx: &mut Tx<'_>, proof: &Proof) -> Result<Result<(), AssertionError>, Error> {
        let remembered = store::remembered(tx, self.clock.now())?;
        if remembered >= i64::try_from(self.most_assertions).unwrap_or(i64::MAX) {
            return Ok(Err(AssertionError::Full));
        }
        let fresh = store::use_assertion(tx, &proof.client_id, &proof.jti, proof.until)?;
        Ok(if fresh { Ok(()) } else { Err(AssertionError::Used) })
    }

    /// The key of this name that fits the algorithm; without a name (RFC 7515 section 4.1.4 leaves it out where it can) the only one that does.
    async fn key(&self, jwks_uri: &str, kid: Option<&str>, algorithm: Algorithm) -> Result<DecodingKey, AssertionError> {
        let url = Url::parse(jwks_uri).map_err(|_| AssertionError::Key)?;
        let set = self.outbound.get_json(&url, ACCEPT).await?;
        let keys = set.get("keys").and_then(serde_json::Value::as_array).ok_or(AssertionError::Key)?;
        // One by one: a key of a kind nobody here knows must not spoil the set.
        let named = keys.iter().filter_map(|key| serde_json::from_value::<Jwk>(key.clone()).ok()).filter(|key| {
            let is_it = kid.is_none_or(|kid| key.common.key_id.as_deref() == Some(kid));
            is_it && key.common.public_key_use != Some(PublicKeyUse::Encryption)
        });
        let fitting = named.filter_map(|key| DecodingKey::from_jwk(&key).ok());
        let mut fitting = fitting.into_iter().filter(|key| algorithm.family() == key.family());
        match (fitting.next(), fitting.next()) {
            (Some(_), Some(_)) if kid.is_none() => Err(AssertionError::Key),
            (first, _) => first.ok_or(AssertionError::Key),
        }
    }

    fn judge(&self, claims: Claims, client_id: &str) -> Result<Proof, AssertionError> {
        if claims.iss != client_id || claims.sub != client_id {
            return Err(AssertionError::Client);
        }
        if !claims.aud.names(self.public_url.origin()) && !claims.aud.names(&self.token_endpoint()) {
            return Err(AssertionError::Audience);
        }
        let now = self.clock.now();
        in_time(&claims, now.0 as f64 / 1000.0)?;
        if claims.jti.is_empty() || claims.jti.chars().count() > JTI {
            return Err(AssertionError::Jti);
        }
        // As long as any assertion that is accepted now could be accepted again.
        let until = now.plus(Duration::from_secs_f64(AHEAD + 2.0 * SKEW));
        Ok(Proof { client_id: client_id.to_owned(), jti: claims.jti, until })
    }
}

fn in_time(claims: &Claims, now: f64) -> Result<(), AssertionError> {
    if claims.exp + SKEW <= now {
        return Err(AssertionError::Time("it has expired"));
    }
    if claims.exp > now + AHEAD + SKEW {
        return Err(AssertionError::Time("exp is more than ten minutes ahead"));
    }
    if claims.nbf.is_some_and(|nbf| nbf > now + SKEW) || claims.iat.is_some_and(|iat| iat > now + SKEW) {
        return Err(AssertionError::Time("it is from the future"));
    }
    Ok(())
}

/// The library checks the signature; the claims are checked here, against the host's own clock.
fn only_the_signature(algorithm: Algorithm) -> Validation {
    let mut validation = Validation::new(algorithm);
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation.required_spec_claims.clear();
    validation
}
