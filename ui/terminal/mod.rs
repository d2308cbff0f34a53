//! The terminal contract: it is given back exactly as it was, however this program ends.

mod environment;

pub(crate) use environment::Environment;
