//! Codex: several sub-agents at once, of both kinds that it has, leave the parent's notepad as it was.

use anyhow::Result;
use serde_json::json;

use super::super::expect::{equal, holds, lacks};
use super::super::request::Speaker;
use super::super::samples::{self, PAGE};
use super::super::script::{Call, Script, marker, tool, vade};
use super::super::world::World;
use super::Asking;
use super::request::{contexts, result};

const NAMES: [&str; 5] = ["one", "two", "three", "four", "five"];
const LEARNED: &str = "The ledger is summed with awk.";

/// A kind of sub-agents.
struct Kind {
    /// The options of the harness that switch it on.
    options: &'static [&'static str],
    /// The tool that starts one.
    spawn: &'static str,
    /// As many as Codex lets run at once, of five.
    n_agents: usize,
}

/// Gets its task as a prompt.
const FIRST: Kind = Kind { options: &[], spawn: "multi_agent_v1__spawn_agent", n_agents: 5 };

/// Gets its task as a message, with its parent's conversation before it.
const SECOND: Kind = Kind {
    options: &["--enable", "multi_agent_v2"],
    spawn: "collaboration__spawn_agent",
    n_agents: 3,
};

/// Plays the scenario.
pub(in super::super) fn play(world: &World<'_>) -> Result<String> {
    world.install_codex()?;
    for kind in [FIRST, SECOND] {
        play_kind(world, &kind)?;
    }
    Ok(String::new())
}

fn play_kind(world: &World<'_>, kind: &Kind) -> Result<()> {
    let names = &NAMES[..kind.n_agents];
    let script = Script::new()
        .call(samples::write_page(PAGE))
        .call(vade("add_learning", json!({ "content": LEARNED })))
        .batch(names.iter().map(|name| spawn(kind, name)).collect())
        .call(tool("exec_command", json!({ "cmd": "sleep 6", "yield_time_ms": 10_000 })))
        .call(vade("read_notepad", json!({})))
        .say("The helpers are done.");
    let asking = Asking::new("Check the ledger with your helpers.").script(script);
    let asking = asking.with(kind.options);
    let asking = names.iter().fold(asking, |asking, name| asking.sub_agent(name, helper(name)));
    let run = world.ask_codex(&asking)?;

    for name in names {
        let agent = Speaker::Agent((*name).to_owned());
        let first = contexts(run.first(&agent)?);
        // The parent's conversation may stand before it, with a context of its own.
        holds("the briefing", first.last().copied().unwrap_or_default(), LEARNED)?;
        holds("its page", &result(run.last(&agent)?, "read_notepad")?, &page(name))?;
    }
    let kept = result(run.last(&Speaker::Main)?, "read_notepad")?;
    holds("the parent's page", &kept, PAGE)?;
    lacks("the parent's page", &kept, "## Helper")?;
    equal("the parent's page in the store", world.page_of(&run.session)?.as_str(), PAGE)
}

fn spawn(kind: &Kind, name: &str) -> Call {
    let message = format!("{} Count the {name}.", marker(name));
    let mut arguments = json!({ "message": message });
    if !kind.options.is_empty() {
        arguments["task_name"] = name.into();
    }
    tool(kind.spawn, arguments)
}

fn page(name: &str) -> String {
    format!("## Helper {name}\n- counted 番号\n")
}

fn helper(name: &str) -> Script {
    Script::new()
        .call(samples::write_page(&page(name)))
        .call(vade("read_notepad", json!({})))
        .say("Counted.")
}
