//! What becomes an entry by itself, and a reply that claims a save which did not happen.

use anyhow::{Context as _, Result};
use serde_json::json;

use super::ask::{Ask, Run};
use super::expect::{equal, holds, lacks};
use super::request::{Request, Speaker};
use super::script::{Script, Waiting, sub_agent, vade};
use super::world::World;

const REPORT: &str = "Two callers.\n\n## Key Learnings\n- The second caller of `sum` rounds half to even.\n\n## Issues:\n- None";
const REPORTED: &str = "The second caller of `sum` rounds half to even.";
const RULE: &str = "the ledger of June is closed";

/// Plays the scenario.
pub(super) fn play(world: &World<'_>) -> Result<String> {
    world.install()?;
    let first = reported(world)?;
    claimed(world, &first)?;
    check_kept(world)?;
    Ok(String::new())
}

/// A helper is asked to report what it learned, and its last message does.
fn reported(world: &World<'_>) -> Result<Run> {
    let knows = vade("add_learning", json!({ "content": "The ledger is summed with awk." }));
    let main = Script::new()
        .call(knows)
        .batch(vec![sub_agent("scout", "Find the callers.", Waiting::Yes)])
        .say("Done. I've saved that to memory.");
    let scout = Script::new().say(REPORT);
    let ask = Ask::new("Check the ledger with your helper.").script(main);
    let first = world.ask(&ask.sub_agent("scout", scout))?;
    let scout = Speaker::Agent("scout".to_owned());
    let briefed = first.turns(&scout).first().copied().context("the scout asked nothing")?;
    holds(
        "the scout's task",
        &briefed.texts().join("\n"),
        "under ## Key Learnings, ## Decisions or ## Issues",
    )?;
    Ok(first)
}

/// A reply that claims a save is believed where calls or the user's own words may have made it.
fn claimed(world: &World<'_>, first: &Run) -> Result<()> {
    // A turn that called tools may have kept what it says.
    let asked = format!("remember: {RULE}");
    let second = world.ask(&resumed(first, &asked, "Understood. I've noted that in my memory."))?;
    let told = prompted(second.last()?);
    holds("the context of the prompt", &told, "vade: kept as the user asked: entry_")?;
    lacks(
        "the context of the prompt",
        &told,
        "your last reply seems to say that something was saved",
    )?;

    // What the user asked to remember is kept without a call, and the reply that says so is right.
    let third = world.ask(&resumed(&second, "The port is 8443.", "I've saved that to memory."))?;
    lacks(
        "the next prompt",
        &prompted(third.last()?),
        "your last reply seems to say that something was saved",
    )?;
    let fourth = world.ask(&resumed(&third, "Go on.", "Where to?"))?;
    holds(
        "the prompt behind a claim",
        &prompted(fourth.last()?),
        "your last reply seems to say that something was saved",
    )?;
    let fifth = world.ask(&resumed(&fourth, "Go on.", "Done."))?;
    let told = prompted(fifth.last()?);
    equal(
        "said again",
        &told.matches("your last reply seems to say that something was saved").count(),
        &1,
    )
}

fn check_kept(world: &World<'_>) -> Result<()> {
    let kept = world.vade_json(&["learning", "list"])?.to_string();
    for part in [REPORTED, RULE, "unconfirmed", "\"user\""] {
        holds("the project's learnings", &kept, part)?;
    }
    Ok(())
}

fn resumed<'a>(run: &'a Run, prompt: &'a str, says: &str) -> Ask<'a> {
    Ask::new(prompt).resume(&run.session).script(Script::new().say(says))
}

/// All that prompts of the conversation told.
fn prompted(request: &Request) -> String {
    request.contexts("UserPromptSubmit").join("\n")
}
