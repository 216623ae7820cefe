//! The command `vade note edit`: one note in the person's editor, written back only onto what was read.

use clap::{Arg, ArgMatches, Command};
use clap_complete::ArgValueCompleter;
use serde_json::json;
use vademecum::core::note::Note;
use vademecum::ops::{Call, OpError, Reply, notes};

use super::edit::{edited, written};
use crate::cli::complete;
use crate::cli::editor::Draft;
use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::own::Own;
use crate::cli::setup::Setup;
use crate::cli::whose::Whose;

/// Edits a note.
pub(crate) const EDIT_NOTE: Own = Own {
    words: &["note", "edit"],
    title: "Edit a note in an editor",
    about: "Opens the text of a note in $VISUAL, $EDITOR or vi and writes it back when the editor ends. If \
            the note was changed meanwhile, nothing is written and your text is kept in a file that the error \
            names. Tags are changed with vade note update ID --tag.",
    of: Some("update_note"),
    arguments: |command: Command| {
        let id = Arg::new("ID").required(true).value_name("ID").help("Note ID to edit");
        command.arg(id.add(ArgValueCompleter::new(complete::notes)))
    },
    run,
};

fn run(setup: &Setup, globals: &Globals, matches: &ArgMatches) -> Result<Reply, Failure> {
    edit(setup, globals, matches.get_one::<String>("ID").expect("it is required"))
}

/// Lets the person edit the note that they typed an id for, or a part of one.
pub(crate) fn edit(setup: &Setup, globals: &Globals, typed: &str) -> Result<Reply, Failure> {
    setup.world.check_can_write("note edit")?;
    setup.with_call(setup.config()?, globals.session.clone(), Whose::Own, globals, |call| {
        let id = &notes::whole_id(call, typed)?;
        let before = note(call, id)?;
        setup.name_session(call);
        let (session, _) = call.open_session()?;
        let name = before.id.to_string();
        let draft = Draft::new(&setup.world, &session.key, &name, before.content.as_str())?;
        let Some(content) = edited(&draft, setup, "note", "vade note delete removes it")? else {
            return Ok(Reply {
                object: json!({"id": id, "changed": false}),
                text: format!("{id} is unchanged"),
            });
        };
        match note(call, id) {
            Ok(now) if now.content == before.content => {
                written(call, &draft, "update_note", json!({"id": id, "content": content}))
            }
            Ok(_) => Err(draft.keep(OpError::conflict(format!("{id} was changed meanwhile")))),
            Err(error) => Err(draft.keep(error)),
        }
    })
}

fn note(call: &Call<'_>, id: &str) -> Result<Note, OpError> {
    call.look(|view| match call.session(view)? {
        Some(session) => notes::named(call, view, &session.key, id),
        None => Err(OpError::missing(format!("no note \"{id}\" in this session"))),
    })
}
