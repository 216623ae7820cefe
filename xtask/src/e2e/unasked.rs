//! What an earlier session recorded comes back unasked, once, where a prompt of another one names what it is about.

use std::fs;

use anyhow::Result;
use serde_json::json;

use super::ask::Ask;
use super::expect::{equal, holds, lacks};
use super::script::{Script, vade};
use super::world::World;

const LEARNED: &str = "ledger/sum.awk rounds half to even: the bank's own statements do.";
const TOLD: &str = "vade: on record from earlier work; it may no longer hold:";

/// Plays the scenario.
pub(super) fn play(world: &World<'_>) -> Result<String> {
    world.install()?;
    let folder = world.home().join(".config/vademecum");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("config.toml"), "context.recall = \"auto\"\n")?;

    let learns =
        Script::new().call(vade("add_note", json!({ "content": LEARNED, "tags": ["cause"] })));
    let first = world.ask(&Ask::new("How does ledger/sum.awk round?").script(learns.say("So.")))?;
    lacks("who recorded it", &first.last()?.contexts("UserPromptSubmit").join("\n"), TOLD)?;

    let asked = "Please make ledger/sum.awk print two digits.";
    let second = world.ask(&Ask::new(asked).script(Script::new().say("It does.")))?;
    let told = second.last()?.contexts("UserPromptSubmit").join("\n");
    holds("the context of the prompt", &told, TOLD)?;
    holds("the context of the prompt", &told, LEARNED)?;

    // The conversation has it: it is not told again.
    let resumed = Ask::new(asked).resume(&second.session).script(Script::new().say("Still."));
    let told = world.ask(&resumed)?.last()?.contexts("UserPromptSubmit").join("\n");
    equal("told in all", &told.matches(TOLD).count(), &1)?;
    Ok(String::new())
}
