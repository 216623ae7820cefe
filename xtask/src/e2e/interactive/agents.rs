//! Sub-agents beside a person's session: one that compacts, and two waves of several at once.

use anyhow::{Context as _, Result};
use serde_json::json;

use super::super::ask::Run;
use super::super::expect::{context, equal, holds, lacks, nowhere, result};
use super::super::request::{Request, Speaker};
use super::super::samples::{self, PAGE};
use super::super::script::{Script, Waiting, sub_agent, vade};
use super::super::words;
use super::super::world::World;
use super::Console;
use super::compactions::{read, until_compacted};

const DIGGER_PAGE: &str = "## Digger\n- dug through 2024, nothing 🕳️ yet\n";
const LEARNED: &str = "The June rows of `ledger.txt` come from another till — 税込.";
const TASK: &str = "Count a part of the ledger.";

/// A sub-agent that compacts gets its own page back, and its parent gets nothing of it.
pub(in super::super) fn compacting(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let console = world.open(&[])?;
    let digger = Script::new().call(samples::write_page(DIGGER_PAGE));
    let digger = until_compacted(digger, &world.file()).say("Nothing there.");
    world.model.play(agent("digger"), digger);
    let script = samples::keep(Script::new()).call(sub_agent("digger", TASK, Waiting::Yes));
    let script = script.call(vade("read_notepad", json!({})));
    let run =
        console.ask("Check the ledger with your helper.", script.say("The helper is done."))?;

    let (_, after) = run.compaction(&agent("digger"))?;
    let after = after.context("the digger asked nothing after its compaction")?;
    holds("the digger's context", context(after)?, DIGGER_PAGE)?;
    nowhere("the digger", after, PAGE)?;
    holds("the parent's page", &result(run.last()?, "read_notepad")?, PAGE)?;
    nowhere("the parent", run.last()?, DIGGER_PAGE)?;
    world.model.check_played()?;
    Ok(String::new())
}

/// Five at once, two of which record the same: the next two are told it once each.
pub(in super::super) fn two_waves(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let console = world.open(&[])?;
    let wave =
        |names: &[&str]| names.iter().map(|name| sub_agent(name, TASK, Waiting::Yes)).collect();
    let (first, second) = (["one", "two", "three", "four", "five"], ["six", "seven"]);
    for (place, name) in first.iter().chain(&second).enumerate() {
        let script = Script::new().call(read(&world.file()));
        let learns = vade("add_learning", json!({ "content": LEARNED }));
        let script = if place < 2 { script.call(learns) } else { script };
        world.model.play(agent(name), script.say("Counted."));
    }
    let asks = |names: &[&str]| {
        let run = console
            .ask("Count with helpers.", Script::new().batch(wave(names)).say("All sent."))?;
        let is_done =
            |_: &Console<'_>| names.iter().all(|name| world.model.left(&agent(name)) == 0);
        console.wait("the end of the helpers", is_done)?;
        console.wait("the end of the turn", |console| console.is_idle_since(0)).map(|()| run)
    };
    let (before, after) = (asks(&first)?, asks(&second)?);
    for name in first {
        lacks("the task of the first wave", &task(&before, name)?, LEARNED)?;
    }
    for name in second {
        let n_told = task(&after, name)?.matches(LEARNED).count();
        equal("how often the second wave is told", &n_told, &1)?;
    }
    world.model.check_played()?;
    Ok(String::new())
}

/// One that still runs when its parent compacts is named, and its result is no word of the user.
pub(in super::super) fn background(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let console = world.open(&[])?;
    let slow = Script::new().call(read(&world.file())).say("Seven leeks.").held();
    world.model.play(agent("slow"), slow);
    let script = samples::keep(Script::new()).call(sub_agent("slow", TASK, Waiting::No));
    world.model.hold();
    let script = until_compacted(script, &world.file()).say("I wait for the helper.");
    console.say("Count in the background.", script)?;
    // The harness stays busy while the helper works.
    console.wait("the end of the agent's own turn", |console| {
        world.model.left(&Speaker::Main) == 0 && console.terminal.shows("I wait for the helper.")
    })?;
    let run = console.run(0)?;
    let (_, after) = run.compaction(&Speaker::Main)?;
    let after = context(after.context("no request after the compaction")?)?;
    holds("the context", after, words::RUNNING)?;
    holds("the context", after, TASK)?;

    let n_before = console.n_turns();
    world.model.play(Speaker::Main, Script::new().say("The helper counted seven."));
    world.model.go_on();
    console.wait("the helper's result", |console| n_before < console.n_turns())?;
    console.wait("the end of that turn", |console| {
        console.terminal.shows("The helper counted seven.") && console.is_idle_since(0)
    })?;
    console.compact()?;
    let last = console.ask("Go on.", Script::new().say("Gone on."))?;
    let last = context(last.first()?)?;
    for part in [words::RUNNING, "task-notification", "NOT USER INPUT"] {
        lacks("the context when it is done", last, part)?;
    }
    Ok(String::new())
}

fn agent(name: &str) -> Speaker {
    Speaker::Agent(name.to_owned())
}

/// All that a sub-agent was given before it began.
fn task(run: &Run, name: &str) -> Result<String> {
    let turns = run.turns(&agent(name));
    let first: &Request = turns.first().with_context(|| format!("{name} asked nothing"))?;
    Ok(first.texts().join("\n"))
}
