//! What is done before a repository turns hostile: a plan, notes, and what the person keeps of another project.

use anyhow::Result;
use serde_json::Value;

use super::child::{self, PATIENCE, Stdin};
use super::marks::Kind;
use super::scene::{OTHER, SESSION, Scene};
use crate::torture::chance::Chance;

/// Does it; the ids of the notes.
pub(super) fn set_up(scene: &Scene, chance: &mut Chance) -> Result<Vec<String>> {
    let kept = scene.marks.of(Kind::Kept);
    run_as(scene, OTHER, &["note", "add", kept, "--tag", "todo"])?;
    run_as(scene, OTHER, &["notepad", "write", kept])?;
    run_as(scene, OTHER, &["handoff", "write", kept])?;
    run_as(scene, OTHER, &["learning", "add", kept])?;
    run_as(scene, "", &["note", "add", kept, "--tag", "todo"])?;
    let mut ids = Vec::new();
    for n in 0..4 {
        let text = format!("note {n} of this project");
        let said = run_as(scene, SESSION, &["note", "add", &text, "--tag", "todo", "--json"])?;
        let reply: Value = serde_json::from_slice(&said).unwrap_or_default();
        ids.extend(reply["id"].as_str().map(str::to_owned));
    }
    // Else the plan is made in the midst of what is hostile.
    if 0 < chance.below(4) {
        let track: &[&str] = if chance.below(2) == 0 { &["--track"] } else { &[] };
        run_as(scene, SESSION, &[&["plan", "init", "alpha"], track].concat())?;
        let words = ["learning", "add", "The queue is kept in order.", "--plan", "alpha"];
        run_as(scene, SESSION, &words)?;
    }
    Ok(ids)
}

/// Runs a command in the project of a session, in the other one for its desk too; what it said.
fn run_as(scene: &Scene, session: &str, words: &[&str]) -> Result<Vec<u8>> {
    let other = scene.home().join("other");
    let folder = if session == SESSION { &scene.entry } else { &other };
    let mut command = scene.command_in(folder);
    command.args(words).env("CLAUDE_CODE_SESSION_ID", session);
    if session.is_empty() {
        command.env_remove("CLAUDE_CODE_SESSION_ID");
    }
    let said = scene.said();
    child::run(command, Stdin::Whole(b""), &said, PATIENCE)?;
    let [stdout, _] = said.texts()?;
    Ok(stdout)
}
