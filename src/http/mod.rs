//! What the doors answer with, and the one way out.
//!
//! [`answer`] makes JSON answers and pages; a page carries a content security policy computed from its own bytes, so nothing can run or
//! style in it that is not in this program. [`elsewhere()`] answers a browser that came in by a name under which passkeys cannot work.
//! [`Outbound`] makes every request to another machine: each address is checked before it is connected to, nothing is larger or slower
//! than allowed, no redirect is followed. Nothing here knows what the pages or the requests are about.

mod address;
pub(crate) mod answer;
mod elsewhere;
mod outbound;
#[cfg(test)]
mod tests;

pub(crate) use answer::STYLE;
pub(crate) use elsewhere::elsewhere;
pub(crate) use outbound::{FetchError, Outbound};
#[cfg(test)]
pub(crate) use tests::assert_is_page;
