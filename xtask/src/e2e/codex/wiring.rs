//! Codex: without approval nothing runs, and uninstalling gives its files back to the byte.

use std::fs;

use anyhow::{Result, ensure};

use super::super::expect::{equal, holds};
use super::super::request::Speaker;
use super::super::samples;
use super::super::world::World;
use super::Asking;
use super::request::contexts;

/// Plays the scenario.
pub(in super::super) fn play(world: &World<'_>) -> Result<String> {
    let config = world.home().join(".codex/config.toml");
    let hooks = world.home().join(".codex/hooks.json");
    let before = world.configure_codex()?;
    world.vade(&["install", "codex", "--yes"])?.success()?;
    ensure!(fs::read_to_string(&config)?.starts_with(&before), "the configuration lost something");

    let asking = Asking::new("Check the ledger.").script(samples::keep_all()).without_approval();
    let run = world.ask_codex(&asking)?;
    equal("contexts without approval", &contexts(run.last(&Speaker::Main)?).len(), &0)?;
    let report = world.vade_json(&["doctor"])?.to_string();
    holds("the doctor's report", &report, "8 of 8 hooks wait for approval")?;
    // Its tools need no approval: what they wrote is there.
    equal("the page", world.page_of(&run.session)?.as_str(), samples::PAGE)?;

    world.vade(&["uninstall", "codex", "--yes"])?.success()?;
    equal("the configuration after uninstall", fs::read_to_string(&config)?.as_str(), &before)?;
    ensure!(!hooks.exists(), "hooks.json is still there");
    Ok(String::new())
}
