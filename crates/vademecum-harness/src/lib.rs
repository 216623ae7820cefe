//! What each agent harness sends, understands and records; environment and clock are arguments here.

pub mod claude_code;
mod json_edit;
