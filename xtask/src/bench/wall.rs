//! What is measured on the wall: medians of paired runs, reported and never held.

use std::cell::Cell;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::figure::{Bound, Figure, Unit};
use super::instructions::{COMMITS, IDENTIFIER, asks, calls, commits, note};
use super::stores::Size;
use super::talk::Talk;
use super::world::{World, finish, median};

const PAIRS: usize = 31;

/// The hook at a prompt when there is nothing to say.
pub(super) fn prompt(world: &World) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, size) in
        [("prompt hook, no notes", Size::Empty), ("prompt hook, 100k notes", Size::Many)]
    {
        let event = json!({"prompt": "go on"});
        figures.push(hook(world, name, size, "UserPromptSubmit", &event)?);
    }
    Ok(figures)
}

/// The hook at a resume, with a notepad of 6 KB and 20 notes in the context.
pub(super) fn start(world: &World) -> Result<Vec<Figure>> {
    world.fresh(Size::Full)?;
    let event = json!({"source": "resume"});
    Ok(vec![hook(world, "start hook, full context", Size::Full, "SessionStart", &event)?])
}

fn hook(
    world: &World,
    name: &'static str,
    size: Size,
    event: &str,
    more: &Value,
) -> Result<Figure> {
    let database = world.database(size)?;
    let pairs = pairs(
        || {
            let mut command = world.command("vade", size)?;
            world.event(&mut command, event, more)?;
            timed(|| finish(&mut command))
        },
        || {
            let mut command = world.command("floor-hook", size)?;
            timed(|| finish(command.arg(&database)))
        },
    )?;
    pairs.figure(name, "floor-hook").map(|figure| figure.within(Bound::Ratio(3.0)))
}

/// A server from its start to its list of tools.
pub(super) fn cold(world: &World) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, size) in [("tools/list, no notes", Size::Empty), ("tools/list, 100k", Size::Many)] {
        let pairs = pairs(
            || listed(world.command("vade", size)?.arg("mcp")),
            || listed(&mut world.command("floor-null-mcp", size)?),
        )?;
        figures.push(pairs.figure(name, "floor-null-mcp")?.within(Bound::Ratio(2.5)));
    }
    Ok(figures)
}

/// The most memory of a server that has listed its tools, and of one that has kept, found and listed.
pub(super) fn memory(world: &World) -> Result<Vec<Figure>> {
    world.fresh(Size::Many)?;
    let mut talk = Talk::start(world.command("vade", Size::Many)?.arg("mcp"))?;
    talk.ask("tools/list", &json!({}))?;
    let begun = most_memory(&talk)?;
    for idx in 0..10 {
        talk.call("add_note", &note(idx))?;
        talk.call("search_notes", &json!({"query": IDENTIFIER}))?;
        talk.call("list_notes", &json!({}))?;
    }
    let used = most_memory(&talk)?;
    talk.end()?;
    let figure = |name, most| Figure::new(name, Unit::Kibibytes, most);
    Ok(vec![
        figure("memory at tools/list, 100k", begun).within(Bound::Most(10 * 1024)),
        figure("memory after 30 calls, 100k", used),
    ])
}

/// The most memory that the server has held until now.
fn most_memory(talk: &Talk) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", talk.pid()))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    Ok(line.context("no VmHWM")?.trim().trim_end_matches(" kB").parse()?)
}

/// One note over MCP, against the same rows on disk, and against one row with the same text.
pub(super) fn add(world: &World) -> Result<Vec<Figure>> {
    world.fresh(Size::Thousand)?;
    let mut talk = Talk::start(world.command("vade", Size::Thousand)?.arg("mcp"))?;
    let mut idx = 0;
    let mut figures = Vec::new();
    for (name, sort, floor) in COMMITS {
        let database = world.another(Size::Thousand)?;
        let pairs = pairs(
            || {
                let times = (0..40).map(|_| {
                    idx += 1;
                    timed(|| talk.call("add_note", &note(idx)))
                });
                middle(&times.collect::<Result<Vec<_>>>()?)
            },
            || {
                let mut command = world.command("floor-commit", Size::Empty)?;
                printed(commits(&mut command, &database, sort, 40))
            },
        )?;
        let figure = pairs.figure(name, floor)?;
        figures.push(if sort == "note" { figure.within(Bound::Ratio(2.0)) } else { figure });
    }
    talk.end()?;
    figures.push(add_against_a_server(world)?);
    Ok(figures)
}

/// One note over MCP, against a bare server whose tool commits one row with the same text.
fn add_against_a_server(world: &World) -> Result<Figure> {
    world.fresh(Size::Thousand)?;
    let mut product = Talk::start(world.command("vade", Size::Thousand)?.arg("mcp"))?;
    let mut command = world.command("floor-mcp-commit", Size::Thousand)?;
    let mut floor = Talk::start(command.arg(world.another(Size::Thousand)?))?;
    let idx = Cell::new(0);
    let add = |talk: &mut Talk| {
        let times = (0..40).map(|_| {
            idx.set(idx.get() + 1);
            timed(|| talk.call("add_note", &note(idx.get())))
        });
        middle(&times.collect::<Result<Vec<_>>>()?)
    };
    let pairs = pairs(|| add(&mut product), || add(&mut floor))?;
    product.end()?;
    floor.end()?;
    let figure = pairs.figure("add_note, against a server of one row", "floor-mcp-commit")?;
    Ok(figure.within(Bound::Ratio(1.35)))
}

/// One search for an identifier that a few notes hold, through the library and over MCP.
pub(super) fn search(world: &World) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    let arguments = json!({"query": IDENTIFIER});
    for (names, size) in [
        (["identifier search, 1k notes", "identifier over MCP, 1k"], Size::Thousand),
        (["identifier search, 100k", "identifier over MCP, 100k"], Size::Many),
    ] {
        let floor = || {
            let mut command = world.command("floor-query", size)?;
            printed(asks(&mut command, world, size, 40)?)
        };
        let inside = pairs(|| called(world, size, "search_notes", &arguments), floor)?;
        let figure = inside.figure(names[0], "floor-query")?;
        figures.push(figure.within(Bound::Ratio(2.5)));
        let mut talk = Talk::start(world.command("vade", size)?.arg("mcp"))?;
        let over = pairs(|| asked(&mut talk, "search_notes", &arguments), floor)?;
        talk.end()?;
        figures.push(over.figure(names[1], "floor-query")?);
    }
    Ok(figures)
}

/// One search for two words that a half and a third of all notes hold.
pub(super) fn common(world: &World) -> Result<Vec<Figure>> {
    let arguments = json!({"query": "queue error"});
    let most = Bound::Most(5_000_000);
    let inside = called(world, Size::Many, "search_notes", &arguments)?;
    let mut talk = Talk::start(world.command("vade", Size::Many)?.arg("mcp"))?;
    let over = asked(&mut talk, "search_notes", &arguments)?;
    talk.end()?;
    Ok(vec![
        Figure::new("two common words, 100k", Unit::Nanoseconds, nanoseconds(inside)).within(most),
        Figure::new("two common words over MCP", Unit::Nanoseconds, nanoseconds(over)).within(most),
    ])
}

/// One list of the newest notes over MCP, with and without a tag.
pub(super) fn list(world: &World) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, arguments) in
        [("list, 1k to 100k", json!({})), ("list by tag, 1k to 100k", json!({"tags": ["todo"]}))]
    {
        let mut many = Talk::start(world.command("vade", Size::Many)?.arg("mcp"))?;
        let mut few = Talk::start(world.command("vade", Size::Thousand)?.arg("mcp"))?;
        let pairs = pairs(
            || asked(&mut many, "list_notes", &arguments),
            || asked(&mut few, "list_notes", &arguments),
        )?;
        many.end()?;
        few.end()?;
        figures.push(pairs.figure(name, "1k notes")?);
    }
    Ok(figures)
}

/// The times of two programs that were run in turn.
pub(super) struct Pairs {
    values: Vec<Duration>,
    floors: Vec<Duration>,
}

pub(super) fn pairs(
    mut value: impl FnMut() -> Result<Duration>,
    mut floor: impl FnMut() -> Result<Duration>,
) -> Result<Pairs> {
    let mut pairs = Pairs { values: Vec::new(), floors: Vec::new() };
    // The first pair warms the caches.
    value()?;
    floor()?;
    for _ in 0..PAIRS {
        pairs.values.push(value()?);
        pairs.floors.push(floor()?);
    }
    Ok(pairs)
}

impl Pairs {
    pub(super) fn figure(&self, name: &'static str, floor: &'static str) -> Result<Figure> {
        let both = self.values.iter().zip(&self.floors);
        let ratios: Vec<f64> = both.map(|(value, floor)| value.div_duration_f64(*floor)).collect();
        let value = Figure::new(name, Unit::Nanoseconds, nanoseconds(middle(&self.values)?));
        let figure = value.against(floor, nanoseconds(middle(&self.floors)?));
        Ok(figure.paired(median(&ratios).context("no pair")?))
    }
}

fn listed(command: &mut Command) -> Result<Duration> {
    let begin = Instant::now();
    let mut talk = Talk::start(command)?;
    talk.ask("tools/list", &json!({}))?;
    let taken = begin.elapsed();
    talk.end()?;
    Ok(taken)
}

fn called(world: &World, size: Size, operation: &str, arguments: &Value) -> Result<Duration> {
    let mut command = world.command("bench-calls", size)?;
    calls(&mut command, &world.database(size)?, operation, arguments, 40);
    printed(&mut command)
}

/// The median of some calls in one conversation.
pub(super) fn asked(talk: &mut Talk, operation: &str, arguments: &Value) -> Result<Duration> {
    let times = (0..10).map(|_| timed(|| talk.call(operation, arguments)));
    middle(&times.collect::<Result<Vec<_>>>()?)
}

/// The median of the nanoseconds that a program prints.
pub(super) fn printed(command: &mut Command) -> Result<Duration> {
    let (stdout, _) = finish(command)?;
    let times: Result<Vec<Duration>, _> =
        stdout.lines().map(|line| line.parse().map(Duration::from_nanos)).collect();
    middle(&times?)
}

pub(super) fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<Duration> {
    let begin = Instant::now();
    work()?;
    Ok(begin.elapsed())
}

pub(super) fn middle(times: &[Duration]) -> Result<Duration> {
    median(times).context("nothing was timed")
}

pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
