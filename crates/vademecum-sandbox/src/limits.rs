//! What a program may use.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What a program may use; what is more ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// How long it may take, with its calls.
    pub time: Duration,
    /// How many bytes of memory its values may take.
    pub memory: usize,
    /// How many bytes of stack its calls may take.
    pub stack: usize,
    /// How many bytes it may print and give back.
    pub output: usize,
    /// How many calls it may make.
    pub calls: u32,
    /// How many bytes the arguments of its calls may have together.
    pub sent: usize,
}

impl Limits {
    /// The most bytes that a program itself may have.
    pub const CODE: usize = 256 * 1024;

    /// The longest time that may be asked for.
    pub const LONGEST: Duration = Duration::from_mins(1);
}

impl Default for Limits {
    /// What agents' code is held to.
    fn default() -> Self {
        Self {
            time: Duration::from_secs(5),
            memory: 32 << 20,
            stack: 512 << 10,
            output: 64 << 10,
            calls: 1000,
            sent: 16 << 20,
        }
    }
}
