//! What the screen does and what it looks like.
