//! Sub-agents start with what their siblings learned, and those still running are named after a compaction.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::ask::{Ask, Run};
use super::expect::{context, copies, equal, holds, lacks, nowhere};
use super::request::Speaker;
use super::samples::{self, PAGE, TOTALS};
use super::script::{Call, Script, Waiting, marker, sub_agent, vade};
use super::words;
use super::world::World;

const KNOWN: &str = "The June rows of `ledger.txt` come from another till — 税込.";
const FOUND: &str = "Leeks are booked a day late: compare \"value date\", not the date.";
const OPENER: &str = "<wisdom>\n### ";
const DIRECTIVE: &str = "NOTEPAD PATH: .planning/notepads/03-01-ledger/\n";
const N_AGENTS: usize = 5;

/// A sub-agent's first request holds wisdom and directive, and what the first one found the second one is told.
pub(super) fn told(world: &World<'_>) -> Result<String> {
    world.install()?;
    let before = world.ask(&Ask::new("Ask one.").script(asks("idle")))?;
    let prompt = first_prompt(&before, "idle")?;
    equal("the prompt in a project without plans", prompt, &format!("{} Do it.", marker("idle")))?;

    world.vade(&["plan", "init", "03-01-ledger"])?.success()?;
    world.vade(&["learning", "add", KNOWN, "--pattern", "ledger.txt:1-2"])?.success()?;
    let records = vade("add_learning", json!({ "content": FOUND }));
    let run = world.ask(
        &Ask::new("Check the ledger with your helpers.")
            .script(asks("scout").call(asks_for("digger")).say("Both are done."))
            .sub_agent("scout", Script::new().call(records).say("Found one."))
            .sub_agent("digger", Script::new().say("Nothing more.")),
    )?;
    let (scout, digger) = (first_prompt(&run, "scout")?, first_prompt(&run, "digger")?);
    for prompt in [scout, digger] {
        ensure!(prompt.starts_with(OPENER), "no wisdom at the top of the prompt: {prompt}");
        holds("the prompt", prompt, KNOWN)?;
        holds("the prompt", prompt, DIRECTIVE)?;
    }
    lacks("the first prompt", scout, FOUND)?;
    holds("the second prompt", digger, FOUND)?;
    nowhere("the parent", run.last()?, OPENER)?;
    let file = world.project().join(".planning/notepads/03-01-ledger/learnings.md");
    holds("the file of the plan", &std::fs::read_to_string(file)?, FOUND)?;
    let n_tokens = bpe_openai::o200k_base().count(digger);
    Ok(format!("a prompt of {n_tokens} tokens with wisdom and directive"))
}

/// Five sub-agents work at once through a compaction of their parent.
pub(super) fn running(world: &World<'_>) -> Result<String> {
    world.install()?;
    let names: Vec<String> = (1..=N_AGENTS).map(|n| format!("helper{n}")).collect();
    let sent = names.iter().map(|name| sub_agent(name, "Read a part.", Waiting::No)).collect();
    let script = Script::new()
        .call(samples::write_page(PAGE))
        .batch(samples::add_notes())
        .batch(sent)
        .rounds(&world.file(), &TOTALS)
        .rounds(&world.file(), &[6_000])
        .say("I wait for the helpers.")
        .held();
    let ask = Ask::new("Check the ledger with five helpers.").script(script);
    let ask = names.iter().fold(ask, |ask, name| {
        let page = samples::write_page(&format!("## Page of {name}"));
        ask.sub_agent(name, Script::new().call(page).say("Read.").held())
    });
    let run = world.ask_held(&ask, N_AGENTS + 1)?;
    let (_, after) = run.compaction(&Speaker::Main)?;
    let after = context(after.context("the agent asked nothing after the compaction")?)?;
    samples::check_all(after)?;
    lacks("the parent's context", after, "## Page of")?;
    holds("the context", after, words::RUNNING)?;
    for name in &names {
        let asked = format!("(general-purpose): \"Work of {name}: {} Read a part.\"", marker(name));
        holds("the context", after, &asked)?;
    }
    let later = world.ask(&Ask::new("Go on.").resume(&run.session))?;
    let later = later.first()?;
    equal("contexts that name them in a new process", &copies(later, words::RUNNING), &1)?;
    equal("contexts that say that they ended", &copies(later, words::STOPPED), &1)?;
    Ok("five named, the parent's page as it was".to_owned())
}

fn asks_for(name: &str) -> Call {
    sub_agent(name, "Do it.", Waiting::Yes)
}

fn asks(name: &str) -> Script {
    Script::new().call(asks_for(name))
}

/// What a sub-agent was asked, as the model got it.
fn first_prompt<'a>(run: &'a Run, name: &str) -> Result<&'a str> {
    let turns = run.turns(&Speaker::Agent(name.to_owned()));
    let first = turns.first().with_context(|| format!("{name} asked the model nothing"))?;
    let mut texts = first.texts().into_iter();
    texts.rfind(|text| text.contains(&marker(name))).context("no prompt")
}
