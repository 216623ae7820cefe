//! Kills a process that runs the controller, over and over: the next request must be the same.

use anyhow::Result;

use super::{Extent, Given};
use crate::step;

/// The test that does it; it starts its own binary as the process to kill.
const TEST: &str = "killed::killed_at_any_point_the_requests_are_the_same";

pub(super) fn run(given: &Given) -> Result<String> {
    let n_kills = match given.extent {
        Extent::Quick => 60,
        Extent::Full => 2_000,
    };
    // By the programs that the tests have built: a crate alone is another build.
    let words = ["test", "--quiet", "--workspace", "--locked", "--test", "it"];
    let mut test = step::cargo();
    test.args(words).args(["--", "--exact", TEST]);
    test.env("VADE_N_KILLS", n_kills.to_string()).env("VADE_SEED", given.seed.to_string());
    step::run(&mut test)?;
    Ok(format!("{n_kills} kills, every request as without them"))
}
