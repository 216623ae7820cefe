//! A session that is left and taken up again.

use anyhow::Result;
use serde_json::json;

use super::super::expect::{equal, holds, nowhere, result};
use super::super::request::Request;
use super::super::samples::{self, PAGE};
use super::super::script::{Script, vade};
use super::super::words;
use super::super::world::World;

const EDIT: &str = "- [ ] the person adds: ask about the \"leeks\" first 🥬";

/// `--continue` takes the newest session up, and what changed in between is in its next request.
pub(in super::super) fn continued(world: &World<'_>) -> Result<String> {
    world.settle_in()?;
    let console = world.open(&[])?;
    let begun = console.ask("Check the ledger.", samples::keep_all())?;
    let session = console.handle()?;
    console.leave()?;
    world.vade(&["notepad", "update", "append", EDIT, "--session", &session])?.success()?;

    let console = world.open(&["--continue"])?;
    let read_page = vade("read_notepad", json!({}));
    let again = console.ask("Go on.", Script::new().call(read_page).say("Gone on."))?;
    equal("the session", &again.session, &begun.session)?;
    let first = again.first()?;
    for part in [PAGE, EDIT] {
        holds("what the model is shown", &shown(first), part)?;
    }
    nowhere("a session that goes on", first, words::OFFER)?;
    holds("the page", &result(again.last()?, "read_notepad")?, EDIT)?;
    Ok(String::new())
}

/// Every context of a session's begin in `request`.
fn shown(request: &Request) -> String {
    request.contexts("SessionStart").join("\n")
}
