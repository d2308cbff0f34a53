//! Changing what a connection may do after it was let in: a page of its own, and the passkey's yes; the token stays.
//!
//! A terminal asks for the page and gets its address, whose secret stands in the fragment: no request line, no log and no link preview
//! has it, and the browser sends it in the body of a form. One address works at a time, for ten minutes, and only in this process. It is
//! handed to a browser as an argument, where other users of the machine can read it, so it is worth little: whoever has it sees the
//! connection's name, its client and its scopes, which is what a list of connections shows, and can change nothing without the passkey.
//!
//! Every opening of the page begins a ceremony, bound to the grant and to the scopes it shows. They are looked at again in the
//! transaction that changes them: of two pages that are open at once, the second to be sent is refused.

mod change;
pub(crate) mod http;
mod link;
mod page;

pub(super) use link::Addresses;
pub(crate) use link::{ScopesLink, ScopesLinkError};
