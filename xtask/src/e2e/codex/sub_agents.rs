//! Codex: a sub-agent starts with what its siblings learned, and has a notepad of its own.

use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::json;

use super::super::expect::{equal, holds, lacks};
use super::super::request::{Purpose, Request, Speaker};
use super::super::samples::{self, PAGE};
use super::super::script::{Call, Script, marker, tool, vade};
use super::super::world::World;
use super::reply::LAST_AGENT;
use super::request::{contexts, result};
use super::{Asking, COMPACT_AT, Run};

const SCOUT_PAGE: &str = "## Scout\n- two callers of `sum` — 甲 and 乙\n";
const LEARNED: &str = "The ledger is summed in `ledger.txt` with awk, never with sort.";
const FOUND: &str = "The second caller of `sum` rounds down.";

/// Plays the scenario with the sub-agents that Codex has by default.
pub(in super::super) fn play(world: &World<'_>) -> Result<String> {
    world.install_codex()?;
    let script = Script::new()
        .call(samples::write_page(PAGE))
        .call(vade("add_learning", json!({ "content": LEARNED })))
        .call(spawn("scout", "Find the callers of sum."))
        .call(wait())
        .call(spawn("digger", "Read ledger.txt."))
        .call(wait())
        .call(vade("read_notepad", json!({})))
        .say("The helpers are done.");
    let asking = Asking::new("Check the ledger with your helpers.").script(script);
    let run = world.ask_codex(&asking.sub_agent("scout", scout()).sub_agent("digger", digger()))?;

    check_briefed(run.first(&agent("scout"))?, &[LEARNED])?;
    check_briefed(run.first(&agent("digger"))?, &[LEARNED, FOUND])?;
    check_pages(&run)?;
    check_own_compaction(&run)?;
    let named = check_running(world)?;
    Ok(format!("after a compaction: {named:?}"))
}

fn agent(name: &str) -> Speaker {
    Speaker::Agent(name.to_owned())
}

fn spawn(name: &str, task: &str) -> Call {
    let message = format!("{} {task}", marker(name));
    tool("multi_agent_v1__spawn_agent", json!({ "message": message }))
}

fn wait() -> Call {
    let arguments = json!({ "targets": [LAST_AGENT], "timeout_ms": 60_000 });
    tool("multi_agent_v1__wait_agent", arguments)
}

fn scout() -> Script {
    Script::new()
        .call(samples::write_page(SCOUT_PAGE))
        .call(vade("add_learning", json!({ "content": FOUND })))
        .call(vade("read_notepad", json!({})))
        .say("Two callers.")
}

/// One that is compacted itself.
fn digger() -> Script {
    let list = || vade("list_notes", json!({}));
    Script::new()
        .call(samples::write_page(SCOUT_PAGE))
        .used(COMPACT_AT + 10_000)
        .call(list())
        .used(6_000)
        .call(list())
        .say("Nothing there.")
}

/// Checks that the first request of a sub-agent holds wisdom and directive.
fn check_briefed(first: &Request, learned: &[&str]) -> Result<()> {
    let briefing = contexts(first);
    equal("contexts of a starting sub-agent", &briefing.len(), &1)?;
    for part in ["<wisdom>", "add_learning"].iter().chain(learned) {
        holds("the briefing", briefing[0], part)?;
    }
    lacks("the briefing", briefing[0], PAGE)
}

/// Checks that each reads what it wrote itself.
fn check_pages(run: &Run) -> Result<()> {
    holds("the scout's page", &result(run.last(&agent("scout"))?, "read_notepad")?, SCOUT_PAGE)?;
    let page = result(run.last(&Speaker::Main)?, "read_notepad")?;
    holds("the parent's page", &page, PAGE)?;
    lacks("the parent's page", &page, "## Scout")
}

/// Checks that a compacted sub-agent has its page again from the first tool on.
fn check_own_compaction(run: &Run) -> Result<()> {
    let (_, after) = run.compaction(&agent("digger"))?;
    let put_back = after.last().map(|request| contexts(request)).unwrap_or_default();
    equal("contexts after the digger's compaction", &put_back.len(), &1)?;
    holds("the digger's context", put_back[0], SCOUT_PAGE)
}

/// Checks that the one that still runs is named after the parent's compaction.
fn check_running(world: &World<'_>) -> Result<String> {
    let script = Script::new()
        .call(samples::write_page(PAGE))
        .call(spawn("slow", "Count the leeks."))
        .call(tool("exec_command", json!({ "cmd": "sleep 2" })))
        .used(COMPACT_AT + 10_000)
        .call(vade("list_notes", json!({})))
        .used(6_000)
        .call(wait())
        .say("All is counted.");
    let slow = Script::new().say("Seven.").held();
    let asking = Asking::new("Count, and go on.").script(script).sub_agent("slow", slow);
    let n_before = world.model.requests().len();
    let mut running = world.begin_codex(&asking)?;
    let is_back = || {
        let requests = world.model.requests().split_off(n_before);
        let mut main = requests.iter().filter(|request| request.speaker == Speaker::Main);
        main.any(|request| request.purpose == Purpose::Summary)
            && main.any(|request| request.purpose == Purpose::Turn)
    };
    running.until(Duration::from_mins(1), is_back)?;
    world.model.go_on();
    let run = world.end_codex(running, n_before)?;

    let (_, after) = run.compaction(&Speaker::Main)?;
    ensure!(!after.is_empty(), "the agent asked nothing after the compaction");
    let put_back = contexts(after[0]).concat();
    let line = put_back.lines().find(|line| line.contains("Count the leeks."));
    ensure!(line.is_some(), "the running sub-agent is not named: {put_back}");
    Ok(line.unwrap_or_default().to_owned())
}
