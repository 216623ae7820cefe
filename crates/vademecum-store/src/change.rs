//! Changes as data: what an operation decided, and the reverse that undoes it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use vademecum_core::entry::Entry;
use vademecum_core::id::{NoteId, ProjectId, WriteId};
use vademecum_core::note::Note;
use vademecum_core::plan::PlanName;
use vademecum_core::project::{Project, ProjectKey};
use vademecum_core::session::{Began, Place, SessionKey, Standing};
use vademecum_core::splice::Splice;
use vademecum_core::sub_agent::Running;
use vademecum_core::time::Time;

use crate::chain::Seal;
use crate::error::StoreError;
use crate::journal::Body;
use crate::view::{NoteFilter, View};
use crate::write::{Origin, Scope, Writer};

/// One change; a list of them is applied whole or not at all.
///
/// The JSON of a change is kept in the journal for ever: variants and fields are added, never renamed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// Makes a project known by `keys`.
    AddProject {
        /// Its id, which nobody has yet.
        id: ProjectId,
        /// The name people see.
        name: String,
        /// What it is known by.
        keys: Vec<ProjectKey>,
        /// When.
        at: Time,
    },
    /// Makes a project known by further keys; keys of another project stay there.
    AddProjectKeys {
        /// The project.
        project: ProjectId,
        /// What it is known by from now on.
        keys: Vec<ProjectKey>,
    },
    /// Gives a project another name.
    RenameProject {
        /// The project.
        project: ProjectId,
        /// The name people see from now on.
        name: String,
    },
    /// Gives what a project is known by, and its sessions, to another one; its plans stay with it.
    JoinProject {
        /// The project that has neither from now on.
        project: ProjectId,
        /// The project that gets them.
        into: ProjectId,
    },
    /// Switches vade off or on, for a project or for the store.
    SetOff {
        /// The project; none for the store.
        project: Option<ProjectId>,
        /// Since when; none to switch it on.
        off_at: Option<Time>,
    },
    /// Makes a session known.
    AddSession {
        /// Its project.
        project: ProjectId,
        /// What makes it unique.
        key: SessionKey,
        /// Whom it follows or stems from.
        parent: Option<SessionKey>,
        /// How it began.
        began: Began,
        /// Its place in the project's line.
        instance: u32,
        /// The name of the host.
        host_name: String,
        /// What its harness told.
        place: Place,
        /// When.
        at: Time,
    },
    /// Says whom a session stems from, once that is known.
    SetParent {
        /// The session.
        session: SessionKey,
        /// Whom it stems from.
        parent: SessionKey,
    },
    /// Notes that a session was heard of, or where its context stands.
    SetSession {
        /// The session.
        session: SessionKey,
        /// When it was heard of.
        seen_at: Time,
        /// When it ended; none while it runs.
        ended_at: Option<Time>,
        /// What its harness told.
        place: Place,
        /// Where its context stands.
        standing: Standing,
    },
    /// Edits a notepad; the first edit makes it.
    EditNotepad {
        /// Whose page.
        session: SessionKey,
        /// The edit.
        splice: Splice,
        /// The revision that it makes.
        rev: u32,
        /// When.
        at: Time,
    },
    /// Takes a notepad away, as if it had never been written.
    DropNotepad {
        /// Whose page.
        session: SessionKey,
    },
    /// Adds a note.
    AddNote {
        /// Whose.
        session: SessionKey,
        /// The note.
        note: Note,
    },
    /// Puts a note in the place of the one with the same id.
    SetNote {
        /// Whose.
        session: SessionKey,
        /// The note as it is from now on.
        note: Note,
    },
    /// Deletes a note.
    DropNote {
        /// Whose.
        session: SessionKey,
        /// Which.
        id: NoteId,
    },
    /// Deletes the notes with ids up to this one.
    DropNotes {
        /// Whose.
        session: SessionKey,
        /// The last id that goes.
        upto: NoteId,
    },
    /// Gives a session copies of the page and the notes that another one has now.
    ///
    /// It keeps the page that it has, and beside its own notes gets those whose ids none of them has. No later change of one is seen by the other.
    Fork {
        /// Who gets them.
        session: SessionKey,
        /// Whose they are.
        from: SessionKey,
        /// Whether it gets the page; a copy begins at revision 1.
        page: bool,
        /// Whether it gets the notes; its own ids go on behind the last one of `from`.
        notes: bool,
        /// So many of the newest notes are enough for now, for who has no time and no notes: an engine may copy the others later.
        ///
        /// It does before either of the two changes a note, and before anybody looks who has time.
        at_once: Option<u32>,
        /// When.
        at: Time,
    },
    /// Begins a plan.
    AddPlan {
        /// Its project.
        project: ProjectId,
        /// Its name.
        name: PlanName,
        /// Whether its files are meant for version control.
        is_tracked: bool,
        /// When.
        at: Time,
    },
    /// Says where a plan stands.
    SetPlan {
        /// Its project.
        project: ProjectId,
        /// Its name.
        name: PlanName,
        /// When it was completed; none while it is open.
        completed_at: Option<Time>,
        /// When it was put away; none before.
        archived_at: Option<Time>,
        /// Whether its files are meant for version control.
        is_tracked: bool,
    },
    /// Adds an entry to the plan that it names; nothing ever changes or takes one away.
    AddEntry {
        /// The project of the plan.
        project: ProjectId,
        /// The entry.
        entry: Entry,
    },
    /// Puts what an agent wrote for the next session in the place of what it wrote before.
    SetHandoff {
        /// Whose words.
        session: SessionKey,
        /// The words; none to take them away.
        text: Option<String>,
        /// When.
        at: Time,
    },
    /// Keeps the recap that was made of a session, in the place of an older one.
    SetRecap {
        /// Of which session.
        session: SessionKey,
        /// The recap, in the form of its maker.
        body: String,
        /// When it was made.
        at: Time,
    },
    /// Notes that a session works; an earlier time than the one noted changes nothing.
    SetWorked {
        /// The session.
        session: SessionKey,
        /// When.
        at: Time,
    },
    /// Notes that a sub-agent runs, or with none that it does no more.
    SetRunning {
        /// Its session.
        session: SessionKey,
        /// What is known of it.
        running: Option<Running>,
    },
    /// Says which plan a session works on.
    SetActivePlan {
        /// The session.
        session: SessionKey,
        /// The plan of its project; none to have it found out again.
        plan: Option<PlanName>,
    },
    /// Adds an entry of another store's journal, sealed behind the newest one of its scope.
    ///
    /// It stands in no undo list: what the entry did is copied by other changes.
    #[serde(skip)]
    CopyRecord(Box<CopiedRecord>),
    /// What only a later program does; it stands in the journal, and nobody here can make it.
    #[serde(untagged, skip_deserializing)]
    Unknown(Unknown),
}

/// An entry of another store's journal: all of it but its place and its seals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedRecord {
    /// What it belongs to.
    pub scope: Scope,
    /// Its write id, which its scope has not yet.
    pub write_id: WriteId,
    /// The operation.
    pub kind: String,
    /// Where it came from.
    pub origin: Origin,
    /// Who wrote it.
    pub by: Writer,
    /// When.
    pub at: Time,
    /// What it knew of its write.
    pub body: CopiedBody,
}

/// The body of an entry of another store's journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopiedBody {
    /// It is there.
    Kept(Body),
    /// It was erased; what is left of it is its hash there.
    Erased(Seal),
}

/// A change that only a later program knows, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// What it is called; empty where it has no name.
    pub word: Box<str>,
    /// All of it, as JSON.
    pub raw: Box<str>,
}

impl Unknown {
    /// What stands in the place of a change that names what another store has not.
    pub const GONE: &'static str = "gone";

    /// Words of changes that undo, which name projects, sessions and plans by numbers of one store.
    const UNDOING: [&'static str; 10] = [
        "rename_project",
        "edit_notepad",
        "drop_notepad",
        "add_note",
        "set_note",
        "drop_note",
        "drop_notes",
        "set_plan",
        "set_handoff",
        "set_active_plan",
    ];

    /// A change that nobody can make, in the place of one called `word` that names what is not there.
    #[must_use]
    pub fn gone(word: &str) -> Self {
        let raw = serde_json::json!({ "change": Self::GONE, "was": word }).to_string();
        Self { word: Self::GONE.into(), raw: raw.into() }
    }

    /// Whether it is one of this program that names what is gone by a number of its store.
    #[must_use]
    pub fn names_what_is_gone(&self) -> bool {
        Self::UNDOING.contains(&&*self.word)
    }

    /// The change that this JSON is, by its name.
    #[must_use]
    pub fn of(raw: &RawValue) -> Self {
        /// What every change has.
        #[derive(Deserialize)]
        struct Named {
            change: Box<str>,
        }
        let named = serde_json::from_str(raw.get()).map(|Named { change }| change);
        Self { word: named.unwrap_or_default(), raw: raw.get().into() }
    }
}

impl Serialize for Unknown {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.raw).map_err(serde::ser::Error::custom)?;
        raw.serialize(to)
    }
}

impl Change {
    /// What an engine answers where it has no hand for a change: it is refused, and never passed over.
    ///
    /// Named is its word alone, for what it holds may be private.
    #[must_use]
    pub fn unmade(&self) -> StoreError {
        let value = serde_json::to_value(self).unwrap_or_default();
        let word = value["change"].as_str().unwrap_or_default();
        StoreError::Engine { what: format!("there is no way to make the change \"{word}\" here") }
    }

    /// The changes that undo this one, seen from the state before it; empty where nothing is undone.
    pub fn reverse(&self, view: &dyn View) -> Result<Vec<Self>, StoreError> {
        Ok(match self {
            Self::AddProject { .. }
            | Self::AddProjectKeys { .. }
            | Self::JoinProject { .. }
            | Self::SetOff { .. }
            | Self::AddSession { .. }
            | Self::SetParent { .. }
            | Self::SetSession { .. }
            | Self::DropNotepad { .. }
            | Self::AddPlan { .. }
            | Self::AddEntry { .. }
            | Self::SetRecap { .. }
            | Self::SetWorked { .. }
            | Self::SetRunning { .. }
            | Self::CopyRecord(_)
            | Self::Unknown(_) => Vec::new(),
            Self::RenameProject { project, .. } => reverse_name(view, *project)?,
            Self::EditNotepad { session, splice, at, .. } => {
                reverse_edit(view, session, splice, *at)?
            }
            Self::AddNote { session, note } => vec![dropped(session, note.id)],
            Self::SetNote { session, note } => {
                put_back(view, session, note.id, |session, note| Self::SetNote { session, note })?
            }
            Self::DropNote { session, id } => {
                put_back(view, session, *id, |session, note| Self::AddNote { session, note })?
            }
            Self::DropNotes { session, upto } => readded(view, session, *upto)?,
            Self::Fork { session, from, page, notes, .. } => {
                let notes = if *notes { reverse_notes(view, session, from)? } else { Vec::new() };
                let page = if *page { reverse_page(view, session, from)? } else { None };
                notes.into_iter().chain(page).collect()
            }
            Self::SetPlan { project, name, .. } => reverse_plan(view, *project, name)?,
            Self::SetHandoff { session, at, .. } => vec![reverse_handoff(view, session, *at)?],
            Self::SetActivePlan { session, .. } => vec![reverse_active_plan(view, session)?],
        })
    }
}

fn dropped(session: &SessionKey, id: NoteId) -> Change {
    Change::DropNote { session: session.clone(), id }
}

/// The change that puts a note back as it is; none if there is no such note.
fn put_back(
    view: &dyn View,
    session: &SessionKey,
    id: NoteId,
    change: impl Fn(SessionKey, Note) -> Change,
) -> Result<Vec<Change>, StoreError> {
    Ok(view.note(session, id)?.map(|old| change(session.clone(), old)).into_iter().collect())
}

fn reverse_name(view: &dyn View, project: ProjectId) -> Result<Vec<Change>, StoreError> {
    let back = |old: Project| Change::RenameProject { project: old.id, name: old.name };
    Ok(view.project(project)?.map(back).into_iter().collect())
}

fn reverse_active_plan(view: &dyn View, session: &SessionKey) -> Result<Change, StoreError> {
    let plan = view.card(session)?.active_plan;
    Ok(Change::SetActivePlan { session: session.clone(), plan })
}

/// The changes that add the notes up to `upto` again.
fn readded(view: &dyn View, session: &SessionKey, upto: NoteId) -> Result<Vec<Change>, StoreError> {
    let mut notes = view.notes(session, &NoteFilter::ALL, 0)?;
    notes.retain(|note| note.id <= upto);
    notes.sort_by_key(|note| note.id);
    Ok(notes.into_iter().map(|note| Change::AddNote { session: session.clone(), note }).collect())
}

/// Takes away the notes that are copied now: all up to the last where the session has none, else each by its id.
fn reverse_notes(
    view: &dyn View,
    session: &SessionKey,
    from: &SessionKey,
) -> Result<Vec<Change>, StoreError> {
    let held = view.counts(from)?;
    let Some(upto) = held.last.filter(|_| 0 < held.notes) else { return Ok(Vec::new()) };
    let session = session.clone();
    if view.counts(&session)?.notes == 0 {
        return Ok(vec![Change::DropNotes { session, upto }]);
    }
    let ids = |session: &SessionKey| -> Result<BTreeSet<NoteId>, StoreError> {
        let notes = view.notes(session, &NoteFilter::ALL, 0)?;
        Ok(notes.iter().map(|note| note.id).collect())
    };
    let (own, theirs) = (ids(&session)?, ids(from)?);
    Ok(theirs.difference(&own).map(|id| dropped(&session, *id)).collect())
}

/// Takes away the page that is copied now; nothing where the session has one already.
fn reverse_page(
    view: &dyn View,
    session: &SessionKey,
    from: &SessionKey,
) -> Result<Option<Change>, StoreError> {
    let is_lent = view.notepad_rev(session)?.is_none() && view.notepad_rev(from)?.is_some();
    Ok(is_lent.then_some(Change::DropNotepad { session: session.clone() }))
}

fn reverse_handoff(view: &dyn View, session: &SessionKey, at: Time) -> Result<Change, StoreError> {
    let (text, at) = match view.handoff(session)? {
        Some(old) => (Some(old.text), old.updated_at),
        None => (None, at),
    };
    Ok(Change::SetHandoff { session: session.clone(), text, at })
}

fn reverse_plan(
    view: &dyn View,
    project: ProjectId,
    name: &PlanName,
) -> Result<Vec<Change>, StoreError> {
    let old = view.plan(project, name)?;
    let back = old.map(|old| Change::SetPlan {
        project,
        name: old.name,
        completed_at: old.completed_at,
        archived_at: old.archived_at,
        is_tracked: old.is_tracked,
    });
    Ok(back.into_iter().collect())
}

fn reverse_edit(
    view: &dyn View,
    session: &SessionKey,
    splice: &Splice,
    at: Time,
) -> Result<Vec<Change>, StoreError> {
    let Some(page) = view.notepad(session)? else {
        return Ok(vec![Change::DropNotepad { session: session.clone() }]);
    };
    let reverse = splice
        .reverse(&page.text)
        .map_err(|error| StoreError::Engine { what: error.to_string() })?;
    let session = session.clone();
    Ok(vec![Change::EditNotepad { session, splice: reverse, rev: page.rev, at }])
}

#[cfg(test)]
mod tests {
    use vademecum_core::entry::{Category, Line, Said, Stood, Text};
    use vademecum_core::id::EntryId;
    use vademecum_core::plan::PlanName;

    use super::*;

    #[track_caller]
    fn check(stood: Option<Stood>, behind: &str) {
        let said = Said::bare(Category::Learning, Text::new("x").expect("a text"));
        let entry = Entry::new(EntryId(1), PlanName::project(), Time(2), said);
        let entry = Entry { stood: stood.map(Box::new), ..entry };
        let change = Change::AddEntry { project: ProjectId([0; 16]), entry };
        let json = serde_json::to_string(&change).expect("JSON");
        let before = r#"{"change":"add_entry","project":"00000000000000000000000000000000","entry":{"id":1,"plan":"_project","at":2,"said":{"content":"x","matter":{"category":"learning"},"task":null,"pattern":null,"tags":[],"supersedes":null},"session":null,"merged_from":null"#;
        assert_eq!(json, format!("{before}{behind}}}}}"));
        assert_eq!(serde_json::from_str::<Change>(&json).ok(), Some(change));
    }

    /// What was hashed before entries had it stays the same to the byte.
    #[test]
    fn an_entry_that_stood_nowhere_has_the_json_that_it_always_had() {
        check(None, "");
        check(Stood::some(Line::new("main").ok(), None), r#","stood":{"branch":"main"}"#);
    }
}
