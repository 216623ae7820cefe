//! Claude Code hides most tools behind its search: all that the instructions name can be called all the same.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::ask::Ask;
use super::expect::{equal, holds, result};
use super::request::Request;
use super::script::{Call, Script, tool, vade};
use super::world::World;

/// Each tool that the instructions name and that asks nobody, with arguments and what its answer begins with.
fn calls() -> [(&'static str, Value, &'static str); 9] {
    let tags = ["decision", "api"];
    let unknown = "no note \"note_1\" in this session";
    [
        (
            "update_notepad",
            json!({"operation": "append", "content": "- [ ] ship\n"}),
            "notepad rev",
        ),
        ("add_note", json!({"content": "Ack twice, else it loops.", "tags": tags}), "added note_"),
        ("search_notes", json!({"query": "loops"}), "1 note"),
        ("update_note", json!({"id": "note_1", "tags": tags}), unknown),
        ("scratch_note", json!({"id": "note_1", "scratched": true}), unknown),
        ("add_learning", json!({"content": "Money is in cents."}), "added entry_"),
        ("recall", json!({"kind": "known"}), "in force here: 1 learning"),
        ("write_handoff", json!({"content": "Next: ship it."}), "handoff kept"),
        ("read_handoff", json!({"from": "nobody"}), "no session"),
    ]
}

/// Plays the scenario.
pub(super) fn play(world: &World<'_>) -> Result<String> {
    world.install()?;
    let each = calls().map(|(name, arguments, _)| vade(name, arguments));
    let begin = Script::new();
    let direct = each.into_iter().fold(begin, Script::call).say("All was called.");
    let run = world.ask(&Ask::new("Call them.").script(direct).with_failing_tools())?;
    let first = run.first()?;
    let n_hidden = check_named(first)?;
    let last = run.last()?;
    for (name, _, answer) in calls() {
        holds(&format!("the answer of {name}"), &result(last, name)?, answer)?;
    }

    let search: Call = tool("ToolSearch", json!({"query": "select:mcp__vade__scratch_note"}));
    let run =
        world.ask(&Ask::new("Look it up.").script(Script::new().call(search).say("Seen.")))?;
    let is_there = |request: &Request| {
        let tools = request.loaded_tools("vade");
        tools.iter().any(|tool| tool["name"] == "mcp__vade__scratch_note")
    };
    equal("whether it is loaded at first", &is_there(run.first()?), &false)?;
    equal("whether it is loaded once it was looked up", &is_there(run.last()?), &true)?;
    Ok(format!("{n_hidden} of {} tools were hidden", calls().len()))
}

/// Whether the model sees the name of each tool that the instructions name; how many of them are hidden.
fn check_named(request: &Request) -> Result<usize> {
    let instructions = request.instructions("vade").unwrap_or_default();
    let hidden = request.listed_tools("vade");
    let loaded = request.loaded_tools("vade");
    let mut n_hidden = 0;
    for (name, _, _) in calls() {
        let full = format!("mcp__vade__{name}");
        let is_hidden = hidden.contains(&full.as_str());
        ensure!(instructions.contains(name), "the instructions do not name {name}");
        let is_loaded = loaded.iter().any(|tool| tool["name"] == full.as_str());
        ensure!(is_hidden || is_loaded, "the model sees no {full}");
        n_hidden += usize::from(is_hidden);
    }
    Ok(n_hidden)
}
