//! Runs a program to its end within a time limit, its output kept in files.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

/// A program that ended by itself.
#[derive(Clone, Debug)]
pub(super) struct Finished {
    /// The exit code; none if a signal ended it.
    pub(super) code: Option<i32>,
    /// What it wrote to standard output.
    pub(super) stdout: String,
    /// What it wrote to standard error.
    pub(super) stderr: String,
}

impl Finished {
    /// Takes the standard output of a program that succeeded.
    pub(super) fn success(self) -> Result<String> {
        ensure!(self.code == Some(0), "ended with {:?}: {}{}", self.code, self.stdout, self.stderr);
        Ok(self.stdout)
    }
}

/// Runs `command` without input; its output also stays in `log.out` and `log.err`.
pub(super) fn run(mut command: Command, limit: Duration, log: &Path) -> Result<Finished> {
    let (out, err) = (log.with_extension("out"), log.with_extension("err"));
    command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&err)?);

    let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
    let status = wait(&mut child, limit)?;
    let text =
        |path: &Path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Finished { code: status.code(), stdout: text(&out)?, stderr: text(&err)? })
}

fn wait(child: &mut Child, limit: Duration) -> Result<ExitStatus> {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if limit < begin.elapsed() {
            child.kill()?;
            child.wait()?;
            bail!("not ended after {} s: killed", limit.as_secs());
        }
        thread::sleep(Duration::from_millis(5));
    }
}
