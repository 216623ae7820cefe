//! Sessions that end otherwise than planned: cleared, broken off, killed.

use anyhow::{Context as _, Result};
use serde_json::json;

use super::super::expect::{context, equal, holds, lacks, nowhere, result};
use super::super::samples::{self, NOTES, PAGE};
use super::super::script::{Script, vade};
use super::super::words;
use super::super::world::World;
use super::compactions::read;

const PROMPT: &str = "Count the carrots of June in the ledger.";
const SAID: &str = "I look for carrot_total in the ledger first.";
const OTHER_PAGE: &str = "## Suppliers\n- [ ] name those of July — 七月\n";

/// After `/clear` nothing of the session before is there, and nothing of it is written to.
pub(in super::super) fn cleared(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let console = world.open(&[])?;
    console.ask(PROMPT, samples::keep_all())?;
    let before = console.handle()?;
    console.clear()?;

    let read_page = vade("read_notepad", json!({}));
    let script = Script::new().call(samples::write_page(OTHER_PAGE)).call(read_page);
    let fresh = console.ask("Name the suppliers of July.", script.say("Named."))?;
    let first = fresh.first()?;
    for part in NOTES.iter().map(|(content, _)| *content).chain([PAGE, PROMPT, words::OFFER]) {
        nowhere("the cleared session", first, part)?;
    }
    let page = result(fresh.last()?, "read_notepad")?;
    holds("the page of the cleared session", &page, OTHER_PAGE)?;
    lacks("the page of the cleared session", &page, PAGE)?;
    let kept = world.vade_json(&["notepad", "show", "--session", &before])?;
    equal("the page of the session before", &kept["content"], &json!(PAGE))?;
    Ok(String::new())
}

/// A turn that was broken off is gone on with, and what it had written is there.
pub(in super::super) fn interrupted(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let console = world.open(&[])?;
    let script = samples::keep(Script::new().say_and_call(SAID, read(&world.file())));
    console.begin(PROMPT, script.say("Counted.").held())?;
    console.interrupt()?;
    let read_page = vade("read_notepad", json!({}));
    let again =
        console.ask("Go on, and be brief.", Script::new().call(read_page).say("Gone on."))?;
    holds("the page", &result(again.last()?, "read_notepad")?, PAGE)?;
    nowhere("the agent that goes on", again.first()?, words::OFFER)?;
    console.compact()?;
    let after = console.ask("And now?", Script::new().say("Now it is counted."))?;
    let after = context(after.first()?)?;
    samples::check_all(after)?;
    holds("the context after the compaction", after, PROMPT)?;
    Ok(String::new())
}

/// After a kill in mid-turn the next session is offered the work, and takes it over.
pub(in super::super) fn killed(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let console = world.open(&[])?;
    let script = samples::keep(Script::new().say_and_call(SAID, read(&world.file())));
    console.begin(PROMPT, script.call(read(&world.file())).say("Counted.").held())?;
    console.kill();

    let console = world.open(&[])?;
    let next = console.ask("Hello.", Script::new().say("Hello there."))?;
    let offer = context(next.first()?)?;
    for part in [words::OFFER, words::KILLED, PROMPT] {
        holds("the offer", offer, part)?;
    }
    lacks("the offer", offer, PAGE)?;
    let from = words::offered(offer).context("the offer does not say how to take it over")?;
    let take = Script::new().call(vade("read_handoff", json!({ "from": from })));
    let taken = console.ask("Yes, go on with it.", take.say("Taken over."))?;
    let handoff = result(taken.last()?, "read_handoff")?;
    for part in [PROMPT, PAGE, NOTES[2].0] {
        holds("the handoff", &handoff, part)?;
    }
    Ok(format!("offer {} lines", offer.lines().count()))
}
