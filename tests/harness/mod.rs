//! What the end-to-end tests share: one file per noun.
#![allow(dead_code, reason = "each test file uses its own part")]

pub mod attempt;
pub mod bearer;
pub mod browser;
pub mod client;
pub mod deck;
pub mod demo;
pub mod frozen;
#[path = "../../src/testing/https.rs"]
pub mod https;
pub mod owner;
pub mod program;
pub mod pty;
pub mod scene;
pub mod sdk;
pub mod svg;
pub mod wire;
