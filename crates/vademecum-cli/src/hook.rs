//! Answers a harness at its moments; whatever is broken, the harness goes on.

use std::ffi::OsString;
use std::process::ExitCode;

/// Answers the event that `words` name.
pub(crate) fn run(_words: &[OsString]) -> ExitCode {
    ExitCode::SUCCESS
}
