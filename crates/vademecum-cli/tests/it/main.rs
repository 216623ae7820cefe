//! The binary as people, models and harnesses meet it.

mod mcp;
