//! The changes that a body of the journal undoes by, as this file keeps them: with row numbers.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use vademecum_core::hash::Hash;
use vademecum_core::id::{NoteId, Seq};
use vademecum_core::note::Note;
use vademecum_core::plan::PlanName;
use vademecum_core::session::SessionKey;
use vademecum_core::splice::Splice;
use vademecum_core::time::Time;
use vademecum_store::chain::BodyBytes;
use vademecum_store::change::Unknown;
use vademecum_store::{Body, Change, StoreError};

use crate::names::{Names, ProjectRow, SessionRow};
use crate::plans;

/// A body as it lies in the file.
pub(crate) struct Kept {
    pub(crate) arguments: Vec<u8>,
    pub(crate) reply: Vec<u8>,
    pub(crate) undo: Vec<u8>,
}

/// What can stand in an undo list; its JSON is kept for ever.
#[derive(Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
enum Reverse {
    RenameProject {
        project: i64,
        name: String,
    },
    EditNotepad {
        session: i64,
        splice: Splice,
        rev: u32,
        at: Time,
    },
    DropNotepad {
        session: i64,
    },
    AddNote {
        session: i64,
        note: Note,
    },
    SetNote {
        session: i64,
        note: Note,
    },
    DropNote {
        session: i64,
        id: NoteId,
    },
    DropNotes {
        session: i64,
        upto: NoteId,
    },
    SetPlan {
        project: i64,
        name: PlanName,
        completed_at: Option<Time>,
        archived_at: Option<Time>,
        is_tracked: bool,
    },
    SetHandoff {
        session: i64,
        text: Option<String>,
        at: Time,
    },
    SetActivePlan {
        session: i64,
        plan: Option<i64>,
    },
}

impl Kept {
    /// The body of three columns; none where it was erased.
    pub(crate) fn of(parts: [Option<Vec<u8>>; 3]) -> Option<Self> {
        let [Some(arguments), Some(reply), Some(undo)] = parts else { return None };
        Some(Self { arguments, reply, undo })
    }

    /// What is hashed.
    pub(crate) fn bytes(&self) -> BodyBytes<'_> {
        BodyBytes { arguments: &self.arguments, reply: &self.reply, undo: &self.undo }
    }
}

/// The hash of arguments as it is kept: nothing where it is asked for by no repeat.
pub(crate) fn kept_hash(arguments: &Hash) -> Vec<u8> {
    if *arguments == Hash::default() { Vec::new() } else { arguments.to_vec() }
}

/// A list of changes as it is kept.
pub(crate) fn list(undo: &[Box<RawValue>]) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(undo).map_err(|error| no_json(&error))
}

/// A change as it is kept; made of the state before the write that it undoes, whose rows it names.
pub(crate) fn kept(names: &Names<'_>, change: &Change) -> Result<Box<RawValue>, StoreError> {
    let text = match change {
        Change::Unknown(unknown) => unknown.raw.to_string(),
        known => serde_json::to_string(&reverse(names, known)?).map_err(|it| no_json(&it))?,
    };
    RawValue::from_string(text).map_err(|error| no_json(&error))
}

/// A body of another store as this file keeps it.
pub(crate) fn keep(names: &Names<'_>, body: &Body) -> Result<Kept, StoreError> {
    let undo = body.undo.iter().map(|change| kept(names, change));
    let undo = list(&undo.collect::<Result<Vec<_>, _>>()?)?;
    let (arguments, reply) = (kept_hash(&body.arguments), body.reply.clone().into_bytes());
    Ok(Kept { arguments, reply, undo })
}

/// Reads a body; a change that is not known, or that names what is gone, is kept as it stands there.
pub(crate) fn read(names: &Names<'_>, seq: Seq, kept: Kept) -> Result<Body, StoreError> {
    let corrupt = |what: &dyn fmt::Display| StoreError::Corrupt {
        what: format!("journal body {}: {what}", seq.0),
    };
    let arguments = match kept.arguments.as_slice() {
        [] => Hash::default(),
        kept => kept.try_into().map_err(|_| corrupt(&"no hash of arguments"))?,
    };
    let reply = String::from_utf8(kept.reply).map_err(|error| corrupt(&error))?;
    let undo: Vec<&RawValue> =
        serde_json::from_slice(&kept.undo).map_err(|error| corrupt(&error))?;
    let undo = undo.into_iter().map(|raw| change(names, raw)).collect::<Result<_, _>>()?;
    Ok(Body { arguments, reply, undo })
}

/// Whether these bytes have the form of a body.
pub(crate) fn is_body(kept: &Kept) -> bool {
    [0, size_of::<Hash>()].contains(&kept.arguments.len())
        && std::str::from_utf8(&kept.reply).is_ok()
        && serde_json::from_slice::<Vec<&RawValue>>(&kept.undo).is_ok()
}

fn no_json(error: &serde_json::Error) -> StoreError {
    StoreError::Engine { what: error.to_string() }
}

fn change(names: &Names<'_>, raw: &RawValue) -> Result<Change, StoreError> {
    let known = match serde_json::from_str(raw.get()) {
        Ok(reverse) => named(names, reverse)?,
        Err(_) => None,
    };
    Ok(known.unwrap_or_else(|| Change::Unknown(Unknown::of(raw))))
}

/// The change by names; none if what it names is gone.
fn named(names: &Names<'_>, reverse: Reverse) -> Result<Option<Change>, StoreError> {
    match reverse {
        Reverse::RenameProject { project, name } => {
            let project = names.id(ProjectRow(project))?;
            Ok(project.map(|project| Change::RenameProject { project, name }))
        }
        Reverse::SetPlan { project, name, completed_at, archived_at, is_tracked } => {
            let project = names.id(ProjectRow(project))?;
            let set =
                |project| Change::SetPlan { project, name, completed_at, archived_at, is_tracked };
            Ok(project.map(set))
        }
        Reverse::EditNotepad { session, .. }
        | Reverse::DropNotepad { session }
        | Reverse::AddNote { session, .. }
        | Reverse::SetNote { session, .. }
        | Reverse::DropNote { session, .. }
        | Reverse::DropNotes { session, .. }
        | Reverse::SetHandoff { session, .. }
        | Reverse::SetActivePlan { session, .. } => match names.key(SessionRow(session))? {
            Some(key) => of_session(names, key, reverse),
            None => Ok(None),
        },
    }
}

fn of_session(
    names: &Names<'_>,
    session: SessionKey,
    reverse: Reverse,
) -> Result<Option<Change>, StoreError> {
    Ok(Some(match reverse {
        Reverse::EditNotepad { splice, rev, at, .. } => {
            Change::EditNotepad { session, splice, rev, at }
        }
        Reverse::DropNotepad { .. } => Change::DropNotepad { session },
        Reverse::AddNote { note, .. } => Change::AddNote { session, note },
        Reverse::SetNote { note, .. } => Change::SetNote { session, note },
        Reverse::DropNote { id, .. } => Change::DropNote { session, id },
        Reverse::DropNotes { upto, .. } => Change::DropNotes { session, upto },
        Reverse::SetHandoff { text, at, .. } => Change::SetHandoff { session, text, at },
        Reverse::SetActivePlan { plan: None, .. } => Change::SetActivePlan { session, plan: None },
        Reverse::SetActivePlan { plan: Some(row), .. } => {
            match plans::name_by_row(names.connection, row)? {
                Some(plan) => Change::SetActivePlan { session, plan: Some(plan) },
                None => return Ok(None),
            }
        }
        Reverse::RenameProject { .. } | Reverse::SetPlan { .. } => return Ok(None),
    }))
}

fn reverse(names: &Names<'_>, change: &Change) -> Result<Reverse, StoreError> {
    let row = |key| names.session(key).map(|SessionRow(row)| row);
    let project_row = |id| names.project(id).map(|ProjectRow(row)| row);
    Ok(match change.clone() {
        Change::RenameProject { project, name } => {
            Reverse::RenameProject { project: project_row(project)?, name }
        }
        Change::EditNotepad { session, splice, rev, at } => {
            Reverse::EditNotepad { session: row(&session)?, splice, rev, at }
        }
        Change::DropNotepad { session } => Reverse::DropNotepad { session: row(&session)? },
        Change::AddNote { session, note } => Reverse::AddNote { session: row(&session)?, note },
        Change::SetNote { session, note } => Reverse::SetNote { session: row(&session)?, note },
        Change::DropNote { session, id } => Reverse::DropNote { session: row(&session)?, id },
        Change::DropNotes { session, upto } => Reverse::DropNotes { session: row(&session)?, upto },
        Change::SetPlan { project, name, completed_at, archived_at, is_tracked } => {
            let project = project_row(project)?;
            Reverse::SetPlan { project, name, completed_at, archived_at, is_tracked }
        }
        Change::SetHandoff { session, text, at } => {
            Reverse::SetHandoff { session: row(&session)?, text, at }
        }
        Change::SetActivePlan { session, plan } => {
            let session = names.session(&session)?;
            let plan = match plan {
                Some(name) => names.find_plan(session, &name)?.map(|plan| plan.0),
                None => None,
            };
            Reverse::SetActivePlan { session: session.0, plan }
        }
        other => return Err(other.unmade()),
    })
}
