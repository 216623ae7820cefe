//! Codex in a terminal, with its local compaction, sub-agents, neighbours, and ends that nobody planned.

use anyhow::{Result, ensure};
use serde_json::json;

use super::super::codex::COMPACT_AT;
use super::super::codex::reply::LAST_AGENT;
use super::super::codex::request::{anywhere, contexts, result};
use super::super::expect::{equal, holds, holds_request, lacks};
use super::super::model::SUMMARY;
use super::super::request::{Request, Speaker};
use super::super::samples::{self, NOTES, PAGE};
use super::super::script::{Script, marker, tool, vade};
use super::super::words;
use super::super::world::World;

const PROMPT: &str = "Check the ledger for May. Don't touch the leeks, another count is in flight.";
const SAID: &str = "I compare ledger.txt by supplier_invoice_key before I sum it.";
const OTHER_PROMPT: &str = "Name the suppliers of July.";
const OTHER_PAGE: &str = "## Suppliers\n- [ ] name those of July — 七月\n";
const EDIT: &str = "- [ ] the person adds: ask about the \"leeks\" first 🥬";
const LEARNED: &str = "The June rows of `ledger.txt` come from another till — 税込.";

/// Codex sums up by itself: its summary is no word of the agent.
pub(in super::super) fn compacted(world: &World<'_>) -> Result<String> {
    world.install_codex()?;
    let console = world.open_codex(Speaker::Main, &[])?;
    let script = samples::keep(Script::new().say_and_call(SAID, list()));
    let script = script.used(COMPACT_AT + 10_000).call(list()).used(6_000).call(list());
    let run = console.ask(PROMPT, script.say("May is right."))?;
    let (_, after) = run.compaction(&Speaker::Main)?;
    check_compacted(after)?;

    console.compact()?;
    let run = console.ask("Then June.", Script::new().say("June is right."))?;
    check_compacted(Some(run.first()?))?;
    Ok(String::new())
}

/// Checks the first request after a compaction.
fn check_compacted(request: Option<&Request>) -> Result<()> {
    let put_back = request.map(contexts).unwrap_or_default();
    equal("contexts after a compaction", &put_back.len(), &1)?;
    samples::check_all(put_back[0])?;
    holds_request("the context", put_back[0], PROMPT)?;
    lacks("the context", put_back[0], SUMMARY)
}

/// A session that is left and taken up again is told what changed in between.
pub(in super::super) fn resumed(world: &World<'_>) -> Result<String> {
    world.install_codex()?;
    let console = world.open_codex(Speaker::Main, &[])?;
    let begun = console.ask(PROMPT, samples::keep_all())?;
    let session = console.handle()?;
    console.leave()?;
    world.vade(&["notepad", "update", "append", EDIT, "--session", &session])?.success()?;

    let console = world.open_codex(Speaker::Main, &["resume", &begun.session])?;
    let script = Script::new().call(vade("read_notepad", json!({})));
    let again = console.ask("Go on.", script.say("Gone on."))?;
    equal("the session", &again.session, &begun.session)?;
    let shown = contexts(again.first()?).concat();
    for part in [PAGE, EDIT] {
        holds("what the model is shown", &shown, part)?;
    }
    lacks("what the model is shown", &shown, words::OFFER)?;
    holds("the page", &result(again.last()?, "read_notepad")?, EDIT)
        .map(|()| format!("{} bytes", shown.len()))
}

/// A sub-agent has its own page, and what it learned the next one is told.
pub(in super::super) fn agents(world: &World<'_>) -> Result<String> {
    world.install_codex()?;
    let console = world.open_codex(Speaker::Main, &[])?;
    let agent = |name: &str| Speaker::Agent(name.to_owned());
    let learns = vade("add_learning", json!({ "content": LEARNED }));
    let scout = Script::new().call(samples::write_page(OTHER_PAGE)).call(learns);
    world.model.play(agent("scout"), scout.say("Found one."));
    world.model.play(agent("digger"), Script::new().say("Nothing more."));
    let spawn = |name: &str| {
        let message = format!("{} Count a part of the ledger.", marker(name));
        tool("multi_agent_v1__spawn_agent", json!({ "message": message }))
    };
    let wait = || {
        let arguments = json!({ "targets": [LAST_AGENT], "timeout_ms": 60_000 });
        tool("multi_agent_v1__wait_agent", arguments)
    };
    let script = Script::new().call(samples::write_page(PAGE)).call(spawn("scout")).call(wait());
    let script = script.call(spawn("digger")).call(wait()).call(vade("read_notepad", json!({})));
    let run = console.ask("Check the ledger with your helpers.", script.say("Both are done."))?;

    let first = run.turns(&agent("digger"));
    ensure!(!first.is_empty(), "the digger asked the model nothing");
    let told = contexts(first[0]).concat();
    equal("how often the digger is told", &told.matches(LEARNED).count(), &1)?;
    let page = result(run.last()?, "read_notepad")?;
    holds("the parent's page", &page, PAGE)?;
    lacks("the parent's page", &page, OTHER_PAGE)?;
    equal("the parent's page in the store", console.page()?.as_str(), PAGE)?;
    world.model.check_played()?;
    Ok(String::new())
}

/// Two sessions at once keep apart, whoever compacts.
pub(in super::super) fn two_sessions(world: &World<'_>) -> Result<String> {
    world.install_codex()?;
    let other = Speaker::Agent("second".to_owned());
    let one = world.open_codex(Speaker::Main, &[])?;
    one.ask(PROMPT, samples::keep_all())?;
    let two = world.open_codex(other.clone(), &[])?;
    let script = Script::new().call(samples::write_page(OTHER_PAGE)).say("Named.");
    let begun = two.ask(&format!("{} {OTHER_PROMPT}", marker("second")), script)?;
    check_apart(&begun.turns(&other))?;
    two.compact()?;
    one.compact()?;

    let again = two.ask("Go on with July.", Script::new().say("Gone on with July."))?;
    check_apart(&again.turns(&other))?;
    holds("the second's context", &contexts(again.turns(&other)[0]).concat(), OTHER_PAGE)?;
    let again = one.ask("Go on with May.", Script::new().say("Gone on with May."))?;
    samples::check_all(&contexts(again.first()?).concat())?;
    for part in [OTHER_PAGE, OTHER_PROMPT, words::OFFER] {
        equal("texts of the other session", &anywhere(again.first()?, part).len(), &0)?;
    }
    Ok(String::new())
}

/// Checks that requests of the second session hold nothing of the first.
fn check_apart(requests: &[&Request]) -> Result<()> {
    for request in requests {
        for part in NOTES.iter().map(|(content, _)| *content).chain([PAGE, PROMPT, words::OFFER]) {
            equal("texts of the other session", &anywhere(request, part).len(), &0)?;
        }
    }
    Ok(())
}

/// A turn that was broken off is gone on with, and what it had written is there.
pub(in super::super) fn interrupted(world: &World<'_>) -> Result<String> {
    world.install_codex()?;
    let console = world.open_codex(Speaker::Main, &[])?;
    let script = samples::keep(Script::new().say_and_call(SAID, list()));
    console.begin(PROMPT, script.say("Counted.").held())?;
    console.interrupt()?;
    let read_page = vade("read_notepad", json!({}));
    let again =
        console.ask("Go on, and be brief.", Script::new().call(read_page).say("Gone on."))?;
    holds("the page", &result(again.last()?, "read_notepad")?, PAGE)?;
    console.compact()?;
    let after = console.ask("And now?", Script::new().say("Now it is counted."))?;
    check_compacted(Some(after.first()?))?;
    Ok(String::new())
}

/// After a kill in mid-turn the next session is offered the work and takes it over; the killed one goes on too.
pub(in super::super) fn killed(world: &World<'_>) -> Result<String> {
    world.install_codex()?;
    let console = world.open_codex(Speaker::Main, &[])?;
    let script = samples::keep(Script::new().say_and_call(SAID, list()));
    console.begin(PROMPT, script.say("Counted.").held())?;
    let killed = console.session()?;
    console.kill();

    let console = world.open_codex(Speaker::Main, &[])?;
    let next = console.ask("Hello.", Script::new().say("Hello there."))?;
    let offer = contexts(next.first()?).concat();
    for part in [words::OFFER, PROMPT] {
        holds("the offer", &offer, part)?;
    }
    lacks("the offer", &offer, PAGE)?;
    let from = words::offered(&offer);
    let take = Script::new().call(vade("read_handoff", json!({ "from": from })));
    let taken = console.ask("Yes, go on with it.", take.say("Taken over."))?;
    let handoff = result(taken.last()?, "read_handoff")?;
    for part in [PROMPT, PAGE, NOTES[2].0] {
        holds("the handoff", &handoff, part)?;
    }
    console.leave()?;

    let console = world.open_codex(Speaker::Main, &["resume", &killed])?;
    let again = console.ask("Go on.", Script::new().say("Gone on."))?;
    samples::check_all(&contexts(again.first()?).concat())?;
    Ok(String::new())
}

fn list() -> super::super::script::Call {
    vade("list_notes", json!({}))
}
