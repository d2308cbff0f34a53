//! HTTP: the doors, and the one client for requests that go out.
//!
//! `serve` accepts connections, `limits` bounds what a stranger can send before anything looks at it, `router` lists every route on one
//! page. What a route answers is written in each capability's own `http.rs`. Every URL that is sent out derives from the public URL, never
//! from a request.

mod limits;
mod listen;
mod router;
mod serve;
#[cfg(test)]
mod tests;

pub(crate) use limits::Bounds;
pub(crate) use listen::{BindError, Listeners};
pub(crate) use router::{Services, assistants};
pub(crate) use serve::{Door, serve};
