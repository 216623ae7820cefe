//! Runs the programs that a task needs and says how long each took.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// The top folder of this repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask lies in the top folder").to_owned()
}

/// The folder of everything that is built or fetched.
pub(crate) fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// A command that starts in the top folder.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The cargo that runs this task.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Builds the program as tests run it, and says where it lies.
pub(crate) fn build_vade() -> Result<PathBuf> {
    run(cargo().args(["build", "--quiet", "--locked", "--bin", "vade"]))?;
    Ok(target().join("debug/vade"))
}

/// Builds the program as people get it, and says where it lies; once for all who measure.
pub(crate) fn build_released_vade() -> Result<PathBuf> {
    let build = ["build", "--release", "--locked", "--quiet"];
    run(cargo().args(build).args(["--package", "vademecum-cli", "--package", "floors"]))?;
    Ok(target().join("release/vade"))
}

/// Runs `command` to its end; fails when it does.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}

/// Runs `command` and returns what it wrote to stdout.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{command:?} ended with {}\n{said}", output.status);
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Runs `work` between two lines that name it; the second says its seconds.
pub(crate) fn timed<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    eprintln!("==> {name}");
    let begin = Instant::now();
    let result = work().with_context(|| name.to_owned());
    let outcome = if result.is_ok() { "" } else { ", failed" };
    eprintln!("<== {name}: {:.1} s{outcome}", begin.elapsed().as_secs_f64());
    result
}
