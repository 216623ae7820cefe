//! Runs a program to its end within a time limit, its output kept in files.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
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
pub(super) fn run(command: Command, limit: Duration, log: &Path) -> Result<Finished> {
    Running::start(command, log)?.finish(limit)
}

/// A program that runs beside the scenario.
pub(super) struct Running {
    child: Child,
    log: PathBuf,
}

impl Running {
    /// Starts `command` without input; its output stays in `log.out` and `log.err`.
    pub(super) fn start(mut command: Command, log: &Path) -> Result<Self> {
        let file = |extension: &str| File::create(log.with_extension(extension));
        command.stdin(Stdio::null()).stdout(file("out")?).stderr(file("err")?);
        let child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
        Ok(Self { child, log: log.to_owned() })
    }

    /// Waits until `is_so`, while the program runs.
    pub(super) fn until(&mut self, limit: Duration, is_so: impl Fn() -> bool) -> Result<()> {
        let begin = Instant::now();
        while !is_so() {
            ensure!(self.child.try_wait()?.is_none(), "the program ended too early");
            ensure!(begin.elapsed() < limit, "not there after {} s", limit.as_secs());
            thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Kills the program, which gets no chance to say so.
    pub(super) fn kill(mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Waits for its end.
    pub(super) fn finish(mut self, limit: Duration) -> Result<Finished> {
        let status = wait(&mut self.child, limit)?;
        let text = |extension: &str| {
            let bytes = fs::read(self.log.with_extension(extension));
            bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        Ok(Finished { code: status.code(), stdout: text("out")?, stderr: text("err")? })
    }
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
