//! The binary as people, models and harnesses meet it.

mod home;
mod install;
mod mcp;
