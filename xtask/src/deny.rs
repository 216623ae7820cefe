//! Holds what is linked to deny.toml: licences, banned crates and sources.

use std::path::PathBuf;

use anyhow::Result;

use crate::step;

/// The minor version of cargo-deny that reads deny.toml as it was meant.
const SERIES: &str = "0.20.";
/// The one that is installed where none is.
const VERSION: &str = "0.20.2";

/// Runs cargo-deny, from `target/tools` when the path has none of the series.
pub(crate) fn run(_: &[String]) -> Result<()> {
    let program = find()?;
    let checks = ["--locked", "check", "bans", "licenses", "sources"];
    step::run(step::command(program).args(checks))
}

fn find() -> Result<PathBuf> {
    let tools = step::target().join("tools");
    let ours = tools.join("bin").join("cargo-deny");
    for program in [PathBuf::from("cargo-deny"), ours.clone()] {
        if is_of_the_series(&program) {
            return Ok(program);
        }
    }
    step::timed("cargo-deny is built once into target/tools", || {
        // Unoptimised: half the time to build, and a run takes seconds either way.
        let install = ["install", "cargo-deny", "--version", VERSION, "--locked", "--debug"];
        let quick = [("CARGO_PROFILE_DEV_DEBUG", "false")];
        step::run(step::cargo().args(install).arg("--root").arg(&tools).envs(quick))
    })?;
    Ok(ours)
}

fn is_of_the_series(program: &PathBuf) -> bool {
    let said = step::output(step::command(program).arg("--version"));
    said.is_ok_and(|said| {
        said.split_whitespace().nth(1).is_some_and(|version| version.starts_with(SERIES))
    })
}
