//! Removing passkeys, and the last one that may not go.

use super::*;
