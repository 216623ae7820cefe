//! What is counted in instructions: the same on a busy machine, so that a change can be held to it.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::figure::{Bound, Figure, Unit};
use super::stores::{SESSION, Size};
use super::talk::Talk;
use super::world::{World, collected, finish};

/// The word that stands in a few notes, however many others there are.
pub(super) const IDENTIFIER: &str = "restore_ledger";

/// How often a call is made in the shorter and in the longer of two runs.
const TIMES: [u64; 2] = [20, 60];

const HOOK: Bound = Bound::Ratio(3.0);
/// What a sub-agent is told is chosen among 120 entries, each read with the branch on which it was recorded: 3 %.
/// A program that can reach a server has 2 % more to do before it begins.
/// The floor fell by 4 % when a store lost tables, this by 1 %.
const SUB_AGENT: Bound = Bound::Ratio(3.25);
/// A start also tells what the project knows, and finds out whose the path is.
const START: Bound = Bound::Ratio(3.5);
const FLAT: Bound = Bound::Ratio(1.1);
/// Numbers of notes say whose they are: 5 bytes, where the floor's are 1 to 3. The keys of each store are its own, so that
/// two stores of the same notes differ by 2 %.
const SEARCH: Bound = Bound::Ratio(2.6);
/// What the index is asked for looks into each of its segments, of which more notes have more.
const INDEXED: Bound = Bound::Ratio(2.0);

/// The hook at a prompt when there is nothing to say.
pub(super) fn prompt(world: &World) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, size) in
        [("prompt hook, no notes", Size::Empty), ("prompt hook, 100k notes", Size::Many)]
    {
        let floor = floor_hook(world, size)?;
        let (value, said) = hook(world, size, "UserPromptSubmit", &json!({"prompt": "go on"}))?;
        ensure!(said.is_empty(), "the prompt hook should say nothing, it said {said}");
        figures.push(counted(name, value).against("floor-hook", floor).within(HOOK));
    }
    let (none, many) = (figures[0].value, figures[1].value);
    figures.push(counted("prompt hook, none to 100k", many).against("no notes", none).within(FLAT));
    Ok(figures)
}

/// The hook at a resume, with a notepad of 6 KB and 20 notes in the context.
pub(super) fn start(world: &World) -> Result<Vec<Figure>> {
    let floor = floor_hook(world, Size::Full)?;
    world.fresh(Size::Full)?;
    world.here(Size::Full)?;
    let (value, said) = hook(world, Size::Full, "SessionStart", &json!({"source": "resume"}))?;
    ensure!(6000 < said.len(), "the start hook should give the full context, it said {said}");
    Ok(vec![counted("start hook, full context", value).against("floor-hook", floor).within(START)])
}

/// The hook that briefs a sub-agent from plan and project.
pub(super) fn sub_agent(world: &World) -> Result<Vec<Figure>> {
    let call = json!({"tool_name": "Agent", "tool_use_id": "toolu_01", "tool_input": {
        "description": "Repair the retry of refunds", "subagent_type": "general-purpose",
        "prompt": "The worker in src/queue/worker.rs swallows the error of a doubled refund. Find where \
                   tarimo and kelunsa are called, and map the error so that the queue does not loop.",
    }});
    let mut figures = Vec::new();
    for (name, size) in [
        ("sub-agent hook, 1k entries", Size::Entries),
        ("sub-agent hook, 10k entries", Size::ManyEntries),
    ] {
        let floor = floor_hook(world, size)?;
        world.here(size)?;
        let (value, said) = hook(world, size, "PreToolUse", &call)?;
        ensure!(said.contains("<wisdom>"), "the sub-agent hook should give wisdom, it said {said}");
        figures.push(counted(name, value).against("floor-hook", floor).within(SUB_AGENT));
    }
    let (few, many) = (figures[0].value, figures[1].value);
    let flat = counted("sub-agent hook, 1k to 10k", many).against("1k entries", few);
    figures.push(flat.within(FLAT));
    Ok(figures)
}

/// A server from its start to its list of tools.
pub(super) fn cold(world: &World) -> Result<Vec<Figure>> {
    let floor = listed(&mut world.counted("floor-null-mcp", Size::Empty)?)?;
    let mut figures = Vec::new();
    for (name, size) in [("tools/list, no notes", Size::Empty), ("tools/list, 100k", Size::Many)] {
        let value = listed(world.counted("vade", size)?.arg("mcp"))?;
        let figure = counted(name, value).against("floor-null-mcp", floor);
        figures.push(figure.within(Bound::Ratio(2.5)));
    }
    Ok(figures)
}

/// One note over MCP, against the same rows on disk, and against one row with the same text.
pub(super) fn add(world: &World) -> Result<Vec<Figure>> {
    let value = each(|n_times| {
        world.fresh(Size::Thousand)?;
        let mut talk = Talk::start(world.counted("vade", Size::Thousand)?.arg("mcp"))?;
        for idx in 0..n_times {
            talk.call("add_note", &note(idx))?;
        }
        collected(&talk.end()?)
    })?;
    let mut figures = Vec::new();
    for (name, sort, floor) in COMMITS {
        let floor_value = each(|n_times| {
            let database = world.another(Size::Thousand)?;
            let mut command = world.counted("floor-commit", Size::Thousand)?;
            count(commits(&mut command, &database, sort, n_times))
        })?;
        figures.push(counted(name, value).against(floor, floor_value));
    }
    Ok(figures)
}

/// What a note over MCP is measured against: the figure, the floor's argument, and the floor's name.
pub(super) const COMMITS: [(&str, &str, &str); 2] = [
    ("add_note over MCP", "note", "floor-commit note"),
    ("add_note, against one row", "row", "floor-commit row"),
];

/// Asks `floor-commit` for so many commits of the text of a note.
pub(super) fn commits<'a>(
    command: &'a mut Command,
    database: &Path,
    sort: &str,
    n_times: u64,
) -> &'a mut Command {
    command.arg(sort).arg(database).args([TEXT, &n_times.to_string()])
}

/// One search for an identifier that a few notes hold.
pub(super) fn search(world: &World) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, size) in
        [("identifier search, 1k notes", Size::Thousand), ("identifier search, 100k", Size::Many)]
    {
        let floor = each(|n_times| {
            let mut command = world.counted("floor-query", size)?;
            count(asks(&mut command, world, size, n_times)?)
        })?;
        let value = called(world, size, "search_notes", &json!({"query": IDENTIFIER}))?;
        let figure = counted(name, value).against("floor-query", floor);
        figures.push(figure.within(SEARCH));
    }
    let (few, many) = (figures[0].value, figures[1].value);
    let flat = counted("identifier search, 1k to 100k", many).against("1k notes", few);
    figures.push(flat.within(INDEXED));
    Ok(figures)
}

/// One list of the newest notes, with and without a tag.
pub(super) fn list(world: &World) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, arguments, bound) in [
        ("list, 1k to 100k", json!({}), FLAT),
        ("list by tag, 1k to 100k", json!({"tags": ["todo"]}), INDEXED),
    ] {
        let few = called(world, Size::Thousand, "list_notes", &arguments)?;
        let many = called(world, Size::Many, "list_notes", &arguments)?;
        figures.push(counted(name, many).against("1k notes", few).within(bound));
    }
    Ok(figures)
}

/// One fork of a session with as many notes as are copied at once.
pub(super) fn fork(world: &World) -> Result<Vec<Figure>> {
    let value = each(|n_times| {
        let database = world.another(Size::Thousand)?;
        let mut command = world.counted("bench-calls", Size::Thousand)?;
        calls(&mut command, &database, "fork", &json!({}), n_times);
        count(&mut command)
    })?;
    Ok(vec![counted("fork, 1k notes", value)])
}

fn counted(name: &'static str, value: u64) -> Figure {
    Figure::new(name, Unit::Instructions, value)
}

pub(super) fn count(command: &mut Command) -> Result<u64> {
    collected(&finish(command)?.1)
}

/// What one call costs: the difference between many and few, so that the start does not count.
fn each(run: impl Fn(u64) -> Result<u64>) -> Result<u64> {
    let [few, many] = TIMES;
    Ok(run(many)?.saturating_sub(run(few)?) / (many - few))
}

fn called(world: &World, size: Size, operation: &str, arguments: &Value) -> Result<u64> {
    let database = world.database(size)?;
    each(|n_times| {
        let mut command = world.counted("bench-calls", size)?;
        calls(&mut command, &database, operation, arguments, n_times);
        count(&mut command)
    })
}

/// Asks `floor-query` for the identifier so many times, in the plain table with the same notes.
pub(super) fn asks<'a>(
    command: &'a mut Command,
    world: &World,
    size: Size,
    n_times: u64,
) -> Result<&'a mut Command> {
    let database = world.database(size)?.with_file_name("plain.db");
    Ok(command.arg(database).args([IDENTIFIER, &n_times.to_string()]))
}

/// Asks `bench-calls` for so many calls of an operation.
pub(super) fn calls(
    command: &mut Command,
    database: &Path,
    operation: &str,
    arguments: &Value,
    n_times: u64,
) {
    command.arg(database).args([SESSION, operation, &arguments.to_string()]);
    command.arg(n_times.to_string());
}

fn floor_hook(world: &World, size: Size) -> Result<u64> {
    let database = world.database(size)?;
    count(world.counted("floor-hook", size)?.arg(database))
}

fn hook(world: &World, size: Size, event: &str, more: &Value) -> Result<(u64, String)> {
    let mut command = world.counted("vade", size)?;
    world.event(&mut command, event, more)?;
    let (stdout, stderr) = finish(&mut command)?;
    ensure!(!stderr.contains("vade: "), "the hook had a fault: {stderr}");
    Ok((collected(&stderr)?, stdout))
}

fn listed(command: &mut Command) -> Result<u64> {
    let mut talk = Talk::start(command)?;
    talk.ask("tools/list", &json!({}))?;
    collected(&talk.end()?)
}

/// What the notes that are added say, behind a number.
const TEXT: &str = "retries swallow E_DUP in src/queue/worker.rs: map it to Ok, else the queue loops \
    for ever and the ledger is never closed.";

/// A note of usual length.
pub(super) fn note(idx: u64) -> Value {
    json!({"content": format!("{idx} {TEXT}"), "tags": ["bug", "queue"]})
}
