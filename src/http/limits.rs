//! What every request passes before anyone looks at what it asks: a bound on its size and on how long it may take to arrive.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use bytes::BytesMut;
use http::request::Parts;
use http::{HeaderValue, StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use super::answer;

/// Largest body of whoever did not show a token, in bytes: many times what a form or the first request of a client needs. What strangers
/// can make this program hold is this and the head, times the connections.
pub(super) const STRANGERS: usize = 64 * 1024;

/// Asked by the head alone about a request with a larger body than a stranger's: the refusal, or `None` when it may go on.
pub(super) type Gate = Arc<dyn Fn(&Parts) -> Option<Response> + Send + Sync>;

/// The bounds of a door.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Largest body, in bytes.
    pub(crate) request_bytes: usize,
    /// How long the body may take to arrive, all in all: a sender cannot stretch it by dripping.
    pub(crate) request_timeout: Duration,
}

/// The request with its whole body, read within the bounds; or the refusal: 413 when it is too large, 408 when it is too slow, and the
/// gate's. The declared size is looked at before authentication.
pub(super) async fn whole(request: Request, bounds: Bounds, gate: &Gate) -> Result<Request, Response> {
    let (parts, body) = request.into_parts();
    let declared = parts.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|bytes| bytes > u64::try_from(bounds.request_bytes).unwrap_or(u64::MAX)) {
        return Err(too_large(bounds.request_bytes));
    }
    let limited = Limited::new(body, bounds.request_bytes);
    match tokio::time::timeout(bounds.request_timeout, read(limited, bounds, || gate(&parts))).await {
        Ok(read) => read.map(|body| Request::from_parts(parts, body)),
        Err(_elapsed) => {
            let message = "the request took too long to arrive; send it again";
            Err(refuse(StatusCode::REQUEST_TIMEOUT, "timeout", message))
        }
    }
}

async fn read(mut body: Limited<Body>, bounds: Bounds, gate: impl Fn() -> Option<Response>) -> Result<Body, Response> {
    let mut read = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| match error.is::<LengthLimitError>() {
            true => too_large(bounds.request_bytes),
            false => refuse(StatusCode::BAD_REQUEST, "bad_request", "the request broke off before its body was complete"),
        })?;
        let Ok(data) = frame.into_data() else { continue };
        // Once, when it becomes more than a stranger's.
        let larger = read.len() <= STRANGERS && read.len() + data.len() > STRANGERS;
        if let Some(refusal) = larger.then(&gate).flatten() {
            return Err(closing(refusal));
        }
        read.extend_from_slice(&data);
    }
    Ok(Body::from(read.freeze()))
}

pub(super) fn too_large(most: usize) -> Response {
    let message = format!("the request is larger than the {most} bytes accepted here");
    refuse(StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large", &message)
}

fn refuse(status: StatusCode, error: &str, message: &str) -> Response {
    closing(answer::refusal(status, error, message))
}

/// A refusal that ends the connection: what was not read must not be taken for the next request.
fn closing(mut response: Response) -> Response {
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
