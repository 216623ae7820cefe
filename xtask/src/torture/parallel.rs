//! A hundred calls at once in one server.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Result, ensure};
use serde_json::json;

use super::Given;
use super::home::Home;
use super::ledger;

const SESSION: &str = "5aa00000-5aa0-4000-8000-000000000003";
const N_CALLS: usize = 100;

/// Sends all of them before the first answer is read.
pub(super) fn run(given: &Given) -> Result<String> {
    let home = Home::new(&given.vade)?;
    let mut server = home.serve(SESSION)?;
    let begin = Instant::now();
    let mut asked = BTreeMap::new();
    for n in 0..N_CALLS {
        let (tool, arguments) = match n % 4 {
            0 => ("list_notes", json!({})),
            1 => ("update_notepad", json!({"operation": "append", "content": format!("{n}\n")})),
            _ => ("add_note", json!({"content": format!("call {n}"), "tags": ["finding"]})),
        };
        asked.insert(server.wire.ask_tool(tool, &arguments)?, tool);
    }
    for _ in 0..N_CALLS {
        let (id, result) = server.wire.next_answer()?;
        let tool = asked.remove(&id);
        ensure!(tool.is_some(), "an answer to nothing: {result}");
        ensure!(result["isError"] != true, "{tool:?} was refused: {result}");
    }
    let millis = begin.elapsed().as_millis();
    let found = ledger::find(&home, SESSION)?;
    let in_order: Vec<usize> = found.page.lines().map(str::parse).collect::<Result<_, _>>()?;
    ensure!(in_order.len() == N_CALLS / 4 && in_order.is_sorted(), "the page is {in_order:?}");
    ensure!(found.notes.len() == N_CALLS / 2, "{} notes", found.notes.len());
    home.check_sound()?;
    Ok(format!("{N_CALLS} calls in one server: all answered in {millis} ms, 0 errors, in order"))
}
