//! `/mcp`: the endpoint, and which status every refusal has.

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, Method, StatusCode, Uri};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};

use super::answer::{Answer, Content};
use super::envelope::{Envelope, VERSIONS};
use super::refused::Refused;
use super::trail::{Scene, Trail};
use super::{Mcp, challenge, gate};
use crate::access::{Caller, Standing};
use crate::audit::{Draft, Kind};
use crate::http::answer;

/// One request of an assistant: let in, read, answered by the protocol library, recorded, and only then sent.
pub(crate) async fn endpoint(State(mcp): State<Mcp>, request: Request) -> Response {
    let caller = match admit(&mcp, request.uri(), request.headers()) {
        Ok(caller) => caller,
        Err(refusal) => return refusal,
    };
    let trail = Trail::begin(&mcp, &caller);
    let about = about(&request);
    let served = match serve(&mcp, (caller, trail.clone()), request).await {
        _ if trail.unavailable() => Err(Refused::Unavailable),
        served => served,
    };
    let draft = match &served {
        Ok((_, draft)) => draft.clone(),
        Err(refused) => Draft::refused(Kind::McpRequest, refused.reason()).object(&about),
    };
    match trail.close(draft).await {
        Ok(Standing::Good) => {}
        // Called again, it is held to what the connection may do now.
        Ok(Standing::Narrowed) => return refuse(&mcp, &Refused::Unavailable),
        Ok(Standing::Ended) => {
            mcp.audit.count_refused(Refused::UnknownToken.reason());
            return refuse(&mcp, &Refused::UnknownToken);
        }
        Err(error) => {
            tracing::warn!(%error, "a request could not be recorded, so it is not answered");
            return refuse(&mcp, &Refused::Unavailable);
        }
    }
    match served {
        Ok((answer, _)) => respond(answer, None),
        Err(refused) => refuse(&mcp, &refused),
    }
}

/// Lets a request in by its head alone, or answers it.
#[allow(clippy::result_large_err, reason = "it is the answer")]
pub(crate) fn admit(mcp: &Mcp, uri: &Uri, headers: &HeaderMap) -> Result<Caller, Response> {
    gate::admit(&mcp.access, &mcp.public_url, uri, headers).map_err(|refused| {
        mcp.audit.count_refused(refused.reason());
        refuse(mcp, &refused)
    })
}

/// What the audit calls a request that could not be read.
fn about(request: &Request) -> String {
    format!("{} /mcp", request.method())
}

async fn serve(mcp: &Mcp, (caller, trail): (Caller, Trail), request: Request) -> Result<(Answer, Draft), Refused> {
    if request.method() != Method::POST {
        return Err(Refused::Method);
    }
    if !is_json(request.headers()) {
        return Err(Refused::ContentType);
    }
    let (parts, body) = request.into_parts();
    // Read whole and within its bounds by the door already: see `http::limits`.
    let body = body.collect().await.map_err(|_broken_off| Refused::NotJson)?.to_bytes();
    let envelope = Envelope::read(&parts.headers, &body)?;
    trail.protocol(envelope.version);
    let scene = Scene { era: envelope.era, caller, trail };
    mcp.adapter.answer(&parts.headers, envelope, scene).await
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

/// The answer to a refusal. JSON-RPC errors are for clients that got as far as the protocol; the rest is plain HTTP.
fn refuse(mcp: &Mcp, refused: &Refused) -> Response {
    let said = refused.to_string();
    let plain = |status, error: &str| Answer::of(status, json!({ "error": error, "message": said }));
    let oauth = |status, error: &str| Answer::of(status, json!({ "error": error, "error_description": said }));
    let rpc = |status, code: i32, id: &Option<Value>| {
        Answer::of(status, json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": said } }))
    };
    let again = || Some((RETRY_AFTER, answer::RETRY.to_owned()));
    let asks = |error| Some((WWW_AUTHENTICATE, challenge::unauthorized(&mcp.public_url, error)));
    match refused {
        Refused::Origin | Refused::Host => respond(plain(StatusCode::FORBIDDEN, "forbidden"), None),
        Refused::NoToken => respond(oauth(StatusCode::UNAUTHORIZED, "invalid_token"), asks(None)),
        Refused::UnknownToken => respond(oauth(StatusCode::UNAUTHORIZED, "invalid_token"), asks(Some("invalid_token"))),
        Refused::Unavailable => respond(oauth(StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable"), again()),
        Refused::Method => {
            let only = Some((ALLOW, "POST".to_owned()));
            respond(plain(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"), only)
        }
        Refused::ContentType => respond(plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type"), None),
        Refused::NotJson => respond(rpc(StatusCode::BAD_REQUEST, -32700, &None), None),
        Refused::Batch => respond(rpc(StatusCode::BAD_REQUEST, -32600, &None), None),
        Refused::Invalid { id, .. } => respond(rpc(StatusCode::BAD_REQUEST, -32600, id), None),
        Refused::Params { id, .. } => respond(rpc(StatusCode::BAD_REQUEST, -32602, id), None),
        Refused::LegacyVersion => respond(rpc(StatusCode::BAD_REQUEST, -32000, &None), None),
        Refused::ModernVersion { id, requested } => {
            let data = json!({ "supported": VERSIONS, "requested": requested });
            let error = json!({ "code": -32022, "message": said, "data": data });
            respond(Answer::of(StatusCode::BAD_REQUEST, json!({ "jsonrpc": "2.0", "id": id, "error": error })), None)
        }
        Refused::NoSuchMethod { id, .. } => respond(rpc(StatusCode::NOT_FOUND, -32601, id), None),
    }
}

fn respond(answer: Answer, extra: Option<(HeaderName, String)>) -> Response {
    let mut response = Response::builder().status(answer.status).header(CACHE_CONTROL, "no-store");
    if let Some((name, value)) = extra {
        response = response.header(name, value);
    }
    let json = |body| (Some("application/json"), Body::from(body));
    let (kind, body) = match answer.body {
        Content::Nothing => (None, Body::empty()),
        Content::Json(body) => json(Bytes::from(body.to_string())),
        Content::Written(body) => json(body),
    };
    if let Some(kind) = kind {
        response = response.header(CONTENT_TYPE, kind);
    }
    let built = response.body(body);
    // Every part above is well formed; were one not, an empty 500 is all that could be said.
    built.unwrap_or_else(|_| {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        response
    })
}
