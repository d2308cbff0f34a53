//! The screens, one folder per capability.

pub(crate) mod overview;
