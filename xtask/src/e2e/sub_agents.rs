//! A sub-agent has a notepad of its own, also through a compaction inside it.

use anyhow::{Context as _, Result};
use serde_json::json;

use super::ask::{Ask, Run};
use super::expect::{context, holds, lacks, nowhere, result};
use super::request::Speaker;
use super::samples::{self, PAGE, TOTALS};
use super::script::{Script, Waiting, sub_agent, vade};
use super::world::World;

const SCOUT_PAGE: &str = "## Scout\n- two callers of `sum` — 甲 and 乙\n";
const DIGGER_PAGE: &str = "## Digger\n- dug through 2024, nothing 🕳️ yet\n";
const SCOUT_NOTE: &str = "The second caller of `sum` rounds down.";

/// Plays the scenario.
pub(super) fn play(world: &World<'_>) -> Result<String> {
    world.install()?;
    let run = world.ask(
        &Ask::new("Check the ledger with your helpers.")
            .script(main_script())
            .sub_agent("scout", scout_script())
            .sub_agent("digger", digger_script(&world.file())),
    )?;
    check_pages(&run)?;
    check_compaction(&run)?;
    let after = world.ask(&Ask::new("Go on.").resume(&run.session))?;
    let after = context(after.first()?)?;
    samples::check_all(after)?;
    lacks("the parent's context", after, SCOUT_NOTE)?;
    Ok(String::new())
}

fn main_script() -> Script {
    Script::new()
        .call(samples::write_page(PAGE))
        .batch(samples::add_notes())
        .batch(vec![
            sub_agent("scout", "Find the callers.", Waiting::No),
            sub_agent("digger", "Read it all, and again.", Waiting::Yes),
        ])
        .call(vade("read_notepad", json!({})))
        .say("The helpers are done.")
}

fn scout_script() -> Script {
    Script::new()
        .call(samples::write_page(SCOUT_PAGE))
        .call(samples::add_note(SCOUT_NOTE, &["ledger"]))
        .call(vade("read_notepad", json!({})))
        .say("Two callers.")
}

fn digger_script(file: &str) -> Script {
    Script::new()
        .call(samples::write_page(DIGGER_PAGE))
        .rounds(file, &TOTALS)
        .rounds(file, &[6_000])
        .say("Nothing there.")
}

/// Checks that each reads what it wrote, though both wrote in one session of the harness.
fn check_pages(run: &Run) -> Result<()> {
    let scout = run.turns(&Speaker::Agent("scout".to_owned()));
    let scout = scout.last().context("the scout asked the model nothing")?;
    holds("the scout's notepad", &result(scout, "read_notepad")?, SCOUT_PAGE)?;

    let page = result(run.last()?, "read_notepad")?;
    holds("the parent's notepad", &page, PAGE)?;
    lacks("the parent's notepad", &page, SCOUT_PAGE)
}

/// Checks that the digger got its own page after its compaction, and nobody else did.
fn check_compaction(run: &Run) -> Result<()> {
    let (_, after) = run.compaction(&Speaker::Agent("digger".to_owned()))?;
    let after = after.context("the digger asked nothing after its compaction")?;
    let put_back = context(after)?;
    holds("the digger's context", put_back, DIGGER_PAGE)?;
    nowhere("the digger's request", after, PAGE)?;
    nowhere("the parent's request", run.last()?, DIGGER_PAGE)
}
