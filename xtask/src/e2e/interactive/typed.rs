//! What people type besides prompts: commands of the shell, and prompts while the agent works.

use anyhow::Result;

use super::super::expect::{context, equal, holds};
use super::super::samples;
use super::super::script::Script;
use super::super::terminal::key;
use super::super::world::World;
use super::compactions::read;

const NOTE: &str = "The stall of row seven is closed on Mondays.";
const PROMPT: &str = "Count the carrots of June in the ledger.";
const QUEUED: &str = "Never count the rows of the fish_stall.";

/// `!vade …` in the input line binds the session that it is typed into.
pub(in super::super) fn shell(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let console = world.open(&[])?;
    console.ask(PROMPT, samples::keep_all())?;
    let n_notes = samples::NOTES.len() + 1;
    for (line, answer) in [
        (format!("!vade note add '{NOTE}' --tag stall"), "added note_".to_owned()),
        ("!vade note list".to_owned(), NOTE.to_owned()),
    ] {
        console.terminal.press(&line)?;
        console
            .wait("the command in the input line", |console| console.terminal.shows(&line[1..]))?;
        console.terminal.press(key::ENTER)?;
        console.wait("the answer", |console| {
            console.terminal.shows(&answer) && console.is_idle_since(0)
        })?;
    }
    let next = console.ask("Go on.", Script::new().say("Gone on."))?;
    let printed = next.first()?.texts().concat();
    for (content, _) in samples::NOTES {
        holds("what the command printed", &printed, content)?;
    }
    console.compact()?;
    let after = console.ask("Again.", Script::new().say("And again."))?;
    holds("the context after the compaction", context(after.first()?)?, NOTE)?;
    let kept = world.vade_json(&["note", "list", "--session", &console.handle()?])?;
    equal("the notes of the session", &kept["notes"].as_array().map(Vec::len), &Some(n_notes))?;
    Ok(String::new())
}

/// A prompt that is typed while the agent works counts as the user's word.
pub(in super::super) fn queued(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let console = world.open(&[])?;
    let script = samples::keep(Script::new().call(read(&world.file())));
    console.begin(PROMPT, script.call(read(&world.file())).held().say("Counted all of them."))?;
    console.terminal.enter(QUEUED)?;
    console.wait("the empty input line", |console| !console.terminal.is_typed(QUEUED))?;
    console.go_on("Counted all of them.")?;
    console.compact()?;
    let after = console.ask("Go on.", Script::new().say("Gone on."))?;
    let after = context(after.first()?)?;
    samples::check_all(after)?;
    for part in [PROMPT, QUEUED] {
        holds("the context after the compaction", after, part)?;
    }
    Ok(String::new())
}
