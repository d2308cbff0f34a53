//! HTTP: the doors, what they answer with, and the one way out.
//!
//! `serve` accepts connections, `entry` is what every request passes (`limits` bounds what a stranger can send before anything looks at
//! it), `router` lists every route on one page. What a route answers is written in each capability's own `http.rs`, out of the pieces in
//! [`answer`]: a page carries a content security policy computed from its own bytes, so nothing can run or style in it that is not in this
//! program. `own` turns away what was sent to another name than ours. [`elsewhere()`] answers a browser that came in by a name under which passkeys cannot work. Every URL that is sent out derives
//! from the public URL, never from a request. [`Outbound`] makes every request to another machine: each address is checked before it is
//! connected to, nothing is larger or slower than allowed, no redirect is followed.

mod address;
pub(crate) mod answer;
mod detached;
mod elsewhere;
mod entry;
mod limits;
mod line;
mod listen;
mod outbound;
mod own;
mod patience;
mod peer;
mod places;
mod router;
mod serve;
#[cfg(test)]
mod tests;

pub(crate) use answer::STYLE;
pub(crate) use elsewhere::elsewhere;
pub(crate) use limits::Bounds;
pub(crate) use listen::{BindError, Listeners};
pub(crate) use outbound::{FetchError, Outbound};
pub(crate) use own::by_own_name;
pub(crate) use peer::{PeerLimit, Proxies};
pub(crate) use router::{Services, assistants};
pub(crate) use serve::{Door, serve};
#[cfg(test)]
pub(crate) use tests::assert_is_page;
