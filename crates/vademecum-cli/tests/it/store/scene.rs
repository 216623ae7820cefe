//! A home with a store `one.db` of three projects, made by the program itself and, where much is wanted, by the port.

use std::fs;
use std::path::Path;

use vademecum::core::hash::plain;
use vademecum::core::id::{NoteId, Seq, WriteId};
use vademecum::core::note::{Content, Note, Tags};
use vademecum::core::session::SessionKey;
use vademecum::core::sub_agent::Running;
use vademecum::core::time::Time;
use vademecum::port::{
    Author, Change, Decision, Depth, Origin, Outcome, Record, Scope, Store, StoreError, Surface,
    View, Write, Writer, read,
};
use vademecum_sqlite::{Options, Sqlite};

use crate::home::{Home, Said, VADE};

pub(super) struct Scene {
    pub(super) home: Home,
    /// The id of a note of `s-a-1` that was changed, crossed out and opened again.
    pub(super) changed: String,
}

/// The key of a session of Claude Code.
pub(super) fn key(external: &str) -> SessionKey {
    SessionKey { harness: "claude-code".to_owned(), external: external.to_owned(), agent: None }
}

pub(super) const AT: Time = Time(1_795_000_000_000);

/// The note with this id.
pub(super) fn note(id: i64, text: &str, tags: &[&str]) -> Note {
    Note {
        id: NoteId(id),
        content: Content::new(text).expect("a content"),
        tags: Tags::new(tags).expect("tags"),
        created_at: AT,
        updated_at: AT.plus(id),
        scratched_at: (id % 7 == 0).then_some(AT),
    }
}

pub(super) fn records(scene: &Scene, store: &str, scope: &Scope) -> Vec<Record> {
    scene.read(store, |view| view.records(scope, 0))
}

impl Scene {
    fn empty() -> Self {
        let home = Home::new();
        for project in ["a", "b", "c"] {
            home.write(&format!("{project}/.git/HEAD"), "ref: refs/heads/main\n");
        }
        Self { home, changed: String::new() }
    }

    /// One project with one session, its page and a note.
    pub(super) fn small() -> Self {
        let scene = Self::empty();
        scene.of("a", "s-a-1", &["notepad", "write", "first page"]);
        scene.of("a", "s-a-1", &["note", "add", "a small fact", "-t", "fact"]);
        scene
    }

    /// Everything that a store can hold.
    pub(super) fn whole() -> Self {
        let mut scene = Self::small();
        scene.of("a", "s-a-1", &["notepad", "update", "append", "\nand more"]);
        scene.of("a", "s-a-1", &["notepad", "write", "another page altogether"]);
        scene.changed = scene.add("s-a-1", "as it was");
        let id = scene.changed.clone();
        scene.of("a", "s-a-1", &["note", "update", &id, "as it is", "-t", "new"]);
        scene.of("a", "s-a-1", &["note", "scratch", &id]);
        scene.of("a", "s-a-1", &["note", "scratch", &id, "false"]);
        let gone = scene.add("s-a-1", "deleted again");
        scene.of("a", "s-a-1", &["note", "delete", &gone]);
        scene.of("a", "s-a-1/scout", &["note", "add", "found by a sub-agent", "-t", "found"]);
        scene.of("a", "s-a-1/scout", &["handoff", "write", "the scout says"]);
        scene.of("a", "s-a-1", &["handoff", "write", "go on with the rest"]);
        for project in ["a", "b", "c"] {
            scene.plans(project);
        }
        scene.many();
        scene.beside();
        let gone = scene.add("s-a-1", "to be forgotten");
        scene.of("a", "s-a-1", &["forget", "note", &gone, "--yes"]);
        scene.of("c", "s-c-2", &["note", "add", "to be forgotten whole", "-t", "x"]);
        scene.of("c", "s-c-2", &["forget", "session", "s-c-2", "--yes"]);
        assert!(!scene.holds("one.db", "to be forgotten"));
        scene
    }

    fn plans(&self, project: &str) {
        let session = format!("s-{project}-1");
        let of = |words: &[&str]| self.of(project, &session, words);
        of(&["plan", "init", "work"]);
        of(&["learning", "add", "the cache is keyed by path", "--tag", "cache"]);
        let said = of(&["decision", "add", "use a lock", "--rationale", "two writers", "--json"]);
        let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
        let id = said["entry"]["id"].as_str().or(said["id"].as_str()).expect("an id").to_owned();
        of(&["decision", "add", "use no lock", "--supersedes", &id]);
        of(&["issue", "add", "it is slow", "--severity", "high"]);
        of(&["learning", "add", "known everywhere", "--plan", "_project"]);
        if project == "b" {
            of(&["plan", "complete", "work"]);
            of(&["handoff", "write", "b is done"]);
        }
        of(&["notepad", "update", "append", &format!("page of {project}")]);
        let desk = ["note", "add", "of the desk", "-t", "desk", "--desk"];
        assert_eq!(self.in_project(project, &desk).code, Some(0));
    }

    /// 1,200 notes in writes of twenty, the last of which was deleted.
    fn many(&self) {
        let session = key("s-a-1");
        let first = 1_700_000_000_000;
        for n in 0..60 {
            let ids = (0..20).map(|m| first + n * 20 + m);
            let add = ids.map(|id| {
                let tag = format!("tag{}", id % 5);
                let note = note(id, &format!("fact number {id}"), &[&tag, "bulk"]);
                Change::AddNote { session: session.clone(), note }
            });
            let scope = Scope::Session(session.clone());
            self.write("one.db", scope, &format!("bulk-{n}"), &add.collect::<Vec<_>>());
        }
    }

    /// A fork, a recap, a running sub-agent, and a session that was told of everything.
    fn beside(&self) {
        let parent = key("s-a-1");
        let scope = || Scope::Session(key("s-a-1"));
        let (project, told) = self.read("one.db", |view| {
            let session = view.session(&key("s-b-1"))?.expect("a session");
            Ok((view.session(&parent)?.expect("a session").project, session))
        });
        let fork = Change::AddSession {
            project,
            key: key("s-a-fork"),
            parent: Some(parent.clone()),
            began: vademecum::core::session::Began::Fork,
            instance: 9,
            host_name: "elsewhere".to_owned(),
            place: vademecum::core::session::Place {
                host_pid: Some(4_000_000),
                cwd: Some(b"/\xffodd".to_vec()),
                ..Default::default()
            },
            at: AT,
        };
        let lend = Change::Fork {
            session: key("s-a-fork"),
            from: parent.clone(),
            page: true,
            notes: true,
            at_once: None,
            at: AT,
        };
        self.write("one.db", Scope::Session(key("s-a-fork")), "fork", &[fork, lend]);
        let body = r#"{"recap":"of it"}"#.to_owned();
        let recap = Change::SetRecap { session: parent, body, at: AT };
        let scout = SessionKey { agent: Some("scout".to_owned()), ..key("s-a-1") };
        let running =
            Running { began_at: AT, host_pid: Some(1), kind: None, asked: Some("look".to_owned()) };
        let runs = Change::SetRunning { session: scout, running: Some(running) };
        self.write("one.db", scope(), "beside", &[recap, runs]);
        let at = Scope::Session(told.key.clone());
        let seq = self.read("one.db", |view| view.last_seq(&at));
        let set = Change::SetSession {
            session: told.key.clone(),
            seen_at: told.seen_at,
            ended_at: None,
            place: told.place.clone(),
            standing: vademecum::core::session::Standing {
                told: seq,
                compactions: 2,
                ..told.standing
            },
        };
        self.write("one.db", at, "told", &[set]);
    }

    /// Adds a note to a session of project `a`; its id.
    pub(super) fn add(&self, session: &str, text: &str) -> String {
        let said = self.of("a", session, &["note", "add", text, "-t", "fact", "--json"]);
        let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
        said["note"]["id"].as_str().or(said["id"].as_str()).expect("an id").to_owned()
    }

    /// Runs a command on `one.db` for a session of Claude Code.
    pub(super) fn of(&self, project: &str, session: &str, words: &[&str]) -> String {
        self.of_store("one.db", project, session, words)
    }

    /// Runs a command for a session of Claude Code.
    #[track_caller]
    pub(super) fn of_store(
        &self,
        store: &str,
        project: &str,
        session: &str,
        words: &[&str],
    ) -> String {
        let mut command = self.command(project, words);
        command.env("VADE_STORE", self.home.path(store));
        command.env("VADE_SESSION_ID", format!("claude-code:{session}"));
        let said = self.home.said(&command.output().expect("a run"));
        assert_eq!(said.code, Some(0), "{words:?}: {said:?}");
        said.stdout
    }

    fn command(&self, project: &str, words: &[&str]) -> std::process::Command {
        let mut command = self.home.command(Path::new(VADE));
        command.current_dir(self.home.path(project)).env("VADE_STORE", self.home.path("one.db"));
        command.args(words.iter().map(|word| match word.strip_suffix(".db") {
            Some(_) => self.home.path(word).into_os_string(),
            None => word.into(),
        }));
        command
    }

    /// Runs a command in a project; words that end in `.db` are stores.
    pub(super) fn in_project(&self, project: &str, words: &[&str]) -> Said {
        self.home.said(&self.command(project, words).output().expect("a run"))
    }

    /// Runs a command of the home; words that end in `.db` are stores.
    pub(super) fn vade(&self, words: &[&str]) -> Said {
        self.in_project(".", words)
    }

    /// The command that copies, for who wants to end it.
    pub(super) fn copying(&self, from: &str, to: &str) -> std::process::Command {
        self.command(".", &["store", "copy", from, to])
    }

    pub(super) fn open(&self, store: &str) -> Sqlite {
        Sqlite::at(&self.home.path(store), Options::patient())
    }

    pub(super) fn read<T>(
        &self,
        store: &str,
        look: impl Fn(&dyn View) -> Result<T, StoreError>,
    ) -> T {
        read(&self.open(store), look).expect("a read")
    }

    pub(super) fn write(&self, store: &str, scope: Scope, id: &str, changes: &[Change]) {
        let request = Write {
            is_fresh: false,
            scope,
            id: WriteId::new(id).expect("an id"),
            arguments: plain(id.as_bytes()),
            kind: "test",
            origin: Origin { surface: Surface::Library, author: Author::Agent },
            by: Writer::NONE,
            at: AT,
        };
        let decide = || Decision::Commit { changes: changes.to_vec(), reply: "1".to_owned() };
        let done = self.open(store).write(&request, &mut |_| Ok(decide())).expect("a write");
        assert!(matches!(done, Outcome::Done { .. }), "{done:?}");
    }

    /// The newest entry of the journal.
    pub(super) fn seq(&self, store: &str) -> Seq {
        self.open(store).wait(Seq(0), std::time::Duration::ZERO).expect("a number")
    }

    /// Fails with what differs, if anything does.
    #[track_caller]
    pub(super) fn same(&self, one: &str, other: &str) {
        let said = self.vade(&["store", "check", one, other]);
        assert_eq!(said.code, Some(0), "{}", said.stdout);
    }

    /// Fails with what is wrong in a store.
    #[track_caller]
    pub(super) fn sound(&self, store: &str) {
        let health = self.open(store).health(Depth::Deep).expect("health");
        assert_eq!(health.faults, Vec::<String>::new());
    }

    /// The bytes of a database and of its log.
    pub(super) fn bytes(&self, store: &str) -> (Vec<u8>, Vec<u8>) {
        let read = |name: &str| fs::read(self.home.path(name)).unwrap_or_default();
        (read(store), read(&format!("{store}-wal")))
    }

    /// Whether a text stands anywhere in the files of a store.
    pub(super) fn holds(&self, store: &str, text: &str) -> bool {
        let (database, log) = self.bytes(store);
        [database, log].iter().any(|it| it.windows(text.len()).any(|at| at == text.as_bytes()))
    }
}
