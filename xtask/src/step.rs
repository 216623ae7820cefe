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

/// The feature of the program that teams run.
pub(crate) const TEAMS: &str = "vademecum-cli/postgres";

/// Builds the program as teams run it, which opens connections to PostgreSQL; a copy beside that of other tests.
///
/// The whole workspace, so that what tests have built is not built again.
pub(crate) fn build_vade_for_teams() -> Result<PathBuf> {
    let build = ["build", "--quiet", "--locked", "--workspace", "--bin", "vade"];
    run(cargo().args(build).args(["--features", TEAMS]))?;
    let teams = target().join("debug/vade-for-teams");
    // One that still runs keeps its bytes.
    drop(std::fs::remove_file(&teams));
    std::fs::copy(target().join("debug/vade"), &teams)?;
    // Whoever runs the other one finds it again.
    build_vade()?;
    Ok(teams)
}

/// Builds the program as people get it, and says where it lies; once for all who measure.
pub(crate) fn build_released_vade() -> Result<PathBuf> {
    let build = ["build", "--release", "--locked", "--quiet"];
    run(cargo().args(build).args(["--package", "vademecum-cli", "--package", "floors"]))?;
    Ok(target().join("release/vade"))
}

/// Builds the same for stores on servers, and leaves [`build_released_vade`] as it was.
pub(crate) fn build_released_vade_with_servers() -> Result<PathBuf> {
    let build = ["build", "--release", "--locked", "--quiet", "--package", "vademecum-cli"];
    run(cargo().args(build).args(["--features", "postgres"]))?;
    let kept = target().join("bench/vade-postgres");
    std::fs::copy(target().join("release/vade"), &kept)?;
    build_released_vade()?;
    Ok(kept)
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
