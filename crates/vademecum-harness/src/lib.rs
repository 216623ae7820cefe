//! What each agent harness sends, understands and records; environment and clock are arguments here.

pub mod claude_code;
pub mod codex;
pub mod copilot;
pub mod delivered;
pub mod hook;
pub mod json_edit;
pub mod last_reply;
pub mod message_log;
pub mod opencode;
pub mod received;
pub mod so_far;
mod tail;
pub mod transcript;
pub mod wiring;
