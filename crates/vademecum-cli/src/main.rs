//! The command vade: the first word decides who answers, before any parser is built.

mod cli;
mod doctor;
mod hook;
mod install;
mod mcp;
mod page;
mod statusline;
mod tour;
mod view;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    outlive_file_limits();
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    // A hook must start and end in milliseconds: nothing is built on its way.
    match words.first().and_then(|word| word.to_str()) {
        Some("hook") => hook::run(&words[1..]),
        Some("mcp") => mcp::run(&words[1..]),
        Some("statusline") if words.len() == 1 => statusline::run(),
        Some(vademecum::sandbox::WORD) => vademecum::sandbox::child(),
        Some(_) | None => cli::run(&words),
    }
}

/// Lets a write past the file size limit of this process fail instead of ending it: a hook must say so and go on.
fn outlive_file_limits() {
    // Where no handler can be set, the limit still ends the process.
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).ok();
}
