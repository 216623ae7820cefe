//! Notepad and notes are back in front of the model right after a compaction inside a turn.

use anyhow::{Context as _, Result, ensure};

use super::ask::{Ask, Run};
use super::expect::{context, copies, equal, holds, lacks, nowhere, result, warnings};
use super::request::{Request, Speaker};
use super::samples::{self, PAGE, TOTALS};
use super::script::Script;
use super::world::World;

/// Plays the scenario.
pub(super) fn play(world: &World<'_>) -> Result<String> {
    world.install()?;
    let file = world.file();
    let script = Script::new()
        .call(samples::write_page(PAGE))
        .batch(samples::add_notes())
        .rounds(&file, &TOTALS)
        .rounds(&file, &[6_000, 7_000])
        .say("The ledger is right.");
    let run = world.ask(&Ask::new("Check the ledger.").script(script))?;

    let n_before = check_warned_once(&run)?;
    check_is_back(&run)?;
    check_said(&run)?;
    Ok(format!("warned {n_before} turns before the compaction"))
}

/// Checks that the model was warned once, and counts the turns it had from there to the compaction.
fn check_warned_once(run: &Run) -> Result<usize> {
    let (summary, after) = run.compaction(&Speaker::Main)?;
    equal("warnings before the compaction", &warnings(summary).len(), &1)?;
    for request in after_compaction(run)? {
        equal("warnings after the compaction", &warnings(request).len(), &0)?;
    }

    let turns = run.turns(&Speaker::Main);
    let n_after = after_compaction(run)?.len();
    let warned =
        turns.iter().take(turns.len() - n_after).filter(|turn| !warnings(turn).is_empty()).count();
    ensure!(
        after.is_some() && 0 < warned,
        "the warning came when the model had no turn left to act on it"
    );
    Ok(warned)
}

/// Checks that the first request after the compaction, and each later one, holds everything once.
fn check_is_back(run: &Run) -> Result<()> {
    for request in after_compaction(run)? {
        samples::check_all(context(request)?)?;
        equal("contexts with the page", &copies(request, PAGE), &1)?;
        nowhere("the request after the compaction", request, "<persisted-output>")?;
    }
    Ok(())
}

/// Checks what the model read of its own writes, the summariser of what is kept, and the person of both.
fn check_said(run: &Run) -> Result<()> {
    let (summary, _) = run.compaction(&Speaker::Main)?;
    holds("the reply to a write", &result(summary, "write_notepad")?, "notepad rev 1, ")?;
    lacks("the reply to a write", &result(summary, "write_notepad")?, "{")?;
    let prompt = summary.last_prompt().context("the summariser got no prompt")?;
    holds("the summariser's prompt", prompt, "The session's notepad and 3 open notes are kept")?;

    let notices: Vec<&String> = run.notices.iter().filter(|said| said.contains("vade: ")).collect();
    equal("lines for the person", &notices.len(), &1)?;
    holds("the line for the person", notices[0], "vade: notepad ")?;
    holds("the line for the person", notices[0], " tokens, 3 notes, back in context")
}

fn after_compaction(run: &Run) -> Result<Vec<&Request>> {
    let (_, first) = run.compaction(&Speaker::Main)?;
    let first = first.context("the agent asked nothing after the compaction")?;
    let turns = run.turns(&Speaker::Main).into_iter();
    Ok(turns.skip_while(|turn| !std::ptr::eq(*turn, first)).collect())
}
