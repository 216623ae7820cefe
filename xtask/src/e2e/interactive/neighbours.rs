//! What runs beside a session in the same folder: another session, a one-shot run, the person.

use anyhow::Result;
use serde_json::json;

use super::super::ask::Ask;
use super::super::expect::{context, equal, holds, nowhere, result};
use super::super::request::{Request, Speaker};
use super::super::samples::{self, NOTES, PAGE};
use super::super::script::{Script, marker, vade};
use super::super::words;
use super::super::world::World;

const PROMPT: &str = "Count the carrots of June in the ledger.";
const OTHER_PROMPT: &str = "Name the suppliers of July.";
const OTHER_PAGE: &str = "## Suppliers\n- [ ] name those of July — 七月\n";
const EDIT: &str = "- [ ] the person adds: ask about the \"leeks\" first 🥬";

/// Two sessions at once keep apart, whoever compacts.
pub(in super::super) fn two_sessions(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let other = Speaker::Agent("second".to_owned());
    let (one, two) = (world.open(&[])?, world.open_as(other.clone(), &[])?);
    one.ask(PROMPT, samples::keep_all())?;
    let prompt = format!("{} {OTHER_PROMPT}", marker("second"));
    let script = Script::new().call(samples::write_page(OTHER_PAGE)).say("Named.");
    let begun = two.ask(&prompt, script)?;
    check_apart(&begun.turns(&other))?;
    two.compact()?;
    one.compact()?;

    let read_page = || Script::new().call(vade("read_notepad", json!({})));
    let again = two.ask("Go on with July.", read_page().say("Gone on with July."))?;
    let turns = again.turns(&other);
    check_apart(&turns)?;
    holds("the second's context", context(turns[0])?, OTHER_PAGE)?;
    let again = one.ask("Go on with June.", read_page().say("Gone on with June."))?;
    samples::check_all(context(again.first()?)?)?;
    holds("the first's page", &result(again.last()?, "read_notepad")?, PAGE)?;
    for part in [OTHER_PAGE, OTHER_PROMPT, words::OFFER] {
        nowhere("the first session", again.last()?, part)?;
    }
    Ok(String::new())
}

/// Checks that requests of the second session hold nothing of the first.
fn check_apart(requests: &[&Request]) -> Result<()> {
    for request in requests {
        for part in NOTES.iter().map(|(content, _)| *content).chain([PAGE, PROMPT, words::OFFER]) {
            nowhere("the second session", request, part)?;
        }
    }
    Ok(())
}

/// A one-shot run beside a session is neither told of it nor changes it.
pub(in super::super) fn one_shot(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let console = world.open(&[])?;
    console.ask(PROMPT, samples::keep_all())?;
    let shot = world.ask(&Ask::new("What is two and two?").script(Script::new().say("Four.")))?;
    for part in [PAGE, PROMPT, NOTES[0].0, words::OFFER] {
        nowhere("the one-shot run", shot.first()?, part)?;
    }
    console.compact()?;
    let read_page = vade("read_notepad", json!({}));
    let after = console.ask("Go on.", Script::new().call(read_page).say("Gone on."))?;
    samples::check_all(context(after.first()?)?)?;
    holds("the page", &result(after.last()?, "read_notepad")?, PAGE)?;
    nowhere("the session", after.last()?, "two and two")?;
    Ok(String::new())
}

/// What the person changes between two prompts is told with the next one, once.
pub(in super::super) fn person(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let console = world.open(&[])?;
    console.ask(PROMPT, samples::keep_all())?;
    let session = console.handle()?;
    world.vade(&["notepad", "update", "append", EDIT, "--session", &session])?.success()?;
    let told = console.ask("Go on.", Script::new().say("Gone on."))?;
    equal("tellings of the edit", &tellings(told.first()?), &1)?;
    let later = console.ask("And further.", Script::new().say("Gone further."))?;
    equal("tellings of the edit, one prompt later", &tellings(later.first()?), &1)?;
    console.compact()?;
    let after = console.ask("Again.", Script::new().say("And again."))?;
    holds("the context after the compaction", context(after.first()?)?, EDIT)?;
    Ok(String::new())
}

/// How many texts in `request` hold what the person added.
fn tellings(request: &Request) -> usize {
    request.texts().into_iter().map(|text| text.matches(EDIT).count()).sum()
}
