//! The commands that are no operations: things of the command line alone, one file each and one line here.

mod backup;
mod call;
mod completions;
mod config_path;
mod doctor;
mod edit;
mod edit_note;
mod edit_notepad;
mod entries;
mod export;
mod first_words;
mod import;
mod install;
mod man;
mod notepad_show;
mod past;
mod project_invite;
mod recap;
mod sandbox_run;
mod status;
mod store_check;
mod store_copy;
mod store_make;
mod store_status;
mod tour;
mod uninstall;
mod view;
mod why;

use clap::{ArgMatches, Command};
use vademecum::ops::Reply;

use super::exit::Failure;
use super::globals::Globals;
use super::setup::Setup;

pub(crate) use edit_note::edit as edit_note;
pub(crate) use edit_notepad::edit as edit_notepad;

/// A command of the command line alone.
#[derive(Debug)]
pub(crate) struct Own {
    /// The words, the noun first.
    pub(crate) words: &'static [&'static str],
    /// What it does, in a few words that begin with a verb.
    pub(crate) title: &'static str,
    /// What else there is to know.
    pub(crate) about: &'static str,
    /// The operation that it calls, whose options it takes; none where it calls none, or several.
    pub(crate) of: Option<&'static str>,
    /// Adds its arguments.
    pub(crate) arguments: fn(Command) -> Command,
    /// Does it.
    pub(crate) run: fn(&Setup, &Globals, &ArgMatches) -> Result<Reply, Failure>,
}

/// All of them, in the order in which help shows them.
pub(crate) static OWN: &[Own] = &[
    view::VIEW,
    tour::TOUR,
    install::INSTALL,
    uninstall::UNINSTALL,
    doctor::DOCTOR,
    backup::BACKUP,
    store_copy::STORE_COPY,
    store_check::STORE_CHECK,
    store_status::STORE_STATUS,
    store_make::STORE_MAKE,
    project_invite::INVITE,
    project_invite::UNINVITE,
    edit_note::EDIT_NOTE,
    edit_notepad::EDIT_NOTEPAD,
    entries::DECISIONS,
    entries::ISSUES,
    entries::LEARNINGS,
    past::BLAME,
    past::FIX,
    past::HOW,
    notepad_show::NOTEPAD_SHOW,
    status::STATUS,
    recap::RECAP,
    why::WHY,
    sandbox_run::SANDBOX_RUN,
    export::EXPORT,
    import::IMPORT,
    config_path::CONFIG_PATH,
    call::CALL,
    first_words::MCP,
    first_words::HOOK,
    first_words::STATUSLINE,
    completions::COMPLETIONS,
    man::MAN,
];
