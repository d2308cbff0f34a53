//! Ceremonies: single use, bounded in time and number, bound to what they were begun for.

use super::*;
