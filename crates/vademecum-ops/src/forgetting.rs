//! Forgetting: an intention on disk first, then files, then rows and their bytes.
//!
//! Whoever is stopped on the way leaves the intention, and the next start, command or server ends it.

mod awaited;
mod copies;
mod entry;
mod holders;
mod left;
mod note;
mod quotes;
pub(crate) mod tombstone;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use vademecum_core::id::{EntryId, NoteId, ProjectId};
use vademecum_core::project::ProjectKey;
use vademecum_core::session::SessionKey;
use vademecum_store::{Erase, IntentId, Scope};

use crate::call::Call;
use crate::error::OpError;
use crate::{mirror, moments};

pub(crate) use awaited::{awaited_by_name, awaited_here};
pub(crate) use copies::{copies, left_of_copies};
pub(crate) use left::{left_of_entry, left_of_note, left_of_sessions};
pub(crate) use note::{knows_note, mentioned, quoted};
pub(crate) use tombstone::{Tombstone, forgotten_texts, is_needless, is_tombstone};

/// What is to be forgotten.
///
/// Its JSON is kept in the store: variants and fields are added, never renamed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum Intent {
    /// One note.
    Note {
        /// Whose.
        session: SessionKey,
        /// Which.
        note: NoteId,
    },
    /// One entry of a plan, with the copies that merges made of it.
    Entry {
        /// The project.
        project: ProjectId,
        /// Which.
        entry: EntryId,
    },
    /// Sessions with their sub-agents.
    Sessions {
        /// Which.
        ids: Vec<SessionKey>,
        /// Their full names and those of their sub-agents.
        names: Vec<String>,
    },
    /// A project with its sessions.
    Project {
        /// Which.
        project: ProjectId,
        /// What the place of the call is known by.
        keys: Vec<ProjectKey>,
        /// The full names of its sessions.
        names: Vec<String>,
    },
    /// What is left of a project once it was joined to another; nothing while it was not.
    Joined {
        /// Which.
        project: ProjectId,
    },
}

/// An intention, and the work tree in which it was told.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    #[serde(flatten)]
    intent: Intent,
    root: Vec<u8>,
}

/// Forgets what is meant; how many bodies of the journal were emptied where those are counted.
pub(crate) fn forget(call: &Call<'_>, intent: Intent) -> Result<usize, OpError> {
    let begun = begin(call, intent)?;
    end(call, &begun)
}

/// An intention that is kept and not fulfilled yet.
pub(crate) struct Begun {
    id: IntentId,
    intent: Intent,
}

/// Keeps an intention.
pub(crate) fn begin(call: &Call<'_>, intent: Intent) -> Result<Begun, OpError> {
    let root = call.place().root.as_os_str().as_bytes().to_vec();
    let kept = Kept { intent, root };
    let text = serde_json::to_string(&kept)
        .map_err(|error| OpError::broken(format!("an intention is no JSON: {error}")))?;
    let id = call.store.intend(&text)?;
    Ok(Begun { id, intent: kept.intent })
}

/// Fulfils an intention.
pub(crate) fn end(call: &Call<'_>, begun: &Begun) -> Result<usize, OpError> {
    fulfil(call, begun.id, &begun.intent)
}

/// Ends what others have begun to forget; whether there was anything.
///
/// A later version's words are for that version to fulfil.
pub(crate) fn finish(call: &Call<'_>) -> Result<bool, OpError> {
    let unfinished = call.read(|view| Ok(view.store()?.unfinished))?;
    let mut has_ended = unfinished.has_bytes;
    if unfinished.has_bytes || unfinished.has_forks {
        call.store.erase(&Erase::Nothing, None)?;
    }
    for (id, text) in &unfinished.intents {
        let Ok(Kept { intent, root }) = serde_json::from_str(text) else { continue };
        let root = PathBuf::from(OsString::from_vec(root));
        fulfil(&call.again(None).about(&root), *id, &intent)?;
        has_ended = true;
    }
    Ok(has_ended)
}

/// Files first: as long as the rows are there they say what is to go.
///
/// Where others have ended it, files under such a name may be those of a session or plan that was begun since.
fn fulfil(call: &Call<'_>, id: IntentId, intent: &Intent) -> Result<usize, OpError> {
    let files = |names: &[String], project| {
        moments::forget(call, names, project).map_err(|error| unremoved(&error))
    };
    let intents = call.read(|view| Ok(view.store()?.unfinished.intents))?;
    let is_over = intents.iter().all(|(open, _)| *open != id);
    match intent {
        Intent::Sessions { .. } | Intent::Project { .. } if is_over => {
            call.store.erase(&Erase::Nothing, Some(id))?;
            Ok(0)
        }
        Intent::Note { session, note } => note::forget(call, id, session, *note),
        Intent::Entry { project, entry } => entry::forget(call, id, *project, *entry),
        Intent::Sessions { ids, names } => {
            files(names, None)?;
            bury(call, &tombstones_of(names, None))?;
            call.store.erase(&Erase::Sessions(ids.clone()), Some(id))?;
            Ok(0)
        }
        Intent::Project { project, keys, names } => {
            files(names, Some(*project))?;
            let secret = call.store.secret()?;
            mirror::forget(call, secret, keys).map_err(|error| unremoved(&error))?;
            bury(call, &tombstones_of(names, Some(*project)))?;
            call.store.erase(&Erase::Project(*project), Some(id))?;
            Ok(0)
        }
        // What it had is in the other one, and may come again. No later project has its id, whoever has ended this.
        Intent::Joined { project } => {
            let is_joined = call.read(|view| Ok(view.project_keys(*project)?.is_empty()))?;
            let what = if is_joined { Erase::Project(*project) } else { Erase::Nothing };
            call.store.erase(&what, Some(id))?;
            Ok(0)
        }
    }
}

/// The tombstones of sessions, and of the project that they go with: elsewhere they may belong to another one.
fn tombstones_of(names: &[String], project: Option<ProjectId>) -> Vec<Tombstone<'_>> {
    // A sub-agent may be named beside its session, and one that is kept so has to end.
    let names: BTreeSet<&String> = names.iter().collect();
    let sessions = names.into_iter().map(|name| Tombstone::Session(name));
    sessions.chain(project.map(Tombstone::Project)).collect()
}

/// Notes what no copy is to bring again, before it goes.
fn bury(call: &Call<'_>, tombstones: &[Tombstone<'_>]) -> Result<(), OpError> {
    call.write(Scope::Store, tombstone::KIND, &(), |view| {
        let made = tombstones.iter().map(|it| it.made(call, view));
        let made = made.collect::<Result<Vec<_>, _>>()?;
        Ok((made.into_iter().flatten().collect(), ()))
    })?;
    Ok(())
}

/// What could not be removed beside the database.
fn unremoved(error: &dyn std::error::Error) -> OpError {
    OpError::broken(format!("a file could not be removed, so this is not forgotten yet: {error}"))
        .hint("make the data folder and the work tree writable; the next command goes on with it")
}
