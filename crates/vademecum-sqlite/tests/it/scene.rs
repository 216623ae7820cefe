//! A store in a folder of its own, with a session to write to.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use rusqlite::Connection;
use tempfile::TempDir;
use vademecum_core::id::{NoteId, ProjectId, WriteId};
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::session::{Began, Place, SessionKey};
use vademecum_core::time::Time;
use vademecum_sqlite::{Options, Sqlite};
use vademecum_store::{
    Author, Change, Decision, Depth, Origin, Outcome, Scope, SessionFilter, Store, StoreError,
    Surface, Write, Writer, read,
};

/// The only session of a scene.
pub(crate) static SESSION: LazyLock<SessionKey> = LazyLock::new(|| SessionKey {
    harness: "test".to_owned(),
    external: "s".to_owned(),
    agent: None,
});

/// The version of a store that this program makes.
pub(crate) const VERSION: i32 = 2_001;

/// Its project.
pub(crate) const PROJECT: ProjectId = ProjectId([7; 16]);

/// A folder for one store.
pub(crate) struct Scene {
    folder: TempDir,
}

impl Scene {
    /// A folder without a store.
    pub(crate) fn empty() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    /// The same in memory, for what asks nothing of a disk.
    pub(crate) fn in_memory() -> Self {
        Self { folder: in_memory() }
    }

    /// A store with one session and `n_notes` notes, closed.
    pub(crate) fn with_notes(n_notes: i64) -> Self {
        let scene = Self::empty();
        let store = scene.open();
        begin(&store);
        for id in 1..=n_notes {
            add(&store, id).expect("a note");
        }
        scene
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("data").join(name)
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.path("vade.db")
    }

    pub(crate) fn open(&self) -> Sqlite {
        self.open_with(Options::patient())
    }

    /// A handle as of a hook that has time: forks are as it finds them.
    pub(crate) fn open_brief(&self) -> Sqlite {
        self.open_with(Options { is_brief: true, ..Options::patient() })
    }

    /// A handle that waits for `millis` and no longer.
    pub(crate) fn open_for(&self, millis: u64) -> Sqlite {
        let write_wait = Duration::from_millis(millis);
        self.open_with(Options { write_wait, ..Options::patient() })
    }

    fn open_with(&self, options: Options) -> Sqlite {
        Sqlite::at(&self.database(), options)
    }

    /// The database as any other program opens it.
    pub(crate) fn raw(&self) -> Connection {
        Connection::open(self.database()).expect("a database")
    }

    /// Every file of the store with its bytes, but for the shared memory of readers.
    pub(crate) fn bytes(&self) -> Vec<(String, Vec<u8>)> {
        files_below(&self.path("."))
            .into_iter()
            .filter(|path| !path.to_string_lossy().ends_with("-shm"))
            .map(|path| (path.display().to_string(), fs::read(&path).expect("a file")))
            .collect()
    }
}

/// A folder in memory, where the host has one.
pub(crate) fn in_memory() -> TempDir {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    folder.expect("a folder")
}

/// All files below a folder, by name.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).expect("a folder");
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Makes the project and the session.
pub(crate) fn begin(store: &Sqlite) {
    let key = SESSION.clone();
    let project =
        Change::AddProject { id: PROJECT, name: "p".to_owned(), keys: Vec::new(), at: Time(1) };
    commit(store, Scope::Store, "begin", &[project, add_session(key)]).expect("a session");
}

/// Makes a session of the first project known.
pub(crate) fn add_session(key: SessionKey) -> Change {
    Change::AddSession {
        project: PROJECT,
        key,
        parent: None,
        began: Began::Start,
        instance: 1,
        host_name: "m".to_owned(),
        place: Place::default(),
        at: Time(1),
    }
}

/// Any write.
pub(crate) fn switch_off(store: &Sqlite) {
    let off = Change::SetOff { project: None, off_at: Some(Time(1)) };
    commit(store, Scope::Store, "off", &[off]).expect("a write");
}

/// Adds the note with this id under the write id of the same number.
pub(crate) fn add(store: &Sqlite, id: i64) -> Result<Outcome, StoreError> {
    let add = Change::AddNote { session: SESSION.clone(), note: note(id) };
    commit(store, Scope::Session(SESSION.clone()), &format!("add {id}"), &[add])
}

pub(crate) fn note(id: i64) -> Note {
    Note {
        id: NoteId(id),
        content: Content::new(format!("note number {id}")).expect("a text"),
        tags: Tags::new(&["finding"]).expect("a tag"),
        created_at: Time(id),
        updated_at: Time(id),
        scratched_at: None,
    }
}

pub(crate) fn commit(
    store: &Sqlite,
    scope: Scope,
    id: &str,
    changes: &[Change],
) -> Result<Outcome, StoreError> {
    store.write(&request(scope, id), &mut |_| {
        Ok(Decision::Commit { changes: changes.to_vec(), reply: String::new() })
    })
}

pub(crate) fn request(scope: Scope, id: &str) -> Write {
    Write {
        scope,
        is_fresh: false,
        id: WriteId::new(id).expect("a write id"),
        arguments: [0; 32],
        kind: "test",
        origin: Origin { surface: Surface::Library, author: Author::Tool },
        by: Writer::NONE,
        at: Time(1),
    }
}

/// How many notes the session has.
pub(crate) fn n_notes(store: &Sqlite) -> Result<u64, StoreError> {
    // Of a session whose name was lost, too.
    read(store, |view| {
        let all = view.sessions(SessionFilter::ALL)?;
        all.iter().map(|session| Ok(view.counts(&session.key)?.notes)).sum()
    })
}

/// What is wrong with the store, by its own deep check.
pub(crate) fn faults(store: &Sqlite) -> Vec<String> {
    store.health(Depth::Deep).expect("health").faults
}
