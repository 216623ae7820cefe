//! A store with a project and sessions, and the short way to write.

use vademecum_core::hash::{Key, plain};
use vademecum_core::id::{NoteId, ProjectId, WriteId};
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::session::{Began, Place, SessionKey};
use vademecum_core::time::Time;
use vademecum_store::{
    Author, Change, Decision, Memory, Origin, Outcome, Scope, Store, StoreError, Surface, Write,
    Writer,
};

pub(crate) const PROJECT: ProjectId = ProjectId([1; 16]);

/// An empty store.
pub(crate) fn store() -> Memory {
    Memory::new(Key([7; 32]))
}

/// A store with a project and this session.
pub(crate) fn with_session(external: &str) -> (Memory, SessionKey) {
    let store = store();
    commit(&store, Scope::Store, "project", &[add_project(PROJECT)]).expect("a project");
    let session = add_session(&store, external);
    (store, session)
}

pub(crate) fn add_project(id: ProjectId) -> Change {
    Change::AddProject { id, name: id.to_string(), keys: Vec::new(), at: Time(1) }
}

pub(crate) fn key(external: &str) -> SessionKey {
    SessionKey { harness: "test".to_owned(), external: external.to_owned(), agent: None }
}

/// Makes a session of the project known.
fn add_session(store: &Memory, external: &str) -> SessionKey {
    let key = key(external);
    let begin = Change::AddSession {
        project: PROJECT,
        key: key.clone(),
        parent: None,
        began: Began::Start,
        instance: 1,
        host_name: "host".to_owned(),
        place: Place::default(),
        at: Time(1),
    };
    commit(store, Scope::Session(key.clone()), "begin", &[begin]).expect("a session");
    key
}

fn note(id: i64, content: &str) -> Note {
    Note {
        id: NoteId(id),
        content: Content::new(content).expect("a legal content"),
        tags: Tags::new(&["kept"]).expect("legal tags"),
        created_at: Time(id),
        updated_at: Time(id),
        scratched_at: None,
    }
}

pub(crate) fn add_note(session: &SessionKey, id: i64, content: &str) -> Change {
    Change::AddNote { session: session.clone(), note: note(id, content) }
}

/// A write whose arguments are its id.
pub(crate) fn request(scope: Scope, id: &str) -> Write {
    Write {
        scope,
        is_fresh: false,
        id: WriteId::new(id).expect("a legal id"),
        arguments: plain(id.as_bytes()),
        kind: "test",
        origin: Origin { surface: Surface::Library, author: Author::Tool },
        by: Writer::NONE,
        at: Time(1),
    }
}

/// Commits changes under a write id.
pub(crate) fn commit(
    store: &Memory,
    scope: Scope,
    id: &str,
    changes: &[Change],
) -> Result<Outcome, StoreError> {
    store.write(&request(scope, id), &mut |_| {
        Ok(Decision::Commit { changes: changes.to_vec(), reply: format!("\"{id}\"") })
    })
}
