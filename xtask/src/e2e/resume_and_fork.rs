//! A resumed session gets its own memory back, once; a fork gets a copy and goes its own way.
//!
//! A fork that was asked for by its parent's name has the copy at once. Where nobody named the parent, the
//! copied history tells it, which is there when the first tools have run.

use anyhow::{Result, ensure};
use serde_json::json;

use super::ask::Ask;
use super::expect::{context, copies, equal, holds, lacks, nowhere, result};
use super::samples::{self, NOTES, PAGE};
use super::script::{Script, vade};
use super::world::World;

const FORK_PAGE: &str = "## Plan\n- [ ] try the other road\n";
const FORK_NOTE: &str = "The fork found that May has two sheets.";

/// Plays the scenario.
pub(super) fn play(world: &World<'_>) -> Result<String> {
    world.install()?;
    let first = world.ask(&Ask::new("Check the ledger.").script(samples::keep_all()))?;
    let resumed = world.ask(&Ask::new("Go on.").resume(&first.session))?;
    ensure!(resumed.session == first.session, "a resumed session has another id");
    samples::check_all(context(resumed.first()?)?)?;
    equal("contexts with the page", &copies(resumed.first()?, PAGE), &1)?;

    let fork =
        world.ask(&Ask::new("Try it otherwise.").fork(&first.session).script(fork_script()))?;
    ensure!(fork.session != first.session, "a fork has the id of its parent");
    samples::check_all(context(fork.first()?)?)?;
    holds("the fork's notepad", &result(fork.last()?, "read_notepad")?, PAGE)?;

    let parent = world.ask(&Ask::new("Go on.").resume(&first.session))?;
    samples::check_all(context(parent.first()?)?)?;
    nowhere("the parent's request", parent.first()?, FORK_NOTE)?;
    let n_copies = copies(parent.first()?, PAGE);
    check_unnamed(world)?;

    check_fork(world, &fork.session)?;
    Ok(format!("{n_copies} contexts with the page at the second resume"))
}

/// Checks that the fork keeps its own page beside the notes that it got, through a compaction too.
fn check_fork(world: &World<'_>, session: &str) -> Result<()> {
    world.ask(&Ask::new("/compact").resume(session))?;
    let fork = world.ask(&Ask::new("Go on.").resume(session))?;
    let fork = context(fork.first()?)?;
    for part in [FORK_PAGE, FORK_NOTE, NOTES[0].0] {
        holds("the fork's context", fork, part)?;
    }
    lacks("the fork's context", fork, PAGE)
}

/// Checks a fork of the newest session, which is the parent here.
fn check_unnamed(world: &World<'_>) -> Result<()> {
    let read = Script::new().call(vade("read_notepad", json!({}))).say("Read.");
    let fork = world.ask(&Ask::new("Try a third way.").fork_newest().script(read))?;
    holds("the unnamed fork's notepad", &result(fork.last()?, "read_notepad")?, PAGE)?;
    let resumed = world.ask(&Ask::new("Go on.").resume(&fork.session))?;
    samples::check_all(context(resumed.first()?)?)
}

fn fork_script() -> Script {
    Script::new()
        .call(vade("read_notepad", json!({})))
        .call(samples::write_page(FORK_PAGE))
        .call(samples::add_note(FORK_NOTE, &["ledger"]))
        .say("Written.")
}
