//! Tests of the door over real sockets, and of answers and the way out.

mod door;
mod out;

pub(crate) use out::assert_is_page;
