//! opencode: its sessions, as it exports them and as they stand in its database.

pub mod transcript;

/// The name of this harness in session keys, hook arguments and settings.
pub const ID: &str = "opencode";
