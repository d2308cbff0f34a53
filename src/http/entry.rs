//! What every request passes on its way in and out, in this order. One step and not a layer each: a layer copies the routes and allocates
//! its wait for every request.

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::Response;
use tower_http::catch_panic::CatchPanicLayer;

use super::detached::detached;
use super::limits::{Bounds, Gate, whole};
use super::line::{Line, Lines};

/// What the passing needs.
#[derive(Clone)]
struct Entry {
    bounds: Bounds,
    gate: Gate,
    lines: Lines,
}

/// `routes` with everything a request passes before and after them.
pub(super) fn entered(routes: Router, bounds: Bounds, gate: Gate) -> Router {
    let entry = Entry { bounds, gate, lines: Lines::default() };
    // A panic is caught where the work is, which may go on without anyone waiting for it.
    routes.layer(CatchPanicLayer::new()).layer(middleware::from_fn_with_state(entry, enter))
}

async fn enter(State(entry): State<Entry>, request: Request, next: Next) -> Response {
    let line = Line::of(&request);
    let response = match whole(request, entry.bounds, &entry.gate).await {
        Ok(request) => detached(request, next).await,
        Err(refusal) => refusal,
    };
    line.write(&entry.lines, &response);
    response
}
