//! What the doors answer with: JSON and pages with the right headers.
//!
//! [`answer`] makes JSON answers and pages; a page carries a content security policy computed from its own bytes, so nothing can run or
//! style in it that is not in this program. [`elsewhere()`] answers a browser that came in by a name under which passkeys cannot work.
//! Nothing here knows what the pages are about.

pub(crate) mod answer;
mod elsewhere;

pub(crate) use answer::STYLE;
pub(crate) use elsewhere::elsewhere;
