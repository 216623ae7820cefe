//! The command `vade notepad edit`: the page in the person's editor, written back only onto what was read.

use clap::{ArgMatches, Command};
use serde_json::json;
use vademecum::ops::{Call, OpError, Reply};

use super::edit::{edited, written};
use crate::cli::editor::Draft;
use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;
use crate::cli::whose::Whose;

/// Edits the page.
pub(crate) const EDIT_NOTEPAD: Own = Own {
    words: &["notepad", "edit"],
    title: "Edit the notepad in an editor",
    about: "Opens the page in $VISUAL, $EDITOR or vi and writes it back when the editor ends. If the page \
            was changed meanwhile, nothing is written and your text is kept in a file that the error names. \
            An unchanged page is not written; an empty one is refused: vade notepad write '' clears it.",
    of: Some("write_notepad"),
    arguments: |command: Command| command,
    run,
};

fn run(setup: &Setup, globals: &Globals, _: &ArgMatches) -> Result<Reply, Failure> {
    edit(setup, globals)
}

/// Lets the person edit the page of the session that `globals` name, or that is meant.
pub(crate) fn edit(setup: &Setup, globals: &Globals) -> Result<Reply, Failure> {
    setup.world.check_can_write("notepad edit")?;
    setup.with_call(setup.config()?, globals.session.clone(), Whose::Own, globals, |call| {
        let page = page(call)?;
        setup.name_session(call);
        let rev = page.as_ref().map_or(0, |(rev, _)| *rev);
        // A draft belongs to a session that is known: forgetting it finds the draft.
        let (session, _) = call.open_session()?;
        let text = page.as_ref().map_or("", |(_, text)| text);
        let draft = Draft::new(&setup.world, &session.key, "notepad", text)?;
        let Some(content) = edited(&draft, setup, "notepad", "vade notepad write '' clears it")?
        else {
            return Ok(Reply {
                object: json!({"ok": true, "changed": false, "rev": rev}),
                text: "the notepad is unchanged".to_owned(),
            });
        };
        written(call, &draft, "write_notepad", json!({"content": content, "if_rev": rev}))
    })
}

fn page(call: &Call<'_>) -> Result<Option<(u32, String)>, OpError> {
    call.look(|view| {
        let session = call.session(view)?;
        let page = session.map(|session| view.notepad(&session.key)).transpose()?.flatten();
        Ok(page.map(|page| (page.rev, page.text)))
    })
}
