//! Runs programs under strace, which sees each system call and can make one fail.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::needs::Program;

/// The tracer of Linux.
pub(super) const STRACE: Program = Program { name: "strace", package: "strace" };

/// What puts bytes on disk.
pub(super) const SYNCS: &str = "fsync,fdatasync,msync,syncfs,sync_file_range";

/// One call that was traced.
pub(super) struct Line(String);

impl Line {
    /// Whether it is about something in this folder.
    pub(super) fn is_in(&self, folder: &Path) -> bool {
        folder.to_str().is_some_and(|folder| self.0.contains(folder))
    }

    /// The name of the call.
    pub(super) fn call(&self) -> &str {
        let call = self.0.split('(').next().unwrap_or_default();
        call.rsplit(' ').next().unwrap_or_default()
    }

    /// The thread that made it.
    pub(super) fn thread(&self) -> &str {
        self.0.split(' ').next().unwrap_or_default()
    }
}

/// `command` under strace, which writes these `calls` into `log`.
pub(super) fn log(command: &Command, calls: &str, log: &Path) -> Result<Command> {
    traced(command, &[&format!("trace={calls}")], log)
}

/// `command` under strace, which makes the `n`-th `call` of each thread fail with `error`.
pub(super) fn fault(command: &Command, call: &str, error: &str, n: usize) -> Result<Command> {
    let inject = format!("inject={call}:error={error}:when={n}");
    traced(command, &[&format!("trace={call}"), &inject], Path::new("/dev/null"))
}

/// `command` under strace, which kills it as `kill -9` does at the `n`-th `call`.
pub(super) fn kill(command: &Command, call: &str, n: usize) -> Result<Command> {
    let inject = format!("inject={call}:signal=SIGKILL:when={n}");
    traced(command, &[&format!("trace={call}"), &inject], Path::new("/dev/null"))
}

fn traced(command: &Command, expressions: &[&str], log: &Path) -> Result<Command> {
    let mut strace = Command::new("strace");
    strace.env_clear().env("PATH", std::env::var_os("PATH").context("no PATH")?);
    strace.args(["-f", "-qq", "-y", "-E", "PATH", "-o"]).arg(log);
    strace.args(expressions.iter().flat_map(|expression| ["-e", expression]));
    // A preloaded shim is the program's alone, not the tracer's.
    for (name, value) in command.get_envs() {
        let mut pair = name.to_owned();
        pair.push("=");
        pair.push(value.unwrap_or_default());
        strace.arg("-E").arg(pair);
    }
    strace.arg("--").arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        strace.current_dir(folder);
    }
    Ok(strace)
}

/// What strace writes in place of a call of a thread that its process ended before it was looked at: none of those traced.
const UNSEEN: &str = "???";

/// The calls of a log.
pub(super) fn lines(log: &Path) -> Result<impl Iterator<Item = Line>> {
    let text = fs::read_to_string(log).context("strace wrote nothing")?;
    let lines: Vec<Line> = text.lines().map(|line| Line(line.to_owned())).collect();
    Ok(lines.into_iter().filter(|line| line.0.contains('(') && line.call() != UNSEEN))
}
