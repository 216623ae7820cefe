//! The doctor proves the delivery from the transcript; uninstalling restores the settings.

use std::fs;

use anyhow::{Result, ensure};

use super::ask::Ask;
use super::expect::equal;
use super::samples;
use super::world::World;

/// Settings as a person left them: odd blanks, an own hook, no line end.
const SETTINGS: &str = "{ \"model\":\"sonnet\",\n\t\"permissions\" : {\"allow\":[ \"Bash(ls:*)\" ]},\n  \"hooks\": \
     {\"Stop\": [ {\"hooks\":[{\"type\":\"command\",\"command\":\"true\"}]} ]}\n}";

/// Plays the scenario.
pub(super) fn play(world: &World<'_>) -> Result<String> {
    let settings = world.home().join(".claude/settings.json");
    fs::create_dir_all(world.home().join(".claude"))?;
    fs::write(&settings, SETTINGS)?;
    world.install()?;

    let first = world.ask(&Ask::new("Check the ledger.").script(samples::keep_all()))?;
    world.ask(&Ask::new("Go on.").resume(&first.session))?;
    let report = world.vade_json(&["doctor"])?;
    let report = report.to_string();
    ensure!(report.contains("whole"), "doctor names no context that arrived whole: {report}");

    world.vade(&["uninstall", "claude-code", "--yes"])?.success()?;
    equal("the settings after uninstall", fs::read_to_string(&settings)?.as_str(), SETTINGS)?;
    let registered = fs::read_to_string(world.home().join(".claude.json"))?;
    ensure!(!registered.contains("vade"), "the server is still registered: {registered}");
    Ok(String::new())
}
