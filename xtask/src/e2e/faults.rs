//! A broken store never stops the agent: the run goes on, every hook exits 0, the fault is said.

use std::fs;

use anyhow::{Result, ensure};
use serde_json::json;

use super::ask::{Ask, Run};
use super::expect::result;
use super::samples::{self, PAGE};
use super::script::{Script, tool};
use super::world::World;

/// Plays the scenario.
pub(super) fn play(world: &World<'_>) -> Result<String> {
    world.install()?;
    let first = world.ask(&Ask::new("Check the ledger.").script(samples::keep_all()))?;
    spoil(world)?;

    let script = Script::new()
        .call(samples::write_page(PAGE))
        .call(tool("Read", json!({ "file_path": world.file() })))
        .say("The ledger is read.");
    let run = world
        .ask(&Ask::new("Go on.").resume(&first.session).script(script).with_failing_tools())?;
    check_said(&run)?;
    ensure!(
        !result(run.last()?, "write_notepad")?.contains("rev "),
        "a lost write was acknowledged"
    );

    let fresh = world.ask(&Ask::new("Something else."))?;
    check_said(&fresh)?;
    Ok(String::new())
}

/// Overwrites the database's head, as a disk fault does, and drops what could repair it.
fn spoil(world: &World<'_>) -> Result<()> {
    let path = world.database();
    let mut bytes = fs::read(&path)?;
    bytes.fill(0x5a);
    fs::write(&path, bytes)?;
    for suffix in ["-wal", "-shm"] {
        let beside = path.with_extension(format!("db{suffix}"));
        if beside.exists() {
            fs::remove_file(beside)?;
        }
    }
    Ok(())
}

/// Checks that the model was told in few words that its memory is not there.
fn check_said(run: &Run) -> Result<()> {
    let said = run.first()?.contexts("SessionStart").join("\n");
    ensure!(said.contains("vade"), "the fault was not said: {said:?}");
    ensure!(said.lines().count() <= 6, "the fault was said at length: {said:?}");
    Ok(())
}
