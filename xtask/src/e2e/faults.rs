//! A broken store never stops the agent: the run goes on, every hook exits 0, the fault is said.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::ask::{Ask, Run};
use super::expect::{holds, result, warnings};
use super::samples::{self, PAGE};
use super::script::{Script, tool};
use super::world::World;

/// Something that happens to the store between two runs.
struct Fault {
    name: &'static str,
    strike: fn(&World<'_>) -> Result<()>,
    /// Whether a new store can take the place of the old one.
    is_mended: bool,
}

const FAULTS: [Fault; 3] = [
    Fault { name: "corrupt", strike: corrupt, is_mended: false },
    Fault { name: "no folder", strike: put_file_in_place_of_folder, is_mended: false },
    Fault { name: "absent", strike: remove, is_mended: true },
];

/// The most lines that a fault may cost the model.
const LINES: usize = 6;

/// Plays the scenario.
pub(super) fn play(world: &World<'_>) -> Result<String> {
    world.install()?;
    let first = world.ask(&Ask::new("Check the ledger.").script(samples::keep_all()))?;
    for fault in &FAULTS {
        (fault.strike)(world)?;
        check(world, &first.session, fault).context(fault.name)?;
    }
    Ok(format!("{} faults", FAULTS.len()))
}

/// Checks a resumed and a new session, each with a write.
fn check(world: &World<'_>, session: &str, fault: &Fault) -> Result<()> {
    let read = tool("Read", json!({ "file_path": world.file() }));
    let script = || Script::new().call(samples::write_page(PAGE)).call(read.clone()).say("Read.");
    for ask in [Ask::new("Go on.").resume(session), Ask::new("Something else.")] {
        let run = world.ask(&ask.script(script()).with_failing_tools())?;
        if fault.is_mended {
            // What failed before stands in the conversation that goes on: only the last call counts.
            holds(
                "the reply to a write",
                &result(run.last()?, "write_notepad")?,
                "notepad rev 1, ",
            )?;
        } else {
            check_said(&run)?;
        }
    }
    Ok(())
}

/// Checks that the model knows in few words that its memory is not there, and that nothing was saved.
fn check_said(run: &Run) -> Result<()> {
    let said = run.first()?.contexts("SessionStart").last().copied().unwrap_or_default();
    ensure!(said.contains("vade"), "the fault was not said: {said:?}");
    ensure!(said.lines().count() <= LINES, "the fault was said at length: {said:?}");

    let reply = result(run.last()?, "write_notepad")?;
    ensure!(run.failed_calls().contains(&reply), "a lost write was acknowledged: {reply:?}");
    ensure!(warnings(run.last()?).len() <= 1, "the fault is said again and again");
    Ok(())
}

/// Overwrites the whole database and drops what could repair it.
fn corrupt(world: &World<'_>) -> Result<()> {
    let path = world.database();
    let n_bytes = fs::metadata(&path).context("no database where it should be")?.len();
    for suffix in ["wal", "shm"] {
        let beside = path.with_extension(format!("db-{suffix}"));
        if beside.exists() {
            fs::remove_file(beside)?;
        }
    }
    fs::write(path, vec![0x5a; usize::try_from(n_bytes)?])?;
    Ok(())
}

/// Puts a file where the store's folder was, so that no store can be made.
fn put_file_in_place_of_folder(world: &World<'_>) -> Result<()> {
    let database = world.database();
    let folder = database.parent().context("the database lies in a folder")?;
    fs::remove_dir_all(folder)?;
    fs::write(folder, "")?;
    Ok(())
}

/// Leaves an empty folder.
fn remove(world: &World<'_>) -> Result<()> {
    let database = world.database();
    let folder = database.parent().context("the database lies in a folder")?;
    if folder.is_dir() {
        fs::remove_dir_all(folder)?;
    } else {
        fs::remove_file(folder)?;
    }
    fs::create_dir_all(folder)?;
    Ok(())
}
