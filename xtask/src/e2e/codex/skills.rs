//! Codex: a skill that is typed does its one thing once, and costs a session nothing that types none.

use anyhow::Result;

use super::super::expect::{equal, holds};
use super::super::request::Speaker;
use super::super::samples;
use super::super::script::Script;
use super::super::world::World;
use super::Asking;
use super::request::anywhere;

const TYPED: &str = "Beans: \"runner\" & $1 'dwarf' `id` cost 3";

/// Plays the scenario.
pub(in super::super) fn play(world: &World<'_>) -> Result<String> {
    world.configure_codex()?;
    world.install_codex()?;
    let plain =
        world.ask_codex(&Asking::new("Check the ledger.").script(Script::new().say("Checked.")))?;
    equal(
        "skills in a plain session",
        &anywhere(plain.first(&Speaker::Main)?, "vade-note"),
        &vec![],
    )?;

    let keep = Script::new().call(samples::add_note(TYPED, &["beans"])).say("Kept it.");
    let prompt = format!("$vade-note {TYPED}");
    let run = world.ask_codex(&Asking::new(&prompt).script(keep))?;
    let said = anywhere(run.first(&Speaker::Main)?, "called once");
    holds("what $vade-note says to the model", &said.concat(), "add_note")?;
    let session = format!("codex:{}", run.session);
    let kept = world.vade_json(&["note", "list", "--session", &session])?;
    equal("the notes of the session", &kept["notes"].as_array().map(Vec::len), &Some(1))?;
    Ok(String::new())
}
