//! What was begun is finished: a client that hangs up does not take back half of what it asked for.

use std::sync::Arc;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::StatusCode;

use super::answer;
use super::places::Place;

/// Runs what a request asks for in a task of its own and waits for it. The server drops the waiting when the client leaves, in the middle
/// of whatever is done then: a passkey's yes would be used up without a record, a call would be made and not written down. The work holds the connection's place too, so who hangs up and
/// comes again begins no more of it than one who waits.
pub(super) async fn detached(request: Request, next: Next) -> Response {
    let place = request.extensions().get::<Arc<Place>>().cloned();
    let work = tokio::spawn(async move {
        let answer = next.run(request).await;
        drop(place);
        answer
    });
    match work.await {
        Ok(answer) => answer,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_the_runtime_ends) => {
                answer::refusal(StatusCode::SERVICE_UNAVAILABLE, "stopping", "the host stops; try again when it is back")
            }
        },
    }
}
