//! A compaction by hand keeps the memory and helps the summariser; a new session starts with an offer.

use anyhow::{Context as _, Result, ensure};

use super::ask::Ask;
use super::expect::{context, holds, nowhere};
use super::request::Speaker;
use super::samples::{self, NOTES, PAGE};
use super::world::World;

/// The most lines that a fresh start may cost.
const OFFER_LINES: usize = 6;

/// Plays the scenario.
pub(super) fn play(world: &World<'_>) -> Result<String> {
    world.install()?;
    let first = world.ask(&Ask::new("Check the ledger.").script(samples::keep_all()))?;
    let words = compact(world, &first.session)?;
    let resumed = world.ask(&Ask::new("Go on.").resume(&first.session))?;
    samples::check_all(context(resumed.first()?)?)?;
    let n_lines = check_fresh_start(world)?;
    Ok(format!("{words} words for the summariser, {n_lines} lines at a fresh start"))
}

/// Compacts by hand and counts the words that the summariser got from us.
fn compact(world: &World<'_>, session: &str) -> Result<usize> {
    let run = world.ask(&Ask::new("/compact").resume(session))?;
    let (summary, _) = run.compaction(&Speaker::Main)?;
    let prompt = summary.last_prompt().context("the summariser got no prompt")?;
    let (_, extra) = prompt
        .split_once("Additional Instructions:")
        .context("PreCompact said nothing to the summariser")?;
    holds("the text for the summariser", extra, "vade")?;
    Ok(extra.split_whitespace().count())
}

/// Checks that a new session of the project sees nothing of the old one but a short offer.
fn check_fresh_start(world: &World<'_>) -> Result<usize> {
    let fresh = world.ask(&Ask::new("Something else."))?;
    let request = fresh.first()?;
    nowhere("the fresh start", request, PAGE)?;
    for (content, _) in NOTES {
        nowhere("the fresh start", request, content)?;
    }
    let n_lines = context(request)?.lines().count();
    ensure!(n_lines <= OFFER_LINES, "a fresh start got {n_lines} lines: {:?}", context(request)?);
    Ok(n_lines)
}
