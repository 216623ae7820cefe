//! Who is offered whose work: a killed instance's, never a running one's, never a finished one.

use anyhow::Result;
use serde_json::json;

use super::ask::Ask;
use super::expect::{context, holds, nowhere, result};
use super::script::{Call, Script, tool, vade};
use super::words;
use super::world::World;

const PROMPT: &str = "Count the carrots of June in the ledger.";
const SAID: &str = "I look for carrot_total in the ledger first.";
const OTHER_PROMPT: &str = "Name the suppliers of July.";
const OTHER_SAID: &str = "I look for supplier_names in the ledger first.";

fn read(world: &World<'_>) -> Call {
    tool("Read", json!({ "file_path": world.file() }))
}

/// An instance that works, and then waits for its model.
fn held(world: &World<'_>) -> Script {
    Script::new().say_and_call(SAID, read(world)).call(read(world)).say("Counted.").held()
}

/// After a kill of the harness `read_handoff` gives the killed instance; a run that nobody attends is
/// offered nothing.
pub(super) fn killed(world: &World<'_>) -> Result<String> {
    world.install()?;
    world.begin(&Ask::new(PROMPT).script(held(world)))?.kill()?;

    let looked = world.ask(&Ask::new("Something else."))?;
    nowhere("a run that nobody attends", looked.first()?, words::OFFER)?;

    let take = Script::new().call(vade("read_handoff", json!({}))).say("Taken over.");
    let taken = world.ask(&Ask::new("Go on with it.").script(take))?;
    let handoff = result(taken.last()?, "read_handoff")?;
    holds(
        "the handoff",
        &handoff,
        "Its last turn was not finished: it broke off in the middle of the work.",
    )?;
    holds("the handoff", &handoff, PROMPT)?;
    holds("the handoff", &handoff, "carrot_total")?;
    Ok(format!("handoff {} tokens", bpe_openai::o200k_base().count(&handoff)))
}

/// Two instances that run at once never get each other's.
pub(super) fn two_at_once(world: &World<'_>) -> Result<String> {
    world.install()?;
    let first = world.begin(&Ask::new(PROMPT).script(held(world)))?;
    let script = Script::new().say_and_call(OTHER_SAID, read(world)).say("Named.");
    let second = world.ask(&Ask::new(OTHER_PROMPT).script(script))?;
    for request in [second.first()?, second.last()?] {
        nowhere("the second instance", request, PROMPT)?;
        nowhere("the second instance", request, "carrot_total")?;
        nowhere("the second instance", request, words::OFFER)?;
    }
    world.go_on(first)?;
    let third = world.ask(&Ask::new("Something else."))?;
    nowhere("a third instance", third.first()?, words::OFFER)?;
    Ok("nothing crossed".to_owned())
}

/// What is finished is not offered again.
pub(super) fn finished(world: &World<'_>) -> Result<String> {
    world.install()?;
    let script = Script::new().say_and_call(SAID, read(world)).say("There are 3 carrots.");
    world.ask(&Ask::new(PROMPT).script(script))?;
    let next = world.ask(&Ask::new("Something else."))?;
    nowhere("the next start", next.first()?, words::OFFER)?;
    nowhere("the next start", next.first()?, "carrots of June")?;
    let line = context(next.first()?)?;
    Ok(format!("{} tokens at the next start", bpe_openai::o200k_base().count(line)))
}
