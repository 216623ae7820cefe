//! A session that is left and taken up again.

use anyhow::{Result, ensure};
use serde_json::json;

use super::super::expect::{context, equal, holds, nowhere, result};
use super::super::request::Request;
use super::super::samples::{self, NOTES, PAGE};
use super::super::script::{Script, vade};
use super::super::words;
use super::super::world::World;
use super::compactions::{after, until_compacted};

const EDIT: &str = "- [ ] the person adds: ask about the \"leeks\" first 🥬";

const ADDED: &str = "The person decided: rows of the fish stall are counted by hand.";

/// `--continue` takes the newest session up, and what changed in between is in its next request.
pub(in super::super) fn continued(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let console = world.open(&[])?;
    let begun = console.ask("Check the ledger.", samples::keep_all())?;
    let session = console.handle()?;
    console.leave()?;
    world.vade(&["notepad", "update", "append", EDIT, "--session", &session])?.success()?;

    let console = world.open(&["--continue"])?;
    let read_page = vade("read_notepad", json!({}));
    let again = console.ask("Go on.", Script::new().call(read_page).say("Gone on."))?;
    equal("the session", &again.session, &begun.session)?;
    let first = again.first()?;
    for part in [PAGE, EDIT] {
        holds("what the model is shown", &shown(first), part)?;
    }
    nowhere("a session that goes on", first, words::OFFER)?;
    holds("the page", &result(again.last()?, "read_notepad")?, EDIT)?;
    Ok(String::new())
}

/// One compaction and four resumes cost little more than one context, and no change between them is missed.
pub(in super::super) fn four_times(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let mut console = world.open(&[])?;
    let rows = (1..=120).map(|row| format!("- [x] row {row} agrees with its invoice\n"));
    let page = samples::write_page(&rows.collect::<String>());
    let script = Script::new().call(page).batch(samples::add_notes());
    let script = until_compacted(script, &world.file());
    let run = console.ask("Check the ledger for May.", script.say("May is right."))?;
    let one = context(after(&run)?)?.len();
    let (session, handle) = (console.session()?, console.handle()?);
    let mut all = 0;
    for turn in 1..=4 {
        console.leave()?;
        if turn == 2 {
            let adds = ["notepad", "update", "append", EDIT, "--session", &handle];
            world.vade(&adds)?.success()?;
        }
        if turn == 3 {
            let adds = ["note", "add", ADDED, "--tag", "decision", "--session", &handle];
            world.vade(&adds)?.success()?;
        }
        console = world.open(&["--resume", &session])?;
        let words = format!("Part {turn} is done.");
        let run = console.ask(&format!("Go on with part {turn}."), Script::new().say(&words))?;
        let shown = shown(run.first()?);
        all = shown.len();
        equal("copies of a note", &shown.matches(NOTES[0].0).count(), &1)?;
        equal("copies of a row of the page", &shown.matches("row 60 agrees").count(), &1)?;
        equal("whether the person's line is told", &shown.contains(EDIT), &(2 <= turn))?;
        equal("whether the person's note is told", &shown.contains(ADDED), &(3 <= turn))?;
    }
    ensure!(all * 10 <= one * 12, "{all} bytes after four resumes, {one} after the compaction");
    Ok(format!("{all} bytes after four resumes, {one} in one context"))
}

/// All that our hooks put into `request`.
fn shown(request: &Request) -> String {
    let events = ["SessionStart", "UserPromptSubmit"].iter();
    let contexts = events.flat_map(|event| request.contexts(event));
    contexts.filter(|context| context.starts_with("vade")).collect()
}
