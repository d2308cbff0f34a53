//! What every request passes before anyone looks at what it asks: a bound on its size and on how long it may take to arrive.

use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use super::answer;

/// The bounds of a door.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Largest body, in bytes.
    pub(crate) request_bytes: usize,
    /// How long the body may take to arrive, all in all: a sender cannot stretch it by dripping.
    pub(crate) request_timeout: Duration,
}

/// The request with its whole body, read within the bounds; or the refusal: 413 when it is too large, 408 when it is too slow. Before
/// authentication.
pub(super) async fn whole(request: Request, bounds: Bounds) -> Result<Request, Response> {
    let (parts, body) = request.into_parts();
    let declared = parts.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|bytes| bytes > u64::try_from(bounds.request_bytes).unwrap_or(u64::MAX)) {
        return Err(too_large(bounds.request_bytes));
    }
    let reading = Limited::new(body, bounds.request_bytes).collect();
    match tokio::time::timeout(bounds.request_timeout, reading).await {
        Ok(Ok(body)) => Ok(Request::from_parts(parts, Body::from(body.to_bytes()))),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(bounds.request_bytes)),
        Ok(Err(_broken_off)) => {
            let message = "the request broke off before its body was complete";
            Err(refuse(StatusCode::BAD_REQUEST, "bad_request", message))
        }
        Err(_elapsed) => {
            let message = "the request took too long to arrive; send it again";
            Err(refuse(StatusCode::REQUEST_TIMEOUT, "timeout", message))
        }
    }
}

fn too_large(most: usize) -> Response {
    let message = format!("the request is larger than the {most} bytes accepted here");
    refuse(StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large", &message)
}

/// A refusal that ends the connection: what was not read must not be taken for the next request.
fn refuse(status: StatusCode, error: &str, message: &str) -> Response {
    let mut response = answer::refusal(status, error, message);
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
