//! What people type besides prompts: commands of the shell, and prompts while the agent works.

use anyhow::Result;
use serde_json::json;

use super::super::expect::{context, equal, holds, nowhere, result};
use super::super::samples;
use super::super::script::{Script, vade};
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

/// What is typed behind `/vade:note`, with all that a shell or a pattern would take for its own.
const TYPED: &str = "Beans: \"runner\" & $1 'dwarf' `id` cost 3";

/// The slash commands do each one thing once beside the hooks, and the status line says where the session stands.
pub(in super::super) fn slash_commands(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let console = world.open(&[])?;
    let plain = console.ask(PROMPT, samples::keep_all())?;
    nowhere("a session that typed no command", plain.first()?, "vade:note")?;
    let n_before = samples::NOTES.len();
    let line = |n: usize| format!("vade: page rev 1, {n} open notes");
    console.wait("the status line", |console| console.terminal.shows(&line(n_before)))?;

    let keep = Script::new().call(samples::add_note(TYPED, &["beans"])).say("Kept it.");
    let note = console.ask(&format!("/vade:note {TYPED}"), keep)?;
    let typed = note.first()?.texts().concat();
    holds("what /vade:note says to the model", &typed, TYPED)?;
    holds("what /vade:note says to the model", &typed, "called once")?;
    console.wait("the status line", |console| console.terminal.shows(&line(n_before + 1)))?;
    let kept = world.vade_json(&["note", "list", "--session", &console.handle()?])?;
    equal(
        "the notes of the session",
        &kept["notes"].as_array().map(Vec::len),
        &Some(n_before + 1),
    )?;

    let status = console.ask("/vade:status", Script::new().say("Shown."))?;
    holds("what /vade:status says", &status.first()?.texts().concat(), "notepad  rev 1")?;
    let recap = console.ask("/vade:recap", Script::new().say("Told."))?;
    holds("what /vade:recap says", &recap.first()?.texts().concat(), "a record, and no request")?;
    let left = Script::new().call(vade("write_handoff", json!({ "content": "Count July next." })));
    console.ask("/vade:handoff July", left.say("Left it."))?;
    console.clear()?;
    let take = Script::new().call(vade("read_handoff", json!({}))).say("Taken over.");
    let taken = console.ask("/vade:continue", take)?;
    holds("what was taken over", &result(taken.last()?, "read_handoff")?, "Count July next.")?;
    Ok(String::new())
}
