//! What vade costs a session that never uses it, measured from the request.

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::ask::Ask;
use super::request::Request;
use super::world::World;

const EVENTS: [&str; 4] = ["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolBatch"];
const MAX_CONTEXT: usize = 120;
const MAX_ALL: usize = 900;

/// Plays the scenario.
pub(super) fn play(world: &World<'_>) -> Result<String> {
    world.install()?;
    let run = world.ask(&Ask::new("What is seven times eight?"))?;
    let request = run.first()?;
    let instructions = tokens(request.instructions("vade").context("no instructions arrived")?);
    let loaded: usize = request.loaded_tools("vade").into_iter().map(schema_tokens).sum();
    let context: usize = EVENTS.iter().flat_map(|event| request.contexts(event)).map(tokens).sum();
    let all = instructions + loaded + context;

    let figures = format!(
        "{all} tokens: instructions {instructions}, {} schemas {loaded}, context {context}; {}",
        request.loaded_tools("vade").len(),
        beside(world, request)?,
    );
    ensure!(context <= MAX_CONTEXT, "the context alone is over {MAX_CONTEXT}: {figures}");
    ensure!(all <= MAX_ALL, "all is over {MAX_ALL}: {figures}");
    Ok(figures)
}

/// What does not count: the names of the other tools, and the whole list where a harness loads it.
fn beside(world: &World<'_>, request: &Request) -> Result<String> {
    let listed = request.listed_tools("vade");
    let run = world.ask(&Ask::new("And seven times nine?").load_all_tools())?;
    let whole = run.first()?.loaded_tools("vade");
    let n_whole: usize = whole.iter().map(|tool| schema_tokens(tool)).sum();
    let n_listed = tokens(&listed.join("\n"));
    Ok(format!(
        "beside it {} names {n_listed}; the whole list of {} is {n_whole}",
        listed.len(),
        whole.len()
    ))
}

fn schema_tokens(tool: &Value) -> usize {
    tokens(&tool.to_string())
}

fn tokens(text: &str) -> usize {
    bpe_openai::o200k_base().count(text)
}
