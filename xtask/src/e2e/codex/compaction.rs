//! Codex: notepad and notes come back after a compaction and a resume, and no one else's.

use anyhow::{Result, ensure};
use serde_json::json;

use super::super::expect::{equal, holds, receipt};
use super::super::request::Speaker;
use super::super::samples::{self, PAGE};
use super::super::script::{Script, vade};
use super::super::words;
use super::super::world::World;
use super::request::{anywhere, contexts, result};
use super::{Asking, COMPACT_AT, Run};

/// Our cap, in bytes.
const CAP: usize = 9_200;

/// Plays the scenario.
pub(in super::super) fn play(world: &World<'_>) -> Result<String> {
    world.install_codex()?;
    let list = || vade("list_notes", json!({}));
    let script = Script::new()
        .call(samples::write_page(PAGE))
        .batch(samples::add_notes())
        .call(vade("read_notepad", json!({})))
        .used(COMPACT_AT - 4_000)
        .call(list())
        .used(COMPACT_AT - 3_000)
        .call(list())
        .used(COMPACT_AT + 10_000)
        .call(list())
        .used(6_000)
        .call(list())
        .say("The ledger is right.");
    let run = world.ask_codex(&Asking::new("Check the ledger.").script(script))?;

    check_start(&run)?;
    check_is_back(&run)?;
    equal("the page in the store", world.page_of(&run.session)?.as_str(), PAGE)?;

    let again = world.ask_codex(&Asking::new("Go on.").resume(&run.session))?;
    equal("the session that goes on", &again.session, &run.session)?;
    let report = world.vade_json(&["doctor"])?.to_string();
    holds("the doctor's report", &report, "1 context arrived whole")?;
    let put_back = contexts(again.last(&Speaker::Main)?);
    let put_back = put_back.last().copied().unwrap_or_default();
    samples::check_all(put_back)?;
    receipt(put_back)?;
    Ok(format!("{} bytes put back", put_back.len()))
}

/// Checks the first request, and what the model read of its own page.
fn check_start(run: &Run) -> Result<()> {
    let first = contexts(run.first(&Speaker::Main)?);
    equal("contexts at the start", &first.len(), &1)?;
    holds("the context at the start", first[0], words::EMPTY)?;
    let (summary, _) = run.compaction(&Speaker::Main)?;
    holds("the page", &result(summary, "read_notepad")?, PAGE)?;
    equal("warnings before the compaction", &anywhere(summary, words::WARNING).len(), &1)
}

/// Checks that each request after the compaction holds everything once.
fn check_is_back(run: &Run) -> Result<()> {
    let (_, after) = run.compaction(&Speaker::Main)?;
    ensure!(!after.is_empty(), "the agent asked nothing after the compaction");
    for request in after {
        let put_back = contexts(request);
        equal("contexts after the compaction", &put_back.len(), &1)?;
        samples::check_all(put_back[0])?;
        receipt(put_back[0])?;
        ensure!(put_back[0].len() <= CAP, "the context has {} bytes", put_back[0].len());
        equal("copies of the page", &anywhere(request, PAGE).len(), &1)?;
    }
    Ok(())
}
