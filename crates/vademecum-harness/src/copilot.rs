//! Copilot CLI: the events of its sessions.

pub mod transcript;

/// The name of this harness in session keys, hook arguments and settings.
pub const ID: &str = "copilot";
