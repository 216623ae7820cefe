//! The first request after a compaction holds the recap of what was dropped, and invents nothing.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::ask::Ask;
use super::expect::{context, equal, holds};
use super::request::Speaker;
use super::samples::TOTALS;
use super::script::{Script, tool};
use super::words;
use super::world::World;

const PROMPT: &str = "Check the ledger for May. Don't touch the leeks, another count is in flight.";
const SAID: &str = "I compare `ledger.txt` by supplier_invoice_key before I sum it.";

/// The most that the summariser gets from us, in tokens.
const SUMMARISER: usize = 400;

/// Plays the scenario.
pub(super) fn play(world: &World<'_>) -> Result<String> {
    world.install()?;
    let file = world.file();
    let read = tool("Read", json!({ "file_path": file }));
    let script = Script::new()
        .say_and_call(SAID, read)
        .rounds(&file, &TOTALS)
        .rounds(&file, &[6_000])
        .say("The ledger is right.");
    let run = world.ask(&Ask::new(PROMPT).script(script))?;

    let (summary, after) = run.compaction(&Speaker::Main)?;
    let prompt = summary.last_prompt().context("the summariser got no prompt")?;
    let facts = prompt.split_once(words::SUMMARISER).map_or("", |(_, it)| it);
    let told = bpe_openai::o200k_base().count(facts);
    ensure!(told <= SUMMARISER, "the summariser got {told} tokens of facts: {facts:?}");

    let context = context(after.context("the agent asked nothing after the compaction")?)?;
    let (_, recap) = context.split_once(words::RECAP).context("no recap came back")?;
    holds("the recap", recap, "Check the ledger for May.")?;
    holds("the recap", recap, "supplier_invoice_key")?;
    holds("the recap", recap, words::UNCHANGED)?;
    let dropped = summary.texts().join("\n") + &summary.body.to_string();
    let n_names = check_names(recap, &dropped)?;

    let said = run.notices.iter().filter(|said| said.contains(" recap ")).count();
    equal("lines for the person that name the recap", &said, &1)?;
    let tokens = bpe_openai::o200k_base().count(recap);
    Ok(format!(
        "recap {tokens} tokens, {n_names} names, all in the dropped stretch; summariser {told}"
    ))
}

/// Checks that each name of the recap's lists, and of the line on files that are as they were read, stands in what was
/// dropped; how many there are.
fn check_names(recap: &str, dropped: &str) -> Result<usize> {
    let lists = ["Edited:", "Files:", "Commands:", "Names:"];
    let is_list = |line: &&str| lists.contains(line) || line.starts_with(words::UNCHANGED);
    let lines = recap.lines().skip_while(|line| !is_list(line));
    let lines = lines.take_while(|line| !line.is_empty() && !line.starts_with("[vade "));
    let lines = lines.filter(|line| !lists.contains(line));
    let lines = lines.map(|line| line.strip_prefix(words::UNCHANGED).unwrap_or(line));
    let names = lines.flat_map(|line| line.split([',', ':']));
    let names: Vec<&str> = names.map(str::trim).filter(|name| !name.is_empty()).collect();
    for name in &names {
        holds("the dropped stretch", dropped, name)?;
    }
    ensure!(!names.is_empty(), "the recap names nothing: {recap:?}");
    Ok(names.len())
}
