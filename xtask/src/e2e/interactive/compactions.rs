//! Two automatic compactions and one by hand: what came before each comes back, though Claude Code writes the
//! parent of an automatic boundary behind it.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::ask::Run;
use super::super::expect::{context, holds_request};
use super::super::request::{Request, Speaker};
use super::super::samples;
use super::super::script::{Call, Script, tool};
use super::super::world::World;

const RULE: &str = "Check the ledger for May. Don't touch the leeks, another count is in flight.";
const SAID: &str = "I compare `ledger.txt` by supplier_invoice_key before I sum it.";
const SECOND: &str = "Now June: count the till_june_rows as well.";
const THIRD: &str = "And July, by the stall_number of each row.";

/// Plays the scenario.
pub(in super::super) fn play(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let console = world.open(&[])?;
    let file = world.file();
    let script = samples::keep(Script::new().say_and_call(SAID, read(&file)));
    let first = console.ask(RULE, until_compacted(script, &file).say("May is right."))?;
    check(after(&first)?, &[RULE])?;
    let second =
        console.ask(SECOND, until_compacted(Script::new(), &file).say("June is right."))?;
    check(after(&second)?, &[RULE, SECOND])?;
    console.ask(THIRD, Script::new().call(read(&file)).say("July is right."))?;
    console.compact()?;
    let last = console.ask("Then August.", Script::new().say("August is right."))?;
    check(last.first()?, &[RULE, THIRD])?;

    let transcript = fs::read_to_string(console.transcript()?)?;
    let n_behind = n_parents_behind(&transcript);
    ensure!(n_behind != 0, "no boundary has its logical parent behind it: the harness has changed");
    let session = console.session()?;
    console.leave()?;
    let told = world.vade(&["recap", "--session", &session])?.success()?;
    holds_request("the recap of the whole session", &told, RULE)?;
    Ok(format!("{n_behind} of 3 boundaries with their parent behind them"))
}

/// Makes a call that reads the ledger.
pub(super) fn read(file: &str) -> Call {
    tool("Read", json!({ "file_path": file }))
}

/// Goes on with `script` until the harness compacts, and a little further.
pub(super) fn until_compacted(script: Script, file: &str) -> Script {
    script.rounds(file, &[40_000, 63_000, 68_000, 6_000])
}

/// The agent's first request behind the one compaction of a run.
pub(super) fn after(run: &Run) -> Result<&Request> {
    run.compaction(&Speaker::Main)?.1.context("the agent asked nothing after its compaction")
}

/// Checks that what `request` was given holds the page, the notes, and `parts` of the work before.
fn check(request: &Request, parts: &[&str]) -> Result<()> {
    let context = context(request)?;
    samples::check_all(context)?;
    parts.iter().try_for_each(|part| holds_request("the context after a compaction", context, part))
}

/// Counts the boundaries whose logical parent stands behind them.
fn n_parents_behind(transcript: &str) -> usize {
    let lines = transcript.lines().filter_map(|line| serde_json::from_str(line).ok());
    let records: Vec<Value> = lines.collect();
    let place = |id: &Value| records.iter().rposition(|record| record["uuid"] == *id);
    let is_behind = |(line, record): &(usize, &Value)| {
        record["subtype"] == "compact_boundary"
            && place(&record["logicalParentUuid"]).is_some_and(|parent| *line < parent)
    };
    records.iter().enumerate().filter(is_behind).count()
}
