//! The enrollment page and its answers, over HTTP.

use super::*;
