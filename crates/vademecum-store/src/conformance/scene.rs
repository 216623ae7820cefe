//! A project and sessions to work with, and the short way to write.

use vademecum_core::hash::plain;
use vademecum_core::id::{MachineId, NoteId, PersonId, ProjectId, Seq, WriteId};
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::project::{KeyKind, ProjectKey};
use vademecum_core::session::{Began, Place, SessionKey};
use vademecum_core::time::Time;

use crate::change::Change;
use crate::error::StoreError;
use crate::journal::Record;
use crate::store::{Store, read};
use crate::view::JournalFilter;
use crate::write::{Author, Decision, Origin, Outcome, Scope, Surface, Write, Writer};

/// The time of the first write of a scene.
pub(super) const START: Time = Time(1_763_700_000_000);

/// Who writes in a scene.
pub(super) const WRITER: Writer =
    Writer { person: PersonId([0x70; 16]), machine: MachineId([0x6d; 16]) };

/// Makes a write with this id and arguments.
pub(super) fn write(scope: Scope, id: &str, arguments: &str) -> Write {
    Write {
        scope,
        is_fresh: false,
        id: WriteId::new(id).expect("a test's write id is legal"),
        arguments: plain(arguments.as_bytes()),
        kind: "test",
        origin: Origin { surface: Surface::Library, author: Author::Tool },
        by: WRITER,
        at: START,
    }
}

/// Commits `changes` under a write id of their own.
pub(super) fn commit(store: &dyn Store, scope: Scope, id: &str, changes: &[Change]) -> Outcome {
    try_commit(store, scope, id, changes).expect("the write")
}

/// Commits `changes`, or gives the error.
pub(super) fn try_commit(
    store: &dyn Store,
    scope: Scope,
    id: &str,
    changes: &[Change],
) -> Result<Outcome, StoreError> {
    store.write(&write(scope, id, id), &mut |_| {
        Ok(Decision::Commit { changes: changes.to_vec(), reply: format!("\"{id}\"") })
    })
}

/// The entries of the journal behind `after`, the first written first.
pub(super) fn fed(store: &dyn Store, after: Seq, limit: usize) -> Vec<Record> {
    let (after, oldest_first) = (Some(after), true);
    let behind = JournalFilter { after, oldest_first, limit, ..JournalFilter::default() };
    read(store, |view| view.records_by(&behind)).expect("a feed")
}

/// The key of the folder that a project is known by.
pub(super) fn folder(path: &str) -> ProjectKey {
    ProjectKey { kind: KeyKind::Folder, machine: None, value: path.as_bytes().to_vec() }
}

/// Makes a project known by `path`.
pub(super) fn project(store: &dyn Store, path: &str) -> ProjectId {
    let keys = vec![folder(path)];
    let id = ProjectId(*plain(path.as_bytes()).first_chunk().expect("16 bytes"));
    let add = Change::AddProject { id, name: path.to_owned(), keys: keys.clone(), at: START };
    commit(store, Scope::Store, &format!("project {path}"), &[add]);
    let found = read(store, |view| view.project_by_keys(&keys)).expect("a read");
    found.expect("the project is there").id
}

/// The key of a session of the harness `test`.
pub(super) fn key(external: &str, agent: Option<&str>) -> SessionKey {
    SessionKey {
        harness: "test".to_owned(),
        external: external.to_owned(),
        agent: agent.map(str::to_owned),
    }
}

/// The change that makes a session of `project` known.
pub(super) fn begun(project: ProjectId, key: &SessionKey) -> Change {
    Change::AddSession {
        project,
        key: key.clone(),
        parent: None,
        began: Began::Start,
        instance: 1,
        host_name: "host".to_owned(),
        place: Place::default(),
        at: START,
    }
}

/// Makes a session of `project` known.
pub(super) fn session(store: &dyn Store, project: ProjectId, external: &str) -> SessionKey {
    let key = key(external, None);
    let add = begun(project, &key);
    commit(store, Scope::Project(project), &format!("session {external}"), &[add]);
    let found = read(store, |view| view.session(&key)).expect("a read");
    found.expect("the session is there").key
}

/// A note with this id, updated `id` milliseconds after the start.
pub(super) fn note(id: i64, content: &str, tags: &[&str]) -> Note {
    Note {
        id: NoteId(id),
        content: Content::new(content).expect("a test's content is legal"),
        tags: Tags::new(tags).expect("a test's tags are legal"),
        created_at: START,
        updated_at: START.plus(id),
        scratched_at: None,
    }
}
