//! The second command of the README: every test of this repository, one stage after the other.

use anyhow::Result;

use crate::step;

/// One stage of the tests.
struct Stage {
    name: &'static str,
    run: fn() -> Result<()>,
}

/// Every stage in order, the quick ones first; a new one is one line here.
const STAGES: &[Stage] = &[Stage { name: "cargo test", run: cargo_test }];

/// Runs every stage and stops at the first that fails.
pub(crate) fn run(_: &[String]) -> Result<()> {
    for stage in STAGES {
        step::timed(stage.name, stage.run)?;
    }
    Ok(())
}

fn cargo_test() -> Result<()> {
    step::run(step::cargo().args(["test", "--workspace", "--locked"]))
}
