//! A presented passkey: what is accepted, what is refused, and how often it may be tried.

use super::*;
