//! The MCP server as its clients meet it: real processes, and JSON-RPC line by line.
#![allow(clippy::needless_pass_by_value, reason = "a `json!` in a call reads best by value")]

mod calls;
mod cases;
pub(crate) mod client;
mod handshake;
mod installed;
mod life;
mod offer;
mod pages;
mod plans;
mod sandbox;
mod voices;
mod who;
mod wire;
